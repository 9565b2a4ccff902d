import { join } from "node:path";

import { packageFolder, userHome } from "../adapters/process/index.ts";

export const pageScriptPath = join(packageFolder, "dist", "page.js");

/** Folder in which a later run finds what was installed or seeded. */
export function cacheFolderOf(environment: NodeJS.ProcessEnv): string {
  return join(environment["XDG_CACHE_HOME"] || join(userHome(environment), ".cache"), "fastapi-loadtest");
}
