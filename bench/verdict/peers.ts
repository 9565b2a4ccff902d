// Other ways of comparing, on the same recorded runs.

import { distanceFromZero, mean, normalTail, sampleOf, sum } from "../../src/engine.ts";
import type { RecordedRun } from "./recording.ts";

export interface Peer {
  readonly name: string;
  /** Share of comparisons that call the head slower, or different from the base when a method has two sides. */
  alarmShare(runs: readonly RecordedRun[], effect: number): number;
}

/** Requests per second and user of one arm in each block, in order of time. */
function rates({ replicates }: RecordedRun, arm: "base" | "head"): number[] {
  return replicates.flatMap(({ blocks }) =>
    blocks.map(([, baseCycles, baseMs, headCycles, headMs]) =>
      arm === "base" ? baseCycles / baseMs : headCycles / headMs,
    ),
  );
}

/** One run now against one stored run: another process, another time, the same machine. */
function storedBaseline(threshold: number): Peer["alarmShare"] {
  return (runs, effect) => {
    const all = runs.map((run) => mean(rates(run, "base")));
    const outcomes = all.flatMap((stored, i) =>
      all.flatMap((now, j) => (i === j ? [] : [stored / (now * (1 + effect)) > threshold])),
    );
    return shareOf(outcomes);
  };
}

/** The first half of a run's blocks as if it all were the base's, and the second half as if it all were the head's. */
function oneAfterTheOther(runs: readonly RecordedRun[], effect: number): number {
  return shareOf(
    runs.map((run) => {
      const base = rates(run, "base");
      const head = rates(run, "head").map((rate) => rate * (1 + effect));
      const half = Math.floor(base.length / 2);
      return mannWhitneyP(base.slice(0, half), head.slice(half)) < 0.05;
    }),
  );
}

/** Slices of some seconds instead of milliseconds: a block of the base with the next block of the head, paired t. */
function longSlices(runs: readonly RecordedRun[], effect: number): number {
  return shareOf(
    runs.map((run) => {
      const base = rates(run, "base");
      const head = rates(run, "head").map((rate) => rate * (1 + effect));
      const pairs = Array.from({ length: Math.floor(base.length / 4) }, (_, index) => {
        const at = 4 * index;
        const first = mean(base.slice(at, at + 2));
        const second = mean(head.slice(at + 2, at + 4));
        return Math.log(second / first);
      });
      return 2 * normalTail(distanceFromZero(sampleOf(pairs))) < 0.01;
    }),
  );
}

export const peers: readonly Peer[] = [
  { name: "stored baseline, alarm above 110%", alarmShare: storedBaseline(1.1) },
  { name: "stored baseline, alarm above 150%", alarmShare: storedBaseline(1.5) },
  { name: "stored baseline, alarm above 200%", alarmShare: storedBaseline(2) },
  { name: "all of A, then all of B, Mann-Whitney p < .05", alarmShare: oneAfterTheOther },
  { name: "slices of 4 s, paired t p < .01", alarmShare: longSlices },
];

/** Two-sided p by the normal approximation with mid-ranks (Mann and Whitney, Annals of Mathematical Statistics 18, 1947). */
export function mannWhitneyP(one: readonly number[], other: readonly number[]): number {
  const all = [...one, ...other].toSorted((a, b) => a - b);
  const rank = (value: number) => (all.indexOf(value) + all.lastIndexOf(value)) / 2 + 1;
  const [n, m] = [one.length, other.length];
  const u = sum(one.map(rank)) - (n * (n + 1)) / 2;
  const z = (Math.abs(u - (n * m) / 2) - 0.5) / Math.sqrt((n * m * (n + m + 1)) / 12);
  return Math.min(1, 2 * normalTail(Math.max(0, z)));
}

function shareOf(outcomes: readonly boolean[]): number {
  return outcomes.length === 0 ? Number.NaN : outcomes.filter(Boolean).length / outcomes.length;
}
