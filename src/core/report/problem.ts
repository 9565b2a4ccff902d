import type { Comparison, Row } from "../comparison/comparison.ts";
import type { Phase } from "../errors.ts";
import { lastLines, shortenEnd } from "../text/length.ts";
import { plural } from "../text/numbers.ts";
import { groupBy } from "./group.ts";

/** Why a row has no figures to show. */
export interface Problem {
  readonly state: "failed" | "cancelled" | "missing" | "invalid";
  /** What was under way, in our words; empty when that is not known. */
  readonly during: string;
  /** Foreign text: escaped wherever it is shown. Empty when the state says it all. */
  readonly reason: string;
  /** Foreign text of many lines. */
  readonly logTail: string;
}

/** The order in which a headline counts them. */
const states = ["failed", "cancelled", "missing", "invalid"] as const;

const duringPhase: Readonly<Record<Phase, string>> = {
  install: "while installing the app",
  "start postgres": "while starting Postgres",
  seed: "while seeding the database",
  "copy database": "while copying the database",
  "start app": "while starting the app",
  "warm up": "while warming up",
  load: "under load",
  "read results": "while reading the results",
};

/** Says what is wrong with a row; `undefined` when it was measured and has figures. */
export function problemOf({ status, failure, arms }: Row): Problem | undefined {
  // As much as a document may hold: no text is ever so long that rendering it takes noticeable time.
  const logTail = lastLines(failure?.logTail ?? "", 20_000);
  const reason = shortenEnd(failure?.reason ?? "", 1_000);
  const during = failure === undefined ? "" : duringPhase[failure.phase];
  switch (status) {
    case "measured":
      if (arms.head !== undefined) return undefined;
      return { state: "invalid", during: "", reason: "no request was counted", logTail };
    case "missing":
      return { state: "missing", during: "", reason: reason || "no result came back", logTail };
    case "cancelled":
      return { state: "cancelled", during, reason: reason || "stopped before it was complete", logTail };
    default:
      return { state: status, during, reason: reason || "no reason was given", logTail };
  }
}

/** Whether any request of a row failed. */
export function hasFailedRequests({ arms }: Row): boolean {
  return Object.values(arms).some(({ failures }) => failures > 0);
}

/** A problem in plain words: a foreign sentence. */
export function problemWords({ state, during, reason }: Problem): string {
  return `${state}${during && ` ${during}`}: ${reason}`;
}

/** The report in one line: `7 of 8 cells measured: 1 failed`. Never sounds like success when a cell is missing. */
export function headline({ rows }: Comparison): string {
  const problems = rows.map(problemOf).filter((problem) => problem !== undefined);
  const measured = rows.length - problems.length;
  if (problems.length > 0) {
    const counts = states
      .map((state) => [problems.filter((problem) => problem.state === state).length, state] as const)
      .filter(([times]) => times > 0)
      .map(([times, state]) => `${times} ${state}`);
    return `${measured} of ${plural(rows.length, "cell")} measured: ${counts.join(", ")}`;
  }
  const withFailures = rows.filter(hasFailedRequests);
  const caveat = withFailures.length > 0 ? `, ${withFailures.length} with failed requests` : "";
  return `${plural(rows.length, "cell")} measured${caveat}`;
}

/** A failure that several rows share, e.g. because the app could not be installed. */
export interface SharedProblem {
  readonly problem: Problem;
  readonly rows: readonly Row[];
}

/** The rows without figures, those with the same reason and log together, in the order of the plan. */
export function sharedProblems(rows: readonly Row[]): SharedProblem[] {
  const problems = rows.flatMap((row) => {
    const problem = problemOf(row);
    return problem === undefined ? [] : [{ row, problem }];
  });
  return [...groupBy(problems, ({ problem }) => JSON.stringify(problem)).values()].flatMap((group) =>
    group.slice(0, 1).map(({ problem }) => ({ problem, rows: group.map(({ row }) => row) })),
  );
}
