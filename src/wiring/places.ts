import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** The folder that holds `k6/`, `probe/`, `tools/` and `dist/`, from which this runs; in tests it runs from the sources. */
export const packageFolder = resolve(here, basename(here) === "dist" ? ".." : "../..");

export const pageScriptPath = join(packageFolder, "dist", "page.js");

/** Folder in which a later run finds what was installed or seeded. */
export function cacheFolderOf(environment: NodeJS.ProcessEnv): string {
  return join(environment["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "fastapi-loadtest");
}
