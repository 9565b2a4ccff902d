import type { Absence, Comparison, Row } from "../../compare/comparison.ts";
import { longestLog } from "../../compare/judgement.ts";
import { groupBy } from "../../lists/group.ts";
import { lastLines, shortenEnd } from "../../text/length.ts";
import { plural } from "../../text/numbers.ts";

/** A problem in plain words, which may hold foreign text. */
export function problemWords({ state, during, reason }: Absence): string {
  return `${state}${during && ` ${during}`}: ${reason}`;
}

/** A cause that several rows share, e.g. that the app could not be installed. */
export interface SharedAbsence {
  readonly cause: Absence;
  readonly rows: readonly Row[];
}

/** The rows without figures, those with the same reason and log together, in the order of the plan. */
export function sharedProblems(rows: readonly Row[]): SharedAbsence[] {
  return shared(rows, ({ problem }) => problem);
}

/** The rows that have no base although one was wanted, grouped in the same way. */
export function sharedLoneArms(rows: readonly Row[]): SharedAbsence[] {
  return shared(rows, ({ loneArm }) =>
    loneArm?.kind === "no base"
      ? {
          state: "no base",
          during: "",
          reason: loneArm.reason,
          logTail: lastLines(loneArm.logTail, longestLog),
        }
      : undefined,
  );
}

function shared(rows: readonly Row[], causeOf: (row: Row) => Absence | undefined): SharedAbsence[] {
  const caused = rows.flatMap((row) => {
    const cause = causeOf(row);
    return cause === undefined ? [] : [{ row, cause }];
  });
  return [...groupBy(caused, ({ cause }) => problemKey(cause)).values()].flatMap((group) =>
    group.slice(0, 1).map(({ cause }) => ({ cause, rows: group.map(({ row }) => row) })),
  );
}

/** Times, ports, addresses and numbers of processes, which are others in each start. */
const ofOneStart = /\d\d:\d\d:\d\d(?:[.,]\d+)?|0x[\da-f]+|\[\d+\]|\d{4,}/gi;

function problemKey({ state, during, reason, logTail }: Absence): string {
  return JSON.stringify([
    state,
    during,
    ...[reason, logTail].map((text) => text.replaceAll(ofOneStart, "0")),
  ]);
}

/** Largest number of different reasons for a missing base that are shown. */
const mostReasons = 3;

/** Why nothing was compared although that was wanted: foreign sentences; none when something was. */
export function noBaseSentences({ rows, hasVerdicts }: Pick<Comparison, "rows" | "hasVerdicts">): string[] {
  if (hasVerdicts) return [];
  const reasons = rows.flatMap(({ loneArm }) =>
    loneArm?.kind === "no base" ? [shortenEnd(loneArm.reason, 300)] : [],
  );
  const different = [...new Set(reasons)];
  const more = different.length - mostReasons;
  return [
    ...different.slice(0, mostReasons).map((reason) => `No comparison: ${reason}`),
    ...(more > 0 ? [`And ${plural(more, "more reason")}.`] : []),
  ];
}
