import { configurationPaths } from "../config/file/keys.ts";
import { InputError } from "../errors/errors.ts";
import type { NonEmptyArray } from "../lists/non-empty.ts";
import type { FoundApp } from "../model/workload/found-app.ts";

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
 * A single app has the repository's file. Of several, each has one in its folder, and one without a folder has the
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
      `app-folder: a workflow cannot name ${JSON.stringify(folder)}; rename it, or choose others with --app-folder`,
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
