import { type Cell, type Interval, type Measurement, requestsServed, sum } from "../../src/engine.ts";
import type { CaseFigures, MetricName } from "../documents/metrics.ts";
import { figuresOf } from "./case-figures.ts";

/** A case that was run: the figures of its cell, and the values for formulas and conditions. */
export interface MeasuredCase {
  readonly kind: "measured";
  /** A published result's id, or the name of a system that the reports did not measure: `pena/sync-sleep@W=4`. */
  readonly id: string;
  readonly figures: CaseFigures;
  /** 95% intervals in the figures' units, for the figures that have one. */
  readonly intervals: Readonly<Partial<Record<MetricName, Interval>>>;
  /** CPU time of the server's processes, in milliseconds for each request; absent when not known. */
  readonly cpuMsPerRequest?: number;
  /** Values for formulas: `VUs`, `W` (workers), `hold_s` and `S` (seconds). */
  readonly parameters: Readonly<Record<string, number>>;
  /** Values for conditions: `loop` is `asyncio`, `TCP_NODELAY` is `unset`. */
  readonly facts: Readonly<Record<string, string>>;
}

/** A case without figures, with the reason in words. */
export interface UnmeasuredCase {
  readonly kind: "not measured";
  readonly id: string;
  readonly reason: string;
}

export type Case = MeasuredCase | UnmeasuredCase;

/** Additions to a Measurement: figures of k6's own summary, parameters of the endpoint, facts of the system. */
export interface CaseAdditions {
  readonly figures?: CaseFigures;
  readonly parameters?: Readonly<Record<string, number>>;
  readonly facts?: Readonly<Record<string, string>>;
}

/** Puts a measured cell with one arm, `head`, into the reports' terms. Additions replace known values. */
export function caseOf(id: string, measurement: Measurement, additions: CaseAdditions = {}): Case {
  const { cell, status, failure, environment } = measurement;
  const unmeasured = (reason: string): Case => ({ kind: "not measured", id, reason });
  if (status !== "measured") return unmeasured(failure?.reason ?? `the cell was ${status}`);
  const found = figuresOf(measurement);
  if (found === undefined) return unmeasured("no request was counted");
  const loop = environment?.eventLoop;
  const cpuMsPerRequest = cpuMsOf(measurement);
  return {
    kind: "measured",
    id,
    figures: { ...found.figures, ...known(additions.figures) },
    intervals: found.intervals,
    ...(cpuMsPerRequest !== undefined && { cpuMsPerRequest }),
    parameters: { ...parametersOf(cell), ...additions.parameters },
    facts: { ...(loop && { loop }), ...additions.facts },
  };
}

/** CPU time over all replicates together; `undefined` when one of them does not know it. */
function cpuMsOf({ replicates }: Measurement): number | undefined {
  const records = replicates.flatMap(({ arms: { head } }) => head ?? []);
  const seconds = records.flatMap(({ cpuSeconds }) => cpuSeconds ?? []);
  if (seconds.length < records.length) return undefined;
  return (1_000 * sum(seconds)) / sum(records.map(requestsServed));
}

/** Parameters of a cell's load: `VUs` at most, `W` workers, and `hold_s` seconds at that number or `n` requests. */
export function parametersOf({ load, workers: W }: Cell): Readonly<Record<string, number>> {
  if (load.kind === "script") return { W };
  if (load.kind === "requests") return { VUs: load.virtualUsers, W, n: load.requests };
  if (load.kind !== "stages") return { VUs: load.virtualUsers, W, hold_s: load.durationSeconds };
  const VUs = Math.max(...load.stages.map(({ virtualUsers }) => virtualUsers));
  const held = load.stages.filter(
    ({ virtualUsers }, index) => virtualUsers === VUs && load.stages[index - 1]?.virtualUsers === VUs,
  );
  return { VUs, W, hold_s: held.reduce((total, { durationSeconds }) => total + durationSeconds, 0) };
}

/** Leaves out `undefined`, which must not hide a figure. */
function known(figures: CaseFigures = {}): CaseFigures {
  return Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== undefined));
}
