import { compare } from "../../../src/compare/compare.ts";
import type { Comparison } from "../../../src/compare/comparison.ts";
import type { WorkerCount } from "../../../src/compare/workers/worker-count.ts";
import type { Environment } from "../../../src/model/measurement/environment.ts";
import type { ArmRecord, Measurement } from "../../../src/model/measurement/measurement.ts";
import type { Cell } from "../../../src/model/plan/cell.ts";
import { armRecord, cell, environment, measurement } from "../../fixtures/measurement.ts";

/** A worker count with its rates, nothing else known. */
export function counted(workers: number, ...rates: readonly number[]): WorkerCount {
  return { workers, rates, memoryBytes: undefined, connections: undefined, cpuShare: undefined };
}

export interface Planned {
  readonly workers: number;
  /** Requests per second, one for each replicate. */
  readonly rates?: readonly number[];
  readonly arm?: Partial<ArmRecord>;
  readonly change?: Partial<Measurement>;
  readonly cell?: Partial<Cell>;
  readonly environment?: Partial<Environment>;
}

/** CPU time of each request is such that one worker at 1,000 requests a second uses nearly a whole CPU. */
function record(requestsPerSecond: number, workers: number, arm: Partial<ArmRecord>): ArmRecord {
  return armRecord({ requestsPerSecond, peakMemoryBytes: workers * 84_000_000, ...arm });
}

/** One endpoint's cells, measured alone or in several replicates. */
export function measured(path: string, planned: readonly Planned[]): Measurement[] {
  return planned.map(({ workers, rates = [1_000], arm = {}, change = {}, cell: other = {}, ...rest }) => {
    const made = measurement({ cell: cell({ path, workers, ...other }) });
    const replicates = made.replicates.flatMap((replicate) =>
      rates.map((rate) => ({ ...replicate, arms: { head: record(rate, workers, arm) } })),
    );
    const where = environment({ cores: 4, appCpus: "0-1", otherCpus: "2-3", ...rest.environment });
    return { ...made, replicates, environment: where, ...change };
  });
}

export function comparisonOf(measurements: readonly Measurement[]): Comparison {
  return compare({ schemaVersion: 1, cells: measurements.map((each) => each.cell) }, measurements);
}
