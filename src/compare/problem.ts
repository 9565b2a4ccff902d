import type { FailurePhase } from "../errors/errors.ts";
import { groupBy } from "../lists/group.ts";
import { lastLines, shortenEnd } from "../text/length.ts";
import type { Row } from "./comparison.ts";

/** The reason why something that a reader would look for is missing. */
export interface Absence {
  readonly state: string;
  /** The step that was under way, in our words; empty when that is not known. */
  readonly during: string;
  /** Foreign text: escaped wherever it is shown. Empty when the state says it all. */
  readonly reason: string;
  /** Foreign text of many lines. */
  readonly logTail: string;
}

/** The reason why a row has no figures to show. */
export interface Problem extends Absence {
  readonly state: "failed" | "cancelled" | "missing" | "invalid";
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

/** Says what is wrong with a row; `undefined` when it was measured and has figures. */
export function problemOf({ status, failure, arms, loneArm }: Row): Problem | undefined {
  // As much as a document may hold: no text is ever so long that rendering it takes noticeable time.
  const logTail = lastLines(failure?.logTail ?? "", 20_000);
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

/** True when any request of a row failed. */
export function hasFailedRequests({ arms }: Row): boolean {
  return Object.values(arms).some(({ failures }) => failures > 0);
}

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
  return shared(rows, problemOf);
}

/** The rows that have no base although one was wanted, grouped in the same way. */
export function sharedLoneArms(rows: readonly Row[]): SharedAbsence[] {
  return shared(rows, ({ loneArm }) =>
    loneArm?.kind === "no base"
      ? { state: "no base", during: "", reason: loneArm.reason, logTail: lastLines(loneArm.logTail, 20_000) }
      : undefined,
  );
}

function shared(rows: readonly Row[], causeOf: (row: Row) => Absence | undefined): SharedAbsence[] {
  const caused = rows.flatMap((row) => {
    const cause = causeOf(row);
    return cause === undefined ? [] : [{ row, cause }];
  });
  return [...groupBy(caused, ({ cause }) => JSON.stringify(cause)).values()].flatMap((group) =>
    group.slice(0, 1).map(({ cause }) => ({ cause, rows: group.map(({ row }) => row) })),
  );
}
