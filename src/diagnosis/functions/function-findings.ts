import { defined } from "../../lists/defined.ts";
import { type ArmDiagnosis, type FoundCause, isRepositoryPath } from "../../model/findings/diagnosis.ts";
import { missOf } from "../../model/findings/finding.ts";
import type { Place } from "../../model/findings/probe-document.ts";
import type { Estimate } from "../../statistics/estimate.ts";
import { figure } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import { type AddedFindings, withAdded } from "../added-findings.ts";
import { isChanged } from "../reach/changed-files.ts";
import { figureOf, lineOf, phrase, predictionOf } from "../wording.ts";
import { type ChangeFacts, callsKey } from "./change-facts.ts";
import { type CpuChange, type Difference, joinedAs } from "./differences.ts";
import { adviceFor, subjectOf, whyOf } from "./function-words.ts";
import { type StackStep, threadsOwner } from "./owner.ts";
import { type ChangeReason, reasonOf, type Spot } from "./reason.ts";

/** Least share of the change for which a function is named. */
const leastShare = 0.1;
/** Largest distance of what the samples predict from what was measured, as a share of that. */
const tolerance = 0.35;
const close = 0.15;
const mostShare = 0.2;
const mostTold = 5;

/**
 * Names the functions that took more CPU time, or less, by what of the change. Told only when the samples predict the
 * change of CPU time per request that the measurement itself had.
 */
export function functionFindings(
  change: CpuChange,
  facts: ChangeFacts,
  handler: StackStep | undefined,
): AddedFindings {
  const doubt = doubtOf(change, facts.measured.extraMs);
  if (doubt !== undefined) return { findings: [], unexplained: [doubt] };
  const told = toldOf(change, facts);
  const findings = told.map((each) => findingOf(each, change, facts, spotOf(handler)));
  return { findings, unexplained: restOf(told, change) };
}

/** Reasons in a function's own lines: how often it is called need not be counted for them. */
const inItself: readonly ChangeReason["kind"][] = ["changed", "removed", "added"];

/** True when a function would be named whose own lines did not change: how often it is called may say why. */
export function asksForCalls(change: CpuChange, facts: ChangeFacts, handler: StackStep | undefined): boolean {
  if (doubtOf(change, facts.measured.extraMs) !== undefined) return false;
  return toldOf(change, facts).some(
    (each) => each.owner.kind === "own" && !inItself.includes(reasonOf(each, facts, spotOf(handler)).kind),
  );
}

function toldOf(change: CpuChange, facts: ChangeFacts): readonly Difference[] {
  return differencesOf(change, facts)
    .filter(({ isSure, extraMs }) => isSure && extraMs.value / change.extraMs.value >= leastShare)
    .slice(0, mostTold);
}

function spotOf(handler: StackStep | undefined): Spot | undefined {
  if (handler?.frame.file == null) return undefined;
  return { file: handler.frame.file, line: handler.frame.first, function: handler.frame.function };
}

/** What handing work to threads costs lies in several owners' hands, none of them the user's. */
function differencesOf(change: CpuChange, { turned }: ChangeFacts): readonly Difference[] {
  if (turned.length === 0) return change.differences;
  return joinedAs(threadsOwner, change, ({ kind }) => kind === "library" || kind === "loop");
}

/** Why the samples cannot explain the change; `undefined` when they surely show one that fits what was measured. */
function doubtOf({ extraMs, pairs }: CpuChange, measured: Estimate): string | undefined {
  const { low, high } = extraMs.interval ?? { low: 0, high: 0 };
  const seen = `in ${pairs} turns of both arms under the probe CPU time per request`;
  if (low <= 0 && high >= 0)
    return `${seen} did not surely change (${signed(extraMs.value)} ms), so no function is blamed`;
  const size = Math.abs(measured.value);
  // Few replicates have a wide interval, which must not make everything fit.
  const allowed = Math.max(tolerance * size, half(extraMs) + Math.min(half(measured), size));
  const fits =
    Math.abs(extraMs.value - measured.value) <= allowed &&
    Math.sign(extraMs.value) === Math.sign(measured.value);
  if (fits) return undefined;
  return `${seen} changed by ${signed(extraMs.value)} ms, when it was measured by ${signed(measured.value)} ms, so no function is blamed`;
}

function restOf(told: readonly Difference[], change: CpuChange): readonly string[] {
  const whole = change.extraMs.value;
  const rest = whole - told.reduce((sum, { extraMs }) => sum + extraMs.value, 0);
  if (told.length === 0)
    return [
      `${signed(whole)} ms of CPU time per request is not explained: of ${change.differences.length} functions that were compared in ${change.pairs} turns, none surely changed by a tenth of it`,
    ];
  if (rest / whole < mostShare) return [];
  return [`${signed(rest)} ms of the change in CPU time per request (${signed(whole)} ms) is not explained`];
}

function findingOf(
  difference: Difference,
  change: CpuChange,
  facts: ChangeFacts,
  handler: Spot | undefined,
): FoundCause {
  const { extraMs, baseMs, headMs, owner } = difference;
  const { baseMs: measuredBase, extraMs: measured } = facts.measured;
  const reason = reasonOf(difference, facts, handler);
  const isMore = extraMs.value > 0;
  const share = Math.min(1, extraMs.value / change.extraMs.value);
  const place = reason.spot && placeOf(reason.spot, facts);
  const { low, high } = extraMs.interval ?? { low: extraMs.value, high: extraMs.value };
  const ends = [Math.abs(low), Math.abs(high)].toSorted((a, b) => a - b).map(figure);
  const calls = facts.calls.get(callsKey(owner.where, owner.function));
  const where = place === undefined ? "" : [" at ", lineOf(place)];
  const prediction = predictionOf(
    "CPU time",
    measuredBase + change.extraMs.value,
    measuredBase + measured.value,
    "ms per request",
  );
  const miss = Math.abs(change.extraMs.value - measured.value) / Math.abs(measured.value);
  return {
    cause: isMore ? "more CPU in a function" : "less CPU in a function",
    severity: isMore ? "problem" : "note",
    confidence: miss <= close && missOf(prediction) <= close ? "high" : "medium",
    endpoint: facts.endpoint,
    ...defined({ place }),
    ...(reason.spot !== undefined && locationOf(reason.spot, reason.kind, facts)),
    summary: phrase`${subjectOf(owner, facts)} takes ${figure(Math.abs(extraMs.value))} ms ${isMore ? "more" : "less"} CPU per request (${ends.join(" to ")} ms), ${percent(share, "whole")} of the change${where}${whyOf(reason, owner)}.`,
    advice: adviceFor(reason, isMore, owner),
    figures: [
      figureOf(`${isMore ? "more" : "less"} CPU time`, Math.abs(extraMs.value), "ms per request"),
      figureOf("in the base", baseMs, "ms per request"),
      figureOf("in the head", headMs, "ms per request"),
      ...(calls === undefined
        ? []
        : [
            figureOf("calls in the base", calls.base, "per request"),
            figureOf("calls in the head", calls.head, "per request"),
          ]),
      figureOf("share of the change", share, "share"),
      ...(change.instructions?.interval === undefined
        ? []
        : [{ what: "instructions per request", ...change.instructions }]),
    ],
    prediction,
    weight: Math.max(0, share),
  };
}

function placeOf({ file, line, function: name }: Spot, { texts, changes }: ChangeFacts): Place {
  const prefix = changes === undefined || changes.prefix === "" ? "" : `${changes.prefix}/`;
  return {
    file: file.startsWith(prefix) ? file.slice(prefix.length) : file,
    line: Math.max(1, line),
    function: name,
    code: texts.get(`${file}:${line}`) ?? "",
  };
}

/** Names of files are those from the top of the repository only where there is one. */
function locationOf(
  { file, line }: Spot,
  kind: ChangeReason["kind"],
  { changes, loneLines }: ChangeFacts,
): Partial<FoundCause> {
  if (changes === undefined || !isRepositoryPath(file)) return {};
  const changed = changes.files.find(({ path }) => path === file);
  const isNew = changed !== undefined && isChanged(line, changed.lines.head);
  const isTaken =
    (kind === "removed" || kind === "caller") &&
    loneLines.some((each) => each.file === file && each.line === line);
  return { path: file, isInDiff: isNew || isTaken };
}

function half({ interval }: Estimate): number {
  return interval === undefined ? 0 : (interval.high - interval.low) / 2;
}

function signed(value: number): string {
  return `${value > 0 ? "+" : ""}${figure(value)}`;
}

/**
 * The head's diagnosis with the functions that changed. What another cause names already is not told twice: that one
 * knows more of it.
 */
export function withFunctions(head: ArmDiagnosis, { findings, unexplained }: AddedFindings): ArmDiagnosis {
  const known = (head.findings ?? []).filter(({ severity }) => severity === "problem");
  const isKnown = ({ place }: FoundCause) =>
    known.some((each) => each.place?.file === place?.file && each.place?.function === place?.function);
  const added = findings.filter((each) => each.place === undefined || !isKnown(each));
  return withAdded(head, { findings: added, unexplained });
}
