import { describe, expect, test } from "vitest";

import * as ofK6 from "../../k6/captures.ts";
import { capturedIn, headersWith, missingValue, withCaptured } from "../../src/endpoints/captures.ts";
import type { Reply } from "../../src/endpoints/dry-request.ts";

const reply = (body: string, headers: Reply["headers"] = {}): Reply => ({ status: 201, body, headers });

describe("a value of a reply", () => {
  test.for<readonly [what: string, body: string, pointer: string, value: unknown]>([
    ["a number", '{"id": 7}', "/id", 7],
    ["text", '{"a": {"b c": "x"}}', "/a/b c", "x"],
    ["an item of a list", '{"items": [{"id": 1}, {"id": "z"}]}', "/items/1/id", "z"],
    ["names with escapes", '{"a/b": {"~": 0}}', "/a~1b/~0", 0],
    ["nothing there", '{"a": 1}', "/b", undefined],
    ["beyond text", '{"a": "xyz"}', "/a/0", undefined],
    ["empty text", '{"a": ""}', "/a", undefined],
    ["an object", '{"a": {}}', "/a", undefined],
    ["what every object has", "{}", "/constructor/name", undefined],
    ["null", '{"a": null}', "/a", undefined],
    ["no JSON", "<html>", "/a", undefined],
  ])("by a pointer: %s", ([, body, pointer, value]) => {
    expect(capturedIn(reply(body), { name: "x", kind: "json", place: pointer })).toBe(value);
    expect(ofK6.valueAt(body, pointer)).toBe(value);
  });

  test.for<readonly [kind: "header" | "cookie", place: string, value: unknown]>([
    ["header", "Location", "/orders/7"],
    ["header", "X-None", undefined],
    ["cookie", "session", "s1"],
    ["cookie", "Path", undefined],
  ])("by a %s %s", ([kind, place, value]) => {
    const headers = { location: ["/orders/7"], "set-cookie": ["a=b; Path=/", "session=s1; HttpOnly"] };
    expect(capturedIn(reply("", headers), { name: "x", kind, place })).toBe(value);
    expect(capturedIn({ status: 200, body: "" }, { name: "x", kind, place })).toBeUndefined();
  });
});

test.for([
  [
    { "X-CSRF": "{id}", Cookie: "a={text}; b={id}" },
    { "X-CSRF": "7", Cookie: 'a=a "b"/c; b=7' },
  ],
  [{ X: "{unknown} {__proto__}" }, { X: "{unknown} {__proto__}" }],
  [{ X: "{lines}" }, { X: "a  b" }],
  [{}, {}],
] as const)("headers %j become %j, here and in k6", ([headers, filled]) => {
  const captured = Object.assign(Object.create(null), { id: 7, text: 'a "b"/c', lines: "a\r\nb" });
  expect(headersWith(headers, captured)).toEqual(filled);
  expect(ofK6.headersWith(headers, captured)).toEqual(filled);
});

describe("captured values", () => {
  const captured = { id: 7, text: 'a "b"/c' };

  test.for<readonly [path: string, filled: string]>([
    ["/orders/{id}/{other}", "/orders/7/{other}"],
    ["/by/{text}?q={id}", "/by/a%20%22b%22%2Fc?q=7"],
    ["/{toString}", "/{toString}"],
  ])("go into the path %s", ([path, filled]) => {
    expect(withCaptured({ path }, captured)).toEqual({ path: filled });
    expect(ofK6.pathWith(path, Object.assign(Object.create(null), captured))).toBe(filled);
  });

  test.for<readonly [body: string, filled: string]>([
    ['{"order":"{id}","of":"no {id}"}', '{"order":7,"of":"no 7"}'],
    ['["{text}","x {text}"]', '["a \\"b\\"/c","x a \\"b\\"/c"]'],
    ["order {id} of {text}", 'order 7 of a "b"/c'],
    ['the "{id}"', 'the "7"'],
    ['{"a":"{other}"}', '{"a":"{other}"}'],
  ])("go into the body %s", ([body, filled]) => {
    expect(withCaptured({ path: "/", body }, captured)).toEqual({ path: "/", body: filled });
    expect(ofK6.bodyWith(body, Object.assign(Object.create(null), captured))).toBe(filled);
  });
});

test("a missing value tells the request, the status and the first words, made visible", () => {
  const body = `no\n\u001b[31m${"x".repeat(400)}`;
  const said = missingValue("POST /orders", { name: "id", kind: "json", place: "/id" }, reply(body));
  expect(said).toMatch(
    /^POST \/orders answered 201 without \/id in its JSON, which later steps need as \{id\}: no/,
  );
  expect(said).toMatch(/; fix `capture`$/);
  expect(said).not.toContain("\u001b");
  expect(said.length).toBeLessThan(330);
  const ofCookie = missingValue("GET /", { name: "id", kind: "cookie", place: "sid" }, reply(""));
  expect(ofCookie).toBe(
    "GET / answered 201 without the cookie sid, which later steps need as {id}; fix `capture`",
  );
});
