import type * as z from "zod";
import { InputError } from "../errors/errors.ts";
import { mysqlStyles, urlStyles, type Verb } from "../model/choices.ts";
import {
  autoLine,
  type Endpoint,
  endpointLabel,
  isLocustFile,
  isSocket,
  type Requested,
  stepsOf,
} from "../model/endpoint/endpoint.ts";
import type { EndpointForm } from "../model/endpoint/form.ts";
import type { Login } from "../model/endpoint/login.ts";
import { type Load, usualGracefulStopSeconds, usualTimeoutSeconds } from "../model/plan/cell.ts";
import { withoutBase } from "../model/plan/without-base.ts";
import type { PullRequestOfRun } from "../model/pull-request.ts";
import type { Service } from "../model/workload/service.ts";
import type {
  App,
  Base,
  Config,
  Database,
  Discovery,
  Targets,
  Workload,
} from "../model/workload/workload.ts";
import { percent } from "../text/percent.ts";
import { type AppPlace, hasSourceFolder, placeApp } from "./app-place.ts";
import { type ChosenEndpoints, chooseEndpoints, withoutAuto } from "./chosen-endpoints.ts";
import type { ConfigurationFile } from "./file/configuration-file.ts";
import { type GivenInputs, giveInputs } from "./given-inputs.ts";
import { conflicts, missingPaths, unknownInput } from "./input-checks.ts";
import { problemOf } from "./input-reader.ts";
import * as values from "./input-values.ts";
import { inputNamed, inputsSchema, rows } from "./inputs.ts";
import { withMixWrittenOut } from "./mix-lines.ts";
import type { Files, RawInputs } from "./raw-inputs.ts";
import { settingsOf } from "./settings.ts";
import { withUsableEffect } from "./smallest-effect.ts";
import {
  noDiscovery,
  ofRunningApp,
  problemsOfCap,
  problemsOfGenerators,
  problemsOfLogin,
  readTargets,
} from "./targets.ts";

type Inputs = z.infer<typeof inputsSchema>;

const noPullRequest: PullRequestOfRun = { kind: "none", reason: "nobody said what this run is for" };

/** Context for reading inputs. */
export interface InputContext {
  /** Decides about `base-ref: auto`. */
  readonly pullRequest?: PullRequestOfRun;
  /** The repository's configuration file, if there is one. */
  readonly file?: ConfigurationFile | undefined;
}

/**
 * Turns raw inputs, over the values of the configuration file, into a `Config`. Throws one `InputError` that names
 * every bad value, its place and a right one. Asks `files` only whether paths exist.
 */
export function parseConfig(
  verb: Verb,
  raw: RawInputs,
  files: Files,
  { pullRequest = noPullRequest, file }: InputContext = {},
): Config {
  const unknown = Object.keys(raw).filter((name) => inputNamed(name) === undefined);
  const layers = [settingsOf(raw, files.resolve(".")), file].filter((each) => each !== undefined);
  const given = giveInputs(raw, layers, files);
  const forms = formsOf(layers, files);
  const withoutMix = withMixWrittenOut(given.texts, forms);
  const auto = withoutAuto(withoutMix.texts);
  const { texts, problem: unusable } = withUsableEffect(auto.texts);
  const result = inputsSchema.safeParse(texts);
  const problems = [
    ...unknown.map(unknownInput),
    ...(result.error?.issues.map((issue) => problemOf(issue, texts)) ?? []),
    ...conflicts(verb, withoutForms(given)),
    ...(verb === "report" ? [] : missingPaths(texts, files, given.resolve)),
  ];
  const chosen = result.success
    ? chooseEndpoints(result.data.endpoints, result.data.iteration, forms)
    : undefined;
  const asked = auto.lines === undefined ? undefined : values.endpoints.safeParse(auto.lines);
  if (verb !== "report") {
    problems.push(...(asked?.error?.issues ?? []).map((issue) => `endpoints: ${autoLine} ${issue.message}`));
    problems.push(...withoutMix.problems, ...(chosen?.problems ?? []));
    problems.push(...(chosen?.forms.flatMap((form) => missingTables(form, files)) ?? []));
  }
  if (verb !== "report" && result.success)
    problems.push(...problemsOfSockets(chosen?.requested ?? result.data.endpoints, result.data));
  const { targets, problems: ofTargets } = readTargets(texts);
  const login = loginOf(layers, files);
  const discovery = discoveryOf(auto, asked?.data ?? [], chosen, layers);
  if (verb !== "report") {
    problems.push(...ofTargets);
    if (targets !== undefined && discovery !== undefined) problems.push(noDiscovery);
    if (targets !== undefined) problems.push(...problemsOfLogin(login));
    if (targets !== undefined && result.success)
      problems.push(...problemsOfCap(result.data, targets, given.isSaid("max-minutes")));
  }
  if (verb !== "report" && result.success) {
    const { generators, vus, stages = [] } = result.data;
    const users = stages.length === 0 ? vus : Math.max(...stages.map(({ virtualUsers }) => virtualUsers));
    problems.push(...problemsOfGenerators(texts, generators, users));
  }
  if (verb !== "report" && result.success && unusable === undefined)
    problems.push(...problemsOfCheck(result.data, given));
  const running = targets && { importString: targets.head, folder: files.resolve("."), problem: undefined };
  const place = verb === "report" ? undefined : (running ?? placeApp(given, files));
  if (place?.problem !== undefined) problems.unshift(place.problem);
  if (!result.success || problems.length > 0)
    throw new InputError([...new Set(problems.map((problem) => given.placed(problem)))]);
  return configOf(verb, result.data, {
    files,
    given,
    pullRequest,
    place,
    chosen,
    discovery,
    targets,
    login,
    services: servicesOf(layers, files),
    processes: layers.find(({ processes }) => processes)?.processes,
    unusable: unusable && given.placed(unusable),
  });
}

interface Context {
  readonly files: Files;
  readonly given: GivenInputs;
  readonly pullRequest: PullRequestOfRun;
  readonly place: AppPlace | undefined;
  readonly chosen: ChosenEndpoints | undefined;
  readonly discovery: ReturnType<typeof discoveryOf>;
  readonly targets: Targets | undefined;
  readonly login: Login | undefined;
  readonly services: ConfigurationFile["services"];
  readonly processes: ConfigurationFile["processes"];
  /** The reason why there can be no comparison; `undefined`: there can. */
  readonly unusable: string | undefined;
}

function configOf(verb: Verb, parsed: Inputs, context: Context): Config {
  const { files, given, pullRequest, place, chosen, discovery, targets, login, unusable } = context;
  const { services = [], processes = [] } = context;
  const { workers, endpoints, thresholds } = parsed;
  const ofOwn = thresholds !== undefined && { thresholds };
  const check = { failOn: parsed["fail-on"], failThreshold: parsed["fail-threshold"], ...ofOwn };
  const reporting = {
    resultsFolder: files.resolve(parsed["results-folder"]),
    reportId: parsed["report-id"],
    comment: parsed.comment ? parsed["comment-mode"] : ("never" as const),
    ...(parsed["check-run"] !== undefined && { checkRun: parsed["check-run"] }),
    ...(parsed["history-branch"] !== undefined && { historyBranch: parsed["history-branch"] }),
    planText: parsed.plan,
    ...(parsed.logs !== undefined && { logs: parsed.logs.map((path) => files.resolve(path)) }),
    check: {
      failOn: given.isSaid("fail-on") ? check.failOn : undefined,
      failThreshold: given.isSaid("fail-threshold") ? check.failThreshold : undefined,
      ...ofOwn,
    },
  };
  if (place?.importString === undefined) return { verb, workload: undefined, reporting };
  const { importString, folder } = place;
  const workload: Workload = {
    ...(parsed.name !== undefined && { name: parsed.name }),
    app: {
      importString,
      folder,
      ...(hasSourceFolder(importString, folder, files) && { sourceFolder: "src" as const }),
      python: parsed.python,
      install: installOf(parsed, given, files),
      ...(parsed["exclude-newer"] !== undefined && { excludeNewer: parsed["exclude-newer"] }),
      ...(parsed["env-file"] !== undefined && { environmentFile: parsed["env-file"] }),
      variables: parsed["app-env"] ?? {},
    },
    server: {
      template: parsed.server,
      readyPath: parsed["ready-path"],
      readyWithinSeconds: parsed["ready-timeout"],
      port: parsed.port === 0 ? undefined : parsed.port,
    },
    database: databaseOf(parsed, given),
    ...(services.length > 0 && { services }),
    ...(processes.length > 0 && { processes }),
    workerCounts: workers,
    endpoints: parsed.script === undefined ? (chosen?.requested ?? endpoints) : [{ script: parsed.script }],
    ...(parsed.script !== undefined && { scriptPath: given.resolve("script", parsed.script) }),
    forms: chosen?.forms ?? [],
    ...(chosen?.isMixPartial && { isMixPartial: true }),
    discovery: discovery && { ...discovery, label: given.placed("endpoints:") },
    login,
    load: loadOf(parsed),
    warmupSeconds: parsed.warmup,
    comparing: {
      base: baseOf(parsed, pullRequest),
      smallestEffect: parsed["smallest-effect"],
      smallestLatencyEffect: parsed["smallest-latency-effect"],
      smallestMemoryEffect: parsed["smallest-memory-effect"],
      serverAgeSeconds: parsed["server-age"],
      falseAlarmRate: parsed["false-alarm-rate"],
      maxMinutes: parsed["max-minutes"],
      reach: parsed.reach,
    },
    ...(parsed["max-total-minutes"] !== undefined && { maxTotalMinutes: parsed["max-total-minutes"] }),
    separateCpus: parsed["separate-cpus"],
    sameLayout: parsed["same-layout"],
    diagnose: parsed.script === undefined ? parsed.diagnose : "never",
    check,
    planText: parsed.plan,
    // Those of a Locust file are its own processes, and its load says how many.
    ...(parsed.generators > 1 &&
      targets !== undefined &&
      !isLocustFile(parsed.script ?? "") && {
        generators: { count: parsed.generators, waitSeconds: parsed["generators-wait"] },
      }),
    targets,
    ...(targets !== undefined && ofRunningApp(targets, parsed, given.isSaid("max-minutes"))),
  };
  const isCompared = workload.comparing.base.kind !== "none";
  return { verb, reporting, workload: unusable && isCompared ? withoutBase(workload, unusable) : workload };
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

/** Problem of a `fail-threshold` that the user set too low. In a report the smallest effect is that of the plan. */
function problemsOfCheck(parsed: Inputs, { isSaid, texts }: GivenInputs): string[] {
  const { "fail-on": failOn, "fail-threshold": threshold, "smallest-effect": smallest } = parsed;
  const isThreshold = failOn !== "slower" && failOn !== "never";
  if (!isThreshold || !isSaid("fail-threshold") || threshold >= smallest) return [];
  return [
    `fail-threshold: must be at least smallest-effect (${percent(smallest)}), because a smaller change fails nothing; give that much, or lower smallest-effect too (got ${JSON.stringify(texts["fail-threshold"])})`,
  ];
}

/** Messages through a WebSocket have a script of their own, which knows users and nothing else. */
function problemsOfSockets(
  requested: readonly Requested[],
  { stages, requests, rate, generators = 1, connections }: Inputs,
): string[] {
  const mixed = requested.find(
    (each) => !isSocket(each) && stepsOf(each).some((step) => "path" in step && isSocket(step)),
  );
  const problems =
    mixed === undefined
      ? []
      : [
          `endpoints: WS cannot be a step or a part of a mix (${endpointLabel(mixed)}); give it a row of its own`,
        ];
  if (!requested.some(isSocket)) return problems;
  const others = Object.entries({
    ...{ stages, requests, rate },
    generators: generators > 1 ? true : undefined,
    connections: connections === "new" ? true : undefined,
  });
  return [
    ...problems,
    ...others
      .filter(([, value]) => value !== undefined)
      .map(([name]) => `${name}: is of requests, and WS sends messages; use vus and duration`),
  ];
}

function databaseOf(parsed: Inputs, given: GivenInputs): Database {
  if (parsed.database === "none") return { kind: "none" };
  const {
    "database-url-style": style,
    "database-env": templates,
    "database-extensions": extensions,
    "migrate-command": migrate,
    "seed-command": fill,
    "seed-request": requests,
  } = parsed;
  const urlStyle = parsed.database === "mysql" && style === urlStyles[0] ? mysqlStyles[0] : style;
  const hasCommands = (migrate ?? fill ?? requests) !== undefined;
  const seed = {
    seedFiles: (parsed.seed ?? []).map((path) => given.resolve("seed", path)),
    ...(extensions !== undefined && { extensions }),
    scale: parsed.scale,
    variable: parsed["database-variable"],
    ...(urlStyle !== urlStyles[0] && { urlStyle }),
    ...(templates !== undefined && { templates }),
    ...(hasCommands && {
      commands: { migrate: migrate ?? [], seed: fill ?? [], ...(requests !== undefined && { requests }) },
    }),
  };
  if (parsed.database === "sqlite") return { kind: "file", ...seed };
  if (parsed.database === "mysql") return { kind: "mysql", ...seed };
  const url = parsed["database-url"];
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
  const { script, stages, requests, rate, vus: virtualUsers, duration: durationSeconds } = parsed;
  const { generators } = parsed;
  if (script !== undefined)
    return {
      kind: "script",
      ...(isLocustFile(script) && {
        locust: { users: virtualUsers, durationSeconds, ...(generators > 1 && { processes: generators }) },
      }),
    };
  if (stages !== undefined) return { kind: "stages", stages };
  if (requests !== undefined)
    return parsed["solo-first"]
      ? { kind: "requests", virtualUsers, requests, soloFirst: true }
      : { kind: "requests", virtualUsers, requests };
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

/** Inputs without a layer's whole endpoints when there is an iteration: its steps may mean them. */
function withoutForms({ texts, layerOf }: GivenInputs): RawInputs {
  const hasForms = (layerOf("endpoints")?.forms ?? []).length > 0;
  return texts["iteration"] !== undefined && hasForms
    ? { ...texts, endpoints: rows.endpoints.fallback }
    : texts;
}

function discoveryOf(
  { isAll, isOnly }: ReturnType<typeof withoutAuto>,
  asked: readonly Endpoint[],
  chosen: ChosenEndpoints | undefined,
  layers: readonly ConfigurationFile[],
): Omit<Discovery, "label"> | undefined {
  const lines = [...asked, ...(chosen?.unfilled ?? [])];
  if (!isAll && lines.length === 0) return undefined;
  const said = layers.find(({ patterns }) => patterns !== undefined)?.patterns;
  const patterns = said ?? { include: [], exclude: [] };
  return { isAll, lines, isOnly: isOnly || chosen?.hasOthers === false, patterns };
}

/** The login of the highest layer that has one, with the absolute path of its CSV file. */
function loginOf(layers: readonly ConfigurationFile[], files: Files): Login | undefined {
  const layer = layers.find(({ login }) => login);
  const { login } = layer ?? {};
  if (login?.usersFrom?.kind !== "csv") return login;
  return { ...login, usersFrom: { kind: "csv", file: files.resolve(login.usersFrom.file, layer?.folder) } };
}

/** The services of the highest layer that has any, with absolute paths of compose files. */
function servicesOf(layers: readonly ConfigurationFile[], files: Files): readonly Service[] | undefined {
  const layer = layers.find(({ services }) => services);
  return layer?.services?.map((service) =>
    service.composed === undefined
      ? service
      : {
          ...service,
          composed: { ...service.composed, file: files.resolve(service.composed.file, layer.folder) },
        },
  );
}

/** Whole endpoints of the highest layer that has any, with absolute paths of CSV files. */
function formsOf(layers: readonly ConfigurationFile[], files: Files): readonly EndpointForm[] {
  const layer = layers.find(({ forms }) => forms.length > 0);
  return (layer?.forms ?? []).map((form) => {
    const params = Object.entries(form.params).map(([name, source]) => [
      name,
      source.kind === "csv" ? { ...source, file: files.resolve(source.file, layer?.folder) } : source,
    ]);
    return { ...form, params: Object.fromEntries(params) };
  });
}

function missingTables({ params, places }: EndpointForm, files: Files): string[] {
  return Object.entries(params).flatMap(([name, source]) =>
    source.kind === "csv" && !files.isFile(source.file)
      ? [
          `${places[name]}: params.${name}: must name an existing CSV file (got ${JSON.stringify(source.file)})`,
        ]
      : [],
  );
}
