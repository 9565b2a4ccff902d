import { expect, test } from "vitest";
import type { Reply } from "../../src/endpoints/dry-request.ts";
import { type SlowReplies, stillSlow, tooSlow, withoutSlow } from "../../src/trial/slow.ts";

const [quick, late]: readonly Reply[] = [0.1, 8].map((seconds) => ({ status: 200, body: "", seconds }));
const silence = "no response came within 10 s";

test.for<
  readonly [what: string, replies: readonly (Reply | string | undefined)[], got: unknown, sent: number]
>([
  ["a quick reply counts each time", [quick, quick], [quick, quick], 2],
  ["a slow first reply does not count", [late, quick, quick], [quick, quick], 3],
  ["two slow replies count for good", [late, late, quick], [late, late], 2],
  ["none within the time counts at once", [silence, quick], [silence, silence], 1],
])("%s", async ([, replies, got, sent]) => {
  const left = [...replies];
  const send = withoutSlow(async () => left.shift() ?? "nothing is left", new Map());
  const request = { method: "GET", path: "/a" };
  expect([await send(request), await send(request)]).toEqual(got);
  expect(left).toHaveLength(replies.length - sent);
});

test("an app that another request kept busy is asked again", async () => {
  const slow: SlowReplies = new Map();
  const send = withoutSlow(async () => silence, slow);
  for (const path of ["/stuck", "/b"]) await send({ method: "GET", path });
  expect([...slow.keys()]).toEqual(["GET /stuck"]);
});

test("other starts of the app know it, too", async () => {
  const slow: SlowReplies = new Map();
  const request = { method: "GET", path: "/a" };
  await withoutSlow(async () => late ?? "", slow)(request);
  expect(await withoutSlow(async () => "not asked", slow)(request)).toBe(late);
  expect(await withoutSlow(async () => "asked", slow)({ method: "GET", path: "/b" })).toBe("asked");
});

test.for([{ method: "POST" }, { isWaiting: true }] as const)("%o is always sent", async (more) => {
  const slow: SlowReplies = new Map();
  const request = { method: "GET", path: "/a", ...more };
  const send = withoutSlow(async () => silence, slow);
  await send(request);
  expect(slow.size).toBe(0);
});

test("other settings may make an app answer that was silent, and none make it quicker", () => {
  const reply = { status: 200, body: "", seconds: 3 };
  const slow: SlowReplies = new Map();
  slow.set("GET /a", reply).set("GET /b", silence);
  expect([...stillSlow(slow)]).toEqual([["GET /a", reply]]);
});

test.for([
  [200, 0.1, undefined],
  [200, 2.5, undefined],
  [200, 8.26, "answered after 8.3 s: too slow to measure"],
  [500, 8.26, undefined],
] as const)("a reply of %s after %s s: %s", ([status, seconds, expected]) => {
  expect(tooSlow({ status, body: "", seconds })).toBe(expected);
});
