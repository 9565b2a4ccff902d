import { describe, expect, test } from "vitest";

import { rowMakersFor, varied } from "../../../src/init/requests/rows.ts";

const text = { type: "string" };
const body = (schema: object, place = "application/json") => ({
  requestBody: { content: { [place]: { schema } } },
});
const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: "object",
  required,
  properties,
});

describe("requests that make rows", () => {
  const titled = body(object({ title: text }));
  const varying = ['POST /notes {"title":"text{n}"}', 'POST /notes {"title":"text"}'];
  test.for<
    readonly [
      what: string,
      paths: Record<string, object>,
      lacking: readonly string[],
      expected: readonly (readonly string[])[],
    ]
  >([
    ["go to the list of what lacks", { "/notes": { post: titled } }, ["/notes/{id}"], [varying]],
    [
      "whether it ends with a slash or not",
      { "/notes/": { post: titled } },
      ["/notes/{id}"],
      [varying.map((line) => line.replace("/notes", "/notes/"))],
    ],
    ["go to an empty list itself", { "/notes": { post: titled } }, ["/notes"], [varying]],
    ["go to the list in the plural", { "/notes": { post: titled } }, ["/note/{id}"], [varying]],
    ["go nowhere else", { "/mails": { post: titled }, "/notes": { get: {} } }, ["/notes/{id}"], []],
    ["need no body", { "/notes": { post: {} } }, ["/notes"], [["POST /notes"]]],
    [
      "take their values in the query",
      {
        "/notes": {
          post: {
            parameters: [
              { in: "query", name: "title", required: true, schema: text },
              { in: "query", name: "pages", required: true, schema: { type: "integer" } },
              { in: "query", name: "tag", schema: text },
            ],
          },
        },
      },
      ["/notes"],
      [["POST /notes?title=text&pages=1"]],
    ],
    [
      "need a body that can be made",
      { "/notes": { post: body(object({ a: { type: "string", pattern: "^never$x" } })) } },
      ["/notes"],
      [],
    ],
    [
      "need a body in JSON",
      { "/notes": { post: { requestBody: { required: true, content: { "text/csv": {} } } } } },
      ["/notes"],
      [],
    ],
    [
      "have known keys in their paths",
      {
        "/notes/{note}/lines": { post: titled },
        "/tags/{tag}/lines": { post: titled },
      },
      ["/notes/{note}/lines/{line}", "/tags/{tag}/lines/{line}"],
      ["a%20b", "7"].map((note) => varying.map((line) => line.replace("/notes", `/notes/${note}/lines`))),
    ],
  ])("%s", ([, paths, lacking, expected]) => {
    const makers = rowMakersFor({ paths }, lacking, (path) =>
      path.includes("{note}") ? [{ note: "a b" }, { note: "7" }] : [],
    );
    expect(makers.map(({ lines }) => lines)).toEqual(expected);
  });
});

test.for<readonly [what: string, schema: object, value: unknown, expected: unknown]>([
  ["text", text, "text", "text{n}"],
  ["an address", { type: "string", format: "email" }, "user@example.com", "user{n}@example.com"],
  ["an example that is an address", text, "me@example.com", "me{n}@example.com"],
  ["a link", text, "https://example.com", "https://example.com"],
  ["a date", { type: "string", format: "date" }, "2026-01-31", "2026-01-31"],
  ["a choice", { enum: ["a", "b"] }, "a", "a"],
  ["a constant", { const: "a" }, "a", "a"],
  ["a short text", { type: "string", maxLength: 5 }, "text", "text"],
  ["a text with room", { type: "string", maxLength: 6 }, "text", "text{n}"],
  ["a pattern that has room", { type: "string", pattern: "^[a-z0-9]+$" }, "ada", "ada{n}"],
  ["a pattern that has none", { type: "string", pattern: "^[a-z]+$" }, "ada", "ada"],
  ["a pattern of Python's", { type: "string", pattern: "(?P<a>.)" }, "ada", "ada{n}"],
  ["a pattern of Python's alone", { type: "string", pattern: "(?x) ." }, "ada", "ada"],
  [
    "a pattern that may take for ever",
    { type: "string", pattern: "^(a+)+$" },
    "a".repeat(30),
    "a".repeat(30),
  ],
  ["a number as text", text, "42", "42"],
  [
    "numbers and flags",
    object({ a: { type: "integer" } }),
    { a: 1, b: true, c: null },
    { a: 1, b: true, c: null },
  ],
  ["parts", object({ a: { type: "array", items: text } }), { a: ["x"] }, { a: ["x{n}"] }],
  ["passwords", object({ password: text }), { password: "text" }, { password: "text" }],
  ["one of several", { anyOf: [{ type: "null" }, { type: "string", maxLength: 4 }] }, "text", "text"],
  ["one of several objects", { allOf: [object({ a: text })] }, { a: "x" }, { a: "x{n}" }],
])("%s varies where it may", ([, schema, value, expected]) => {
  expect(varied({}, schema, value)).toEqual(expected);
});
