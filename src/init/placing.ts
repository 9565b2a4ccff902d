import { configurationPaths } from "../config/file/paths.ts";
import { InputError } from "../errors/errors.ts";
import type { NonEmptyArray } from "../lists/non-empty.ts";
import type { FoundApp } from "../model/workload/found-app.ts";

/** An app and the file that says how it is measured. */
export interface PlacedApp {
  readonly app: FoundApp;
  /** What the report calls it; `undefined`: it is the only one. */
  readonly name: string | undefined;
  /** Of the file, below the repository. */
  readonly path: string;
  /** What paths in the file are taken from, below the repository. */
  readonly from: string;
}

const [usualPath] = configurationPaths;

/** The only app has the repository's file, several have one each in their folders; one in no folder has the repository's. */
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

/** What a report may call an app. Folders of other letters can come out alike. */
function plainName(called: string, after = ""): string {
  return called.replaceAll(/[^\w./-]/g, "-").slice(after.length - longestName) + after;
}

/** One that none before has, which then is taken. */
function newName(called: string, taken: Set<string>): string {
  let name = plainName(called);
  for (let count = 2; taken.has(name); count += 1) name = plainName(called, `-${count}`);
  taken.add(name);
  return name;
}

function shortName(app: FoundApp): string {
  return longName(app).replace(/^.*\//, "");
}

/** The folder; where that says nothing, the module's. */
function longName({ importString, folder }: FoundApp): string {
  return folder === "." ? importString.replace(/[.:].*$/, "") : folder;
}

/** Whether it stands for itself on a line of a workflow, where `${{` and the like do not. */
function isPlain(folder: string): boolean {
  return /^[\p{L}\p{N}_.@+-](?:[\p{L}\p{N}_./@+ -]*[\p{L}\p{N}_.@+-])?$/u.test(folder);
}
