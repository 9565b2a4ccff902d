import { readFile, stat } from "node:fs/promises";

import { messageOf } from "../../errors/errors.ts";

/** Beyond this it would only cost memory: no more than 10,000 of its rows are used. */
const largestBytes = 50_000_000;

/** Text of a CSV file, or why it cannot be read, as the end of a sentence about it. */
export async function readTable(
  path: string,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  try {
    const { size } = await stat(path);
    if (size > largestBytes) return { problem: `has ${size} bytes; it may have ${largestBytes}` };
    return { text: await readFile(path, "utf8") };
  } catch (error) {
    return { problem: `cannot be read: ${messageOf(error)}` };
  }
}
