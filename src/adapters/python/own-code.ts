import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";

import { isCode, runProcess, streamPlainFile, textOfPlainFile } from "../process/index.ts";

const notSource = new Set(["node_modules", "__pycache__", "venv", "build", "dist", "loadtest-results"]);

/** True when a file or folder belongs to the project's source: not hidden, not made by tools. */
export function isSource(path: string): boolean {
  const name = basename(path);
  return !name.startsWith(".") && !name.endsWith(".egg-info") && !notSource.has(name);
}

/** Files that a running app writes next to its code: otherwise each start would make its environment stale. */
const written = /\.(?:log(?:\.[\w-]+)?|pid|sock|tmp|pyc|(?:db|sqlite3?)(?:-wal|-shm|-journal)?)$/;

/** Texts about the project, which a wheel holds as a description at most. */
const documentation = /^(?:docs\/.*|[^/]*)\.(?:md|rst)$/i;

/** A fingerprint of the project's code, whatever the name of its folder. */
export async function hashOfFolder(folder: string): Promise<string> {
  const ignored = await ignoredIn(folder);
  const hash = createHash("sha256");
  const visit = async (current: string): Promise<void> => {
    const entries = await readdir(current, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(current, entry.name);
      const below = relative(folder, path);
      if (!isSource(path) || ignored.has(below)) continue;
      if (entry.isDirectory()) await visit(path);
      if (!entry.isFile() || written.test(entry.name) || documentation.test(below)) continue;
      hash.update(JSON.stringify(below));
      const read = streamPlainFile(path, { largestBytes: Number.POSITIVE_INFINITY }); // data may be of any size
      if (read.kind === "stream") for await (const chunk of read.chunks) hash.update(chunk);
    }
  };
  await visit(folder);
  return hash.digest("hex");
}

const mostIgnoredBytes = 100_000_000;

/** Files and folders that the repository ignores; none where there is no repository, or no git. */
async function ignoredIn(folder: string): Promise<ReadonlySet<string>> {
  const answerFolder = await mkdtemp(join(tmpdir(), "loadtest-ignored-"));
  const logPath = join(answerFolder, "answer");
  const argv = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"] as const;
  const settings = ["-c", "safe.directory=*", "-c", "core.fsmonitor=false"] as const;
  try {
    const { code } = await runProcess({
      argv: ["git", ...settings, "-C", folder, ...argv],
      logPath,
      logBounds: { mostBytes: mostIgnoredBytes },
    });
    if (code !== 0) return new Set();
    const names = (textOfPlainFile(logPath, { largestBytes: mostIgnoredBytes }) ?? "").split("\0");
    return new Set(names.map((name) => name.replace(/\/$/, "")));
  } catch (error) {
    if (isCode(error, "ENOENT")) return new Set();
    throw error;
  } finally {
    await rm(answerFolder, { recursive: true, force: true });
  }
}
