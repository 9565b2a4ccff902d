import {
  isIteration,
  isMix,
  isScript,
  mixLine,
  type Requested,
  type Step,
} from "../../model/endpoint/endpoint.ts";
import type { Measurement } from "../../model/measurement/measurement.ts";
import type { Cell, Load } from "../../model/plan/cell.ts";
import type { Design } from "../../model/plan/plan.ts";
import { shellWords } from "../../text/shell-words.ts";

/**
 * The command line that measures one cell alone; `undefined` when a text in it cannot be shown as it is. A report does
 * not know the app's other needs (its folder, its database, its variables), so the reader adds them.
 */
export function rerunCommand(
  { app, endpoint, workers, server, load }: Cell,
  design: Design | undefined,
  commits: Measurement["commits"],
): string | undefined {
  return shellWords([
    "fastapi-loadtest",
    "run",
    ...(app === undefined ? [] : ["--name", app]),
    ...requestWords(endpoint),
    ...["--workers", String(workers)],
    ...["--server", server],
    ...loadWords(load, design !== undefined),
    ...baseWords(design, commits),
  ]);
}

/**
 * The options for the request. The parts of a mix are left to the configuration, like everything else that an
 * endpoint's line does not say.
 */
function requestWords(requested: Requested): string[] {
  if (isMix(requested)) return ["--endpoints", mixLine];
  if (isScript(requested)) return ["--script", requested.script];
  return isIteration(requested)
    ? ["--iteration", requested.steps.map(stepWords).join("\n")]
    : ["--endpoints", stepWords(requested)];
}

function stepWords(step: Step): string {
  if ("path" in step) return step.method === "GET" ? step.path : `${step.method} ${step.path}`;
  return `sleep ${step.pauseSeconds * 1_000}ms`;
}

function loadWords(load: Load, isCompared: boolean): string[] {
  return [
    ...shapeWords(load, isCompared),
    ...(load.connections === undefined ? [] : ["--connections", load.connections]),
    ...(load.timeoutSeconds === undefined ? [] : ["--request-timeout", `${load.timeoutSeconds}s`]),
    ...(load.gracefulStopSeconds === undefined ? [] : ["--graceful-stop", `${load.gracefulStopSeconds}s`]),
  ];
}

function shapeWords(load: Load, isCompared: boolean): string[] {
  const stagesOf = (stages: readonly { durationSeconds: number; virtualUsers: number }[]) =>
    stages.map(({ durationSeconds, virtualUsers }) => `${durationSeconds}s:${virtualUsers}`).join(",");
  switch (load.kind) {
    case "constant":
      return [
        ...["--vus", String(load.virtualUsers)],
        ...(isCompared ? [] : ["--duration", `${load.durationSeconds}s`]),
      ];
    case "stages":
      return ["--stages", stagesOf(load.stages)];
    case "requests":
      return [
        ...["--vus", String(load.virtualUsers), "--requests", String(load.requests)],
        ...(load.firstRequestAlone === true ? ["--first-request-alone"] : []),
      ];
    case "script":
      return load.locust === undefined // else the script says it
        ? []
        : [
            ...["--vus", String(load.locust.users), "--duration", `${load.locust.durationSeconds}s`],
            ...(load.locust.processes === undefined ? [] : ["--generators", String(load.locust.processes)]),
          ];
    case "rate":
      return [
        ...["--vus", String(load.virtualUsers), "--rate", String(load.requestsPerSecond)],
        ...["--duration", `${load.durationSeconds}s`],
      ];
  }
}

function baseWords(design: Design | undefined, { base }: Measurement["commits"]): string[] {
  if (design?.kind === "control") return ["--control"];
  return ["--base", design === undefined ? "none" : (base ?? "auto")];
}
