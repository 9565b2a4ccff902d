import * as z from "zod";
import type { Comparison } from "../compare/comparison.ts";
import { exitStatusOf, outcomeOf } from "../report/facts/outcome.ts";
import { figure } from "../text/numbers.ts";
import { historyLines, type MeasuredCommit } from "./history-line.ts";

/** Distinguishes a branch of ours from one that holds something else. */
export const historyMark = "loadtest-history.json";

const markSchema = z.strictObject({
  schemaVersion: z.literal(1),
  /** Newest run of each report, by id: an older run that ends later must not replace its badge. */
  newest: z.record(
    z.string().max(200),
    z.strictObject({ runId: z.int().nonnegative(), attempt: z.int().positive() }),
  ),
});
export type HistoryMark = z.infer<typeof markSchema>;

export const emptyMark: HistoryMark = { schemaVersion: 1, newest: {} };

/** The content of the branch's mark; `undefined` when we did not write it, or a later version did. */
export function parseHistoryMark(text: string): HistoryMark | undefined {
  try {
    return markSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // no JSON
  }
}

export interface HistoryEntry {
  readonly message: string;
  /** Text by path. A commit that is measured again replaces what it had. */
  readonly files: ReadonlyMap<string, string>;
}

/** `undefined` when no cell has figures: there is nothing to keep. */
export function historyEntry(
  comparison: Comparison,
  reportId: string,
  run: MeasuredCommit,
  mark: HistoryMark,
): HistoryEntry | undefined {
  const lines = historyLines(comparison, reportId, run);
  if (lines.length === 0) return undefined;
  const name = fileName(reportId);
  const { runId, attempt } = run;
  const known = Object.hasOwn(mark.newest, name) ? mark.newest[name] : undefined;
  const isOlder =
    known !== undefined && (known.runId > runId || (known.runId === runId && known.attempt > attempt));
  const isNewest = !isOlder;
  const newest = { ...mark.newest, ...(isNewest && { [name]: { runId, attempt } }) };
  return {
    message: `Load test of ${run.commit.slice(0, 10)}, run ${run.runNumber}`,
    files: new Map([
      [historyMark, `${JSON.stringify({ schemaVersion: 1, newest })}\n`],
      [`cells/${name}/${run.commit}.jsonl`, lines.map((line) => `${JSON.stringify(line)}\n`).join("")],
      ...(isNewest ? [[`badges/${name}.json`, `${JSON.stringify(badgeOf(comparison))}\n`] as const] : []),
    ]),
  };
}

/** A name of letters, digits, `_` and `-` only: a report may be called `..`, or `__proto__`. */
function fileName(reportId: string): string {
  return reportId.replaceAll(/[^\w-]|^_/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

/** The document from which shields.io makes a badge (its "endpoint" form). */
interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: "brightgreen" | "yellow" | "red";
}

/** The verdict when something was compared; otherwise the best throughput of all cells. */
export function badgeOf(comparison: Comparison): Badge {
  const outcome = outcomeOf(comparison);
  const isDoubtful = outcome === "slower" || outcome === "inconclusive";
  const passed = isDoubtful ? ("yellow" as const) : ("brightgreen" as const);
  return {
    schemaVersion: 1,
    label: "load test",
    message: outcome === "complete" ? bestOf(comparison) : outcome,
    color: exitStatusOf(comparison) === 0 ? passed : "red",
  };
}

function bestOf({ rows }: Comparison): string {
  const rates = rows.flatMap((row) =>
    row.problem === undefined ? (row.arms.head?.throughput.value ?? []) : [],
  );
  return rates.length === 0
    ? "complete"
    : `${rates.length > 1 ? "up to " : ""}${figure(Math.max(...rates))} req/s`;
}
