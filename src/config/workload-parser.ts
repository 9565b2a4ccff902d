import { defined } from "../lists/defined.ts";
import { mysqlStyles, urlStyles } from "../model/choices.ts";
import { isLocustFile } from "../model/endpoint/endpoint.ts";
import type { Login } from "../model/endpoint/login.ts";
import { type Load, usualGracefulStopSeconds, usualTimeoutSeconds } from "../model/plan/cell.ts";
import { withoutBase } from "../model/plan/without-base.ts";
import type { PullRequestOfRun } from "../model/pull-request.ts";
import type {
  App,
  Base,
  Database,
  Discovery,
  Reporting,
  Targets,
  Workload,
} from "../model/workload/workload.ts";
import { hasSourceFolder } from "./app-place.ts";
import type { ChosenEndpoints } from "./chosen-endpoints.ts";
import type { ConfigurationFile } from "./file/configuration-file.ts";
import type { GivenInputs } from "./given-inputs.ts";
import type { Files, Inputs } from "./inputs.ts";
import { ofRunningApp } from "./targets.ts";

interface Parts {
  readonly files: Files;
  readonly given: GivenInputs;
  readonly pullRequest: PullRequestOfRun;
  readonly importString: string;
  readonly folder: string;
  readonly chosen: ChosenEndpoints;
  readonly discovery: Discovery | undefined;
  readonly targets: Targets | undefined;
  readonly login: Login | undefined;
  readonly services: ConfigurationFile["services"];
  readonly processes: ConfigurationFile["processes"];
  readonly unusable: string | undefined;
}

/** Everything that `plan` and `measure` need to know of one app, from inputs without problems. */
export function workloadOf(parsed: Inputs, parts: Parts): Workload {
  const { given, chosen, targets, discovery, login, unusable } = parts;
  const { services = [], processes = [] } = parts;
  const { script } = parsed;
  const workload: Workload = {
    ...defined({ name: parsed.name }),
    app: appOf(parsed, parts),
    server: {
      template: parsed.server,
      readyPath: parsed["ready-path"],
      readyWithinSeconds: parsed["ready-timeout"],
      port: parsed.port === 0 ? undefined : parsed.port,
    },
    database: databaseOf(parsed, given),
    ...(services.length > 0 && { services }),
    ...(processes.length > 0 && { processes }),
    workerCounts: parsed.workers,
    endpoints: script === undefined ? chosen.requested : [{ script }],
    ...defined({ scriptPath: script && given.resolve("script", script) }),
    ...defined({ scriptVariables: parsed["script-env"] }),
    ...(parsed["script-remote"] && { loadsRemoteModules: true }),
    forms: chosen.forms,
    ...(chosen.isMixPartial && { isMixPartial: true }),
    discovery,
    login,
    load: loadOf(parsed),
    warmupSeconds: parsed.warmup,
    comparing: {
      base: baseOf(parsed, parts.pullRequest),
      minChange: parsed["min-change"],
      minLatencyChange: parsed["min-latency-change"],
      minMemoryChange: parsed["min-memory-change"],
      minCostChange: parsed["min-cost-change"],
      countsInstructions: parsed["count-instructions"] === "auto",
      soakSeconds: parsed.soak,
      falseAlarmRate: parsed["false-alarm-rate"],
      maxMinutes: parsed["max-minutes"],
      onlyAffected: parsed["only-affected"],
    },
    ...defined({ maxTotalMinutes: parsed["max-total-minutes"] }),
    separateCpus: parsed["separate-cpus"],
    sameAddressLayout: parsed["same-address-layout"],
    diagnose: script === undefined ? parsed.diagnose : "never",
    check: {
      failOn: parsed["fail-on"],
      maxSlowdown: parsed["max-slowdown"],
      ...defined({ thresholds: parsed.thresholds }),
    },
    planText: parsed.plan,
    targets,
  };
  const whole =
    targets === undefined ? workload : ofRunningApp(workload, targets, given.isGiven("max-minutes"));
  const isCompared = whole.comparing.base.kind !== "none";
  return unusable && isCompared ? withoutBase(whole, unusable) : whole;
}

export function reportingOf(parsed: Inputs, given: GivenInputs, files: Files): Reporting {
  return {
    resultsDirectory: files.resolve(parsed["results-directory"]),
    reportId: parsed["report-id"],
    comment: parsed.comment ? parsed["comment-mode"] : "never",
    ...defined({
      checkRun: parsed["check-name"],
      historyBranch: parsed["history-branch"],
    }),
    ...(parsed["review-comments"] && { reviews: true as const }),
    planText: parsed.plan,
    check: {
      failOn: given.isGiven("fail-on") ? parsed["fail-on"] : undefined,
      maxSlowdown: given.isGiven("max-slowdown") ? parsed["max-slowdown"] : undefined,
      ...defined({ thresholds: parsed.thresholds }),
    },
  };
}

function appOf(parsed: Inputs, { importString, folder, files, given }: Parts): App {
  return {
    importString,
    folder,
    ...(hasSourceFolder(importString, folder, files) && { sourceFolder: "src" }),
    python: parsed.python,
    install: installOf(parsed, given, files),
    ...defined({
      excludeNewer: parsed["exclude-newer"],
      extraPackages: parsed["extra-packages"],
      environmentFile: parsed["env-file"],
    }),
    variables: parsed["app-env"] ?? {},
  };
}

function installOf(
  { install, "install-command": commands }: Inputs,
  given: GivenInputs,
  files: Files,
): App["install"] {
  if (commands !== undefined) return { commands };
  if (install === "auto" || install === "none") return install;
  const path = given.resolve("install", install);
  return files.isFile(path) ? { requirementsFile: path } : { environmentFolder: path };
}

function databaseOf(parsed: Inputs, given: GivenInputs): Database {
  const { database, "database-url-style": style, "database-url": url } = parsed;
  const { "migrate-command": migrate, "seed-command": fill, "seed-request": requests } = parsed;
  if (database === "none") return { kind: "none" };
  const urlStyle = database === "mysql" && style === urlStyles[0] ? mysqlStyles[0] : style;
  const hasCommands = (migrate ?? fill ?? requests) !== undefined;
  const seed = {
    seedFiles: (parsed.seed ?? []).map((path) => given.resolve("seed", path)),
    scale: parsed.scale,
    variable: parsed["database-variable"],
    ...defined({
      extensions: parsed["database-extensions"],
      urlStyle: urlStyle === urlStyles[0] ? undefined : urlStyle,
      templates: parsed["database-env"],
    }),
    ...(hasCommands && { commands: { migrate: migrate ?? [], seed: fill ?? [], ...defined({ requests }) } }),
  };
  if (database === "sqlite") return { kind: "file", ...seed };
  if (database === "mysql") return { kind: "mysql", ...seed };
  return url === undefined ? { kind: "private", ...seed } : { kind: "existing", url, ...seed };
}

function loadOf(parsed: Inputs): Load {
  const { connections, "request-timeout": timeoutSeconds, "graceful-stop": gracefulStopSeconds } = parsed;
  return {
    ...shapeOf(parsed),
    ...(connections === "new" && { connections }),
    ...(timeoutSeconds !== usualTimeoutSeconds && { timeoutSeconds }),
    ...(gracefulStopSeconds !== usualGracefulStopSeconds && { gracefulStopSeconds }),
  };
}

function shapeOf(parsed: Inputs): Load {
  const { script, stages, requests, rate } = parsed;
  const { vus: virtualUsers, duration: durationSeconds } = parsed;
  if (script !== undefined && isLocustFile(script))
    return { kind: "script", locust: { users: virtualUsers, durationSeconds } };
  if (script !== undefined) return { kind: "script" };
  if (stages !== undefined) return { kind: "stages", stages };
  if (requests !== undefined)
    return {
      kind: "requests",
      virtualUsers,
      requests,
      ...(parsed["first-request-alone"] && { firstRequestAlone: true }),
    };
  if (rate !== undefined) return { kind: "rate", requestsPerSecond: rate, virtualUsers, durationSeconds };
  return { kind: "constant", virtualUsers, durationSeconds };
}

/** The base. If somebody named one, loads that cannot be compared were refused before. */
function baseOf({ control, "base-ref": ref, stages, requests }: Inputs, run: PullRequestOfRun): Base {
  if (control) return { kind: "control" };
  if (ref === "none" || (stages ?? requests) !== undefined) return { kind: "none" };
  if (ref !== "auto") return { kind: "ref", ref };
  return run.kind === "none"
    ? { kind: "none" }
    : { kind: "pull request", headSha: run.headSha, baseSha: run.baseSha };
}
