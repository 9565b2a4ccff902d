import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

import type { HistoryText } from "../../history/trends/history.ts";
import { readPlainFile } from "../process/index.ts";

/** A commit has one line for each cell, and a plan has a few hundred cells at most. */
const largestFileBytes = 2_000_000;
/** Limit for all files together: years of nights. */
const mostBytesOfAll = 200_000_000;

/** Reads `cells/REPORT/COMMIT.jsonl`; `undefined` without one. Others wrote the folder: links are not followed. */
export function readHistoryFolder(
  folder: string,
  mostBytes = mostBytesOfAll,
): readonly HistoryText[] | undefined {
  const { names, links } = findFiles(folder);
  let left = mostBytes;
  const texts = names.map((name) => {
    const beyond = {
      name,
      text: "",
      problem: `is left out: all files together may have at most ${mostBytes} bytes`,
    };
    if (left <= 0) return beyond;
    const limits = { largestBytes: largestFileBytes, followsLinks: false };
    const read = readPlainFile(join(folder, name), limits);
    if (read.kind !== "text")
      return { name, text: "", problem: read.kind === "missing" ? "is gone" : read.reason };
    left -= Buffer.byteLength(read.text);
    return left < 0 ? beyond : { name, text: read.text };
  });
  const all = [
    ...links.map((name) => ({ name, text: "", problem: "is a link, which is not followed" })),
    ...texts,
  ];
  return all.length === 0 ? undefined : all;
}

/** The files of every report in order, by path below the folder, and the links in place of such folders. */
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
    return false; // not there, or nothing in it may be read
  }
}

/** Names in order; none when it is no folder. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
