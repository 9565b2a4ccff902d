import { lstat, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { EnvironmentError } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import type { ServerCommand } from "../../ports/app.ts";
import type { SourceFile } from "../../repository/apps.ts";
import { overruledAddress } from "../../repository/overruled-address.ts";
import { redact } from "../../text/redact.ts";
import { exceptionIn, tellingLine } from "../../text/telling-line.ts";
import { type RunningProcess, readTail, textOfPlainFile } from "../process/index.ts";

/** The traceback of a deep stack, and what a server writes after it. */
const readBytes = 64_000;

/** The failure of a start in the app's own words: "code 3" shows nobody how to fix it. */
export async function withReason(
  error: EnvironmentError,
  { folder, variables }: Pick<ServerCommand, "folder" | "variables">,
  log: Pick<RunningProcess, "tail">,
  begunMs: number,
): Promise<EnvironmentError> {
  const own = redact(log.tail(readBytes), variables);
  const elsewhere = exceptionIn(own) === undefined ? await otherLog(folder, variables, begunMs) : undefined;
  const line = elsewhere?.line ?? (error.detail?.kind === "exit" ? tellingLine(own) : exceptionIn(own));
  const where = elsewhere === undefined ? "" : `, in ${elsewhere.name}`;
  const hint =
    line === undefined ? undefined : overruledAddress(line, variables, await environmentIn(folder));
  const reason = [line === undefined ? undefined : `${line}${where}`, hint].filter((each) => each).join("; ");
  return new EnvironmentError(error.phase, reason === "" ? error.message : `${reason} (${error.message})`, {
    logTail: elsewhere?.text ?? redact(log.tail(), variables),
    cause: error.cause,
    ...defined({ detail: error.detail }),
  });
}

/** The failure of a start that opened another store than it was given, with the file that names that one. */
export async function withItsAddress(
  error: EnvironmentError,
  { folder, variables }: Pick<ServerCommand, "folder" | "variables">,
): Promise<EnvironmentError> {
  const hint = overruledAddress(error.message, variables, await environmentIn(folder), true);
  if (hint === undefined) return error;
  return new EnvironmentError(error.phase, `${error.message}; ${hint}`, {
    cause: error.cause,
    ...defined({ detail: error.detail, logTail: error.logTail }),
  });
}

/** A log of the app's own, where its logging is configured to go: the first that has an exception. */
async function otherLog(folder: string, variables: ServerCommand["variables"], begunMs: number) {
  for (const path of await logsSince(folder, begunMs)) {
    const text = redact(await readTail(path, readBytes), variables);
    const line = exceptionIn(text);
    if (line !== undefined) return { name: relative(folder, path), line, text: text.slice(-4_000) };
  }
  return undefined;
}

const environment = /^\.env(?:\.|$)|\.env$/;
const logs = /\.(?:log|txt|err|out)(?:\.\d+)?$|(?:^|[/._-])(?:logs?|err(?:ors?)?|out(?:put)?)$/i;
const notTheirs = /^(?:\..*|node_modules|__pycache__|s?env|venv|site-packages|loadtest-results)$/;

const deepest = 3;
const mostEntries = 3_000;
const mostFiles = 300;
const largestBytes = 200_000;

/** Environment files in an app's folder and below it: the nearest first, and not all of a large one. */
async function environmentIn(folder: string): Promise<readonly SourceFile[]> {
  const paths = (await pathsBelow(folder, environment)).slice(0, mostFiles);
  return paths.flatMap((path) => {
    const text = textOfPlainFile(path, { largestBytes, followsLinks: false });
    return text === undefined ? [] : [{ path: relative(folder, path), text }];
  });
}

/** Logs in an app's folder and below it that have been written since a moment, in milliseconds since 1970. */
async function logsSince(folder: string, sinceMs: number): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of (await pathsBelow(folder, logs)).slice(0, mostFiles)) {
    const about = await lstat(path).catch(() => undefined);
    if (about?.isFile() && about.mtimeMs >= sinceMs) found.push(path);
  }
  return found;
}

async function pathsBelow(top: string, pattern: RegExp): Promise<string[]> {
  const found: string[] = [];
  let folders = [top];
  let seen = 0;
  for (let depth = 0; depth <= deepest && seen < mostEntries; depth += 1) {
    const below: string[] = [];
    for (const folder of folders)
      for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
        seen += 1;
        if (seen > mostEntries) return found;
        if (entry.isFile() && pattern.test(entry.name)) found.push(join(folder, entry.name));
        if (entry.isDirectory() && !notTheirs.test(entry.name)) below.push(join(folder, entry.name));
      }
    folders = below;
  }
  return found;
}
