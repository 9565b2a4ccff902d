import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { InputError } from "../../errors/errors.ts";
import { readPlainFile } from "../process/index.ts";

/** A pod that prints more of it has a log that one text cannot hold. */
const mostBytes = 500_000_000;

/** Texts of a log, or of all files in a folder of logs. Throws an `InputError` for what is neither. */
export function readLogs(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  const paths = found?.isDirectory()
    ? readdirSync(path)
        .toSorted()
        .map((name) => join(path, name))
    : [path];
  return paths.map((each) => {
    const read = readPlainFile(each, { largestBytes: mostBytes });
    if (read.kind === "text") return read.text;
    throw new InputError([`logs: ${each} ${read.kind === "refused" ? read.reason : "does not exist"}`]);
  });
}
