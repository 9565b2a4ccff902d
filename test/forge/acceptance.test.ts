import { describe, expect, test } from "vitest";

import { acceptancesIn, type Remark } from "../../src/forge/acceptance.ts";
import { renderMarker } from "../../src/forge/comment-marker.ts";

const sha = "dc4f5e0a".padEnd(40, "1");
const head = { sha, since: "2026-11-20T10:00:00Z" };
const remark: Remark = {
  id: "c12",
  author: "ana",
  isBot: false,
  body: "/loadtest accept /orders: new validation",
  url: "https://github.com/octo/app/pull/7#issuecomment-12",
  writtenAt: "2026-11-20T10:05:00Z",
};
const accepted = (changes: Partial<Remark>, of = head) => acceptancesIn({ ...remark, ...changes }, of);

describe("a line of a comment", () => {
  test("names the endpoint and the reason, and the comment says who and where", () => {
    expect(accepted({})).toEqual([
      {
        endpoint: "/orders",
        by: "ana",
        reason: "new validation",
        url: "https://github.com/octo/app/pull/7#issuecomment-12",
        remark: "c12",
      },
    ]);
  });

  test.for([
    ["/loadtest accept POST /orders: x", { endpoint: "POST /orders" }],
    ["/loadtest accept /orders, 2 workers: x", { endpoint: "/orders", workers: 2 }],
    ["/loadtest accept /orders, 1 worker at dc4f5e0: x", { endpoint: "/orders", workers: 1 }],
    [`/loadtest accept /orders at ${sha}: x`, { endpoint: "/orders" }],
    ["/loadtest accept /items?q=a,b at dc4f5e0a: x: y", { endpoint: "/items?q=a,b", reason: "x: y" }],
    ["/loadtest accept /a:b: x", { endpoint: "/a", reason: "b: x" }],
    ["/loadtest accept mix:x", { endpoint: "mix", reason: "x" }],
    [`/loadtest accept /orders: ${"x".repeat(300)}`, { reason: `${"x".repeat(199)}…` }],
  ] as const)("%s", ([body, expected]) => {
    expect(accepted({ body })).toEqual([expect.objectContaining(expected)]);
  });

  test.for([
    "/loadtest accept /orders",
    "/loadtest accept /orders:",
    "/loadtest accept : x",
    "/loadtest accept",
    "/loadtest",
    "loadtest accept /orders: x",
    " /loadtest accept /orders: x",
    "> /loadtest accept /orders: x",
    "```\n/loadtest accept /orders: x\n```",
    "The log says:\n/loadtest accept /orders: x",
    "/loadtest accept /orders at 0000000: another commit",
  ])("that accepts nothing: %j", (body) => {
    expect(accepted({ body })).toEqual([]);
  });

  test("may be one of several, up to the first other line", () => {
    const body =
      "/loadtest accept /a: x\r\n/loadtest accept /b: y\r\nThe rest is prose.\r\n/loadtest accept /c: z";
    expect(accepted({ body }).map(({ endpoint }) => endpoint)).toEqual(["/a", "/b"]);
  });

  test("of which there are too many, costs no time", () => {
    const started = performance.now();
    expect(accepted({ body: "/loadtest accept /a: x\n".repeat(5_000) })).toHaveLength(50);
    expect(accepted({ body: `/loadtest accept ${"a, 1 worker at ".repeat(4_000)}` })).toEqual([]);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe("T43: only the commit that is reported", () => {
  test.for([
    ["a comment from before it", { writtenAt: "2026-11-20T09:59:59Z" }, 0],
    ["a comment of the very second", { writtenAt: "2026-11-20T10:00:00Z" }, 0],
    [
      "a comment from before it that names it by its first digits",
      { writtenAt: "2020-01-01T00:00:00Z", body: "/loadtest accept /a at dc4f5e0: x" },
      0,
    ],
    [
      "a comment from before it that names all of it",
      { writtenAt: "2020-01-01T00:00:00Z", body: `/loadtest accept /a at ${sha}: x` },
      1,
    ],
    ["a comment that was edited since", { editedAt: "2026-11-20T10:06:00Z" }, 0],
    [
      "a comment that was edited since and names all of it",
      { editedAt: "2026-11-20T10:06:00Z", body: `/loadtest accept /a at ${sha}: x` },
      0,
    ],
    [
      "a comment that was edited before it and names all of it",
      {
        writtenAt: "2020-01-01T00:00:00Z",
        editedAt: "2020-01-02T00:00:00Z",
        body: `/loadtest accept /a at ${sha}: x`,
      },
      1,
    ],
    ["a review of it that names another", { commit: sha, body: "/loadtest accept /a at 0000000: x" }, 0],
    ["a review of it", { writtenAt: "2020-01-01T00:00:00Z", commit: sha }, 1],
    ["a review of another commit", { commit: "0".repeat(40) }, 0],
    ["a review of a commit that is gone", { commit: "" }, 0],
  ] as const)("%s", ([, changes, times]) => {
    expect(accepted(changes)).toHaveLength(times);
  });

  test("a comment that does not name it counts for nothing where its time is not known", () => {
    expect(acceptancesIn(remark, { sha })).toEqual([]);
    const named = { ...remark, body: `/loadtest accept /a at ${sha}: x` };
    expect(acceptancesIn(named, { sha })).toHaveLength(1);
    expect(acceptancesIn({ ...named, editedAt: "2020-01-01T00:00:00Z" }, { sha })).toEqual([]);
  });
});

describe("T43: nothing that is printed", () => {
  test.for([
    ["by a bot", { isBot: true }],
    [
      "in our own report, whoever's token wrote it",
      {
        body: `${renderMarker({ reportId: "x", runNumber: 1, attempt: 1, headSha: sha })}\n/loadtest accept /a: x`,
      },
    ],
    ["below a marker that cannot be read", { body: "<!-- fastapi-loadtest {} -->\n/loadtest accept /a: x" }],
  ] as const)("%s accepts anything", ([, changes]) => {
    expect(accepted(changes)).toEqual([]);
  });
});
