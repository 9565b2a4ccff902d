import type {
  ArmName,
  ArmRecord,
  Measurement,
  Replicate,
  SlicePairs,
} from "../../src/model/measurement/measurement.ts";
import type { Design } from "../../src/model/plan/plan.ts";
import { sum } from "../../src/statistics/estimate.ts";
import { armRecord, measurement } from "../fixtures/measurement.ts";
import { slicedLoad } from "./sliced-load.ts";

/** The design of a report with one cell. Its looks are fixed, so that the tests can name figures. */
export function design(overrides: Partial<Design> = {}): Design {
  return {
    kind: "comparison",
    minChange: 0.03,
    falseAlarmRate: 0.01,
    looks: [4, 7, 11, 16, 22],
    maxMinutes: 20,
    cells: 1,
    ...overrides,
  };
}

/** Slice pairs with the given effects, ln(head / base): the base completes 40 cycles of 8 ms in each. */
export function slicePairs(effects: readonly number[]): SlicePairs {
  const cycles = effects.map(() => 40);
  const base = { cycles, cycleMs: effects.map(() => 320) };
  const head = { cycles, cycleMs: effects.map((effect) => 320 * Math.exp(-effect)) };
  return { sliceMs: 80, arms: { base, head } };
}

/** The same with base and head in each other's place. */
export function swapped(replicate: Replicate): Replicate {
  const { arms, pairs, open } = replicate;
  return {
    ...replicate,
    arms: { ...(arms.head && { base: arms.head }), ...(arms.base && { head: arms.base }) },
    ...(pairs && { pairs: { ...pairs, arms: { base: pairs.arms.head, head: pairs.arms.base } } }),
    ...(open && { open: { ...open, arms: { base: open.arms.head, head: open.arms.base } } }),
  };
}

/** A replicate of both arms on a quiet machine; `effect` is that of all its slice pairs, ln(head / base). */
export function replicate({
  effect = 0,
  arms = {},
  ...overrides
}: Partial<Omit<Replicate, "arms">> & {
  readonly effect?: number;
  readonly arms?: Partial<Record<ArmName, Partial<ArmRecord>>>;
} = {}): Replicate {
  const { pairs = slicePairs(Array<number>(40).fill(effect)) } = overrides;
  return {
    arms: {
      base: armRecord({ cpus: "0", ...totalOf(pairs.arms.base), ...arms.base }),
      head: armRecord({ cpus: "0", ...totalOf(pairs.arms.head), ...arms.head }),
    },
    generator: {
      requests: 20_000,
      failures: 0,
      iterations: 20_000,
      droppedIterations: 0,
      durationSeconds: 12,
    },
    pairs,
    conditions: { generatorShare: 0.4, appShare: 0.98, stealShare: 0.001, foreignShare: 0.02 },
    isLaidOutAlike: true,
    ...overrides,
  };
}

/** All replies of an arm, when its slices count all. */
function totalOf({ cycles, cycleMs }: SlicePairs["arms"]["base"]): Pick<ArmRecord, "blocks"> {
  const of = { requests: sum(cycles), latencyTotalMs: sum(cycleMs), latencyMaxMs: 30 };
  return { blocks: [{ startSeconds: 0, seconds: 5, failures: 0, ...of }] };
}

/** Values around a middle: half of them above, half below, all at this distance. */
export function around(middle: number, distance: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => middle + (index % 2 === 0 ? distance : -distance));
}

/** A cell whose replicates have these effects, ln(head / base). */
export function compared(effects: readonly number[], overrides: Partial<Measurement> = {}): Measurement {
  return measurement({ replicates: effects.map((effect) => replicate({ effect })), ...overrides });
}

/** Four replicates of one user's requests, so long that each pair of slices has whole ones of one arm only. */
export function oneSided(overrides: Partial<Measurement> = {}): Measurement {
  const replicates = [1, 2, 3, 4].map((seed) =>
    replicate({ pairs: slicedLoad({ virtualUsers: 1, latencyMs: 5_000, seed }) }),
  );
  return measurement({ replicates, ...overrides });
}
