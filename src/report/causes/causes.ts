import type { Comparison, Row } from "../../compare/comparison.ts";
import { workersAdvice } from "../../compare/workers/advice.ts";
import { isExplainedBy } from "../../diagnosis/findings.ts";
import { cpusFigure } from "../../diagnosis/rules/workers.ts";
import { defined } from "../../lists/defined.ts";
import { groupBy } from "../../lists/group.ts";
import type { FoundCause } from "../../model/findings/diagnosis.ts";
import type { Cause } from "../../model/findings/finding.ts";
import { type ArmName, armNames } from "../../model/measurement/measurement.ts";
import { shortenEnd } from "../../text/length.ts";
import { plural } from "../../text/numbers.ts";

export interface ReportedCause {
  readonly app?: string | undefined;
  readonly finding: FoundCause;
  /** True when the head has it and the base does not; `undefined` when the base was not diagnosed, or no code brings it. */
  readonly isNew: boolean | undefined;
  readonly cells: number;
  /** The rows of these cells. */
  readonly ofRows: readonly Row[];
}

/** A problem of the base that was not found in the head, although it was diagnosed. */
export interface FixedCause {
  /** Absent when nobody named the app. */
  readonly app?: string | undefined;
  /** Has the base's line and figures. */
  readonly finding: FoundCause;
  readonly cells: number;
}

export interface ReportedCauses {
  /** New ones first, then those whose line is in the diff. */
  readonly causes: readonly ReportedCause[];
  readonly more: number;
  /** Problems that the head no longer has, the weightiest first. */
  readonly fixed: readonly FixedCause[];
  /** Blind spots of diagnosis, or that it found nothing: sentences that may quote foreign text. */
  readonly remarks: readonly string[];
}

const mostCauses = 10;
const mostFixed = 5;
const mostRemarks = 5;
const longestRemark = 400;

export function causesOf({ rows }: Pick<Comparison, "rows">): ReportedCauses {
  const causes = allCauses(rows);
  const unseen = unseenOf(rows);
  const examined = rows.filter(({ diagnosis }) => diagnosis?.head?.findings !== undefined).length;
  const nothing = `No cause was found for ${plural(examined, "cell")}.`;
  const remarks = [...(causes.length === 0 && examined > 0 ? [nothing] : []), ...unseen];
  return {
    causes: causes.slice(0, mostCauses),
    more: Math.max(0, causes.length - mostCauses),
    fixed: fixedCauses(rows).slice(0, mostFixed),
    remarks:
      remarks.length <= mostRemarks
        ? remarks
        : [
            ...remarks.slice(0, mostRemarks - 1),
            `And ${plural(remarks.length - mostRemarks + 1, "more remark")}.`,
          ],
  };
}

interface OfApp {
  readonly app: string | undefined;
  readonly finding: FoundCause;
}

function findingsOf(rows: readonly Row[], arm: ArmName): OfApp[] {
  return rows.flatMap(({ cell: { app }, diagnosis }) =>
    (diagnosis?.[arm]?.findings ?? []).map((finding) => ({ app, finding })),
  );
}

function allCauses(rows: readonly Row[]): ReportedCause[] {
  const ofBase = new Set(findingsOf(rows, "base").map(sourceKey));
  const found = rows.flatMap((row) => {
    const isBaseKnown = row.diagnosis?.base?.findings !== undefined;
    const found = findingsOf([row], "head").filter(({ finding }) => !isRefuted(finding, rows));
    return found.map((each) => ({ ...each, isBaseKnown, row }));
  });
  return [...groupBy(found, lineKey).values()]
    .flatMap((same): ReportedCause[] => {
      const isBaseKnown = same.some((each) => each.isBaseKnown);
      const isNew = (each: OfApp) => {
        if (!isBaseKnown || isDifference(each.finding)) return undefined;
        if (ofBase.has(sourceKey(each)) || isSlowIn("base", each.finding, rows)) return false;
        return isByChance(each.finding) ? undefined : true;
      };
      const ofRows = same.map(({ row }) => row);
      return heaviest(same).map((each) => ({ ...causeOf(each, same.length), isNew: isNew(each), ofRows }));
    })
    .toSorted((a, b) => rank(a) - rank(b) || b.finding.weight - a.finding.weight);
}

/** True for "one worker is enough" where measured counts say that more are worth it. */
function isRefuted({ cause, figures }: FoundCause, rows: readonly Row[]): boolean {
  if (cause !== "more workers than CPUs") return false;
  const cpus = figures.find(({ what }) => what === cpusFigure)?.value ?? 1;
  return workersAdvice(rows).some(({ enough }) => enough !== undefined && enough.workers > Math.max(1, cpus));
}

/** A head that answers less than this share of the base's requests may hide causes that show under the base's load. */
const likeLoad = 0.9;

/** True when the head was diagnosed under a load at which the base's causes would show. */
function isHeadExamined({ diagnosis, arms: { base, head } }: Row): boolean {
  const found = diagnosis?.head?.findings;
  if (found === undefined || found.some(({ cause }) => cause === "generator bound")) return false;
  return base === undefined || (head?.throughput.value ?? 0) >= likeLoad * base.throughput.value;
}

/** Problems that are fixed, from cells whose head was diagnosed under as much load; one may hide behind a larger one. */
function fixedCauses(rows: readonly Row[]): FixedCause[] {
  const ofHead = findingsOf(rows, "head");
  const headKeys = new Set(ofHead.map(sourceKey));
  const examined = rows.filter(isHeadExamined);
  const fixed = findingsOf(examined, "base").filter(
    (each) =>
      each.finding.severity === "problem" &&
      each.finding.cause !== "generator bound" &&
      !isByChance(each.finding) &&
      !headKeys.has(sourceKey(each)) &&
      !isSlowIn("head", each.finding, rows) &&
      !ofHead.some(
        ({ app, finding }) => app === each.app && isExplainedBy(each.finding.cause, finding.cause),
      ),
  );
  return [...groupBy(fixed, lineKey).values()]
    .flatMap((same) => heaviest(same).map((each) => causeOf(each, same.length)))
    .toSorted((a, b) => b.finding.weight - a.finding.weight);
}

function heaviest(same: readonly OfApp[]): OfApp[] {
  return same.toSorted((a, b) => b.finding.weight - a.finding.weight).slice(0, 1);
}

function causeOf({ app, finding }: OfApp, cells: number): FixedCause {
  return { ...defined({ app }), finding, cells };
}

/** Key of a cause that stays the same in base and head: lines move, functions stay. */
function sourceKey({ app, finding: { cause, endpoint, place } }: OfApp): string {
  return JSON.stringify([app, cause, endpoint, place?.file, place?.function]);
}

/** Key of a cause that stays the same in several cells: work shows at varying lines of its function. */
function lineKey(each: OfApp): string {
  const { finding } = each;
  const line = finding.cause === "CPU work on the event loop" ? undefined : finding.place?.line;
  return `${sourceKey(each)} ${line}`;
}

const differences: readonly Cause[] = [
  "more CPU in a function",
  "less CPU in a function",
  "growing memory",
  "slower start",
];

/** How the head differs from the base, so neither of them has it alone. */
function isDifference({ cause }: FoundCause): boolean {
  return differences.includes(cause);
}

/** True when no code brings or fixes it: connections go to workers by chance, on CPUs that both arms share. */
function isByChance({ cause }: FoundCause): boolean {
  return cause === "one worker gets most requests" || cause === "more workers than CPUs";
}

function rank({ finding, isNew }: ReportedCause): number {
  if (finding.severity === "note") return 3;
  if (isNew || isDifference(finding)) return 0;
  return finding.isInDiff ? 1 : 2;
}

function unseenOf(rows: readonly Row[]): string[] {
  const sentences = armNames.toReversed().flatMap((arm) =>
    rows.flatMap(({ cell: { app }, diagnosis }) => {
      const { findings, unseen = [] } = diagnosis?.[arm] ?? {};
      const before = app === undefined ? "" : `${app}: `;
      return unseen.map((reason) => before + remark(arm, findings === undefined, reason));
    }),
  );
  return [...new Set(sentences)];
}

function remark(arm: ArmName, isAll: boolean, reason: string): string {
  const what = isAll ? `The ${arm} was not diagnosed` : `The ${arm} was only partly diagnosed`;
  return shortenEnd(`${what}: ${reason.replace(/[.]$/, "")}`, longestRemark);
}

/** Share of a slow statement's time from which the other arm's is not another. */
const alike = 2 / 3;

/** True when the other arm waits about as long for a slow statement: one of them may stay below what is called slow. */
function isSlowIn(arm: ArmName, { place, statementMs }: FoundCause, rows: readonly Row[]): boolean {
  if (statementMs === undefined || place === undefined) return false;
  const statements = rows.flatMap(({ diagnosis }) => diagnosis?.[arm]?.seen?.statements ?? []);
  return statements.some(
    (each) =>
      each.place?.file === place.file &&
      each.place.function === place.function &&
      each.totalMs / each.count >= alike * statementMs,
  );
}
