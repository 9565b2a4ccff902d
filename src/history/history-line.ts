import * as z from "zod";
import type { Comparison } from "../compare/comparison.ts";
import { kindOfMachine } from "../model/measurement/environment.ts";
import { appNameSchema, endpointLabel } from "../model/plan/cell.ts";
import type { Acceptance } from "../model/pull-request.ts";
import { speedFigures, speedFiguresOf } from "../report/figures/speed-figures.ts";
import { fingerprint } from "../text/fingerprint.ts";
import { shortenEnd } from "../text/length.ts";

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
  try {
    return historyLineSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined; // no JSON
  }
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
