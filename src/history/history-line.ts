import * as z from "zod";
import type { Comparison } from "../compare/comparison.ts";
import { kindOfMachine } from "../model/measurement/environment.ts";
import { appNameSchema, endpointLabel } from "../model/plan/cell.ts";
import type { Acceptance } from "../model/pull-request.ts";
import { exitStatusOf, outcomeOf } from "../report/facts/outcome.ts";
import { speedFigures, speedFiguresOf } from "../report/figures/speed-figures.ts";
import { fingerprint } from "../text/fingerprint.ts";
import { jsonOf } from "../text/json.ts";
import { shortenEnd } from "../text/length.ts";
import { figure } from "../text/numbers.ts";

const count = z.int().nonnegative();

/** The history's record of one cell and commit, as one line of JSON; `null` when a figure is not known. */
export const historyLineSchema = z.strictObject({
  schemaVersion: z.literal(1),
  report: z.string().max(60),
  commit: z.string().regex(/^[0-9a-f]{40,64}$/),
  runId: count,
  runNumber: count,
  /** ISO 8601, UTC. */
  startedAt: z.iso.datetime(),
  /** App of the report; `null` when nobody named it. */
  app: appNameSchema.nullable(),
  /** Equal as long as endpoint, worker count, server and load are. */
  cell: z.string().max(200),
  endpoint: z.string().max(300),
  workers: count,
  requests: count,
  failures: count,
  ...speedFigures,
  machine: z.strictObject({
    /** Identifies the kind of machine: figures of different kinds must not be put side by side. */
    fingerprint: z.string().regex(/^[0-9a-f]{8}$/),
    cpuModel: z.string().max(300),
    cores: count,
  }),
  /** The accepted slowdown of this commit; `null`: none was accepted. */
  accepted: z
    .strictObject({ by: z.string().max(100), reason: z.string().max(300), url: z.string().max(500) })
    .nullable(),
});
export type HistoryLine = z.infer<typeof historyLineSchema>;

/** Reads a line; `undefined` when we did not write it, or a later version did. */
export function parseHistoryLine(text: string): HistoryLine | undefined {
  return historyLineSchema.safeParse(jsonOf(text)).data;
}

export interface MeasuredCommit {
  readonly commit: string;
  readonly runId: number;
  readonly runNumber: number;
  readonly attempt: number;
}

export function historyLines(
  { rows }: Pick<Comparison, "rows">,
  report: string,
  { commit, runId, runNumber }: MeasuredCommit,
): HistoryLine[] {
  return rows.flatMap(
    ({ problem, cell, arms: { head }, environment, startedAt, acceptance }): HistoryLine[] => {
      if (problem !== undefined || head === undefined || !environment || !startedAt) return [];
      return [
        {
          schemaVersion: 1,
          report,
          commit,
          runId,
          runNumber,
          startedAt,
          cell: cell.id,
          endpoint: shortenEnd(endpointLabel(cell.endpoint), 300),
          app: cell.app ?? null,
          workers: cell.workers,
          requests: head.requests,
          failures: head.failures,
          ...speedFiguresOf(head),
          machine: {
            fingerprint: fingerprint(kindOfMachine(environment)),
            cpuModel: environment.cpuModel,
            cores: environment.cores,
          },
          accepted: acceptance === undefined ? null : stepOf(acceptance),
        },
      ];
    },
  );
}

function stepOf({ by, reason, url = "" }: Acceptance): HistoryLine["accepted"] {
  return { by: shortenEnd(by, 100), reason: shortenEnd(reason, 300), url: url.slice(0, 500) };
}

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
  return markSchema.safeParse(jsonOf(text)).data;
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
