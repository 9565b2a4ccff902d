// Reads archives that are bombs as the posting workflow does, each in its own process, and prints time and memory. The
// limits are 2 s and 200 MB.
//   npm run bench -- bombs
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { readStrangersReport, readZipDocuments } from "../src/engine.ts";
import { type ZipEntry, zipOf } from "../test/stand-in/zip.ts";

const mostMs = 2_000;
const mostBytes = 200_000_000;

interface Taken {
  readonly ms: number;
  /** Peak of memory, above what the process had before. */
  readonly bytes: number;
  readonly outcome: string;
}

async function take(path: string): Promise<Taken> {
  const archive = readFileSync(path);
  const before = process.memoryUsage().rss;
  const start = performance.now();
  const read = await readZipDocuments(archive);
  const report = read.kind === "refused" ? read : readStrangersReport(read.documents);
  const ms = performance.now() - start;
  const bytes = mostMemory() - before;
  const outcome =
    report.kind === "refused" ? report.reason : `read: ${report.comparison.warnings.slice(1).join(" ")}`;
  return { ms, bytes: Math.max(0, bytes), outcome };
}

/** Peak of this program's own memory. The system's figure for a process also counts the program that started it. */
function mostMemory(): number {
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(kilobytes) * 1_024;
}

function bombs(): readonly (readonly [what: string, entries: readonly ZipEntry[]])[] {
  const plan: ZipEntry = { name: "plan.json", content: "{}" };
  const zeros = Buffer.alloc(300_000_000, "0");
  const cells = (count: number, content: string | Buffer): ZipEntry[] =>
    Array.from({ length: count }, (_, index) => ({ name: `cells/c${index}.json`, content }));
  const nested = "[".repeat(2_400_000) + "]".repeat(2_400_000);
  return [
    ["300 MB of zeros in 300 kB", [plan, { name: "cells/x.json", content: zeros }]],
    ["the same, said to be 1 kB", [plan, { name: "cells/x.json", content: zeros, claimedBytes: 1_000 }]],
    ["60 files of 4.9 MB", [plan, ...cells(60, Buffer.alloc(4_900_000, "0"))]],
    ["a plan of lists in lists, 2.4 million deep", [{ name: "plan.json", content: nested }]],
    ["a plan of 4.8 MB of numbers", [{ name: "plan.json", content: `[${"1,".repeat(2_400_000)}1]` }]],
    ["3,000 files of nothing", [plan, ...cells(3_000, "")]],
    ["10 MB that are no archive", []],
  ];
}

function main(): void {
  const folder = mkdtempSync(join(tmpdir(), "bombs-"));
  try {
    process.stdout.write("| archive | its bytes | time | memory | outcome |\n|---|---|---|---|---|\n");
    for (const [what, entries] of bombs()) {
      const path = join(folder, "archive.zip");
      const archive = entries.length === 0 ? Buffer.alloc(10_000_000, "PK") : zipOf(entries);
      writeFileSync(path, archive);
      const { stdout } = spawnSync(process.execPath, [process.argv[1] ?? "", "--read", path], {
        encoding: "utf8",
      });
      const { ms, bytes, outcome }: Taken = JSON.parse(stdout);
      if (ms > mostMs || bytes > mostBytes) process.exitCode = 1;
      const figures = [`${Math.round(ms)} ms`, `${Math.round(bytes / 1e6)} MB`];
      process.stdout.write(`| ${[what, archive.length, ...figures, outcome].join(" | ")} |\n`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [flag, path] = process.argv.slice(2);
if (flag === "--read" && path !== undefined) process.stdout.write(JSON.stringify(await take(path)));
else main();
