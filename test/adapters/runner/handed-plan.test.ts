import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";

import { packPlan, unpackPlan } from "../../../src/adapters/runner/index.ts";

/** As large as a plan of 64 endpoints with queries of 300 characters and four worker counts. */
const cells = Array.from(
  { length: 64 },
  (_, index) => `/search/${index}?q=${randomBytes(150).toString("hex")}`,
).flatMap((path) =>
  [1, 2, 4, 8].map((workers) => ({
    id: `get-search-w${workers}`,
    endpoint: { method: "GET", path },
    workers,
    server: "uvicorn {app} --host {host} --port {port} --workers {workers} --no-access-log",
    load: { kind: "constant", virtualUsers: 8, durationSeconds: 10 },
  })),
);
const plan = JSON.stringify({ schemaVersion: 1, cells });

describe("a plan on its way to another job", () => {
  test("fits into one variable where its text does not", () => {
    expect(plan.length).toBeGreaterThan(131_061);
    expect(packPlan(plan).length).toBeLessThan(60_000);
    expect(unpackPlan(packPlan(plan))).toBe(plan);
  });

  test("spells none of its words", () => {
    expect(packPlan(plan)).toMatch(/^[\w-]+$/);
    for (const word of ["admin", "search", "workers"]) expect(packPlan(plan)).not.toContain(word);
  });

  test("may be text, too", () => {
    expect(unpackPlan(` ${plan}`)).toBe(` ${plan}`);
  });

  test.for([
    [
      "lost",
      "plan: was lost between two jobs, because GitHub drops outputs that contain the text of a secret",
    ],
    ["nonsense", "plan: was not produced by the `plan` command; pass its `plan` output on unchanged"],
    ["!", "plan: was not produced by the `plan` command"],
  ] as const)("%s is refused with what to do", ([text, message]) => {
    expect(() => unpackPlan(text)).toThrow(message);
  });

  test("T18: does not fill the memory", () => {
    const bomb = packPlan("0".repeat(51_000_000));
    expect(bomb.length).toBeLessThan(100_000);
    expect(() => unpackPlan(bomb)).toThrow("plan: was not produced by the `plan` command");
  });
});
