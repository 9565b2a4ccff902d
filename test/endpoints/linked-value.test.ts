import { expect, test } from "vitest";
import { valueOfLinks } from "../../src/endpoints/captures.ts";
import type { Reply } from "../../src/endpoints/dry-request.ts";

const links = [
  { source: "/a", pointer: "/0/id" },
  { source: "/b", pointer: "/first" },
];
const reply = (status: number, body: string): Reply => ({ status, body });

test.for<readonly [what: string, replies: Readonly<Record<string, Reply | string>>, expected: unknown]>([
  ["the first", { "/a": reply(200, '[{"id":7}]'), "/b": reply(200, '{"first":8}') }, { value: 7 }],
  [
    "the second where the first has none",
    { "/a": reply(200, "[]"), "/b": reply(200, '{"first":"x"}') },
    { value: "x" },
  ],
  [
    "the second where the first fails",
    { "/a": reply(500, '[{"id":7}]'), "/b": reply(200, '{"first":8}') },
    { value: 8 },
  ],
  [
    "none",
    { "/a": reply(200, "[]"), "/b": reply(200, "none") },
    "GET /b answered 200 without a value at /first",
  ],
  ["none, of an error", { "/b": reply(403, "") }, "GET /b answered 403 without a value at /first"],
  ["none, without a reply", { "/b": "failed: no reply came" }, "GET /b failed: no reply came"],
])("of several links the value is that of %s", ([, replies, expected]) => {
  expect(valueOfLinks(links, new Map(Object.entries(replies)))).toEqual(expected);
});

test("nobody needs to have been asked", () => {
  expect(valueOfLinks(links.slice(0, 1), undefined)).toBe("GET /a was not requested");
  expect(valueOfLinks([], undefined)).toBe("no link was followed");
});
