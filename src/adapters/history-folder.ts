import { readdirSync } from "node:fs";
import { join } from "node:path";

import type { HistoryText } from "../core/trends/history.ts";
import { readPlainFile } from "./plain-file.ts";

/** A commit has a line for each cell, and a plan few hundred cells. */
const largestFileBytes = 2_000_000;
/** Of all files together: years of nights. */
const mostBytes = 200_000_000;

/** Reads `cells/REPORT/COMMIT.jsonl` of a folder; `undefined` when it holds no such file. Others wrote it: links are not followed. */
export function readHistoryFolder(folder: string): readonly HistoryText[] | undefined {
  const cells = join(folder, "cells");
  const names = namesIn(cells).flatMap((report) =>
    namesIn(join(cells, report))
      .filter((name) => name.endsWith(".jsonl"))
      .map((name) => `cells/${report}/${name}`),
  );
  if (names.length === 0) return undefined;
  let left = mostBytes;
  return names.map((name) => {
    const limits = { largestBytes: Math.min(largestFileBytes, left), followsLinks: false };
    const read = readPlainFile(join(folder, name), limits);
    if (read.kind !== "text")
      return { name, text: "", problem: read.kind === "missing" ? "is gone" : read.reason };
    left -= Buffer.byteLength(read.text);
    return { name, text: read.text };
  });
}

/** In order; of what is no folder, none. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
