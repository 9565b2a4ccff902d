import { join } from "node:path";

import type { Workload } from "../model/workload/workload.ts";

/** Of a named app its own, so that no log of another is taken for its. The name may hold slashes, or be `..`. */
export function logFolderOf(resultsFolder: string, { name }: Pick<Workload, "name">): string {
  const logs = join(resultsFolder, "logs");
  return name === undefined ? logs : join(logs, `app-${name.replaceAll("/", "+")}`);
}
