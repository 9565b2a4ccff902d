import { existsSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { EnvironmentError, messageOf } from "../../errors/errors.ts";
import { decodeSeed, foreignDump, kindOfSeed } from "../../model/seed/seed-encoding.ts";
import type { SeedText } from "../../model/seed/seed-script.ts";
import type { Decoded } from "../../text/decoded.ts";
import { readPlainBytes } from "../process/index.ts";

/** A seed file as it was found: SQL, or an archive of pg_dump. */
type SeedSource = { readonly path: string } & ({ readonly text: string } | { readonly archive: Buffer });

/** A longer text does not fit into a string of ours. */
export const largestBytes = 500_000_000;

const gunzip = promisify(zlib.gunzip);

/** Reads a seed file, unpacked. Throws an `EnvironmentError` that says what it is instead. */
export async function readSeedFile(path: string): Promise<SeedSource> {
  const read = readPlainBytes(path, { largestBytes });
  if (read.kind !== "bytes") throw refusal(path, read.kind === "missing" ? "is not there" : read.reason);
  const { bytes, kind } = await unpacked(path, Buffer.from(read.bytes));
  if (kind === "archive") return { path, archive: bytes };
  const decoded = seedText(bytes);
  if ("problem" in decoded) throw refusal(path, decoded.problem);
  return { path, text: decoded.text };
}

function seedText(bytes: Buffer): Decoded {
  const kind = kindOfSeed(bytes);
  if (typeof kind === "object") return kind;
  const decoded = decodeSeed(bytes);
  const foreign = "text" in decoded ? foreignDump(decoded.text) : undefined;
  return foreign === undefined ? decoded : { problem: foreign };
}

async function unpacked(path: string, packed: Buffer): Promise<{ bytes: Buffer; kind: "sql" | "archive" }> {
  let bytes = packed;
  let kind = kindOfSeed(bytes);
  if (kind === "gzip" || kind === "zstd") {
    bytes = await unpack(path, bytes, kind);
    kind = kindOfSeed(bytes);
  }
  if (typeof kind === "object") throw refusal(path, kind.problem);
  if (kind === "gzip" || kind === "zstd") throw refusal(path, "is compressed twice; decompress it once");
  return { bytes, kind };
}

async function unpack(path: string, packed: Buffer, kind: "gzip" | "zstd"): Promise<Buffer> {
  const options = { maxOutputLength: largestBytes };
  try {
    if (kind === "gzip") return await gunzip(packed, options);
    if (!hasZstd(zlib))
      throw refusal(
        path,
        `is compressed with zstd, which needs Node 22.15 or newer (this is ${process.versions.node}); compress it with gzip`,
      );
    return zlib.zstdDecompressSync(packed, options);
  } catch (error) {
    if (error instanceof EnvironmentError) throw error;
    throw refusal(path, `cannot be decompressed: ${messageOf(error)}`);
  }
}

/** Newer versions of Node have it. */
function hasZstd<T extends object>(
  module: T,
): module is T & { zstdDecompressSync(packed: Buffer, options: { maxOutputLength: number }): Buffer } {
  return "zstdDecompressSync" in module;
}

export function refusal(path: string, reason: string): EnvironmentError {
  return new EnvironmentError("seed", `seed file ${path} ${reason}`);
}

/** The file that another includes, in its folder or above, within the repository. No link leads out. */
export function includedFile(name: string, from: string): SeedText | string {
  const root = repositoryOf(from);
  if (isAbsolute(name)) return "is not in the repository; name it from the file's folder";
  for (let folder = dirname(from); ; folder = dirname(folder)) {
    const path = resolve(folder, name);
    if (existsSync(path)) {
      const isInside = !relative(realpathSync(root), realpathSync(path)).startsWith("..");
      if (!isInside) return "is not in the repository";
      const read = readPlainBytes(path, { largestBytes });
      if (read.kind !== "bytes") return read.kind === "missing" ? "is not there" : read.reason;
      const decoded = seedText(Buffer.from(read.bytes));
      return "text" in decoded ? { path, text: decoded.text, line: 1 } : decoded.problem;
    }
    if (folder === root || folder === dirname(folder)) return "is not there";
  }
}

/** The folder of the repository around a file; without one, the file's own folder. */
function repositoryOf(path: string): string {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, ".git"))) return folder;
  return dirname(path);
}
