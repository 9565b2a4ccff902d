// The orders of `load.ts`, and how they become a scenario of k6's. Times are milliseconds unless a name says otherwise.

import type { Scenario } from "k6/options";

import type { ScenarioCapture } from "./captures.ts";

/** JSON in the file that the variable LOADTEST names. */
export interface LoadScript {
  readonly targets: readonly {
    readonly arm: string;
    readonly baseUrl: string;
    /** Sent with every request. */
    readonly headers?: Headers;
    /** Instead of them, for each of several identities. */
    readonly users?: readonly Headers[];
  }[];
  readonly endpoint:
    | ScenarioEndpoint
    | { readonly steps: readonly ScenarioStep[] }
    | { readonly mix: readonly { readonly weight: number; readonly endpoint: ScenarioEndpoint }[] };
  /** For each step, in order; absent where no step has any, nor rows. */
  readonly headers?: readonly Headers[];
  /** JSON file with the rows of all steps, and the number for each: a step without rows is sent as it is. */
  readonly rowsPath?: string;
  readonly rowCounts?: readonly number[];
  /** For each step, in order, what its replies hold for later ones; absent where no step has any. */
  readonly captures?: readonly (readonly ScenarioCapture[])[];
  /** For a WebSocket: words of the message that answers; absent: any does. */
  readonly answeredBy?: string;
  readonly load: ScenarioLoad;
  /** True when k6's own summary must look like that of an ordinary script. */
  readonly detailed?: boolean;
  readonly sliceMs: number;
  /**
   * With two arms, only some requests tell about one arm alone: those sent at least `startMs` after a slice's start and
   * more than `endMs` before its end. At the start the other arm still works on its last requests; late ones are
   * answered when the other arm has the load again.
   */
  readonly guard?: { readonly startMs: number; readonly endMs: number };
  /** Time after which a user opens new connections, at the end of a pair of slices; absent: only when it must. */
  readonly renewMs?: number;
  /** Ratio of neighbouring histogram bucket edges. */
  readonly growth: number;
  /** Decides the order of the arms within each pair of slices. */
  readonly seed: number;
  /** Absent: the lines alone are the result. */
  readonly summaryPath?: string;
}

export type Headers = Readonly<Record<string, string>>;

/** One request, sent instead of its step's path. */
export interface ScenarioRow {
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ScenarioEndpoint {
  readonly method: string;
  readonly path: string;
}
export type ScenarioStep = ScenarioEndpoint | { readonly pauseSeconds: number };

/**
 * Indexes of a mix's endpoints in the order in which a user takes them: each as often as its weight says, and spread as
 * evenly as possible.
 */
export function turnsOf(weights: readonly number[]): number[] {
  const divisor = weights.reduce(greatestDivisor);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const owed = weights.map(() => 0);
  return Array.from({ length: total / divisor }, () => {
    for (const [index, weight] of weights.entries()) owed[index] = (owed[index] as number) + weight;
    const next = owed.indexOf(Math.max(...owed));
    owed[next] = (owed[next] as number) - total;
    return next;
  });
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

interface Stage {
  readonly durationSeconds: number;
  readonly virtualUsers: number;
}
export type ScenarioLoad = {
  readonly connections?: "new";
  readonly timeoutSeconds?: number;
  readonly gracefulStopSeconds?: number;
} & (
  | { readonly kind: "constant"; readonly virtualUsers: number; readonly durationSeconds: number }
  | { readonly kind: "stages"; readonly stages: readonly Stage[] }
  | {
      readonly kind: "requests";
      readonly virtualUsers: number;
      readonly requests: number;
      readonly firstRequestAlone?: true;
    }
  | {
      readonly kind: "rate";
      readonly requestsPerSecond: number;
      readonly durationSeconds: number;
      readonly virtualUsers: number;
    }
);

/** k6's default time-out of a request. */
export const usualTimeoutMs = 60_000;

export function timeoutMsOf({ timeoutSeconds }: ScenarioLoad): number {
  return timeoutSeconds === undefined ? usualTimeoutMs : timeoutSeconds * 1_000;
}

/** Time that virtual users stay after the end, so that each notices it and prints its last slice. */
export const tailMs = 100;

/** Requests under way this long after the end are cut off: k6's default `gracefulStop`. */
const usualGraceMs = 30_000;

/** k6 would cut requests off silently, so the script does it and k6 leaves it the time. */
function patienceMsOf(load: ScenarioLoad): number {
  return timeoutMsOf(load) + 5_000;
}

/** Ends of a load, in milliseconds after its start. */
export interface Ends {
  readonly loadMs: number;
  /** From here on nothing is sent, however late k6 notices the end. */
  readonly lastSentMs: number;
  /** Requests still under way here are cut off. */
  readonly cutOffMs: number;
  /** From here on a virtual user may be called no more, so each reply is printed at once. */
  readonly printsEachFromMs: number;
}

export function endsOf(script: LoadScript): Ends {
  const { load, detailed = false } = script;
  const loadMs = lengthMs(load);
  const { gracefulStopSeconds } = load;
  const cutOffMs = loadMs + (gracefulStopSeconds === undefined ? usualGraceMs : gracefulStopSeconds * 1_000);
  // Users may stay after the end only when nobody reads k6's own figures: their last calls count as iterations.
  const hasTail = load.kind === "constant" && !detailed;
  const printsEachFromMs = hasTail ? loadMs : lastCallMs(script, loadMs);
  return { loadMs, lastSentMs: hasTail ? loadMs : cutOffMs, cutOffMs, printsEachFromMs };
}

function lengthMs(load: ScenarioLoad): number {
  switch (load.kind) {
    case "requests":
      return Number.POSITIVE_INFINITY;
    case "stages":
      return load.stages.reduce((total, stage) => total + stage.durationSeconds, 0) * 1_000;
    default:
      return load.durationSeconds * 1_000;
  }
}

function lastCallMs(script: LoadScript, loadMs: number): number {
  const { load } = script;
  switch (load.kind) {
    case "constant":
      return loadMs - 1_000;
    case "rate":
      // k6 calls idle users in turn, so each is called again within `virtualUsers` requests, unless k6 itself stands still.
      return loadMs - standstillMs(script, loadMs) - (4_000 * load.virtualUsers) / load.requestsPerSecond;
    case "stages":
      return Math.min(firstShrinkingMs(load.stages), loadMs - 1_000);
    case "requests":
      return Number.POSITIVE_INFINITY;
  }
}

/**
 * Longest time for which k6 may stand still at the end of a load at a rate. Printing each reply costs a third of sending it,
 * so an open phase of two arms, which is put once more if counts are lost, has less.
 */
function standstillMs({ targets }: LoadScript, loadMs: number): number {
  return targets.length > 1 ? loadMs / 8 : 2_000;
}

function firstShrinkingMs(stages: readonly Stage[]): number {
  let startMs = 0;
  let users = 1;
  for (const stage of stages) {
    if (stage.virtualUsers < users) return startMs;
    startMs += stage.durationSeconds * 1_000;
    users = stage.virtualUsers;
  }
  return startMs;
}

/** True when the first request is sent by `setup`, before there are users. */
export function isSoloFirst(load: ScenarioLoad): boolean {
  return load.kind === "requests" && load.firstRequestAlone === true && load.requests > 1;
}

/** Requests that the users share. */
export function sharedRequests(load: ScenarioLoad & { readonly kind: "requests" }): number {
  return isSoloFirst(load) ? load.requests - 1 : load.requests;
}

export function scenarioOf({ load, detailed = false }: LoadScript): Scenario {
  const patienceMs = patienceMsOf(load);
  const gracefulStop = `${patienceMs}ms`;
  switch (load.kind) {
    case "constant": {
      const durationMs = load.durationSeconds * 1_000 + (detailed ? 0 : tailMs);
      // Not `constant-vus`: that wants at least a second, and a warm-up may be shorter.
      return {
        executor: "ramping-vus",
        startVUs: load.virtualUsers,
        stages: [{ duration: `${durationMs}ms`, target: load.virtualUsers }],
        gracefulStop,
      };
    }
    case "stages":
      return {
        executor: "ramping-vus",
        startVUs: 1,
        stages: load.stages.map((stage) => ({
          duration: `${stage.durationSeconds * 1_000}ms`,
          target: stage.virtualUsers,
        })),
        gracefulStop,
        gracefulRampDown: `${lengthMs(load) + patienceMs}ms`, // until the end, like the others
      };
    case "requests": {
      const iterations = sharedRequests(load);
      // k6 wants no more users than requests.
      const vus = Math.min(load.virtualUsers, iterations);
      return { executor: "shared-iterations", vus, iterations, maxDuration: "24h" };
    }
    case "rate":
      return {
        executor: "constant-arrival-rate",
        // k6 takes whole numbers only; a thousandth of a request a second is fine enough.
        rate: Math.round(load.requestsPerSecond * 1_000),
        timeUnit: "1000s",
        duration: `${load.durationSeconds * 1_000}ms`,
        preAllocatedVUs: load.virtualUsers,
        maxVUs: load.virtualUsers,
        gracefulStop,
      };
  }
}
