import { createHash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

import { capture } from "../lib/run.mjs";

/** The release cannot be had from here (no network, no such file): another way may still work. */
export class Unreachable extends Error {}

/**
 * Downloads a release archive, checks its SHA-256 and puts one member at `target`. Nothing is unpacked before the hash
 * is right, and `target` appears whole or not at all.
 *
 * Throws `Unreachable` when there was no answer, and a plain `Error` for a wrong one: then something stands between us
 * and the release, and another way would hide it.
 */
export async function installFromArchive({ url, sha256, member, target }) {
  await installFromBytes({ bytes: await download(url), place: url, sha256, member, target });
}

/** The same of an archive that was downloaded already. `place` is where it came from, for messages. */
export async function installFromBytes({ bytes, place, sha256, member, target }) {
  const found = sha256Of(bytes);
  if (found !== sha256) {
    throw new Error(`${place} has SHA-256 ${found}, expected ${sha256}; it was not unpacked`);
  }
  mkdirSync(dirname(target), { recursive: true });
  const folder = mkdtempSync(join(dirname(target), "unpack-"));
  try {
    const archive = join(folder, "archive");
    writeFileSync(archive, bytes);
    // GNU tar reads .tar.gz and, on macOS, bsdtar reads .zip as well: the formats each platform's release comes in.
    const { code, text } = await capture(["tar", "-xf", archive, "-C", folder, member]);
    if (code !== 0) throw new Error(`cannot unpack ${member} from ${place}: ${text.trim()}`);
    chmodSync(join(folder, member), 0o755);
    renameSync(join(folder, member), target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Content of the file with this hash among those that actions of GitHub's toolkit leave in the folder for temporary
 * files, under a random name; `undefined` when there is none.
 */
export function leftArchive(folder, sha256) {
  const isArchive = (path) => lstatSync(path).isFile() && lstatSync(path).size <= largestArchiveBytes;
  const paths = readdirSync(folder)
    .filter((name) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name))
    .map((name) => join(folder, name));
  for (const path of paths.filter(isArchive)) {
    const bytes = readFileSync(path);
    if (sha256Of(bytes) === sha256) return bytes;
  }
  return undefined;
}

const largestArchiveBytes = 200_000_000;
const sha256Of = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** True when the release answers at all. */
export async function isReachable(url) {
  try {
    const response = await fetch(url, { method: "HEAD", signal: AbortSignal.timeout(10_000) });
    return response.ok;
  } catch {
    return false;
  }
}

async function download(url) {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(300_000) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } catch (error) {
    throw new Unreachable(`${url} cannot be downloaded (${reasonOf(error)})`);
  }
}

/** `fetch failed` says nothing; its cause does. */
function reasonOf(error) {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
