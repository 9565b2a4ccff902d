import {
  type ArmRecord,
  type Histogram,
  looks,
  type Measurement,
  makeCell,
  type Plan,
  type Replicate,
  type SlicePairs,
} from "../../src/engine.ts";
import { recording } from "../../test/recordings/recording.ts";

/** As many as a cell can have. */
export const mostReplicates = looks.at(-1) ?? 0;

/** Recorded cells under other names, each with this many of its own replicates, no two of which are alike. */
export function recordedCells(
  count: number,
  replicates = mostReplicates,
): { readonly plan: Plan; readonly measurements: Measurement[] } {
  const shop = recording("shop");
  const sources = [shop, recording("change"), recording("same")].flatMap(({ measurements }) => measurements);
  const random = randomNumbers();
  const measurements = Array.from({ length: count }, (_, index): Measurement => {
    const source = sources[index % sources.length];
    if (source === undefined) throw new Error("a recording holds measurements");
    const { id: _id, ...cell } = source.cell;
    const path = `/api/v1/${["users", "orders", "items", "carts"][Math.floor(index / 4) % 4]}/${Math.floor(index / 4)}`;
    return {
      ...source,
      cell: makeCell({ ...cell, endpoint: { method: "GET", path }, workers: [1, 2, 4, 8][index % 4] ?? 1 }),
      replicates: Array.from({ length: replicates }, (__, each) =>
        another(source.replicates[each % source.replicates.length], random),
      ),
    };
  });
  const { design } = shop.plan;
  return {
    plan: {
      schemaVersion: 1,
      cells: measurements.map(({ cell }) => cell),
      ...(design && { design: { ...design, cells: count } }),
    },
    measurements,
  };
}

/** The replicate with figures that differ in their last digits, as those of a real one would: it must not compress. */
function another(replicate: Replicate | undefined, random: () => number): Replicate {
  if (replicate === undefined) throw new Error("a recorded cell has replicates");
  const { arms, pairs, open } = replicate;
  const near = (value: number) => value * (1 + 0.02 * (random() - 0.5));
  const histogram = ({ buckets, counts }: Histogram): Histogram => ({
    buckets,
    counts: counts.map((each) => each + Math.floor(3 * random())),
  });
  const arm = (record: ArmRecord): ArmRecord => ({
    ...record,
    latency: histogram(record.latency),
    blocks: record.blocks.map((block) => ({
      ...block,
      latencyTotalMs: near(block.latencyTotalMs),
      latencyMaxMs: near(block.latencyMaxMs),
    })),
    ...(record.cpuSeconds !== undefined && { cpuSeconds: Number(near(record.cpuSeconds).toFixed(2)) }),
  });
  const slices = ({ cycles, cycleMs }: SlicePairs["arms"]["base"]) => ({
    cycles,
    cycleMs: cycleMs.map((each) => Math.round(near(each))),
  });
  const openArm = (each: NonNullable<typeof open>["arms"]["base"]) => ({
    ...each,
    latency: histogram(each.latency),
  });
  return {
    ...replicate,
    arms: { ...(arms.base && { base: arm(arms.base) }), ...(arms.head && { head: arm(arms.head) }) },
    ...(pairs && {
      pairs: { ...pairs, arms: { base: slices(pairs.arms.base), head: slices(pairs.arms.head) } },
    }),
    ...(open && {
      open: { ...open, arms: { base: openArm(open.arms.base), head: openArm(open.arms.head) } },
    }),
  };
}

/** The same numbers in every run (a linear congruential generator), from 0 to 1. */
export function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (1_103_515_245 * state + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
