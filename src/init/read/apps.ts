import { configurationPaths } from "../../config/file/keys.ts";
import { InputError } from "../../errors/errors.ts";
import { isNonEmpty, type NonEmptyArray } from "../../lists/non-empty.ts";
import { mostApps } from "../../model/plan/apps-plan.ts";
import type { FoundApp } from "../../model/workload/workload.ts";
import { shellWords } from "../../text/quoting.ts";
import type { Initialisation } from "../options.ts";

const mostNamed = 10;

const noApp = "no module defines an app, such as app = FastAPI()";

/**
 * The apps that the user named; without names all apps, each in a folder of its own. When no folder was named, an app
 * in another app's folder may be an example of it, so the user must choose. Throws an `InputError` with the commands to
 * choose from when the choice is unclear.
 */
export function chooseApps(
  found: readonly FoundApp[],
  { apps, appFolders }: Pick<Initialisation, "apps" | "appFolders">,
): NonEmptyArray<FoundApp> {
  const fit = found.filter(
    ({ importString, folder }) => isAmong(importString, apps) && isAmong(folder, appFolders),
  );
  const [only] = apps;
  if (fit.length === 0 && only !== undefined && apps.length === 1 && appFolders.length < 2)
    return [{ importString: only, folder: appFolders[0] ?? ".", framework: "FastAPI" }];
  const chosen = apps.length === 0 ? mainOnes(withoutTemplates(fit)) : fit;
  return checked(chosen, found, { apps, appFolders });
}

/**
 * The apps of the current folder, or around it, unless some were named; all of them when there are none.
 */
export function nearbyApps(
  found: readonly FoundApp[],
  here: string,
  { apps, appFolders }: Pick<Initialisation, "apps" | "appFolders">,
): readonly FoundApp[] {
  if (here === "." || apps.length > 0 || appFolders.length > 0) return found;
  const below = found.filter(({ folder }) => folder === here || isWithin(folder, here));
  if (below.length > 0) return below;
  const around = found.filter(({ folder }) => isWithin(here, folder));
  const nearest = Math.max(...around.map(({ folder }) => folder.length));
  return around.length === 0 ? found : around.filter(({ folder }) => folder.length === nearest);
}

/** A folder such as `{{cookiecutter.slug}}` holds what becomes an app; it counts where there is no other one. */
function withoutTemplates(fit: readonly FoundApp[]): readonly FoundApp[] {
  const others = fit.filter(({ folder }) => !folder.includes("{{"));
  return others.length === 0 ? fit : others;
}

/** Modules that hold the whole app, likeliest first. */
const mainModules = [
  /^(?:\w+\.){0,2}(?:main|app|asgi|server|application):(?:app|application)(?:\(\))?$/,
  /^(?:\w+\.){0,2}(?:api|web|run|index|src):(?:app|application|api)(?:\(\))?$/,
  /^(?:\w+\.){0,2}(?:main|app|asgi|server|application):(?:\w+_app|(?:create|make|build|get)_(?:app|application)\(\))$/,
];

/** The one app of a folder whose name and place mark it as the whole; all of them when there is no such single one. */
function mainOnes(fit: readonly FoundApp[]): readonly FoundApp[] {
  return [...new Set(fit.map(({ folder }) => folder))].flatMap((folder) => {
    const own = fit.filter((app) => app.folder === folder);
    const likely = mainModules.map((module) => own.filter(({ importString }) => module.test(importString)));
    const best = likely.find((each) => each.length > 0) ?? [];
    const least = Math.min(...best.map(depthOf));
    const nearest = best.filter((each) => depthOf(each) === least);
    return nearest.length === 1 ? nearest : own;
  });
}

function depthOf({ importString }: FoundApp): number {
  return importString.split(".").length;
}

function checked(
  fit: readonly FoundApp[],
  found: readonly FoundApp[],
  { apps, appFolders }: Pick<Initialisation, "apps" | "appFolders">,
): NonEmptyArray<FoundApp> {
  const lacking = lackingOf(fit, { apps, appFolders });
  if (lacking !== undefined || !isNonEmpty(fit))
    throw refusal(`${lacking ?? noApp}; name it with --app`, found);
  if (new Set(fit.map(({ folder }) => folder)).size < fit.length)
    throw refusal("one folder has several apps; choose one", fit);
  if (fit.length > mostApps)
    throw refusal(
      `one report covers at most ${mostApps} apps, and ${fit.length} were found; choose from them`,
      fit,
    );
  const isNested = fit.some((one) => fit.some((other) => isWithin(one.folder, other.folder)));
  if (isNested && appFolders.length === 0)
    throw refusal("several apps were found, one inside another's folder; choose", fit, [
      ["init", ...fit.flatMap(({ folder }) => ["--working-directory", folder])],
    ]);
  return fit;
}

/** The wishes that were not found, in words. */
function lackingOf(
  fit: readonly FoundApp[],
  { apps, appFolders }: Pick<Initialisation, "apps" | "appFolders">,
): string | undefined {
  const folder = appFolders.find((each) => !fit.some((app) => app.folder === each));
  if (folder !== undefined) return `${noApp}, in ${folder}`;
  const app = apps.find((each) => !fit.some(({ importString }) => importString === each));
  return app === undefined ? undefined : `no module defines ${app}`;
}

/** True when a folder lies in another one, at any depth; false for the folder itself. */
export function isWithin(folder: string, other: string): boolean {
  return folder !== other && (other === "." || folder.startsWith(`${other}/`));
}

function isAmong(value: string, wanted: readonly string[]): boolean {
  return wanted.length === 0 || wanted.includes(value);
}

/** @param more commands that fit, besides those for one app each */
function refusal(
  problem: string,
  apps: readonly FoundApp[],
  more: readonly (readonly string[])[] = [],
): InputError {
  const ofOne = apps
    .slice(0, mostNamed)
    .map(({ importString, folder }) => ["init", "--app", importString, "--working-directory", folder]);
  const commands = [...ofOne, ...more].flatMap((words) => shellWords(words) ?? []);
  return new InputError([`app: ${problem}${commands.length === 0 ? "" : `: ${commands.join(", or ")}`}`]);
}

/** An app and its configuration file. */
export interface PlacedApp {
  readonly app: FoundApp;
  /** The app's name in the report; `undefined` for an only app. */
  readonly name: string | undefined;
  /** Path of the file below the repository. */
  readonly path: string;
  /** Folder from which paths in the file start, below the repository. */
  readonly from: string;
}

const [usualPath] = configurationPaths;

/**
 * A single app has the repository's file. Several apps each have one in their folders; an app without a folder has the
 * repository's.
 */
export function placeApps([first, ...others]: NonEmptyArray<FoundApp>): NonEmptyArray<PlacedApp> {
  if (others.length === 0) return [{ app: first, name: undefined, path: usualPath, from: "." }];
  const apps = [first, ...others];
  const isShort = new Set(apps.map((app) => plainName(shortName(app)))).size === apps.length;
  const taken = new Set<string>();
  const place = (app: FoundApp) => placeOf(app, newName(isShort ? shortName(app) : longName(app), taken));
  return [place(first), ...others.map(place)];
}

function placeOf(app: FoundApp, name: string): PlacedApp {
  const { folder } = app;
  if (folder === ".") return { app, name, path: usualPath, from: "." };
  if (!isPlain(folder))
    throw new InputError([
      `working-directory: ${JSON.stringify(folder)} cannot be used in a workflow; rename it, or choose other folders with --working-directory`,
    ]);
  return { app, name, path: `${folder}/loadtest.yml`, from: folder };
}

const longestName = 60;

/** An app's name in a report. Folders of other letters can come out alike. */
function plainName(called: string, after = ""): string {
  return called.replaceAll(/[^\w./-]/g, "-").slice(after.length - longestName) + after;
}

/** A name that is not taken yet; it is taken from now on. */
function newName(called: string, taken: Set<string>): string {
  let name = plainName(called);
  for (let count = 2; taken.has(name); count += 1) name = plainName(called, `-${count}`);
  taken.add(name);
  return name;
}

function shortName(app: FoundApp): string {
  return longName(app).replace(/^.*\//, "");
}

/** The folder, or the module's when the folder says nothing. */
function longName({ importString, folder }: FoundApp): string {
  return folder === "." ? importString.replace(/[.:].*$/, "") : folder;
}

/** True when the folder is literal on a line of a workflow, unlike `${{` and the like. */
function isPlain(folder: string): boolean {
  return /^[\p{L}\p{N}_.@+-](?:[\p{L}\p{N}_./@+ -]*[\p{L}\p{N}_.@+-])?$/u.test(folder);
}
