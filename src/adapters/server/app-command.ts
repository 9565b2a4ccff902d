import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgsStringToArgv } from "string-argv";

import { EnvironmentError, type FailurePhase, isOtherStore, messageOf } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import { isNonEmpty, type NonEmptyArray } from "../../lists/non-empty.ts";
import { fillText } from "../../model/endpoint/form.ts";
import type { AppCommand, PrintingCommand } from "../../ports/app.ts";
import type { PythonEnvironment } from "../../ports/python.ts";
import { redact } from "../../text/redact.ts";
import { printable } from "../../text/visible.ts";
import {
  describeExit,
  type Exit,
  isCode,
  jobWithinMs,
  type ProcessOptions,
  readPlainFile,
  readTail,
  runProcess,
  withOwnStores,
  withPrograms,
} from "../process/index.ts";

interface Place {
  readonly logPath: string;
  readonly signal: AbortSignal;
  /** Sentence on a store of somebody else that its processes open; absent: nobody looks. */
  otherStore?(roots: readonly number[], isOver: boolean): Promise<string | undefined>;
}

/** Runs a command of the app without a shell. Throws an `EnvironmentError` with the end of the log. */
export async function runAppCommand(
  command: AppCommand,
  environment: PythonEnvironment,
  place: Place,
): Promise<void> {
  const words = parseArgsStringToArgv(command.text);
  const withinMs = command.withinSeconds === undefined ? jobWithinMs : command.withinSeconds * 1_000;
  const limits = { phase: "seed", withinMs } as const;
  if (isNonEmpty(words)) await run(words, command, environment, { ...place, ...limits });
}

/** A token is made in a moment; a hundred users have room. */
const printsWithinMs = 60_000;
const mostPrintedBytes = 256_000;

/** Runs a command for a minute at most, and returns what it printed, which may be a secret and is not logged. */
export async function printedBy(
  command: PrintingCommand & Pick<AppCommand, "folder" | "variables">,
  environment: PythonEnvironment,
  { workFolder, ...place }: Place & { readonly workFolder: string },
): Promise<string> {
  // Filled word by word: a value with a space is still one word.
  const words = parseArgsStringToArgv(command.text).map((word) =>
    fillText(word, (name) => (Object.hasOwn(command.values, name) ? command.values[name] : undefined)),
  );
  if (!isNonEmpty(words)) return "";
  const folder = await mkdtemp(join(workFolder, "printed-")); // with mode 0700
  const outputPath = join(folder, "output");
  try {
    await run(words, command, environment, {
      ...place,
      outputPath,
      logBounds: { keptBytes: 2 * mostPrintedBytes }, // what was cut is too long
      phase: "log in",
      withinMs: printsWithinMs,
    });
    const read = readPlainFile(outputPath, { largestBytes: mostPrintedBytes, followsLinks: false });
    if (read.kind === "text") return read.text;
    const why = read.kind === "refused" ? read.reason : "is gone";
    throw new EnvironmentError("log in", printable(`${named(command)}: its output ${why}`));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function named({ input, text }: Pick<AppCommand, "input" | "text">): string {
  return `${input} "${text}"`;
}

async function run(
  argv: NonEmptyArray<string>,
  command: Pick<AppCommand, "input" | "text" | "folder" | "variables">,
  environment: PythonEnvironment,
  {
    signal,
    otherStore,
    ...options
  }: Place & { readonly phase: FailurePhase; readonly withinMs: number } & Pick<
      ProcessOptions,
      "logBounds" | "outputPath"
    >,
): Promise<void> {
  const { folder, variables } = command;
  const { logPath, phase } = options;
  await mkdir(dirname(logPath), { recursive: true });
  const failed = (how: string, logTail: string, stopped?: string) =>
    new EnvironmentError(phase, printable(redact(`${named(command)} ${how}`, variables)), {
      logTail: redact(logTail, variables),
      detail: { kind: "command", input: command.input, ...defined({ stopped }) },
    });
  let exit: Exit;
  try {
    const roots: number[] = [];
    exit = await withOwnStores(
      async (isOver) => await otherStore?.(roots, isOver),
      { phase, signal },
      (until) =>
        runProcess(
          { argv, folder, variables: withPrograms(environment, variables), ...options },
          until,
          ({ pid }) => roots.push(pid),
        ),
    );
  } catch (error) {
    if (signal.aborted) throw error;
    if (isOtherStore(error))
      throw new EnvironmentError(phase, `${named(command)}: ${messageOf(error)}`, {
        detail: { kind: "other store" },
      });
    if (error instanceof EnvironmentError)
      throw failed(`failed: ${error.message}`, error.logTail, error.message);
    const reason = isCode(error, "ENOENT")
      ? `cannot be run: there is no program ${argv[0]} in the app's environment or on PATH`
      : `cannot be run: ${messageOf(error)}`;
    throw failed(reason, "");
  }
  if (exit.code !== 0) throw failed(`ended with ${describeExit(exit)}`, await readTail(logPath));
}
