import { InputError } from "../errors/errors.ts";
import { isNonEmpty, type NonEmptyArray } from "../lists/non-empty.ts";
import { mostApps } from "../model/plan/apps-plan.ts";
import type { FoundApp } from "../model/workload/found-app.ts";
import { shellWords } from "../text/shell-words.ts";
import type { Initialisation } from "./initialisation.ts";

const mostNamed = 10;
const noApp = "there is no module with an app, such as app = FastAPI()";

/**
 * The apps that were asked for; without names all apps, each in a folder of its own. When no folder was named, an app
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
 * The apps of the folder in which the user stands, or around it, unless some were named; all of them when there are
 * none.
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
    throw refusal("there are several in one folder; say which one", fit);
  if (fit.length > mostApps)
    throw refusal(`one report may be of ${mostApps} apps, and there are ${fit.length}; say which`, fit);
  const isNested = fit.some((one) => fit.some((other) => isWithin(one.folder, other.folder)));
  if (isNested && appFolders.length === 0)
    throw refusal("there are several, one in another's folder; say which", fit, [
      ["init", ...fit.flatMap(({ folder }) => ["--app-folder", folder])],
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
  return app === undefined ? undefined : `no module has ${app}`;
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
    .map(({ importString, folder }) => ["init", "--app", importString, "--app-folder", folder]);
  const commands = [...ofOne, ...more].flatMap((words) => shellWords(words) ?? []);
  return new InputError([`app: ${problem}${commands.length === 0 ? "" : `: ${commands.join(", or ")}`}`]);
}
