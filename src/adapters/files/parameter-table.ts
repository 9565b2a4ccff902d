import { readPlainFile } from "../process/index.ts";

/** More would only cost memory: at most 10,000 of its rows are used. */
const largestBytes = 50_000_000;

/** Text of a CSV file, or the reason why it cannot be read, as the end of a sentence about it. */
export async function readTable(
  path: string,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  const read = readPlainFile(path, { largestBytes });
  if (read.kind === "text") return { text: read.text };
  return { problem: read.kind === "missing" ? "is not there" : read.reason };
}
