import { expect, test } from "vitest";

import { eachRequest, seedRequestOf } from "../../../src/model/workload/seed-request.ts";

const form = 'must be a method, a path and JSON, e.g. POST /notes {"title": "Note {n}"}';

test.for<readonly [line: string, expected: unknown]>([
  ["POST /notes", { method: "POST", path: "/notes" }],
  ['  PUT /notes/1?a=b  {"a": [1]} ', { method: "PUT", path: "/notes/1?a=b", body: '{"a": [1]}' }],
  ['POST /a {"n": {n}}', { method: "POST", path: "/a", body: '{"n": {n}}' }],
  ["/notes", form],
  ["POST notes", form],
  ["SEND /notes", form],
  ["WS /notes", form],
  ["POST /é {}", "must have a path that is percent-encoded where it is not plain ASCII"],
  ["POST /a {title}", "must have a body that is JSON"],
])("%s", ([line, expected]) => {
  expect(seedRequestOf(line)).toEqual(expected);
});

test("a number in its place makes 20 requests, else there is one", () => {
  const all = eachRequest({ method: "POST", path: "/a/{n}", body: '"b{n}"' });
  expect(all).toHaveLength(20);
  expect([all[0], all[19]]).toEqual([
    { method: "POST", path: "/a/1", body: '"b1"' },
    { method: "POST", path: "/a/20", body: '"b20"' },
  ]);
  expect(eachRequest({ method: "POST", path: "/a" })).toEqual([{ method: "POST", path: "/a" }]);
  expect(eachRequest({ method: "POST", path: "/a", body: "{n}" })).toHaveLength(20);
});
