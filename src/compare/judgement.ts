import type { FailurePhase } from "../errors/errors.ts";
import type { LoneArm } from "../model/measurement/measurement.ts";
import { type Design, usualCostEffect, usualLatencyEffect, usualMemoryEffect } from "../model/plan/plan.ts";
import type { Check } from "../model/thresholds/threshold.ts";
import { lastLines, shortenEnd } from "../text/length.ts";
import { type Reach, reachOf } from "./answer.ts";
import type { Effect, JudgedFields, LoneStanding, MeasuredRow, Problem, Row, Versus } from "./comparison.ts";
import type { InstructionChange } from "./instruction-change.ts";
import { reachOfLatency } from "./latency-change.ts";

interface Judging {
  readonly design: Design | undefined;
  readonly check: Check;
}

/** Derives everything that a row means from what was measured, so that nobody judges it again. */
export function judgeRow(measured: MeasuredRow, judging: Judging): Row {
  const problem = problemOf(measured);
  const versus = problem === undefined ? measured.versus : undefined;
  const fields = { ...measured, ...fieldsOf(measured, versus, problem, judging) };
  if (problem !== undefined) return { ...fields, problem, standing: undefined, versus: undefined };
  return versus === undefined
    ? { ...fields, problem, standing: loneStandingOf(measured), versus }
    : { ...fields, problem, standing: versus.verdict.kind, versus };
}

const loneStandings: Readonly<Record<LoneArm["kind"], LoneStanding>> = {
  added: "new",
  removed: "removed",
  "no base": "no base",
};

function loneStandingOf({ status, loneArm }: MeasuredRow): LoneStanding {
  if (status === "not reached") return "not reached";
  return loneArm === undefined ? "not compared" : loneStandings[loneArm.kind];
}

const duringPhase: Readonly<Record<FailurePhase, string>> = {
  install: "while installing the app",
  "start postgres": "while starting Postgres",
  seed: "while seeding the database",
  "copy database": "while copying the database",
  "start app": "while starting the app",
  "log in": "while logging in",
  "dry request": "before the load",
  "warm up": "while warming up",
  load: "under load",
  "read results": "while reading the results",
  "write results": "while writing the results",
};

/** As much as a document may hold: no text is ever so long that rendering it takes noticeable time. */
export const longestLog = 20_000;

function problemOf({ status, failure, arms, loneArm }: MeasuredRow): Problem | undefined {
  const logTail = lastLines(failure?.logTail ?? "", longestLog);
  const reason = shortenEnd(failure?.reason ?? "", 1_000);
  const during = failure === undefined ? "" : duringPhase[failure.phase];
  switch (status) {
    case "measured":
      if (arms.head !== undefined || (loneArm?.kind === "removed" && arms.base !== undefined))
        return undefined;
      return { state: "invalid", during: "", reason: "no request was counted", logTail };
    case "not reached":
      return undefined;
    case "missing":
      return { state: "missing", during: "", reason: reason || "no result came back", logTail };
    case "cancelled":
      return { state: "cancelled", during, reason: reason || "stopped before it was complete", logTail };
    default:
      return { state: status, during, reason: reason || "no reason was given", logTail };
  }
}

function fieldsOf(
  row: MeasuredRow,
  versus: Versus | undefined,
  problem: Problem | undefined,
  judging: Judging,
): JudgedFields {
  const { verdict, latency = [], footprint = [], instructions } = versus ?? {};
  const isClearlySlower = isSlowerByMuch(verdict);
  const age = isClearlySlower ? undefined : row.aging?.kind;
  const withAge = age === "slower" || age === "perhaps slower" ? age : undefined;
  const longerLatencies = latency.filter(({ kind }) => kind === "longer");
  const moreFootprint = footprint.filter(({ kind }) => kind === "more");
  const more = typeof instructions === "object" && instructions.kind === "more" ? instructions : undefined;
  const moreInstructions = isClearlySlower ? undefined : more;
  const needsMore = longerLatencies.length > 0 || moreFootprint.length > 0;
  const effect = versus?.verdict.kind === "invalid" ? undefined : versus && decisiveEffect(versus);
  const fields = { withAge, longerLatencies, moreFootprint, effect };
  const reach = reachesOf(row, { ...fields, more, isClearlySlower }, judging);
  const failsInDoubt = versus !== undefined && isDoubtForbidden(row, versus, judging);
  const isForbidden = failsInDoubt || Object.values(reach).includes("certainly");
  return {
    ...fields,
    isCompared:
      versus !== undefined ||
      (problem === undefined && (row.status === "not reached" || isNewOrRemoved(row.loneArm))),
    unexpectedLatencies: isClearlySlower ? [] : longerLatencies,
    moreInstructions,
    hasFailedRequests: Object.values(row.arms).some(({ failures }) => failures > 0),
    isNotable:
      verdict !== undefined &&
      (verdict.kind !== "unchanged" || needsMore || more !== undefined || withAge !== undefined),
    tone: toneOf(verdict, isClearlySlower, withAge, needsMore),
    reach,
    seenChange: seenChangeOf(row),
    failsInDoubt,
    isForbidden,
    isPerhapsForbidden: !isForbidden && reach.throughput === "perhaps",
  };
}

/** True for a slowdown of the smallest effect or more. */
export function isSlowerByMuch(verdict: Versus["verdict"] | undefined): boolean {
  return verdict?.kind === "slower" && !verdict.isSmall;
}

function isNewOrRemoved(loneArm: LoneArm | undefined): boolean {
  return loneArm !== undefined && loneArm.kind !== "no base";
}

function toneOf(
  verdict: Versus["verdict"] | undefined,
  isClearlySlower: boolean,
  withAge: JudgedFields["withAge"],
  needsMore: boolean,
): JudgedFields["tone"] {
  if (isClearlySlower || withAge === "slower") return "bad";
  if (needsMore || withAge !== undefined) return "doubt";
  if (verdict === undefined || verdict.isSmall || verdict.kind === "unchanged") return "plain";
  return verdict.kind === "faster" ? "good" : "doubt";
}

/** The effect that the verdict is based on: that of the totals or of CPU time where only they decide. */
export function decisiveEffect({ verdict, effects }: Versus): Effect {
  const other = verdict.isByCpu ? effects.throughputByCpu : undefined;
  return (verdict.isByStalls ? effects.totalThroughput : other) ?? effects.throughput;
}

/** How certain it is that each figure is as bad as the check forbids. A control's arms are the same code: it fails nothing. */
function reachesOf(
  { aging }: MeasuredRow,
  {
    withAge,
    longerLatencies,
    moreFootprint,
    effect,
    more,
    isClearlySlower,
  }: Pick<JudgedFields, "withAge" | "longerLatencies" | "moreFootprint" | "effect"> & {
    readonly more: InstructionChange | undefined;
    readonly isClearlySlower: boolean;
  },
  judging: Judging,
): JudgedFields["reach"] {
  const { check, design } = judging;
  const none = {
    throughput: "certainly not",
    age: "certainly not",
    latency: "certainly not",
    memory: "certainly not",
    cost: "certainly not",
  } as const;
  if (!canFail(judging)) return none;
  const limit = failsFrom(judging);
  const latency = longerLatencies.map((each) =>
    reachOfLatency(each.effect, design?.minLatencyChange ?? usualLatencyEffect),
  );
  const leastMemory = design?.minMemoryChange ?? usualMemoryEffect;
  const reachOfMore = ({ effect: { interval } }: { readonly effect: Effect }, least: number): Reach =>
    (interval?.low ?? 0) >= least ? "certainly" : "perhaps";
  const memory = moreFootprint
    .filter(({ part }) => part !== "startCpu")
    .map((each) => reachOfMore(each, leastMemory));
  const cost = more === undefined ? [] : [reachOfMore(more, design?.minCostChange ?? usualCostEffect)];
  return {
    throughput: isClearlySlower && effect !== undefined ? reachOf(effect, limit) : "certainly not",
    age: withAge === "slower" && aging !== undefined ? reachOf(aging.beyond, limit) : "certainly not",
    latency: check.failOn === "latency" ? surest(latency) : "certainly not",
    memory: check.failOn === "memory" ? surest(memory) : "certainly not",
    cost: check.failOn === "cost" ? surest(cost) : "certainly not",
  };
}

function surest(reaches: readonly Reach[]): Reach {
  if (reaches.includes("certainly")) return "certainly";
  return reaches.includes("perhaps") ? "perhaps" : "certainly not";
}

/** Smallest slowdown that fails the check, as a share. */
export function failsFrom({ check: { failOn, maxSlowdown }, design }: Judging): number {
  return failOn === "slower" ? (design?.minChange ?? 0) : maxSlowdown;
}

function canFail({ check, design }: Judging): boolean {
  return check.failOn !== "never" && design?.kind !== "control";
}

/** True when a comparison that cannot be judged shows figures as bad as those that fail the check. */
function isDoubtForbidden(row: MeasuredRow, versus: Versus, judging: Judging): boolean {
  if (!canFail(judging)) return false;
  const { kind, isSmall } = versus.verdict;
  const isInvalid = kind === "invalid";
  if (judging.check.failOn === "invalid" && isInvalid) return true;
  // Beyond any doubt slower, but by how much is as doubtful as in an invalid comparison.
  const isBent = kind === "slower" && !isSmall && versus.gates.some(({ isMet }) => !isMet);
  return (isInvalid || isBent) && seenChangeOf(row) <= -failsFrom(judging);
}

function seenChangeOf({ versus, arms: { base, head } }: Pick<MeasuredRow, "versus" | "arms">): number {
  const change = versus?.effects.throughput.value ?? Number.NaN;
  if (Number.isFinite(change)) return change;
  return (head?.throughput.value ?? Number.NaN) / (base?.throughput.value ?? Number.NaN) - 1;
}
