import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { EnvironmentError } from "../../errors/errors.ts";
import type { Answered } from "../../ports/report.ts";
import { lastLines } from "../../text/length.ts";
import { visibleLine } from "../../text/visible.ts";
import { describeExit, readTail, runProcess, textOfPlainFile } from "../process/index.ts";
import { type PythonOptions, prepareLockedEnvironment } from "./environment.ts";

/** Some seconds for a year of nights and cells. */
const answerWithinMs = 600_000;

interface OtavaOptions extends PythonOptions {
  /** The folder of `change_points.py` and its requirements. */
  readonly programFolder: string;
  /** As the input `python`. */
  readonly python: string;
}

const remedy =
  "It needs Python 3.11 to 3.14, 200 MB of disk and a package index. Choose another Python with `--python`, another index with PIP_INDEX_URL.";

/** Asks Apache Otava for change points, in an environment of its own. Without one it answers the reason. */
export async function askOtava(question: string, options: OtavaOptions): Promise<Answered> {
  const { programFolder, python, logFolder, signal } = options;
  try {
    const requirements = join(programFolder, "requirements.txt");
    const { interpreter } = await prepareLockedEnvironment(python, requirements, options);
    await mkdir(logFolder, { recursive: true });
    return await ask(interpreter, question, options);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EnvironmentError)) throw error;
    return none(`${error.message}${lastWords(error.logTail)}. ${remedy}`);
  }
}

async function ask(
  interpreter: string,
  question: string,
  { programFolder, logFolder, signal }: OtavaOptions,
): Promise<Answered> {
  const folder = await mkdtemp(join(logFolder, "otava-"));
  try {
    const [questionPath, answerPath] = [join(folder, "question.json"), join(folder, "answer.json")];
    const logPath = join(folder, "log");
    await writeFile(questionPath, question);
    // `-I`: neither a working folder nor a variable decides the imports.
    const program = join(programFolder, "change_points.py");
    const argv = [interpreter, "-I", program, questionPath, answerPath] as const;
    const exit = await runProcess({ argv, folder, logPath, withinMs: answerWithinMs }, signal);
    const text = textOfPlainFile(answerPath, { largestBytes: 10_000_000, followsLinks: false });
    if (exit.code === 0 && text !== undefined) return { kind: "answer", text };
    return none(`it ended with ${describeExit(exit)}${lastWords(await readTail(logPath))}.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function none(reason: string): Answered {
  return { kind: "no answer", reason: `Apache Otava cannot be used: ${reason}` };
}

function lastWords(logTail: string): string {
  const line = visibleLine(lastLines(logTail.trimEnd(), 300).split("\n").at(-1) ?? "");
  return line === "" ? "" : ` (${line})`;
}
