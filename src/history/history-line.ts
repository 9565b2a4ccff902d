import * as z from "zod";
import { acceptanceOf } from "../compare/acceptance.ts";
import type { Comparison, Row } from "../compare/comparison.ts";
import { problemOf } from "../compare/problem.ts";
import { kindOfMachine } from "../model/measurement/environment.ts";
import { appNameSchema, endpointLabel } from "../model/plan/cell.ts";
import { speedFigures, speedFiguresOf } from "../report/figures/speed-figures.ts";
import { fingerprint } from "../text/fingerprint.ts";
import { shortenEnd } from "../text/length.ts";

const count = z.int().nonnegative();

/** Fields of every version; `null` when a figure is not known. */
const shared = {
  report: z.string().max(60),
  commit: z.string().regex(/^[0-9a-f]{40,64}$/),
  runId: count,
  runNumber: count,
  /** ISO 8601, UTC. */
  startedAt: z.iso.datetime(),
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
};

const firstVersion = z.strictObject({ schemaVersion: z.literal(1), ...shared });
const secondVersion = z.strictObject({
  schemaVersion: z.literal(2),
  ...shared,
  /** App of the report; `null` when nobody named it. */
  app: appNameSchema.nullable(),
});

const thirdVersion = z.strictObject({
  ...secondVersion.shape,
  schemaVersion: z.literal(3),
  /** The slow-down that came with this commit was known and accepted; `null`: none was. */
  accepted: z
    .strictObject({ by: z.string().max(100), reason: z.string().max(300), url: z.string().max(500) })
    .nullable(),
});

/** The history's record of one cell and commit, as one line of JSON. A branch holds lines of every version so far. */
export const historyLineSchema = z.discriminatedUnion("schemaVersion", [
  firstVersion,
  secondVersion,
  thirdVersion,
]);
export type HistoryLine = z.infer<typeof thirdVersion>;

/** Reads a line of any version as one of the newest; `undefined` when it is none of ours, or of a later version. */
export function parseHistoryLine(text: string): HistoryLine | undefined {
  try {
    const line = historyLineSchema.safeParse(JSON.parse(text)).data;
    if (line === undefined || line.schemaVersion === 3) return line;
    return { app: null, ...line, schemaVersion: 3, accepted: null };
  } catch {
    return undefined; // no JSON
  }
}

/** The run that measured, and the commit that it was for. */
export interface MeasuredCommit {
  readonly commit: string;
  readonly runId: number;
  readonly runNumber: number;
  readonly attempt: number;
}

/** The head of each cell that has figures, in the report's order. */
export function historyLines(
  comparison: Pick<Comparison, "rows" | "accepted">,
  report: string,
  run: MeasuredCommit,
): HistoryLine[] {
  return comparison.rows.flatMap((row) =>
    lineOf(row, report, run).map((line) => ({ ...line, accepted: stepOf(row, comparison) })),
  );
}

function stepOf(row: Row, comparison: Pick<Comparison, "rows" | "accepted">): HistoryLine["accepted"] {
  const { by, reason, url } = acceptanceOf(row, comparison) ?? {};
  if (by === undefined || reason === undefined) return null;
  return { by: shortenEnd(by, 100), reason: shortenEnd(reason, 300), url: (url ?? "").slice(0, 500) };
}

function lineOf(
  row: Row,
  report: string,
  { commit, runId, runNumber }: MeasuredCommit,
): Omit<HistoryLine, "accepted">[] {
  const { cell, arms, environment, startedAt } = row;
  const { head } = arms;
  if (problemOf(row) !== undefined || head === undefined || !environment || !startedAt) return [];
  return [
    {
      schemaVersion: 3,
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
    },
  ];
}
