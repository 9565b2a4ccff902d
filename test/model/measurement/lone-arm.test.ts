import { describe, expect, test } from "vitest";
import type { Endpoint } from "../../../src/model/endpoint/endpoint.ts";
import type { StatusCounts } from "../../../src/model/load/statuses.ts";
import { loneArmOf, noBase } from "../../../src/model/measurement/lone-arm.ts";
import { loneArmSchema } from "../../../src/model/measurement/measurement.ts";

const items: Endpoint = { method: "GET", path: "/items" };

/** What the base and the head replied to the warm-up, and what follows. */
type Row = readonly [base: StatusCounts, head: StatusCounts, expected: string | undefined];

describe("loneArmOf", () => {
  const rows: readonly Row[] = [
    [{ "200": 9 }, { "200": 9 }, undefined],
    [{ "200": 9 }, { "200": 8, "404": 1 }, undefined],
    [{ "200": 1, "500": 8 }, { "200": 9 }, undefined],
    [{ "302": 9 }, { "201": 9 }, undefined],
    // The head is broken, and that is to be seen.
    [{ "200": 9 }, { "500": 9 }, undefined],
    [{ "200": 9 }, {}, undefined],
    [{ "200": 9 }, { "404": 5, "500": 4 }, undefined],
    [{ "200": 9 }, { "404": 9 }, "removed: /items is not in the head"],
    [{ "200": 9 }, { "405": 4, "404": 5 }, "removed: /items is not in the head"],
    [{ "404": 9 }, { "200": 9 }, "added: /items is not in the base"],
    [{ "405": 9 }, { "204": 9 }, "added: /items is not in the base"],
    [{ "500": 8, "503": 1 }, { "200": 9 }, "no base: every request to the base failed (500, 503)"],
    [{ "404": 5, "500": 4 }, { "200": 9 }, "no base: every request to the base failed (404, 500)"],
    [{ "error 1212": 9 }, { "200": 9 }, "no base: every request to the base failed (connection refused)"],
    [{}, { "200": 9 }, "no base: every request to the base failed (no response)"],
    [{ "404": 9 }, { "404": 9 }, "no base: every request failed in both arms (base: 404)"],
    [{ "404": 9 }, { "500": 9 }, "no base: every request failed in both arms (base: 404)"],
    [{}, {}, "no base: every request failed in both arms (base: no response)"],
  ];

  test.for(rows)("base %j, head %j: %s", ([base, head, expected]) => {
    const found = loneArmOf(items, { base, head });
    expect(found && `${found.kind}: ${found.reason}`).toBe(expected);
    if (found !== undefined) expect(loneArmSchema.parse(found)).toEqual({ ...found, logTail: "" });
  });

  test("names the method, and fits into the document however long the path is", () => {
    const post = loneArmOf({ method: "POST", path: "/items" }, { base: { "405": 1 }, head: { "201": 1 } });
    expect(post?.reason).toBe("POST /items is not in the base");
    const steps = [items, { pauseSeconds: 0.1 }];
    const iteration = loneArmOf({ steps }, { base: { "404": 1 }, head: { "200": 1 } });
    expect(iteration?.reason).toBe("/items → sleep 100 ms is not in the base");
    const path = `/${"x".repeat(1_999)}`;
    const long = loneArmOf({ method: "GET", path }, { base: { "200": 1 }, head: { "404": 1 } });
    expect(loneArmSchema.parse(long).reason).toMatch(/^\/x{899} is not in the head$/);
  });
});

describe("noBase", () => {
  test("keeps the reason and the end of what was said", () => {
    expect(noBase("pip failed", "no such package")).toEqual({
      kind: "no base",
      reason: "pip failed",
      logTail: "no such package",
    });
    expect(noBase("pip failed").logTail).toBe("");
  });

  test("fits into the document", () => {
    const cut = noBase("r".repeat(5_000), `${"a".repeat(30_000)}z`);
    expect(loneArmSchema.parse(cut)).toEqual(cut);
    expect([cut.reason.length, cut.logTail.length, cut.logTail.at(-1)]).toEqual([1_000, 20_000, "z"]);
  });
});
