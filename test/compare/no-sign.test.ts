import { describe, expect, test } from "vitest";

import { isSettled, turnOf, versusOf } from "../../src/compare/cell-comparison.ts";
import type { ArmRecord, Measurement } from "../../src/model/measurement/measurement.ts";
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

describe("a cell whose requests run as many instructions in both versions", () => {
  /** Instructions of a request in each arm, as two starts counted them. */
  const counted = (base: number, head: number): Measurement["instructions"] => {
    const arm = (each: number) => ({
      batches: [10 * each, 10 * each],
      seconds: [1, 1],
      idlePerSecond: [0, 0],
    });
    const start = (hashSeed: number) => ({ hashSeed, requests: 10, base: arm(base), head: arm(head) });
    return { starts: [start(1), start(2)] };
  };
  const equal = counted(4e6, 4e6);
  /** Open as long as `unchanged` must be as certain as a change. */
  const open: Case = { name: "equal", count: 8, scatter: 0.018, cpu: [0, 0.001] };
  const settled = (each: Case, instructions: Measurement["instructions"]) => {
    const only = measurement({ replicates: replicates(each), ...(instructions && { instructions }) });
    const by = each.by ?? limits;
    const versus = versusOf([only], by).get(only.cell.id);
    const isUnchanged = versus?.verdict.kind === "unchanged";
    expect(versus?.unchangedConfidence).toBe(isUnchanged ? 0.95 : undefined);
    expect(isSettled(only.replicates, by, instructions && { instructions })).toBe(isUnchanged);
    return isUnchanged;
  };

  test("is unchanged sooner", () => {
    expect([settled(open, undefined), settled(open, equal)]).toEqual([false, true]);
  });

  test.for<{ readonly name: string; readonly each: Case; readonly instructions?: typeof equal }>([
    { name: "they were not counted", each: open, instructions: { unseen: "no Valgrind" } },
    { name: "they may differ by as much as matters", each: open, instructions: counted(4e6, 4.036e6) },
    { name: "it sends more statements", each: { ...open, head: { sqlStatements: 20_200 } } },
    { name: "it reads more rows", each: { ...open, head: { sqlRows: 51_000 } } },
    { name: "its responses are larger", each: { ...open, head: { responseBytes: 200 } } },
    { name: "it seems to wait", each: { ...open, change: -0.02 } },
  ])("is not where $name", ({ each, instructions = equal }) => {
    expect(settled(each, instructions)).toBe(false);
  });

  test("is called slower all the same where it waits for longer", () => {
    const waiting = { ...open, change: -0.06, scatter: 0.004 };
    const only = measurement({ replicates: replicates(waiting), ...(equal && { instructions: equal }) });
    expect(versusOf([only], limits).get(only.cell.id)?.verdict.kind).toBe("slower");
  });

  test("comes after one whose instructions changed", () => {
    const turn = (instructions: Measurement["instructions"]) =>
      turnOf(replicates(open), limits, instructions && { instructions });
    expect(turn(counted(4e6, 4.1e6))).toBeLessThan(turn(equal));
  });
});
