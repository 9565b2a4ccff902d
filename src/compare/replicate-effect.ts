import type { ArmName, Block, Replicate, SlicePairs } from "../model/measurement/measurement.ts";
import { mean, sum, trimmedMean } from "../statistics/estimate.ts";

/** Pairs of slices in a block, and in each of two where that would leave one: the trimmed mean drops some of them. */
const pairsPerBlock = 15;
const fewestPerBlock = 5;

/** Share that is dropped at each end: a stall that hits one slice does not count. */
const trimmedShare = 0.2;

/** ln(head / base) of the throughput, mean over the blocks; `undefined` when no pair has both arms. */
export function throughputEffect(pairs: SlicePairs): number | undefined {
  const blocks = blockEffects(pairs);
  return blocks.length === 0 ? undefined : mean(blocks);
}

/** The same for each block, in order of time: the trimmed mean over its slice pairs. */
export function blockEffects(pairs: SlicePairs): readonly number[] {
  const known =
    knownEffects.get(pairs) ??
    intoBlocks(pairEffects(pairs)).map((block) => trimmedMean(block, trimmedShare));
  knownEffects.set(pairs, known);
  return known;
}

/** Those of pairs that were computed before: each look at a cell needs all of its replicates. */
const knownEffects = new WeakMap<SlicePairs, readonly number[]>();

/** ln(head / base) of each pair in which both arms completed a cycle, in order of time. */
export function pairEffects({ arms: { base, head } }: SlicePairs): number[] {
  return base.cycles
    .map((_, pair) => logRate(head, pair) - logRate(base, pair))
    .filter((effect) => Number.isFinite(effect));
}

/** ln(head / base) of the total throughput, in which stalls count in full; `undefined` without replies. */
export function totalEffect({ arms, pairs }: Replicate, pauseMs = 0): number | undefined {
  if (pairs === undefined) return undefined;
  const cycleMs = (arm: ArmName) => {
    const { cycles, cycleMs: total } = pairs.arms[arm];
    if (pairs.isWholeRuns === true) return sum(total) / sum(cycles);
    return meanReplyMs(arms[arm]?.blocks ?? []) + pauseMs;
  };
  const effect = Math.log(cycleMs("base") / cycleMs("head"));
  return Number.isFinite(effect) ? effect : undefined;
}

/** Requests per second of one arm at saturation, with as many virtual users at once. */
export function saturationRate({ arms }: SlicePairs, arm: ArmName, virtualUsers: number): number {
  const { cycles, cycleMs } = arms[arm];
  return (virtualUsers * 1_000 * sum(cycles)) / sum(cycleMs);
}

/** One value of ln(head / base) for each replicate in which both arms have the figure, finite and above 0. */
export function logRatios(
  replicates: readonly Replicate[],
  figure: (replicate: Replicate, arm: ArmName) => number | undefined,
): number[] {
  return replicates.flatMap((replicate) => {
    const [base, head] = [figure(replicate, "base"), figure(replicate, "head")];
    const ratio = Math.log((head ?? Number.NaN) / (base ?? Number.NaN));
    return Number.isFinite(ratio) ? [ratio] : [];
  });
}

function logRate({ cycles, cycleMs }: SlicePairs["arms"]["base"], pair: number): number {
  return Math.log((cycles[pair] ?? 0) / (cycleMs[pair] ?? 0));
}

/** Parts of nearly equal length, in order; none for an empty list. */
function intoBlocks(effects: readonly number[]): number[][] {
  const few = Math.min(2, Math.floor(effects.length / fewestPerBlock)); // one block alone shows no scatter
  const count = Math.max(Math.min(1, effects.length), few, Math.floor(effects.length / pairsPerBlock));
  return Array.from({ length: count }, (_, index) =>
    effects.slice(
      Math.floor((index * effects.length) / count),
      Math.floor(((index + 1) * effects.length) / count),
    ),
  );
}

/** Mean time for a reply in ms, stalls in full; long ones are of all requests, others within guards. */
export function meanReplyMs(blocks: readonly Block[]): number {
  const requests = sum(blocks.map((block) => block.requests));
  const limited = blocks.flatMap((block) => block.limited ?? []);
  const within = sum(limited.map((each) => each.requests));
  if (limited.length < blocks.length || within === 0)
    return sum(blocks.map(({ latencyTotalMs }) => latencyTotalMs)) / requests;
  const beyondMs = sum(blocks.map((block) => block.beyondMs ?? 0));
  return sum(limited.map(({ totalMs }) => totalMs)) / within + beyondMs / requests;
}

/** Time for starting and stopping around a load; see `closedPhase`. */
const around = { usualSeconds: 1.5, longestUsualLoad: 5, share: 0.4 } as const;

/** Seconds that one more replicate takes. Only the load's time was recorded. */
export function secondsPerReplicate(replicates: readonly Replicate[]): number {
  const load = mean(replicates.map(({ generator }) => generator.durationSeconds));
  return load + (load > around.longestUsualLoad ? load * around.share : around.usualSeconds);
}
