import * as z from "zod";
import { InputError } from "../../errors/errors.ts";
import {
  autoLine,
  isCountable,
  isIteration,
  isMix,
  isScript,
  mixLine,
  mixSeparator,
  type Requested,
} from "../endpoint/endpoint.ts";
import { formOf } from "../endpoint/form.ts";
import { type Check, checkSchema, labelsMeant, thresholdText, usualCheck } from "../thresholds/threshold.ts";
import type { Workload } from "../workload/workload.ts";
import {
  appNameSchema,
  type Cell,
  cellLabel,
  cellSchema,
  endpointLabel,
  loadSeconds,
  makeCell,
} from "./cell.ts";
import { diagnosisSeconds, minutesProblem, mostMeasuringSeconds } from "./minutes.ts";

/** Smallest change of a latency percentile that matters (`test/compare/latency-change.test.ts`). */
export const usualLatencyEffect = 0.2;

/** Smallest change of memory that matters. In recorded runs two starts of identical code differ by 0.2% at most. */
export const usualMemoryEffect = 0.03;

/** Smallest change of a request's instructions that matters. Equal code differs by less (`bench/instructions.ts`). */
export const usualCostEffect = 0.01;

export const mostCells = 1_024;

/** The rules of comparing base and head: decided before anything is measured, so that no result can bend them. */
const designSchema = z.strictObject({
  /** `control`: both arms are the same code, to see the noise of the machine. */
  kind: z.enum(["comparison", "control"]),
  /** Smallest change of throughput that matters, as a share: 0.03 is 3%. */
  minChange: z.number().min(1e-15).max(1),
  /** Chance that a report in which nothing changed shows a change of any kind: 0.01 is 1%. */
  falseAlarmRate: z.number().min(1e-15).max(0.5),
  /** Change from which the check fails, which a cell goes on to resolve; absent: the smallest effect. */
  maxSlowdown: z.number().positive().max(1).optional(),
  /** Smallest change of a latency percentile that matters, as a share; absent: the usual one. */
  minLatencyChange: z.number().positive().max(1).optional(),
  /** Smallest change of memory that matters, as a share; absent: the usual one. */
  minMemoryChange: z.number().positive().max(1).optional(),
  /** The same of a request's instructions. */
  minCostChange: z.number().positive().max(1).optional(),
  /** True when latencies can fail the check, so that a cell goes on until it is known whether they do. */
  isLatencyForbidden: z.literal(true).optional(),
  /** Time for which one pair of servers lives at the end; absent: none does. */
  soakSeconds: z.number().nonnegative().max(600).optional(),
  /** Endpoints of an app whose instructions are counted; absent: none. Only estimates of time read it. */
  countedEndpoints: z.int().min(0).max(mostCells).optional(),
  /** Numbers of replicates after which a cell is judged; ascending. It ends at the last one. */
  looks: z.array(z.int().min(2).max(1_000)).min(1).max(20),
  /** Limit for all cells that one machine measures. */
  maxMinutes: z.number().positive().max(1e6),
  /** Number of cells in the whole report, which share its false alarms. */
  cells: z.int().min(1).max(mostCells),
});
export type Design = z.infer<typeof designSchema>;

/** Inputs that did not come from an app's configuration file, so that one of its cells can be measured like this. */
const settingsSchema = z.strictObject({
  app: appNameSchema.optional(),
  inputs: z.record(z.string().regex(/^[a-z][a-z-]{0,40}$/), z.string().max(2_000)),
});

/** The cells to measure, in order, and the document that travels from the plan job to the report job. */
export const planSchema = z.strictObject({
  schemaVersion: z.literal(1),
  cells: z.array(cellSchema).min(1).max(mostCells),
  /** Seconds of one job with starts and diagnosis, at most; absent when the load ends by count. */
  estimatedSeconds: z.number().positive().max(1e9).optional(),
  /** Absent when the head is measured alone. */
  design: designSchema.optional(),
  /** Absent when it is the usual one. */
  check: checkSchema.optional(),
  /** Absent: every input came from the configuration file, or is its default. */
  settings: z.array(settingsSchema).max(20).optional(),
});
export type Plan = z.infer<typeof planSchema>;

/** Seconds that starting and stopping the server and copying the database add to each cell. From `bench/overhead`. */
const startSecondsPerCell = 2;

/** Numbers of replicates after which a cell is judged. */
export const looks: readonly [number, ...number[]] = [
  3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 24, 29, 35, 42, 50, 58,
];
/**
 * Lists the cells: for each endpoint, every worker count. With minutes that are too few for a comparison, whatever the
 * change reaches, it is a plan for the head alone. `isForMatrix`: each cell has a machine, and the minutes, to itself.
 */
export function makePlan(workload: Workload, { isForMatrix = false } = {}): Plan {
  const cells = cellsOf(workload);
  checkCount(cells.length);
  checkThresholds(workload.check, cells);
  const { base, onlyAffected: _, countsInstructions, ...numbers } = workload.comparing;
  const together = isForMatrix ? 1 : cells.length;
  if (base.kind === "none") return planOf(cells, undefined, workload, together);
  const kind = base.kind === "control" ? "control" : "comparison";
  const countable = workload.endpoints.filter(isCountable);
  const { failOn, maxSlowdown } = workload.check;
  const design: Design = {
    kind,
    ...numbers,
    ...(failOn !== "slower" && failOn !== "never" && { maxSlowdown }),
    ...(failOn === "latency" && { isLatencyForbidden: true as const }),
    looks: [...looks],
    cells: cells.length,
    ...(countsInstructions && workload.targets === undefined && { countedEndpoints: countable.length }),
  };
  return planOf(cells, withinMinutes(together, design, workload), workload, together);
}

/**
 * The plan of one machine that measures a part of a whole report: the whole's design, so that all parts are judged as
 * one. Throws an `InputError` when a cell is not in the whole, because the two got different inputs then.
 */
export function planForPart(whole: Plan, workload: Workload): Plan {
  const cells = cellsOf(workload);
  const ids = new Set(whole.cells.map(({ id }) => id));
  const strange = cells.find(({ id }) => !ids.has(id));
  if (strange !== undefined)
    throw new InputError([
      `plan: lacks the cell ${cellLabel(strange)} with workers ${strange.workers}; run measure with the same inputs as plan`,
    ]);
  return planOf(cells, whole.design && withinMinutes(cells.length, whole.design, workload), workload);
}

function cellsOf({ name, endpoints, workerCounts, server, load }: Workload): Cell[] {
  const app = name === undefined ? {} : { app: name };
  return endpoints.flatMap((endpoint) =>
    workerCounts.map((workers) => makeCell({ ...app, endpoint, workers, server: server.template, load })),
  );
}

/** @param together number of cells that one machine measures */
function planOf(
  cells: Cell[],
  design: Design | undefined,
  workload: Workload,
  together = cells.length,
): Plan {
  const { load, warmupSeconds, diagnose, check } = workload;
  const plan = { schemaVersion: 1 as const, cells, ...(isUsual(check) ? {} : { check }) };
  // The verdicts decide which endpoints are diagnosed; all of a lone head are.
  const endpoints = new Set(cells.slice(0, together).map(({ endpoint }) => JSON.stringify(endpoint)));
  const diagnosed = { never: 0, always: together, "on-change": endpoints.size }[diagnose];
  const causesSeconds = diagnosed * diagnosisSeconds(design !== undefined);
  const seconds = loadSeconds(load);
  const aloneSeconds = seconds && together * (seconds + warmupSeconds + startSecondsPerCell);
  if (design !== undefined) {
    // Nobody knows before how long a run of a script takes.
    const isKnown = load.kind !== "script";
    const most = isKnown ? mostMeasuringSeconds(together, design) : design.maxMinutes * 60;
    const isEnough = minutesProblem(together, design.maxMinutes) === undefined;
    const estimatedSeconds = Math.max(most, isEnough ? 0 : (aloneSeconds ?? 0)) + causesSeconds;
    return { ...plan, estimatedSeconds, design };
  }
  if (aloneSeconds === undefined) return plan;
  return { ...plan, estimatedSeconds: aloneSeconds + causesSeconds };
}

function isUsual({ failOn, maxSlowdown, thresholds }: Check): boolean {
  return thresholds === undefined && failOn === usualCheck.failOn && maxSlowdown === usualCheck.maxSlowdown;
}

/** Checked before anything starts: otherwise the report would refuse the results of an hour. */
function checkCount(cells: number): void {
  if (cells <= mostCells) return;
  throw new InputError([
    `workers, endpoints: ${cells} cells are too many for a report of at most ${mostCells}; measure fewer endpoints or worker counts`,
  ]);
}

/** A bound of an endpoint that is not measured would never be broken. */
function checkThresholds({ thresholds = [] }: Check, cells: readonly Cell[]): void {
  const all = cells.map(({ endpoint }) => endpoint);
  const labels = [...new Set(all.map(endpointLabel))];
  const problems = thresholds
    .filter(({ endpoint }) => endpoint !== undefined && labelsMeant(endpoint, all).size === 0)
    .map(
      (threshold) =>
        `thresholds: "${thresholdText(threshold)}" is for an endpoint that is not measured; choose from ${labels.join(", ")}`,
    );
  if (problems.length > 0) throw new InputError(problems);
}

/** The design, unless the minutes are too few: then the head is measured alone. */
function withinMinutes(cells: number, design: Design, workload: Workload): Design | undefined {
  const isEnough = minutesProblem(cells, design.maxMinutes) === undefined;
  return isEnough || isReachWanted(workload) ? design : undefined;
}

/** True when the cells that the change does not reach are left out. Nobody but k6 knows what a user's script asks for. */
export function isReachWanted({ comparing, scriptPath }: Workload): boolean {
  return comparing.onlyAffected && comparing.base.kind !== "control" && scriptPath === undefined;
}

export const mostMatrixJobs = 256;

/**
 * The plan as the two lists of a job matrix: worker counts, and endpoints in the form of the input. An iteration, or a
 * script, has no endpoint there. So the list has one empty text, which gives a job for each worker count.
 */
export function matrixOf(
  { cells }: Plan,
  lines: LinesOf = { forms: [] },
): { readonly workerCounts: number[]; readonly endpoints: string[] } {
  return {
    workerCounts: [...new Set(cells.map((cell) => cell.workers))],
    endpoints: [...new Set(cells.map(({ endpoint }) => lineOf(endpoint, lines)))],
  };
}

type LinesOf = Pick<Workload, "forms" | "isMixPartial">;

/** The input `endpoints` of the job that measures this cell: always one line. */
export function lineOf(endpoint: Requested, { forms, isMixPartial }: LinesOf): string {
  if (isIteration(endpoint) || isScript(endpoint)) return "";
  if (isMix(endpoint))
    return isMixPartial
      ? `${mixLine} ${endpoint.mix.map((part) => endpointLabel(part.endpoint)).join(mixSeparator)}`
      : mixLine;
  const isDiscovered = formOf(forms, endpoint)?.isDiscovered === true;
  return `${isDiscovered ? `${autoLine} ` : ""}${endpointLabel(endpoint)}`;
}
