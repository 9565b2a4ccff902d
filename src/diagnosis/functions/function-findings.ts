import { defined } from "../../lists/defined.ts";
import { type ArmDiagnosis, type FoundCause, isRepositoryPath } from "../../model/findings/diagnosis.ts";
import { missOf } from "../../model/findings/finding.ts";
import type { Place } from "../../model/findings/probe-document.ts";
import { type Estimate, sum } from "../../statistics/estimate.ts";
import { figure } from "../../text/numbers.ts";
import { type AddedFindings, withAdded } from "../added-findings.ts";
import { isChanged } from "../reach/changed-files.ts";
import { figureOf, lineOf, phrase, predictionOf } from "../wording.ts";
import { type ChangeFacts, callsKey } from "./change-facts.ts";
import { type CpuChange, type Difference, joinedAs } from "./differences.ts";
import { adviceFor, ownerWords, whyOf } from "./function-words.ts";
import { type StackStep, threadsOwner } from "./owner.ts";
import { type ChangeReason, reasonOf, type Spot } from "./reason.ts";

/** Least share of the change for which a function is named. */
const leastShare = 0.1;
/** Largest distance of what the samples predict from what was measured, as a share of that. */
const tolerance = 0.35;
const close = 0.15;
const mostShare = 0.2;
const mostNamed = 5;

/** Functions that take more or less CPU time, if samples predict the measured change per request. */
export function functionFindings(
  seen: CpuChange,
  facts: ChangeFacts,
  handler: StackStep | undefined,
): AddedFindings {
  const change = explaining(seen, facts);
  const doubt = doubtOf(change, facts.measured.extraMs);
  if (doubt !== undefined) return { findings: [], unexplained: [doubt] };
  const named = namedOf(change, facts);
  const findings = named.map((each) => findingOf(each, change, facts, spotOf(handler)));
  return { findings, unexplained: restOf(named, change) };
}

/** Reasons in a function's own lines: how often it is called need not be counted for them. */
const inItself: readonly ChangeReason["kind"][] = ["changed", "removed", "added"];

/** True when a function would be named whose own lines did not change: how often it is called may say why. */
export function needsCalls(seen: CpuChange, facts: ChangeFacts, handler: StackStep | undefined): boolean {
  const change = explaining(seen, facts);
  if (doubtOf(change, facts.measured.extraMs) !== undefined) return false;
  return namedOf(change, facts).some(
    (each) => each.owner.kind === "own" && !inItself.includes(reasonOf(each, facts, spotOf(handler)).kind),
  );
}

/**
 * The change with the sum of the functions that certainly changed as its whole, where the whole is lost in what the others
 * scatter but counted instructions leave no doubt that there is one.
 */
function explaining(change: CpuChange, { measured }: ChangeFacts): CpuChange {
  const sure = change.differences.filter(({ isSure }) => isSure);
  if (isClear(change.extraMs) || !measured.isCertain || sure.length === 0) return change;
  const value = sum(sure.map(({ extraMs }) => extraMs.value));
  const off = Math.hypot(...sure.map(({ extraMs }) => half(extraMs)));
  return { ...change, extraMs: { value, interval: { low: value - off, high: value + off } } };
}

function isClear({ interval: { low, high } = { low: 0, high: 0 } }: Estimate): boolean {
  return low > 0 || high < 0;
}

function namedOf(change: CpuChange, facts: ChangeFacts): readonly Difference[] {
  return differencesOf(change, facts)
    .filter(({ isSure, extraMs }) => isSure && extraMs.value / change.extraMs.value >= leastShare)
    .slice(0, mostNamed);
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

/** Why the samples cannot explain the change; `undefined` when they show one that fits what was measured. */
function doubtOf({ extraMs, pairs }: CpuChange, measured: Estimate): string | undefined {
  const seen = `${signed(extraMs.value)} ms in ${pairs} turns`;
  if (!isClear(extraMs))
    return `CPU time per request did not clearly change under the probe (${seen}), so no function is blamed`;
  const size = Math.abs(measured.value);
  // Few replicates have a wide interval, which must not make everything fit.
  const allowed = Math.max(tolerance * size, half(extraMs) + Math.min(half(measured), size));
  const fits =
    Math.abs(extraMs.value - measured.value) <= allowed &&
    Math.sign(extraMs.value) === Math.sign(measured.value);
  if (fits) return undefined;
  return `CPU time per request changed differently under the probe (${seen}) than in the measurement (${signed(measured.value)} ms), so no function is blamed`;
}

function restOf(named: readonly Difference[], change: CpuChange): readonly string[] {
  const whole = change.extraMs.value;
  const rest = whole - named.reduce((sum, { extraMs }) => sum + extraMs.value, 0);
  if (named.length === 0)
    return [
      `${signed(whole)} ms of CPU time per request is unexplained: none of the ${change.differences.length} functions compared in ${change.pairs} turns clearly accounts for a tenth of it`,
    ];
  if (rest / whole < mostShare) return [];
  return [`${signed(rest)} ms of the change in CPU time per request (${signed(whole)} ms) is unexplained`];
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
  const [least = 0, most = 0] = [Math.abs(low), Math.abs(high)].toSorted((a, b) => a - b);
  const calls = facts.calls.get(callsKey(owner.where, owner.function));
  const where = place === undefined ? "" : [" at ", lineOf(place)];
  const isConstant = reason.kind === "constant"; // the place is its line, not the function's
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
    subject: ownerWords(owner),
    summary: phrase`takes ${figure(Math.abs(extraMs.value))} ms ${isMore ? "more" : "less"} CPU per request${isConstant ? "" : where}${whyOf(reason, owner)}${isConstant ? where : ""}`,
    advice: adviceFor(reason, isMore, owner),
    figures: [
      figureOf(`${isMore ? "extra" : "saved"} CPU time`, Math.abs(extraMs.value), "ms per request"),
      figureOf("in the base", baseMs, "ms per request"),
      figureOf("in the head", headMs, "ms per request"),
      ...(calls === undefined
        ? []
        : [
            figureOf("calls in the base", calls.base, "per request"),
            figureOf("calls in the head", calls.head, "per request"),
          ]),
      figureOf("share of the change", share, "share"),
      figureOf("at least", least, "ms per request"),
      figureOf("at most", most, "ms per request"),
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

export function withFunctions(head: ArmDiagnosis, { findings, unexplained }: AddedFindings): ArmDiagnosis {
  const known = (head.findings ?? []).filter(({ severity }) => severity === "problem");
  const isKnown = ({ place }: FoundCause) =>
    known.some((each) => each.place?.file === place?.file && each.place?.function === place?.function);
  const added = findings.filter((each) => each.place === undefined || !isKnown(each));
  return withAdded(head, { findings: added, unexplained });
}
