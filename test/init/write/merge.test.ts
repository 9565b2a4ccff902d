import { expect, test } from "vitest";
import { parse } from "yaml";

import type { SuggestedEndpoint } from "../../../src/init/requests/endpoints.ts";
import { renderConfiguration, withAdded } from "../../../src/init/write/configuration.ts";

const written = `app: main:app
stubs:
  rates:
    app-env:
      RATES_URL: "{url}"
`;

test.for<readonly [what: string, kept: string, isAdded: boolean]>([
  ["is added", "app: main:app\n", true],
  ["is added beside other services", "app: main:app\nservices: redis\n", true],
  ["is not added where its variable has a value", "app: main:app\napp-env: { RATES_URL: http://a }\n", false],
  ["is not added where a comment has it", "app: main:app\n# RATES_URL: later\n", false],
  [
    "is not added beside a service of its name",
    "app: main:app\nservices: { rates: { preset: redis } }\n",
    false,
  ],
])("a stub %s", ([, kept, isAdded]) => {
  expect(withAdded("a.yml", kept, written)).toMatchObject({ added: isAdded ? ["stubs"] : [] });
});

test("stubs without variables are added", () => {
  const odd = "stubs: { a: {}, b: 1 }\n";
  expect(withAdded("a.yml", "app: a:b\n", odd)).toMatchObject({ added: ["stubs"] });
  expect(withAdded("a.yml", "app: a:b\n", "stubs: 1\n")).toMatchObject({ added: ["stubs"] });
});

const project = {
  installer: undefined,
  findings: [{ key: "app", value: "main:app", reason: "the only one" }],
  proposals: [],
};
const closed = (line: string, reason = "needs a login"): SuggestedEndpoint => ({ line, reason });
const open = (line: string): SuggestedEndpoint => ({ line, reason: undefined });
const form = { path: "/b", method: "POST", body: { text: "a # b" } };

/** The endpoints of the file after a second `init`, and its lines on the others. */
function again(first: readonly SuggestedEndpoint[] | "auto", second: readonly SuggestedEndpoint[]) {
  const [before, now] = [first, second].map((each) => renderConfiguration(project, each));
  const merged = withAdded("a.yml", before ?? "", now ?? "");
  if (typeof merged === "string") throw new Error(merged);
  const { endpoints } = parse(merged.text) as { readonly endpoints: unknown };
  const others = [...merged.text.matchAll(/^ *# {2}- (.*)$/gm)].map(([, line]) => line);
  // A third one finds nothing more.
  expect(withAdded("a.yml", merged.text, now ?? "")).toEqual({ text: merged.text, added: [] });
  return { endpoints, others, added: merged.added, text: merged.text };
}

test("a second `init` lists what can be measured by then, and says anew what is wrong with the rest", () => {
  const first = [open("/a"), closed("/b"), { ...closed("POST /b"), form }, closed("/c"), closed("/own")];
  const second = [
    open("/a"),
    open("/b"),
    { ...open("POST /b"), form },
    closed("/c", "answered 500"),
    open("/new"),
  ];
  const { endpoints, others, added } = again(first, second);
  expect(endpoints).toEqual(["/a", "/b"]); // a value with ` # ` in it cannot be told from a reason
  expect(others).toEqual([expect.stringContaining('"a # b"'), "/c # answered 500", "/own # needs a login"]);
  expect(added).toEqual(["endpoints"]);
});

test.for([
  ["an app that could not be imported", "auto"],
  ["an app of which nothing answered", [closed("/a"), closed("/b"), closed("/c")]],
] as const)("a second `init` lists the endpoints of %s", ([, first]) => {
  const { endpoints, others, added, text } = again(first, [open("/a"), open("/b"), closed("/c", "is slow")]);
  expect(endpoints).toEqual(["/a", "/b"]);
  expect(others).toEqual(["/c # is slow"]);
  expect(added).toEqual(["endpoints"]);
  expect(text).not.toMatch(/could not be imported here|answers here yet/);
});

test("what somebody chose stays in a second `init`", () => {
  const now = renderConfiguration(project, [open("/a"), open("/b")]);
  for (const kept of [
    "endpoints: auto\n",
    "endpoints: [/a]\n",
    "endpoints: [/a]\n#  - not: [ YAML # is it?\n",
  ])
    expect(withAdded("a.yml", `app: main:app\nworkers: [1]\n${kept}`, now)).toMatchObject({ added: [] });
});
