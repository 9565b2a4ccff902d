import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

import type { HistoryText } from "../../history/trends/history.ts";
import { readPlainFile } from "../process/index.ts";

/** A commit has a line for each cell, and a plan few hundred cells. */
const largestFileBytes = 2_000_000;
/** Of all files together: years of nights. */
const mostBytesOfAll = 200_000_000;

/**
 * Reads `cells/REPORT/COMMIT.jsonl` of a folder; `undefined` when it holds no such file. Others wrote it: links in it are
 * not followed, but told.
 */
export function readHistoryFolder(
  folder: string,
  mostBytes = mostBytesOfAll,
): readonly HistoryText[] | undefined {
  const { names, links } = findFiles(folder);
  let left = mostBytes;
  const texts = names.map((name) => {
    const beyond = { name, text: "", problem: `is left out: all files together may have ${mostBytes} bytes` };
    if (left <= 0) return beyond;
    const limits = { largestBytes: largestFileBytes, followsLinks: false };
    const read = readPlainFile(join(folder, name), limits);
    if (read.kind !== "text")
      return { name, text: "", problem: read.kind === "missing" ? "is gone" : read.reason };
    left -= Buffer.byteLength(read.text);
    return left < 0 ? beyond : { name, text: read.text };
  });
  const all = [
    ...links.map((name) => ({ name, text: "", problem: "is a link, and not followed" })),
    ...texts,
  ];
  return all.length === 0 ? undefined : all;
}

/** In order, as seen from the folder: the files of every report, and links in place of the folders that hold them. */
function findFiles(folder: string): { readonly names: readonly string[]; readonly links: readonly string[] } {
  if (isLink(join(folder, "cells"))) return { names: [], links: ["cells"] };
  const places = namesIn(join(folder, "cells")).map((report) => `cells/${report}`);
  const links = places.filter((place) => isLink(join(folder, place)));
  const names = places
    .filter((place) => !links.includes(place))
    .flatMap((place) => namesIn(join(folder, place)).map((name) => `${place}/${name}`))
    .filter((name) => name.endsWith(".jsonl"));
  return { names, links };
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false; // is not there, or nothing of it may be read
  }
}

/** In order; of what is no folder, none. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
