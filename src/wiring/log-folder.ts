import { join } from "node:path";

import type { Workload } from "../model/workload/workload.ts";

/**
 * The folder of one app's logs. A named app has its own, so that logs are not mixed up. The name may hold slashes, or
 * be `..`.
 */
export function logFolderOf(resultsFolder: string, { name }: Pick<Workload, "name">): string {
  const logs = join(resultsFolder, "logs");
  return name === undefined ? logs : join(logs, `app-${name.replaceAll("/", "+")}`);
}
