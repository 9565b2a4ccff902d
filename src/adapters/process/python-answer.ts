import { rm } from "node:fs/promises";
import { join } from "node:path";

import { type Exit, readTail, runProcess } from "./child-process.ts";
import { pythonTool } from "./package-folder.ts";
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
    const text = textOfPlainFile(answerPath, { largestBytes }) ?? "";
    return { exit, text, logTail: await readTail(logPath) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
