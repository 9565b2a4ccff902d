import { basename, dirname, join, relative, resolve } from "node:path";

import { type ConfigurationFile, parseConfigurationFile } from "../../config/file/configuration-file.ts";
import { configurationPaths } from "../../config/file/keys.ts";
import { InputError } from "../../errors/errors.ts";
import { readPlainFile } from "../process/index.ts";

/** A longer file was not written by hand. YAML also compares each key with all others, so length costs time. */
const largestBytes = 32_000;

/**
 * Reads the given file. Without one it reads the repository's, if there is one. Throws an `InputError` for a mistake in
 * the file, and when the given file cannot be read.
 *
 * @param wanted path, `none`, or nothing
 * @param here absolute path of the working folder, which is searched first
 * @param repository absolute path of the repository around it
 */
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
  const read = readPlainFile(path, { largestBytes });
  if (read.kind === "text") return read.text;
  if (!isWanted && read.kind === "missing") return undefined;
  const why = read.kind === "missing" ? "cannot be read: there is no such file" : read.reason;
  throw new InputError([`config: ${path} ${why}`]);
}
