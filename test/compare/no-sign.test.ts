import { describe, expect, test } from "vitest";

import { isSettled, versusOf } from "../../src/compare/cell-comparison.ts";
import type { ArmRecord } from "../../src/model/measurement/measurement.ts";
import { looks } from "../../src/model/plan/plan.ts";
import { measurement } from "../fixtures/measurement.ts";
import { around, design, replicate } from "./two-arms.ts";

const limits = design({ looks: [...looks], maxSlowdown: 0.05 });

interface Case {
  readonly name: string;
  readonly count?: number;
  /** ln(head / base) of the throughput, and how far the replicates lie from it. */
  readonly change?: number;
  readonly scatter?: number;
  /** The same of the CPU time per request. */
  readonly cpu?: readonly [change: number, scatter: number];
  readonly head?: Partial<ArmRecord>;
  readonly by?: typeof limits;
}

function replicates({ count = 42, change = 0, scatter = 0.08, cpu = [0, 0.01], head = {} }: Case) {
  const works = around(...cpu, count);
  const base = { cpuSeconds: 4, sqlStatements: 20_000, sqlRows: 50_000 };
  return around(change, scatter, count).map((effect, index) =>
    replicate({
      effect,
      arms: { base, head: { ...base, cpuSeconds: 4 * Math.exp(works[index] ?? 0), ...head } },
    }),
  );
}

const verdict = (each: Case) => {
  const only = measurement({ replicates: replicates(each) });
  return versusOf([only], each.by ?? limits).get(only.cell.id)?.verdict;
};

describe("a cell that a noisy machine keeps open", () => {
  test("ends without a sign of a change, and says so", () => {
    const each = { name: "equal" };
    expect(isSettled(replicates(each), limits)).toBe(true);
    expect(verdict(each)).toMatchObject({
      kind: "inconclusive",
      minutesToSettle: undefined,
      reason: expect.stringMatching(/^measuring stopped early because nothing points to a change /),
    });
  });

  test.for<Case>([
    { name: "too few replicates", count: 10, scatter: 0.04 },
    { name: "between two looks", count: 43 },
    { name: "`unchanged` is near", count: 24, scatter: 0.055 },
    { name: "a slowdown that fails the check is possible", count: 24 },
    { name: "any slowdown fails the check", by: design({ looks: [...looks] }) },
    { name: "a sleep, a lock, fsync or a slow query seems to cost throughput", change: -0.012 },
    { name: "it seems faster", change: 0.012 },
    { name: "computing costs more CPU time", cpu: [0.04, 0.01] },
    { name: "system calls, memory or hand-overs do", cpu: [0.08, 0.02] },
    { name: "CPU time is not known well enough", cpu: [0, 0.06] },
    { name: "CPU time was not read", head: { cpuSeconds: 0 } },
    { name: "more statements", head: { sqlStatements: 20_200 } },
    { name: "more rows", head: { sqlRows: 51_000 } },
    { name: "larger responses", head: { responseBytes: 200 } },
  ])("goes on while $name", (each) => {
    expect(isSettled(replicates(each), each.by ?? limits)).toBe(false);
    expect(verdict(each)?.reason).not.toMatch(/nothing points/);
  });

  test("goes on while total throughput may hide a slowdown that fails the check", () => {
    const stalling = replicates({ name: "stalls" }).map((each, index) => {
      const { head } = each.arms;
      const blocks = head?.blocks.map((block) => ({
        ...block,
        latencyTotalMs: block.latencyTotalMs * (index % 6 === 0 ? 1.3 : 1),
      }));
      return { ...each, arms: { ...each.arms, ...(head && { head: { ...head, blocks: blocks ?? [] } }) } };
    });
    expect(isSettled(stalling, limits)).toBe(false);
  });
});
