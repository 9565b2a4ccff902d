import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Exit, readTail, runProcess } from "./child-process.ts";
import { textOfPlainFile } from "./plain-file.ts";
import { makeWorkFolder } from "./work-folder.ts";

const largestBytes = 100_000_000;

/**
 * Runs one of our programs in a Python. It writes its answer into the file that its first argument names, apart from an
 * interpreter's own output (warnings, site hooks).
 */
export async function pythonAnswer(
  interpreter: string,
  tool: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly exit: Exit; readonly text: string; readonly logTail: string }> {
  const folder = await makeWorkFolder();
  const [answerPath, logPath] = [join(folder, "answer.json"), join(folder, "log")];
  try {
    const argv = [interpreter, pythonTool(tool), answerPath, ...args] as const;
    const exit = await runProcess({ argv, folder, logPath }, signal);
    const text = textOfPlainFile(answerPath, { largestBytes, followsLinks: false }) ?? "";
    return { exit, text, logTail: await readTail(logPath) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

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
