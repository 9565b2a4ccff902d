import * as z from "zod";
import type { Row } from "../compare/comparison.ts";
import { problemOf } from "../compare/problem.ts";
import { kindOfMachine } from "../model/measurement/machine-key.ts";
import { appNameSchema } from "../model/plan/app-name.ts";
import { endpointLabel } from "../model/plan/cell.ts";
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

/** The history's record of one cell and commit, as one line of JSON. A branch holds lines of every version so far. */
export const historyLineSchema = z.discriminatedUnion("schemaVersion", [firstVersion, secondVersion]);
export type HistoryLine = z.infer<typeof secondVersion>;

/** Reads a line of any version as one of the newest; `undefined` when it is none of ours, or of a later version. */
export function parseHistoryLine(text: string): HistoryLine | undefined {
  try {
    const line = historyLineSchema.safeParse(JSON.parse(text)).data;
    return line?.schemaVersion === 1 ? { ...line, schemaVersion: 2, app: null } : line;
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
export function historyLines(rows: readonly Row[], report: string, run: MeasuredCommit): HistoryLine[] {
  return rows.flatMap((row) => lineOf(row, report, run));
}

function lineOf(row: Row, report: string, { commit, runId, runNumber }: MeasuredCommit): HistoryLine[] {
  const { cell, arms, environment, startedAt } = row;
  const { head } = arms;
  if (problemOf(row) !== undefined || head === undefined || !environment || !startedAt) return [];
  return [
    {
      schemaVersion: 2,
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
