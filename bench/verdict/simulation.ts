// Reports made of recorded A/A replicates, in any number, with changes of known size added.

import { holmLevels, makeJudge, sliceAlarmRate } from "../../src/compare/sequential-judge.ts";
import { sampleOfBlocks } from "../../src/compare/throughput-sample.ts";
import { closedPhase } from "../../src/model/load/phases.ts";
import { type Design, looks } from "../../src/model/plan/plan.ts";
import { randomFrom } from "./random.ts";
import type { RecordedReplicate, RecordedRun } from "./recording.ts";

export interface Simulated {
  /** Share of reports that call a cell slower or faster. */
  readonly calledShare: number;
  /** Share of cells that are called slower, small changes included. */
  readonly slowerShare: number;
  readonly unchangedShare: number;
  /** Mean number of replicates for a cell. */
  readonly meanReplicates: number;
}

/** Same length as the program's blocks of slice pairs, see `src/measure/phases.ts`. */
const blockSeconds = 2;
/** Blocks in the load of a replicate; it may end in the middle of one. */
const blocksOfReplicate =
  closedPhase(8, { sliceMs: 50, guard: { startMs: 0, endMs: 0 } }).load.durationSeconds / blockSeconds;

/**
 * A replicate's blocks. Early recordings had loads of 10 s, so only as many blocks count as are measured today. When
 * that is not a whole number, every other replicate has one more: half a block would be twice as noisy.
 */
function blocksOf({ blocks }: RecordedReplicate, index: number): number[] {
  const counted = index % 2 === 0 ? Math.floor(blocksOfReplicate) : Math.ceil(blocksOfReplicate);
  return blocks.slice(0, counted).map(([value]) => value);
}

/** Length of a stretch of neighbouring replicates: they stay together, so that a bad spell of the machine stays one. */
const stretchLength = 4;

/**
 * @param runs of equal code; each replicate's value may have either sign, which makes them exactly A/A
 * @param effect of the head, as a share of throughput: -0.1 is 10 % less
 */
export function simulate(
  runs: readonly RecordedRun[],
  { effect, cells, reports, seed }: { effect: number; cells: number; reports: number; seed: number },
): Simulated {
  const random = randomFrom(seed);
  const design: Design = {
    kind: "comparison",
    smallestEffect: 0.03,
    falseAlarmRate: 0.01,
    looks: [...looks],
    cells,
    maxMinutes: 60,
  };
  const judge = makeJudge(design);
  const series = runs.map(({ replicates }) => replicates.map(blocksOf).filter((blocks) => blocks.length > 0));
  const most = looks.at(-1) ?? 0;
  const shift = Math.log(1 + effect);
  let called = 0;
  let slower = 0;
  let unchanged = 0;
  let replicates = 0;
  for (let report = 0; report < reports; report += 1) {
    const found = Array.from({ length: cells }, () => {
      const blocks = drawSeries(series, most, random).map((each) => each.map((value) => value + shift));
      const at = (look: number) => sampleOfBlocks(blocks.slice(0, look));
      return at(looks.find((look) => judge.decide(at(look)).isDecided) ?? most);
    });
    const levels = holmLevels(
      found.map((sample) => judge.levelOf(sample)),
      cells,
      sliceAlarmRate(design),
    );
    const verdicts = found.map((sample, index) => judge.judge(sample, levels[index] ?? 0).kind);
    if (verdicts.some((kind) => kind === "slower" || kind === "faster")) called += 1;
    slower += verdicts.filter((kind) => kind === "slower").length;
    unchanged += verdicts.filter((kind) => kind === "unchanged").length;
    replicates += found.reduce((total, { count }) => total + count, 0);
  }
  const all = reports * cells;
  return {
    calledShare: called / reports,
    slowerShare: slower / all,
    unchangedShare: unchanged / all,
    meanReplicates: replicates / all,
  };
}

function drawSeries(
  series: readonly (readonly (readonly number[])[])[],
  length: number,
  random: () => number,
): number[][] {
  const drawn: number[][] = [];
  while (drawn.length < length) {
    const source = series[Math.floor(random() * series.length)] ?? [];
    const start = Math.floor(random() * source.length);
    const sign = random() < 0.5 ? -1 : 1;
    for (let step = 0; step < stretchLength; step += 1)
      drawn.push((source[(start + step) % source.length] ?? []).map((value) => sign * value));
  }
  return drawn.slice(0, length);
}
