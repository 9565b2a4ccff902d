import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds `k6/`, `probe/`, `tools/` and `dist/`: above the bundle, or above the sources in tests. */
export const packageFolder = folderAbove(fileURLToPath(import.meta.url));

function folderAbove(path: string): string {
  const folder = dirname(path);
  return folder === path || existsSync(join(folder, "probe", "tools")) ? folder : folderAbove(folder);
}

/** Path of a program in `probe/tools`, which the Python of the user runs. */
export function pythonTool(name: string): string {
  return join(packageFolder, "probe", "tools", `${name}.py`);
}
