// Time, memory and sizes of the largest report: 256 cells with as many replicates as a cell can have, from as many jobs;
// and what `post` does with the artifact. The baseline is a report of one cell.
// Usage: npm run bench -- big-report [--cells 256]
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  type Plan,
  packPlan,
  readStrangersReport,
  readZipDocuments,
  renderComment,
  reportOf,
} from "../src/engine.ts";
import { recordedCells } from "./big-report/recorded-cells.ts";
import { median, print, printFigures, rounded, timed } from "./parts/timing.ts";

const rounds = 3;
const cli = join(process.cwd(), "dist", "cli.js");
const option = (name: string, usual: number) =>
  process.argv.includes(name) ? Number(process.argv[process.argv.indexOf(name) + 1]) : usual;
const most = option("--cells", 256);

/** Packs files and the files of folders, as strongly as GitHub's action does. */
const zipScript = `import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
    for part in sys.argv[2:]:
        for name in [f"{part}/{name}" for name in sorted(os.listdir(part))] if os.path.isdir(part) else [part]:
            archive.write(name)`;

const work = await mkdtemp(join(tmpdir(), "bench-big-report-"));
const figures: Record<string, number | string | boolean> = {};
try {
  for (const [name, cells] of [
    ["1Cell", 1],
    [`${most}Cells`, most],
  ] as const) {
    const folder = join(work, name);
    const { plan, measurements } = recordedCells(cells);
    for (const [job, each] of measurements.entries()) {
      const path = join(folder, `job-${job}`, "cells");
      await mkdir(path, { recursive: true });
      await writeFile(join(path, `${each.cell.id}.json`), `${JSON.stringify(each)}\n`);
    }
    Object.assign(figures, await reported(name, folder, plan));
    Object.assign(figures, await posted(name, folder));
    await rm(folder, { recursive: true });
  }
  printFigures(figures);
} finally {
  await rm(work, { recursive: true, force: true });
}

/** Several reports on one folder, as the last job of a matrix makes them. */
async function reported(name: string, folder: string, plan: Plan) {
  const jobs = (await readdir(folder)).filter((each) => each.startsWith("job-"));
  const inputBytes = bytesOf(jobs.map((job) => join(folder, job)));
  const all = [];
  for (let round = 0; round < rounds; round += 1) {
    const [summary, outputs] = [join(work, "summary"), join(work, "outputs")];
    await writeFile(summary, "");
    await writeFile(outputs, "");
    const planned = ["--plan", packPlan(JSON.stringify(plan))];
    const argv = [
      "node",
      cli,
      "report",
      "--results-directory",
      folder,
      "--comment-mode",
      "never",
      ...planned,
    ];
    const env = { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: outputs };
    // A slow-down that fails the check is a report, too.
    all.push(await timed(["sh", "-c", '"$@" > /dev/null; [ $? -le 1 ]', "sh", ...argv], { env }));
  }
  const seconds = rounded(median(all.map((each) => each.seconds)));
  const cpuSeconds = rounded(median(all.map((each) => each.cpuSeconds)));
  const peakBytes = Math.max(...all.map((each) => each.peakMemoryBytes));
  print(
    `${name}: ${mb(inputBytes)} of documents, report in ${seconds} s (CPU ${cpuSeconds} s), ${mb(peakBytes)}`,
  );
  return {
    [`inputBytes${name}`]: inputBytes,
    [`reportSeconds${name}`]: seconds,
    [`reportCpuSeconds${name}`]: cpuSeconds,
    [`reportPeakBytes${name}`]: peakBytes,
    [`pageBytes${name}`]: statSync(join(folder, "report.html")).size,
    [`summaryBytes${name}`]: statSync(join(work, "summary")).size,
    [`outputBytes${name}`]: statSync(join(work, "outputs")).size,
  };
}

/** The report's artifact as GitHub packs it, and what `post` makes of it. */
async function posted(name: string, folder: string) {
  const archive = join(work, "artifact.zip");
  const parts = [
    "plan.json",
    "cells",
    "figures.json",
    "junit.xml",
    "report.html",
    "report.md",
    "results.csv",
  ];
  execFileSync("python3", ["-c", zipScript, archive, ...parts], { cwd: folder });
  const bytes = statSync(archive).size;
  const started = performance.now();
  const read = await readZipDocuments(readFileSync(archive));
  const report = read.kind === "documents" ? readStrangersReport(read.documents) : read;
  const comment =
    report.kind === "report" ? renderComment(reportOf(report.comparison), { marker: "<!-- m -->" }) : "";
  const seconds = rounded((performance.now() - started) / 1_000);
  const contentBytes = bytesOf(parts.map((part) => join(folder, part)));
  const missing =
    report.kind === "report"
      ? report.comparison.rows.filter(({ status }) => status === "missing").length
      : -1;
  print(
    `  artifact of ${mb(bytes)} (${mb(contentBytes)} unpacked): ${report.kind === "refused" ? report.reason : `read in ${seconds} s, ${missing} cells missing, comment of ${comment.length} characters`}`,
  );
  return {
    [`artifactBytes${name}`]: bytes,
    [`artifactContentBytes${name}`]: contentBytes,
    [`postSeconds${name}`]: seconds,
    [`isPosted${name}`]: report.kind === "report" && missing === 0,
    [`commentCharacters${name}`]: comment.length,
  };
}

function bytesOf(paths: readonly string[]): number {
  return Number(
    execFileSync("du", ["-bcs", ...paths])
      .toString()
      .trim()
      .split("\n")
      .at(-1)
      ?.split("\t")[0],
  );
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
