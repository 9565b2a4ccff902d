import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type ConfigurationFile, parseConfigurationFile } from "../../config/file/configuration-file.ts";
import { configurationPaths } from "../../config/file/keys.ts";
import { InputError } from "../../errors/errors.ts";
import type { PageScript } from "../../report/render/html/page.ts";
import { decodeText } from "../../text/decoded.ts";
import { readPlainBytes, textOfOwnFile } from "../process/index.ts";

/** A longer file was not written by hand. YAML also compares each key with all others, so length costs time. */
const largestBytes = 32_000;

/** Reads the given file (a path, or `none`), else the repository's, if any. Throws an `InputError`. */
export async function readConfigurationFile(
  wanted: string | undefined,
  here: string,
  repository: string = here,
): Promise<ConfigurationFile | undefined> {
  if (wanted === "none") return undefined;
  const paths = wanted
    ? [resolve(here, wanted)]
    : [here, repository].flatMap((folder) => configurationPaths.map((path) => resolve(folder, path)));
  for (const path of paths) {
    const text = readText(path, Boolean(wanted));
    if (text === undefined) continue;
    const name = relative(here, path).startsWith("..") ? path : relative(here, path);
    return parseConfigurationFile(name, folderOf(path), text);
  }
  return undefined;
}

/** Paths in a repository's `.github/` start at the repository; anywhere else they start at the file's own folder. */
function folderOf(path: string): string {
  const folder = dirname(path);
  return basename(folder) === ".github" ? join(folder, "..") : folder;
}

function readText(path: string, isWanted: boolean): string | undefined {
  const read = readStrictly(path, largestBytes);
  if ("text" in read) return read.text;
  if (!isWanted && read.kind === "missing") return undefined;
  const why = read.kind === "missing" ? "cannot be read: there is no such file" : read.reason;
  throw new InputError([`config: ${path} ${why}`]);
}

/** More would only cost memory: at most 10,000 of its rows are used. */
const largestTable = 50_000_000;

/** Text of a CSV file, or the reason why it cannot be read, as the end of a sentence about it. */
export async function readTable(
  path: string,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const read = readStrictly(path, largestTable);
  return "text" in read ? read : { problem: read.kind === "missing" ? "is not there" : read.reason };
}

/** Text in UTF-8, or by its byte-order mark: other bytes would become other values in silence. */
function readStrictly(path: string, mostBytesOfIt: number) {
  const read = readPlainBytes(path, { largestBytes: mostBytesOfIt });
  if (read.kind !== "bytes") return read;
  const decoded = decodeText(read.bytes);
  return "text" in decoded ? decoded : ({ kind: "refused", reason: decoded.problem } as const);
}

export async function readPageScript(path: string): Promise<Pick<PageScript, "script" | "scriptHash">> {
  const script = textOfOwnFile(path);
  return { script, scriptHash: createHash("sha256").update(script).digest("base64") };
}

const pollMs = 200;

/** Resolves to true once a file of these absolute paths has changed; to false when the signal aborts. */
export async function watchFiles(paths: readonly string[], signal: AbortSignal): Promise<boolean> {
  const before = stateOf(paths);
  while (!signal.aborted) {
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted && stateOf(paths) !== before) return true;
  }
  return false;
}

function stateOf(paths: readonly string[]): string {
  return paths
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((stats) => `${stats?.mtimeMs} ${stats?.size} ${stats?.ino}`)
    .join("\n");
}
