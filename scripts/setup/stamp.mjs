import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

// A stamp is written last, so a step that was cut short is done again.

export function hasStamp({ path, content }) {
  try {
    return readFileSync(path, "utf8") === content;
  } catch {
    return false;
  }
}

export function writeStamp({ path, content }) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** One hash over the contents of files, in the given order. */
export function hashOf(paths) {
  const hash = createHash("sha256");
  for (const path of paths) hash.update(readFileSync(path)).update("\0");
  return hash.digest("hex");
}
