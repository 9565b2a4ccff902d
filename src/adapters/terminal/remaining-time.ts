import { diagnosedCells } from "../../compare/diagnosed-cells.ts";
import { expectedReplicates } from "../../compare/expected-time.ts";
import { loadSeconds } from "../../model/plan/cell.ts";
import {
  mostMeasuringSeconds,
  reachCheckSeconds,
  secondsForAge,
  secondsForReplicates,
} from "../../model/plan/minutes.ts";
import type { Design, Plan } from "../../model/plan/plan.ts";
import type { Phase, ProgressEvent } from "../../ports/progress.ts";
import { sum } from "../../statistics/estimate.ts";

type Stage = "preparation" | "measuring" | Phase;

const stages = [
  "preparation",
  "reach check",
  "measuring",
  "soak test",
  "instructions",
  "causes",
] as const satisfies readonly Stage[];

/** Nobody knows how long an app's installation and its data take. */
const preparationSeconds = 10;
const startSeconds = 2;
/** Share of its usual length that a stage, or a cell, still has when it takes longer than usual. */
const leastShare = 0.05;

/** What is known of a run's time. Times are milliseconds of one steady clock. */
export interface RunTime {
  readonly plan: Plan | undefined;
  readonly later: readonly Plan[];
  readonly stage: Stage;
  readonly stageMs: number;
  readonly stageSeconds: number;
  /** True once what follows the first looks has begun: only open cells and causes remain after it. */
  readonly isAged: boolean;
  readonly total: number;
  readonly finished: number;
  readonly notable: number;
  readonly replicates: ReadonlyMap<string, number>;
  /** Since measuring began last. */
  readonly allReplicates: number;
  /** When the last cell of a head alone began or ended. */
  readonly cellMs: number;
}

export const noTime: RunTime = {
  plan: undefined,
  later: [],
  stage: "preparation",
  stageMs: 0,
  stageSeconds: preparationSeconds,
  isAged: false,
  total: 0,
  finished: 0,
  notable: 0,
  replicates: new Map(),
  allReplicates: 0,
  cellMs: 0,
};

export function nextTime(time: RunTime, event: ProgressEvent, nowMs: number): RunTime {
  switch (event.kind) {
    case "plan":
      return {
        ...noTime,
        ...{ plan: event.plan, later: event.later ?? [], total: event.plan.cells.length, stageMs: nowMs },
      };
    case "phase started":
      // Instructions are counted during a soak test, and one of the two takes longer.
      if (event.phase === "instructions" && endMs(time) > nowMs + 1_000 * event.seconds) return time;
      return {
        ...time,
        ...{ stage: event.phase, stageMs: nowMs, stageSeconds: event.seconds },
        isAged: time.isAged || event.phase === "soak test" || event.phase === "instructions",
      };
    case "cell started": {
      const begun =
        time.stage === "measuring"
          ? time
          : { ...time, stage: "measuring" as const, stageMs: nowMs, allReplicates: 0 };
      return { ...begun, total: event.total, cellMs: nowMs };
    }
    case "replicate measured": {
      const replicates = new Map(time.replicates).set(event.cell.id, event.progress.replicates);
      return { ...time, replicates, allReplicates: time.allReplicates + 1 };
    }
    case "cell finished": {
      const { measurement, design } = event;
      const replicates = new Map(time.replicates);
      replicates.delete(measurement.cell.id);
      const notable = time.notable + diagnosedCells([measurement], design, "on-change").size;
      return { ...time, replicates, notable, finished: time.finished + 1, cellMs: nowMs };
    }
    default:
      return time;
  }
}

function endMs({ stage, stageMs, stageSeconds }: RunTime): number {
  return stage === "soak test" ? stageMs + 1_000 * stageSeconds : 0;
}

/** Milliseconds until everything is measured and diagnosed; `undefined` while nobody knows. */
export function remainingMs(time: RunTime, nowMs: number): number | undefined {
  const { plan, later } = time;
  if (plan === undefined) return undefined;
  const left = secondsOf(time, plan, nowMs);
  const own = stagesLeft(time).map((each) => left(each));
  const others = later.map((each) => {
    const whole = secondsOf({ ...noTime, plan: each, total: each.cells.length }, each, 0);
    return sumOf(stages.map(whole));
  });
  const seconds = sumOf([...own, ...others]);
  return seconds === undefined ? undefined : seconds * 1_000;
}

function stagesLeft({ stage, isAged }: RunTime): readonly Stage[] {
  if (!isAged || stage === "causes") return stages.slice(stages.indexOf(stage));
  return stage === "measuring" ? [stage, "causes"] : [stage, "measuring", "causes"];
}

function sumOf(all: readonly (number | undefined)[]): number | undefined {
  const known = all.filter((each) => each !== undefined);
  return known.length < all.length ? undefined : sum(known);
}

function secondsOf(time: RunTime, plan: Plan, nowMs: number) {
  const elapsed = (nowMs - time.stageMs) / 1_000;
  const { design } = plan;
  return (stage: Stage): number | undefined => {
    if (stage === "measuring") return measuringSeconds(time, plan, nowMs);
    if (stage === time.stage) return atLeast(time.stageSeconds, elapsed);
    if (stage === "causes") return causesSeconds(time, plan);
    // Nobody knows before whether this machine can count.
    if (design === undefined || stage === "instructions") return 0;
    return stage === "soak test" ? secondsForAge(design) : reachCheckSeconds;
  };
}

function atLeast(usual: number, elapsed: number): number {
  return Math.max(usual - elapsed, usual * leastShare);
}

function measuringSeconds(time: RunTime, plan: Plan, nowMs: number): number | undefined {
  const { design } = plan;
  const isAlone = design === undefined || (time.finished > 0 && time.allReplicates === 0);
  return isAlone ? aloneSeconds(time, plan, nowMs) : roundsSeconds(time, plan, design, nowMs);
}

/** By the mean of the finished cells, else by the load. */
function aloneSeconds(time: RunTime, { cells }: Plan, nowMs: number): number | undefined {
  const { finished, total, stage, stageMs, cellMs } = time;
  const [seconds] = cells.map(({ load }) => loadSeconds(load));
  const planned = seconds === undefined ? undefined : seconds + startSeconds;
  const each = finished > 0 ? (cellMs - stageMs) / 1_000 / finished : planned;
  if (each === undefined) return undefined;
  const unfinished = total - finished;
  return stage === "measuring" && unfinished > 0
    ? (unfinished - 1) * each + atLeast(each, (nowMs - cellMs) / 1_000)
    : unfinished * each;
}

/** By the replicates that each unfinished cell usually still needs, within the minutes. */
function roundsSeconds(time: RunTime, plan: Plan, design: Design, nowMs: number): number | undefined {
  if (plan.cells.some(({ load }) => load.kind === "script")) return undefined;
  const { replicates, allReplicates, total, finished, stage, stageMs } = time;
  const elapsed = stage === "measuring" ? (nowMs - stageMs) / 1_000 : 0;
  const usual = secondsForReplicates(1);
  const each = allReplicates > 1 && elapsed > 0 ? elapsed / allReplicates : usual;
  const expected = expectedReplicates(design);
  const ofBegun = [...replicates.values()].map((done) => Math.max(expected - done, 1));
  const count = sum(ofBegun) + Math.max(0, total - finished - replicates.size) * expected;
  const most = design.maxMinutes * 60 - secondsForAge(design) - elapsed;
  return Math.max(Math.min(count * each, most), count === 0 ? 0 : usual * leastShare);
}

/** The plan counts on a diagnosis of everything, which cells without a change do not get. */
function causesSeconds({ total, finished, notable }: RunTime, plan: Plan): number {
  const { cells, design, estimatedSeconds } = plan;
  if (estimatedSeconds === undefined || total === 0) return 0;
  const measuring =
    design === undefined
      ? sum(cells.map(({ load }) => (loadSeconds(load) ?? 0) + startSeconds))
      : mostMeasuringSeconds(cells.length, design);
  return (Math.max(0, estimatedSeconds - measuring) * (total - finished + notable)) / total;
}
