import { lstat, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { EnvironmentError } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import type { ServerCommand } from "../../ports/app.ts";
import { addressInCode } from "../../repository/address-in-code.ts";
import type { SourceFile } from "../../repository/apps.ts";
import { isUnreachable, overruledAddress } from "../../repository/overruled-address.ts";
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
  const hint = line === undefined ? undefined : await addressHint(line, { folder, variables });
  const reason = [line === undefined ? undefined : `${line}${where}`, hint].filter((each) => each).join("; ");
  return new EnvironmentError(error.phase, reason === "" ? error.message : `${reason} (${error.message})`, {
    logTail: elsewhere?.text ?? redact(log.tail(), variables),
    cause: error.cause,
    ...defined({ detail: error.detail }),
  });
}

/** The sentence on a store that the app should not have opened, with the file that names it. */
export async function withItsAddress(
  sentence: string,
  place: Pick<ServerCommand, "folder" | "variables">,
): Promise<string> {
  const hint = await addressHint(sentence, place, true);
  return hint === undefined ? sentence : `${sentence}; ${hint}`;
}

/** The file that names an address which the app could not reach, or (`isOpened`) should not have opened. */
async function addressHint(
  reason: string,
  { folder, variables }: Pick<ServerCommand, "folder" | "variables">,
  isOpened = false,
): Promise<string | undefined> {
  if (!isOpened && !isUnreachable(reason)) return undefined;
  return (
    overruledAddress(reason, variables, await filesIn(folder, environment)) ??
    addressInCode(reason, await filesIn(folder, code))
  );
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

const code = /\.py$/;
const environment = /^\.env(?:\.|$)|\.env$/;
const logs = /\.(?:log|txt|err|out)(?:\.\d+)?$|(?:^|[/._-])(?:logs?|err(?:ors?)?|out(?:put)?)$/i;
const notTheirs = /^(?:\..*|node_modules|__pycache__|s?env|venv|site-packages|loadtest-results)$/;

const deepest = 3;
const mostEntries = 3_000;
const mostFiles = 300;
const largestBytes = 200_000;

/** Files in an app's folder and below it: the nearest first, and no large ones. */
async function filesIn(folder: string, pattern: RegExp): Promise<readonly SourceFile[]> {
  const paths = (await pathsBelow(folder, pattern)).slice(0, mostFiles);
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
