// Reports made of recorded A/A replicates, in any number, with changes of known size added.

import {
  alarmRate,
  type Design,
  groupBy,
  halfBehind,
  hasNoSign,
  holmLevels,
  isDecidedByCpu,
  isEnough,
  isEqualCpu,
  isNonEmpty,
  isPlaced,
  isSlowerByStalls,
  type Judged,
  judgedByCpuSample,
  looks,
  makeJudge,
  mayCostMore,
  nextCell,
  reachOf,
  relativeChange,
  type Spent,
  sampleOf,
  sampleOfBlocks,
  stallsAgree,
  sum,
  type Totals,
  turnFrom,
} from "../../src/engine.ts";
import { randomFrom } from "./random.ts";
import type { RecordedReplicate, RecordedRun } from "./recording.ts";

export interface Simulated {
  /** Share of reports that call a cell slower or faster. */
  readonly calledShare: number;
  /** Share of changed cells that are called slower, small changes included. */
  readonly slowerShare: number;
  /** Share of changed cells that are slower by what fails the check. */
  readonly failedShare: number;
  readonly unchangedShare: number;
  /** Share of reports that call a cell slower or faster that has no change. */
  readonly falseShare: number;
  /** Share of cells without a change that are called unchanged. */
  readonly othersUnchangedShare: number;
  /** Mean number of replicates for a cell. */
  readonly meanReplicates: number;
}

/** As many as the load of a replicate has today. */
const blocksOfReplicate = 2;

/** One replicate's values, ln(head / base). */
interface Values {
  /** Throughput in the usual slice, for each block. */
  readonly blocks: readonly number[];
  /** Throughput of all slices together, stalls included. */
  readonly total: number;
  /** Throughput as CPU time makes it; `undefined` where it was not recorded. */
  readonly cpu: number | undefined;
}

/**
 * Recordings before the one address layout had longer loads, in blocks of 2 s instead of 1.5 s: only two of those count.
 * Their CPU time is that of the whole load.
 */
function valuesOf({ blocks, cpuEffect }: RecordedReplicate): Values {
  const part = blocks.slice(0, blocksOfReplicate);
  const total = (place: 1 | 2 | 3 | 4) => sum(part.map((block) => block[place]));
  return {
    blocks: part.map(([value]) => value),
    total: Math.log(total(3) / total(4)) - Math.log(total(1) / total(2)),
    cpu: cpuEffect === null ? undefined : -cpuEffect,
  };
}

/** The same with the arms in each other's place, or with a change of the head's. */
function changed({ blocks, total, cpu }: Values, sign: 1 | -1, shift = 0, cpuShift = shift): Values {
  const made = (value: number) => sign * value + shift;
  return {
    blocks: blocks.map(made),
    total: made(total),
    cpu: cpu === undefined ? undefined : sign * cpu + cpuShift,
  };
}

/** Length of a stretch of neighbouring replicates: they stay together, so that a bad spell of the machine stays one. */
const stretchLength = 4;

export interface Simulation {
  /** The head's change, as a share of throughput: -0.1 is 10% less. */
  readonly effect: number;
  readonly cells: number;
  /** Cells that the change is in; all unless set. */
  readonly changedCells?: number;
  /** Replicates that all cells together have time for; absent: each may have as many as it wants. */
  readonly replicates?: number;
  readonly reports: number;
  readonly seed: number;
  readonly minChange?: number;
  /** Slowdown that fails the check. */
  readonly maxSlowdown?: number;
  /** False: CPU time decides nothing, as where it cannot be seen. */
  readonly usesCpu?: boolean;
  /** True: the change is one of waiting, which CPU time does not see. */
  readonly isWaiting?: boolean;
  /** False: a cell of equal work goes on, however little points to a change. */
  readonly endsWithoutSign?: boolean;
}

/** @param runs of equal code; each replicate's values may have either sign, which makes them exactly A/A */
export function simulate(
  runs: readonly RecordedRun[],
  {
    effect,
    cells,
    changedCells = cells,
    replicates: affordable = Number.POSITIVE_INFINITY,
    reports,
    seed,
    minChange = 0.03,
    maxSlowdown = minChange,
    usesCpu = true,
    isWaiting = false,
    endsWithoutSign = true,
  }: Simulation,
): Simulated {
  const random = randomFrom(seed);
  const design: Design = {
    kind: "comparison",
    minChange,
    maxSlowdown,
    falseAlarmRate: 0.01,
    looks: [...looks],
    cells,
    maxMinutes: 60,
  };
  const judge = makeJudge(design);
  const series = [...groupBy(runs, ({ kind }) => kind).values()].map((ofKind) =>
    ofKind.map(({ replicates }) => replicates.map(valuesOf).filter(({ blocks }) => blocks.length > 0)),
  );
  const most = looks.at(-1) ?? 0;
  const shift = Math.log(1 + effect);
  const totalsOf = (cell: readonly Values[]): Totals | undefined => {
    const totals = cell.map(({ total }) => total);
    const change = relativeChange(totals);
    return change && { effect: change, judged: judge.judgeTotals(sampleOf(totals)) };
  };
  const cpuOf = (cell: readonly Values[]) =>
    usesCpu
      ? judgedByCpuSample(sampleOf(cell.flatMap(({ cpu }) => (cpu === undefined ? [] : [cpu]))), design)
      : undefined;
  const isAlike = runs.every(({ alike }) => alike === true);
  const throughputOf = (cell: readonly Values[]) =>
    sampleOfBlocks(
      cell.map(({ blocks }) => blocks),
      { isAlike },
    );
  const answerSoFar = (cell: readonly Values[]) => {
    const judged = judge.judge(throughputOf(cell));
    const cpu = cpuOf(cell);
    return { judged, totals: totalsOf(cell), decisive: isDecidedByCpu(judged, cpu, design) ? cpu : judged };
  };
  const isWithoutSign = (cell: readonly Values[], judged: Judged, totals: Totals | undefined) => {
    const isEqualWork = () => isEqualCpu(sampleOf(cell.flatMap(({ cpu }) => cpu ?? [])), design);
    const settledAfter = () => judge.settledAfter(throughputOf(cell));
    return hasNoSign({ judged, totals, settledAfter, count: cell.length, isEqualWork }, design);
  };
  const isSettled = (cell: readonly Values[]) => {
    const { judged, totals, decisive } = answerSoFar(cell);
    if (isSlowerByStalls(judged, totals, design)) return isPlaced(totals.judged.effect, design);
    if (endsWithoutSign && isWithoutSign(cell, judged, totals)) return true;
    return isEnough(decisive, design) && stallsAgree(decisive, totals, design);
  };
  // As `turnOf` of the program.
  const turnOf = (cell: readonly Values[]) => {
    const { judged, totals, decisive } = answerSoFar(cell);
    const isByStalls = isSlowerByStalls(judged, totals, design);
    const samples = [throughputOf(cell), sampleOf(cell.map(({ total }) => total))];
    return turnFrom(
      samples.map((sample) => judge.levelOf(sample)),
      isByStalls || decisive.kind === "slower" || decisive.kind === "faster",
    );
  };
  const fails = ({ effect }: Judged) => reachOf(effect, maxSlowdown) === "certainly";
  const verdictOf = (cell: readonly Values[], level: number) => {
    const judged = judge.judge(throughputOf(cell), level);
    const totals = totalsOf(cell);
    if (isSlowerByStalls(judged, totals, design))
      return { kind: "slower", isFailed: fails(totals.judged) } as const;
    const cpu = cpuOf(cell);
    const decisive = isDecidedByCpu(judged, cpu, design) ? cpu : judged;
    const answer = { kind: decisive.kind, isFailed: decisive.kind === "slower" && fails(decisive) };
    if (totals === undefined || stallsAgree(decisive, totals, design)) return answer;
    const isByCpu = decisive !== judged;
    if (mayCostMore(decisive, totals, { minChange, isByCpu })) return { ...answer, kind: "slower" } as const;
    return { kind: "inconclusive", isFailed: false } as const;
  };
  let called = 0;
  let slower = 0;
  let failed = 0;
  let unchanged = 0;
  let wrong = 0;
  let othersUnchanged = 0;
  let replicates = 0;
  for (let report = 0; report < reports; report += 1) {
    const drawn = Array.from({ length: cells }, (_, cell) =>
      drawSeries(oneOf(series, random), most, random).map((each) =>
        changed(each, 1, cell < changedCells ? shift : 0, cell < changedCells && !isWaiting ? shift : 0),
      ),
    );
    const found = measuredInRounds(drawn, isSettled, turnOf, affordable);
    const levels = holmLevels(
      found.map((cell) => judge.levelOf(throughputOf(cell))),
      cells,
      alarmRate("slices", design),
    );
    const answers = found.map((cell, index) => verdictOf(cell, levels[index] ?? 0));
    const verdicts = answers.map(({ kind }) => kind);
    failed += answers.slice(0, changedCells).filter(({ isFailed }) => isFailed).length;
    if (verdicts.some((kind) => kind === "slower" || kind === "faster")) called += 1;
    slower += verdicts.slice(0, changedCells).filter((kind) => kind === "slower").length;
    unchanged += verdicts.filter((kind) => kind === "unchanged").length;
    const others = effect === 0 ? verdicts : verdicts.slice(changedCells);
    if (others.some((kind) => kind === "slower" || kind === "faster")) wrong += 1;
    othersUnchanged += others.filter((kind) => kind === "unchanged").length;
    replicates += sum(found.map(({ length }) => length));
  }
  const all = reports * cells;
  return {
    calledShare: called / reports,
    slowerShare: slower / (reports * changedCells),
    failedShare: failed / (reports * changedCells),
    unchangedShare: unchanged / all,
    falseShare: wrong / reports,
    othersUnchangedShare: othersUnchanged / (reports * (effect === 0 ? cells : cells - changedCells)),
    meanReplicates: replicates / all,
  };
}

/** What is measured of each cell while the time lasts: all get their first look, and then one its next by turns. */
function measuredInRounds(
  drawn: readonly (readonly Values[])[],
  isSettled: (cell: readonly Values[]) => boolean,
  turnOf: (cell: readonly Values[]) => number,
  affordable: number,
): (readonly Values[])[] {
  const states = drawn.map((cell) => ({ cell, replicates: cell.slice(0, 0), isDone: false, turn: 0 }));
  let left = affordable;
  const advance = (state: (typeof states)[number]) => {
    const { cell, replicates: before } = state;
    const look = looks.find((each) => each > before.length) ?? before.length;
    const seen = cell.slice(0, Math.min(look, before.length + left));
    left -= seen.length - before.length;
    state.replicates = seen;
    state.isDone = seen.length < look || seen.length === looks.at(-1) || isSettled(seen);
    state.turn = turnOf(seen);
    return seen.length - before.length;
  };
  for (const state of states) advance(state);
  const spent: Spent = { likely: 0, all: 0 };
  const open = () => states.filter(({ isDone }) => !isDone);
  for (let waiting = open(); left > 0 && isNonEmpty(waiting); waiting = open()) {
    const half = halfBehind(spent);
    spent[half] += advance(nextCell(waiting, half));
  }
  return states.map(({ replicates }) => replicates);
}

/** A cell is of one endpoint. */
function oneOf<T>(series: readonly (readonly T[])[], random: () => number): readonly T[] {
  return series[Math.floor(random() * series.length)] ?? [];
}

function drawSeries(series: readonly (readonly Values[])[], length: number, random: () => number): Values[] {
  const drawn: Values[] = [];
  while (drawn.length < length) {
    const source = series[Math.floor(random() * series.length)] ?? [];
    const start = Math.floor(random() * source.length);
    const sign = random() < 0.5 ? -1 : 1;
    for (let step = 0; step < stretchLength; step += 1) {
      const value = source[(start + step) % source.length];
      if (value !== undefined) drawn.push(changed(value, sign));
    }
  }
  return drawn.slice(0, length);
}
