import { mkdir } from "node:fs/promises";
import { delimiter, dirname } from "node:path";
import { parseArgsStringToArgv } from "string-argv";

import { EnvironmentError, messageOf } from "../../errors/errors.ts";
import { isNonEmpty } from "../../lists/non-empty.ts";
import type { AppCommand } from "../../ports/app.ts";
import type { PythonEnvironment } from "../../ports/python.ts";
import { printable } from "../../text/printable.ts";
import { redact } from "../../text/redact.ts";
import { describeExit, type Exit, isCode, jobWithinMs, readTail, runProcess } from "../process/index.ts";

/**
 * Runs a command of the app to its end, with the environment's programs before the machine's and without a shell.
 * Throws an `EnvironmentError` that names the command and its exit, with the end of the log, or the signal's reason.
 */
export async function runAppCommand(
  { input, text, folder, variables }: AppCommand,
  { binFolder }: PythonEnvironment,
  { logPath, signal }: { readonly logPath: string; readonly signal: AbortSignal },
): Promise<void> {
  const argv = parseArgsStringToArgv(text);
  if (!isNonEmpty(argv)) return;
  await mkdir(dirname(logPath), { recursive: true });
  const path = `${binFolder}${delimiter}${variables["PATH"] ?? process.env["PATH"] ?? ""}`;
  const failed = (how: string, logTail: string) =>
    new EnvironmentError("seed", printable(redact(`${input} "${text}" ${how}`, variables)), {
      logTail: redact(logTail, variables),
    });
  let exit: Exit;
  try {
    exit = await runProcess(
      {
        argv,
        folder,
        variables: { ...variables, PATH: path },
        logPath,
        withinMs: jobWithinMs,
        phase: "seed",
      },
      signal,
    );
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = isCode(error, "ENOENT")
      ? `cannot be run: there is no program ${argv[0]} in the app's environment or on PATH`
      : `cannot be run: ${messageOf(error)}`;
    throw failed(reason, "");
  }
  if (exit.code !== 0) throw failed(`ended with ${describeExit(exit)}`, await readTail(logPath));
}
