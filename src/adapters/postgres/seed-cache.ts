import { createHash, randomBytes } from "node:crypto";
import { lstat, mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";

import { messageOf } from "../../errors/errors.ts";
import { isCode, textOfPlainFile } from "../process/index.ts";

/** Part of every key: raised when present entries can no longer be used. */
const format = 2;
const newestKept = 2;
/** A set may hold times that count from its making. */
const oldestMs = 7 * 24 * 3_600_000;
/** Longer than any seeding takes: its writer is gone by then. */
const abandonedMs = 24 * 3_600_000;

const manifestSchema = z.strictObject({
  format: z.literal(format),
  template: z.string().regex(/^[a-z0-9_]+$/),
  /** The template's own folder below `base`. */
  oid: z.number().int().positive(),
  madeAtMs: z.number(),
  seedSeconds: z.number(),
  /** Every file of the cluster, relative, with its size: an entry that lacks one is not used. */
  files: z.record(z.string(), z.number().int().nonnegative()),
});
type SeedManifest = z.infer<typeof manifestSchema>;

export interface SeedEntry {
  readonly manifest: SeedManifest;
  readonly data: string;
}

/** Parts of an entry's name: a change of any of them needs a set of its own. */
export function seedKey(parts: {
  readonly postgres: string;
  readonly scale: number;
  readonly texts: readonly string[];
}): string {
  const { postgres, scale, texts } = parts;
  const all = [format, process.platform, process.arch, postgres, scale, ...texts];
  return createHash("sha256").update(JSON.stringify(all)).digest("hex").slice(0, 32);
}

/** A cluster of a hundred thousand tables. */
const largestManifestBytes = 50_000_000;

/** The entry of a key, when it is whole and not too old. An unusable entry is removed. */
export async function findSeedEntry(folder: string, key: string): Promise<SeedEntry | undefined> {
  const entry = join(folder, key);
  try {
    const text = textOfPlainFile(join(entry, "manifest.json"), { largestBytes: largestManifestBytes });
    const manifest = manifestSchema.parse(JSON.parse(text ?? ""));
    const data = join(entry, "data");
    const sizes = await fileSizes(data);
    const isWhole = JSON.stringify(sizes) === JSON.stringify(manifest.files);
    if (isWhole && Math.abs(Date.now() - manifest.madeAtMs) < oldestMs) {
      await utimes(entry, new Date(), new Date()); // the least recently used goes first
      return { manifest, data };
    }
  } catch (error) {
    if (isCode(error, "ENOENT") && !(await exists(entry))) return undefined;
  }
  await discard(entry);
  return undefined;
}

/** Adds an entry that `fill` makes. It has another name until it is complete: a killed run leaves no half. */
export async function addSeedEntry(
  folder: string,
  key: string,
  manifest: Omit<SeedManifest, "format" | "files" | "madeAtMs">,
  fill: (data: string) => Promise<void>,
): Promise<void> {
  const temporary = join(folder, `${key}.${randomBytes(4).toString("hex")}.tmp`);
  try {
    const data = join(temporary, "data");
    await mkdir(data, { recursive: true, mode: 0o700 });
    await fill(data);
    const whole: SeedManifest = { format, ...manifest, madeAtMs: Date.now(), files: await fileSizes(data) };
    await writeFile(join(temporary, "manifest.json"), JSON.stringify(whole));
    await rename(temporary, join(folder, key)).catch((error: unknown) => {
      if (!isCode(error, "ENOTEMPTY") && !isCode(error, "EEXIST")) throw error; // another run was faster
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  await removeSurplus(folder);
}

/** Removes whole entries by last use, then unfinished ones. Runs that use an entry have links of their own. */
async function removeSurplus(folder: string): Promise<void> {
  const all = await Promise.all(
    (await readdir(folder)).map(async (name) => ({
      path: join(folder, name),
      isTemporary: name.endsWith(".tmp"),
      usedMs: (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  const whole = all.filter(({ isTemporary }) => !isTemporary).toSorted((a, b) => b.usedMs - a.usedMs);
  const abandoned = all.filter(({ isTemporary, usedMs }) => isTemporary && Date.now() - usedMs > abandonedMs);
  for (const { path } of [...whole.slice(newestKept), ...abandoned]) await discard(path);
}

/** Moved away at once, whole or not at all: another run may be looking. */
async function discard(path: string): Promise<void> {
  const away = `${path.replace(/\.tmp$/, "")}.${randomBytes(4).toString("hex")}.tmp`;
  try {
    await rename(path, away);
    await rm(away, { recursive: true, force: true });
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw new Error(`${path} cannot be removed: ${messageOf(error)}`);
  }
}

async function fileSizes(folder: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const path of (await readdir(folder, { recursive: true })).toSorted()) {
    const entry = await lstat(join(folder, path));
    if (!entry.isDirectory()) sizes[path] = entry.size;
  }
  return sizes;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
