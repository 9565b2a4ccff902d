// Time to seed the full set, beside the published report's own SQL in the same run, and time to restore it.
//
// The report's SQL runs once, on a server as initdb leaves it, and only its statements are timed. Ours runs twice from
// nothing, so that the results can be compared row by row, and once more from the kept copy. All of that is timed, from
// looking for Postgres to a template that can be copied. `--scale 0.1` is for a quick try.

import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { print, printFigures, rounded } from "./parts/timing.ts";
import { reportSql } from "./seed/baseline.ts";
import { seedRun } from "./seed/ours.ts";

const index = process.argv.indexOf("--scale");
const scale = index < 0 ? 1 : Number(process.argv[index + 1]);
if (!(scale >= 0.001 && scale <= 1)) throw new Error("--scale: from 0.001 to 1");

const seedFiles = readdirSync("sql")
  .filter((name) => name.endsWith(".sql"))
  .toSorted()
  .map((name) => resolve("sql", name));
const workFolder = await mkdtemp(join(tmpdir(), "bench-seed-"));
await chmod(workFolder, 0o711); // Postgres may run as another user and must reach its own folder below
const toolsFolder = join(workFolder, "tools");
const signal = new AbortController().signal;
const options = { workFolder, toolsFolder, signal, onStep: () => undefined, keepSeedsFromSeconds: 0 };
const seed = { seedFiles, scale };

try {
  print(`the report's SQL at scale ${scale}`);
  const reportSqlSeconds = await reportSql(options, scale);
  print(`the report's SQL: ${reportSqlSeconds.toFixed(1)} s`);
  const first = await told("ours, first time");
  await rm(join(toolsFolder, "seeds"), { recursive: true, force: true });
  const second = await told("ours, from nothing again");
  const restored = await told("ours, restored");
  const hashes = new Set([first, second, restored].map(({ contentHash }) => contentHash));
  // The slower of the two: that is fairer beside a baseline that ran once.
  const ourSeconds = Math.max(first.seconds, second.seconds);
  printFigures({
    reportSqlSeconds: rounded(reportSqlSeconds),
    ourSeconds: rounded(ourSeconds),
    timesFaster: rounded(reportSqlSeconds / ourSeconds),
    peakMemoryMegabytes: Math.round(Math.max(first.peakBytes, second.peakBytes) / 1e6),
    restoreSeconds: rounded(restored.seconds),
    copySeconds: rounded(restored.copySeconds),
    rows: restored.rows,
    constraints: restored.constraints,
    indexes: restored.indexes,
    sameContent: hashes.size === 1,
    contentHash: createHash("sha256").update(first.contentHash).digest("hex"),
  });
  if (hashes.size !== 1) process.exitCode = 1;
} finally {
  await rm(workFolder, { recursive: true, force: true });
}

async function told(title: string) {
  print(title);
  const run = await seedRun(options, seed);
  print(`${title}: ${run.seconds.toFixed(1)} s, peak memory (PSS) ${Math.round(run.peakBytes / 1e6)} MB`);
  return run;
}
