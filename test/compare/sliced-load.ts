import { throughputEffect } from "../../src/compare/replicate-effect.ts";
import { closedPhase } from "../../src/model/load/phases.ts";
import { type Slicing, slicingFor } from "../../src/model/load/slicing.ts";
import type { SlicePairs } from "../../src/model/measurement/measurement.ts";

/** The load and its length. */
export interface SlicedLoad {
  readonly virtualUsers: number;
  /** Latency of the slower arm, when it has all users' requests. */
  readonly latencyMs: number;
  /** ln(head / base) of the throughput; by default 0. */
  readonly effect?: number;
  /**
   * `cpu`: each arm is a process that answers one request after the other, and both share one CPU. `wait`: every request
   * takes its time, whatever the others do.
   */
  readonly kind?: "cpu" | "wait";
  /** By default the slicing that fits the latency. */
  readonly slicing?: Slicing;
  /** By default the closed phase's. */
  readonly seconds?: number;
  /** True while the head's server answers nothing; by default never. */
  readonly isHeadStalled?: (ms: number) => boolean;
  /** Called for every reply, also for those that no slice counts. */
  readonly onReply?: (arm: "base" | "head", request: Sent, repliedMs: number) => void;
  readonly seed: number;
}

/** A request, as its user knows it. */
export interface Sent {
  readonly user: number;
  readonly slice: number;
  readonly sentMs: number;
  readonly isGuarded: boolean;
}

interface Job extends Sent {
  readonly arm: 0 | 1;
  leftMs: number;
}

/** One replicate's slice pairs of users who send the next request on each answer, counted like `k6/load.ts`. */
export function slicedLoad({
  virtualUsers,
  latencyMs,
  effect = 0,
  kind = "cpu",
  slicing: wanted = slicingFor(latencyMs),
  seconds,
  isHeadStalled = () => false,
  onReply,
  seed,
}: SlicedLoad): SlicePairs {
  const random = randomFrom(seed);
  const { load, slicing } = closedPhase(virtualUsers, wanted);
  const { sliceMs, guard } = slicing;
  const endMs = 1_000 * (seconds ?? load.durationSeconds);
  const pairs = Math.round(endMs / (2 * sliceMs));
  const firstArms = Array.from({ length: pairs }, () => (random() < 0.5 ? 0 : 1));
  const usualMs = [latencyMs * Math.exp(Math.min(0, effect)), latencyMs * Math.exp(Math.min(0, -effect))];
  const perRequestMs = usualMs.map((ms) => (kind === "cpu" ? ms / virtualUsers : ms));
  const counted = [0, 1].map(() => ({
    cycles: Array<number>(pairs).fill(0),
    cycleMs: Array<number>(pairs).fill(0),
  }));
  const queues: [Job[], Job[]] = [[], []];
  let nowMs = 0;
  const send = (user: number) => {
    const slice = Math.floor(nowMs / sliceMs);
    const arm = ((slice & 1) ^ (firstArms[slice >> 1] ?? 0)) as 0 | 1;
    const inSliceMs = nowMs - slice * sliceMs;
    const isGuarded = inSliceMs >= guard.startMs && inSliceMs < sliceMs - guard.endMs;
    // Some requests take three times as long as others.
    const leftMs = (perRequestMs[arm] ?? 0) * (0.5 + (random() + random()) / 2);
    queues[arm].push({ user, slice, arm, sentMs: nowMs, isGuarded, leftMs });
  };
  for (let user = 0; user < virtualUsers; user += 1) send(user);
  while (nowMs < endMs) {
    const awake = isHeadStalled(nowMs) ? queues.slice(0, 1) : queues;
    const running = awake.flatMap((queue) => (kind === "cpu" ? queue.slice(0, 1) : queue));
    if (running.length === 0) {
      nowMs += 1; // everybody waits for the head
      continue;
    }
    const share = kind === "cpu" ? 1 / running.length : 1;
    const stepMs = Math.min(...running.map(({ leftMs }) => leftMs / share));
    nowMs += stepMs;
    for (const job of running) job.leftMs -= stepMs * share;
    for (const { user, slice, arm, sentMs, isGuarded } of running.filter(({ leftMs }) => leftMs < 1e-9)) {
      queues[arm].splice(
        queues[arm].findIndex(({ leftMs }) => leftMs < 1e-9),
        1,
      );
      const of = counted[arm];
      const pair = slice >> 1;
      if (isGuarded && pair < pairs && of !== undefined) {
        of.cycles[pair] = (of.cycles[pair] ?? 0) + 1;
        of.cycleMs[pair] = (of.cycleMs[pair] ?? 0) + nowMs - sentMs;
      }
      onReply?.(arm === 0 ? "base" : "head", { user, slice, sentMs, isGuarded }, nowMs);
      send(user);
    }
  }
  const [base = { cycles: [], cycleMs: [] }, head = base] = counted;
  return { sliceMs, arms: { base, head } };
}

/** Mean of many replicates' view of a change, as a share of it. */
export function shareSeen(
  load: Omit<SlicedLoad, "seed" | "effect">,
  effect: number,
  replicates: number,
): number {
  const values = Array.from({ length: replicates }, (_, index) =>
    throughputEffect(slicedLoad({ ...load, effect, seed: 7_919 * index + 13 })),
  ).filter((value) => value !== undefined);
  return values.reduce((total, value) => total + value, 0) / values.length / effect;
}

/** Mulberry32: small, and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
