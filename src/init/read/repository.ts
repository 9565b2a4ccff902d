import type { FoundApp } from "../../model/workload/workload.ts";
import {
  appVariablesIn,
  type ExampleValues,
  type FoundSetting,
  type Project,
  type ProjectFile,
  type ReadVariable,
} from "../project.ts";
import { isWithin, type PlacedApp } from "./apps.ts";
import { findProcesses } from "./compose.ts";
import { findDatabase, withAddresses } from "./database.ts";
import { startable } from "./other-databases.ts";
import { findRequirements } from "./requirements.ts";
import { type OwnScripts, proposeScripts, scriptSettings } from "./scripts.ts";
import { findSeedCommand, findSeeding } from "./seeding.ts";
import { findServer } from "./server.ts";
import { findServices, lackingServices, servicesSetting } from "./services.ts";
import { findStubs } from "./stubs.ts";
import { exampleValues, limitSwitches, madeUpValue, readByItself, valueFor } from "./variables.ts";

/**
 * @param files of the whole repository, with paths below it
 * @param found all apps of the repository: files in another app's folder do not belong to this one
 * @param variables that its own files read
 * @param presetsHere services that this machine can start
 */
export function findProject(
  { app, name, from }: PlacedApp,
  files: readonly ProjectFile[],
  found: readonly FoundApp[],
  variables: readonly ReadVariable[],
  presetsHere: ReadonlySet<string>,
  scripts: OwnScripts = { files: [] },
): Project {
  const own = ownFiles(app, files, found);
  const requirements = findRequirements(own, app.folder, files);
  const examples = exampleValues([...own, ...files.filter((file) => !own.includes(file))]);
  const known = variables.map((each) => ({ ...each, value: each.value ?? examples.get(each.name)?.value }));
  const database = startable(findDatabase(requirements, withAddresses(known, examples), own), presetsHere);
  const seeding =
    database.kind === "none" ? [] : findSeeding(requirements, own, app.importString, database.kind);
  const services = findServices(requirements, known, own);
  const started = services.filter(({ preset }) => presetsHere.has(preset));
  const ofServices = started.flatMap(({ variables: its }) => Object.keys(its));
  const stubs = findStubs(
    known.filter(({ name: each }) => ![...database.names, ...ofServices].includes(each)),
  );
  const given = new Set([...database.names, ...ofServices, ...stubs.flatMap(appVariablesIn)]);
  const byItself = readByItself(own);
  const filling = database.kind === "none" ? findSeedCommand(own, app.importString) : undefined;
  const companions = [...servicesSetting(started, filling), ...stubs, ...findProcesses(requirements, files)];
  const folder = from === app.folder ? "." : app.folder;
  const isOfDatabase = ({ key }: FoundSetting) => key === "database-env";
  const ofDatabase = withTemplates(database.findings, seeding.find(isOfDatabase));
  const scripted = scriptSettings(scripts, from, files);
  const installed = scripted.find(({ key }) => key === "install");
  const installing = installed === undefined ? requirements.findings : [];
  const findings = [...installing, ...findServer(app, requirements, own), ...ofDatabase];
  return {
    files: own,
    installer: installed === undefined ? requirements.installer : `pip (${installed.value})`,
    openRequirements: requirements.open,
    findings: [
      ...(name === undefined ? [] : [finding("name", name, "its name in the report")]),
      finding("app", app.importString, reasonOf(app)),
      ...(folder === "."
        ? []
        : [finding("working-directory", folder, "the project's files are in this folder")]),
      ...[...findings, ...companions, ...seeding.filter((each) => !isOfDatabase(each))].map((each) =>
        placed(each, folder),
      ),
      ...valuesFor(
        variables.filter(
          ({ name: each }) => !given.has(each) && !byItself.has(each) && !/^PG[A-Z]+$/.test(each),
        ),
        {
          examples,
          made: database.values ?? {},
          switches: limitSwitches(
            requirements,
            known.map((each) => ({ ...each, value: each.value ?? examples.get(each.name)?.value })),
            own,
          ),
          sendsMail: requirements.has("fastapi-mail") && !started.some(({ preset }) => preset === "mailpit"),
        },
      ),
      ...scripted,
    ],
    variables,
    examples,
    lacks: [
      ...(database.lacks === undefined ? [] : [database.lacks]),
      ...lackingServices(requirements, variables, services, presetsHere, own),
    ],
    proposals: proposeScripts(scripts, from, files),
  };
}

/** The database's settings with more variables, among its own where it has some. */
function withTemplates(
  findings: readonly FoundSetting[],
  added: FoundSetting | undefined,
): readonly FoundSetting[] {
  const own = findings.find(({ key }) => key === "database-env");
  if (added === undefined) return findings;
  if (own === undefined) return [...findings, added];
  const value = Object.fromEntries(
    [own, added].flatMap((each) =>
      Object.entries(Object(each.value)).map(([name, text]) => [name, String(text)]),
    ),
  );
  return findings.map((each) => (each === own ? { ...own, value } : each));
}

function finding(key: string, value: FoundSetting["value"], reason: string): FoundSetting {
  return { key, value, reason };
}

function reasonOf({ framework }: FoundApp): string {
  return framework === "app"
    ? "a function creates it"
    : `the only ${framework} app found, or the one that you named`;
}

/** Files below the app's folder, with paths from there. */
export function ownFiles(
  { folder }: FoundApp,
  files: readonly ProjectFile[],
  found: readonly FoundApp[],
): readonly ProjectFile[] {
  const others = [...new Set(found.map((each) => each.folder))].filter((other) => isWithin(other, folder));
  return files.flatMap((file) => {
    if (others.some((other) => isWithin(file.path, other))) return [];
    if (folder === ".") return [file];
    return isWithin(file.path, folder) ? [{ ...file, path: file.path.slice(folder.length + 1) }] : [];
  });
}

/**
 * SQL and requirements files are named from the folder of the configuration's paths, all else from the app's folder.
 */
function placed(each: FoundSetting, folder: string): FoundSetting {
  if (folder === "." || (each.key !== "seed" && each.key !== "install")) return each;
  const { value } = each;
  return {
    ...each,
    value:
      typeof value === "object"
        ? Object.values(value).map((path) => inFolder(String(path)))
        : inFolder(String(value)),
  };

  function inFolder(path: string): string {
    const up = path.split("../").length - 1;
    return [...folder.split("/").slice(0, up === 0 ? undefined : -up), path.slice(3 * up)].join("/");
  }
}

/**
 * Without a default a secret is nothing, and the login that signs with it fails; one that each start draws is another in
 * each worker.
 */
function isSecretUnset({ name, value, isField }: ReadVariable): boolean {
  const isSecret = /^(?:APP_|JWT_|AUTH_|ACCESS_|REFRESH_|TOKEN_)*(?:SECRET|SECRET_KEY|TOKEN_SECRET)$/.test(
    name,
  );
  const isAlgorithm = /^(?:APP_|JWT_|AUTH_|ACCESS_)*ALGORITHM$/.test(name) && !isField;
  return (isSecret || isAlgorithm) && value === undefined;
}

/** Each variable that the app cannot start without gets its written-down value, else a made-up one. */
function valuesFor(
  variables: readonly ReadVariable[],
  {
    examples,
    made,
    switches,
    sendsMail,
  }: {
    readonly examples: ExampleValues;
    readonly made: Readonly<Record<string, string>>;
    /** Variables that switch limits of requests off, with their values. */
    readonly switches: Readonly<Record<string, string>>;
    /** True when the app would send mail to a server that is not there. */
    readonly sendsMail: boolean;
  },
): readonly FoundSetting[] {
  const needed = variables.filter(
    (each) =>
      (each.isNeeded || made[each.name] !== undefined || isSecretUnset(each)) &&
      !/^(?:LOADTEST_|GITHUB_|(?:CI|PATH|HOME|PYTHONPATH)$)/.test(each.name),
  );
  const value = Object.fromEntries(
    needed.map((each) => [
      each.name,
      examples.has(each.name) ? valueFor(each, examples) : (made[each.name] ?? madeUpValue(each)),
    ]),
  );
  const reasons = [
    ...(needed.length === 0 ? [] : [reasonOfValues(needed, examples)]),
    ...Object.keys(switches).map((name) => `${name}: a rate limit would refuse most of the load`),
    ...(sendsMail ? ["SUPPRESS_SEND: fastapi-mail connects to no mail server"] : []),
  ];
  const all = { ...value, ...switches, ...(sendsMail && { SUPPRESS_SEND: "1" }) };
  return reasons.length === 0 ? [] : [finding("app-env", all, reasons.join("; "))];
}

function reasonOfValues(needed: readonly ReadVariable[], examples: ExampleValues): string {
  const files = [...new Set(needed.map(({ path }) => path))].join(", ");
  const from = [...new Set(needed.flatMap(({ name }) => examples.get(name)?.path ?? []))];
  const origin =
    from.length === 0 ? "the values are invented" : `values are from ${from.join(", ")}, or invented`;
  return `${files} requires them; ${origin}`;
}
