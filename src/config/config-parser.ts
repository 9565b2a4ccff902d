import { InputError } from "../errors/errors.ts";
import { defined } from "../lists/defined.ts";
import type { Verb } from "../model/choices.ts";
import {
  autoLine,
  type Endpoint,
  endpointLabel,
  isSocket,
  type Requested,
  stepsOf,
} from "../model/endpoint/endpoint.ts";
import type { EndpointForm } from "../model/endpoint/form.ts";
import type { Login } from "../model/endpoint/login.ts";
import type { PullRequestOfRun } from "../model/pull-request.ts";
import type { Service } from "../model/workload/service.ts";
import type { Config, Discovery, Targets } from "../model/workload/workload.ts";
import { percent } from "../text/percent.ts";
import { type AppPlace, placeApp } from "./app-place.ts";
import { type ChosenEndpoints, chooseEndpoints, withMixWrittenOut, withoutAuto } from "./chosen-endpoints.ts";
import { type ConfigurationFile, settingsOf } from "./file/configuration-file.ts";
import { type GivenInputs, giveInputs } from "./given-inputs.ts";
import { conflicts, missingPaths, problemOf, unknownInput, withUsableEffect } from "./input-checks.ts";
import * as values from "./input-values.ts";
import { type Files, type Inputs, inputNamed, inputsSchema, type RawInputs, rows } from "./inputs.ts";
import { problemsOfCap, problemsOfLogin, readTargets } from "./targets.ts";
import { reportingOf, workloadOf } from "./workload-parser.ts";

const noPullRequest: PullRequestOfRun = { kind: "none", reason: "no pull request is known for this run" };

interface InputContext {
  /** Decides about `base-ref: auto`. */
  readonly pullRequest?: PullRequestOfRun;
  readonly file?: ConfigurationFile | undefined;
}

interface Reading {
  readonly files: Files;
  readonly given: GivenInputs;
  readonly texts: RawInputs;
  readonly parsed: Inputs | undefined;
  readonly chosen: ChosenEndpoints | undefined;
  readonly discovery: Omit<Discovery, "label"> | undefined;
  readonly targets: Targets | undefined;
  readonly login: Login | undefined;
  readonly place: AppPlace;
  readonly found: readonly string[];
  readonly unusable: string | undefined;
}

/** Turns inputs, over the file's values, into a `Config`. Throws one `InputError` with every bad value. */
export function parseConfig(
  verb: Verb,
  raw: RawInputs,
  files: Files,
  { pullRequest = noPullRequest, file }: InputContext = {},
): Config {
  const layers = [settingsOf(raw, files.resolve(".")), file].filter((each) => each !== undefined);
  const given = giveInputs(raw, layers, files);
  const forms = formsOf(layers, files);
  const mix = withMixWrittenOut(given.texts, forms);
  const auto = withoutAuto(mix.texts);
  const { texts, problem: unusable } = withUsableEffect(auto.texts);
  const { data: parsed, error } = inputsSchema.safeParse(texts);
  const general = [
    ...Object.keys(raw)
      .filter((name) => inputNamed(name) === undefined)
      .map(unknownInput),
    ...(error?.issues.map((issue) => problemOf(issue, texts)) ?? []),
    ...conflicts(withoutForms(given)),
  ];
  const placed = (problems: readonly string[]) => new InputError([...new Set(problems.map(given.placed))]);
  if (verb === "report") {
    if (parsed === undefined || general.length > 0) throw placed(general);
    return { verb, workload: undefined, reporting: reportingOf(parsed, given, files) };
  }

  const chosen = parsed && chooseEndpoints(parsed.endpoints, parsed.iteration, forms);
  const lines = auto.lines === undefined ? undefined : values.endpoints.safeParse(auto.lines);
  const { targets, problems: ofTargets } = readTargets(texts);
  const reading: Reading = {
    ...{ files, given, texts, parsed, chosen, targets, unusable },
    discovery: discoveryOf(auto, lines?.data ?? [], chosen, layers),
    login: loginOf(layers, files),
    place: targets
      ? { importString: targets.head, folder: files.resolve("."), problem: undefined }
      : placeApp(given, files),
    found: [
      ...(lines?.error?.issues.map((issue) => `endpoints: ${autoLine} ${issue.message}`) ?? []),
      ...mix.problems,
      ...(chosen?.problems ?? []),
      ...(chosen?.forms.flatMap((form) => missingTables(form, files)) ?? []),
      ...ofTargets,
    ],
  };
  const problems = [reading.place.problem ?? [], general, problemsOf(reading)].flat();
  const { importString, folder } = reading.place;
  if (parsed === undefined || chosen === undefined || importString === undefined || problems.length > 0)
    throw placed(problems);
  const workload = workloadOf(parsed, {
    ...{ files, given, pullRequest, chosen, targets, login: reading.login, importString, folder },
    discovery: reading.discovery && { ...reading.discovery, label: given.placed("endpoints:") },
    services: servicesOf(layers, files),
    processes: layers.find(({ processes }) => processes)?.processes,
    unusable: unusable && given.placed(unusable),
  });
  return { verb, workload, reporting: reportingOf(parsed, given, files) };
}

function problemsOf(reading: Reading): readonly string[] {
  const { texts, files, given, parsed, chosen, targets, discovery, login, found, unusable } = reading;
  const isMinutesGiven = given.isGiven("max-minutes");
  const ofTargets = targets && [
    ...(discovery === undefined ? [] : [noDiscovery]),
    ...problemsOfLogin(login),
    ...(parsed === undefined ? [] : problemsOfCap(parsed, targets, isMinutesGiven)),
  ];
  return [
    ...missingPaths(texts, files, given.resolve),
    ...found,
    ...(parsed && chosen ? problemsOfSockets(chosen.requested, parsed) : []),
    ...(ofTargets ?? []),
    ...(parsed && unusable === undefined ? problemsOfCheck(parsed, given) : []),
  ];
}

const noDiscovery =
  "endpoints: with base-url, list each endpoint with values for its parameters (docs/endpoints.md); auto needs the app's code";

/** Problem of a `max-slowdown` that the user set too low. In a report the smallest effect is that of the plan. */
function problemsOfCheck(parsed: Inputs, { isGiven, texts }: GivenInputs): string[] {
  const { "fail-on": failOn, "max-slowdown": threshold, "min-change": smallest } = parsed;
  const isThreshold = failOn !== "slower" && failOn !== "never";
  if (!isThreshold || !isGiven("max-slowdown") || threshold >= smallest) return [];
  return [
    `max-slowdown: must be at least min-change (${percent(smallest)}), because a smaller change never fails the check; raise it, or lower min-change (got ${JSON.stringify(texts["max-slowdown"])})`,
  ];
}

/** Messages through a WebSocket have a script of their own, which knows users and nothing else. */
function problemsOfSockets(
  requested: readonly Requested[],
  { stages, requests, rate, connections }: Inputs,
): string[] {
  const mixed = requested.find(
    (each) => !isSocket(each) && stepsOf(each).some((step) => "path" in step && isSocket(step)),
  );
  const ofMixed =
    mixed &&
    `endpoints: a WebSocket (WS) cannot be a step or part of a mix (${endpointLabel(mixed)}); list it separately`;
  const others = defined({
    ...{ stages, requests, rate },
    connections: connections === "new" ? connections : undefined,
  });
  const refused = requested.some(isSocket) ? Object.keys(others) : [];
  return [
    ...(ofMixed === undefined ? [] : [ofMixed]),
    ...refused.map((name) => `${name}: cannot be combined with a WebSocket (WS); use vus and duration`),
  ];
}

/** Inputs without a layer's whole endpoints when there is an iteration: its steps may mean them. */
function withoutForms({ texts, layerOf }: GivenInputs): RawInputs {
  const hasForms = (layerOf("endpoints")?.forms ?? []).length > 0;
  return texts["iteration"] !== undefined && hasForms
    ? { ...texts, endpoints: rows.endpoints.fallback }
    : texts;
}

function discoveryOf(
  { isAll, isOnly, texts }: ReturnType<typeof withoutAuto>,
  requested: readonly Endpoint[],
  chosen: ChosenEndpoints | undefined,
  layers: readonly ConfigurationFile[],
): Reading["discovery"] {
  const lines = [...requested, ...(chosen?.unfilled ?? [])];
  // `auto` is the default, too, and these replace it.
  const isReplaced = (texts["script"] ?? texts["iteration"]) !== undefined;
  if (isReplaced && lines.length === 0) return undefined;
  if (!isAll && lines.length === 0) return undefined;
  const patterns = layers.find((each) => each.patterns)?.patterns ?? { include: [], exclude: [] };
  return { isAll, lines, isOnly: isOnly || chosen?.hasOthers === false, patterns };
}

function loginOf(layers: readonly ConfigurationFile[], files: Files): Login | undefined {
  const layer = layers.find(({ login }) => login);
  const { login } = layer ?? {};
  if (login?.usersFrom?.kind !== "csv") return login;
  return { ...login, usersFrom: { kind: "csv", file: files.resolve(login.usersFrom.file, layer?.folder) } };
}

function servicesOf(layers: readonly ConfigurationFile[], files: Files): readonly Service[] | undefined {
  const layer = layers.find(({ services }) => services);
  return layer?.services?.map(({ composed, ...service }) => ({
    ...service,
    ...(composed && { composed: { ...composed, file: files.resolve(composed.file, layer.folder) } }),
  }));
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
