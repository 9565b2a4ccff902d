import type { FoundApp } from "../model/workload/workload.ts";
import type { GivenInputs } from "./given-inputs.ts";
import type { Files } from "./inputs.ts";

export interface AppPlace {
  readonly importString: string | undefined;
  /** Absolute. */
  readonly folder: string;
  /** One sentence when nobody named an app and more than one, or none, could be meant. */
  readonly problem: string | undefined;
}

/** The app that was named; otherwise the only app of the folder, together with its own folder below. */
export function placeApp({ texts, isGiven, resolve }: GivenInputs, files: Files): AppPlace {
  const folder = resolve("working-directory", texts["working-directory"] ?? ".");
  const named = texts["app"];
  if (named !== undefined || !files.isFolder(folder))
    return { importString: named, folder, problem: named === undefined ? needed("") : undefined };
  const found = files.findApps(folder);
  const [first, ...others] = found;
  if (first === undefined) {
    const problem = needed(`; no module in ${folder} defines an app, such as app = FastAPI()`);
    return { importString: undefined, folder, problem };
  }
  if (others.length > 0) return { importString: undefined, folder, problem: ambiguous(found) };
  const isElsewhere = first.folder !== "." && !isGiven("working-directory");
  return {
    importString: first.importString,
    folder: isElsewhere ? files.resolve(first.folder, folder) : folder,
    problem: undefined,
  };
}

function needed(why: string): string {
  return `app: required, e.g. app.main:app${why}`;
}

function ambiguous(found: readonly FoundApp[]): string {
  const candidates = found
    .slice(0, 10)
    .map(({ importString, folder }) =>
      folder === "." ? importString : `${importString} (working-directory ${folder})`,
    );
  const more = found.length > candidates.length ? ` and ${found.length - candidates.length} more` : "";
  return `app: required, because there are several: ${candidates.join(", ")}${more}`;
}

/** True when the app's modules lie in `src`, which Python does not search by itself. */
export function hasSourceFolder(importString: string, folder: string, files: Files): boolean {
  const [first = ""] = importString.split(/[.:]/);
  const isIn = (place: string) =>
    files.isFolder(files.resolve(`${place}${first}`, folder)) ||
    files.isFile(files.resolve(`${place}${first}.py`, folder));
  return !isIn("") && isIn("src/");
}
