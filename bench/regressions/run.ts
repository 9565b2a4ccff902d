import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { type Measurement, measurementSchema } from "../../src/engine.ts";
import type { Edit, Pair } from "./pairs.ts";

export const app = resolve("bench/regressions/app");

/** Without hashes, which every requirement beside them would need, too. */
const needed = (
  readFileSync(resolve("target-app", "requirements.txt"), "utf8").match(/^[\w.-]+==\S+/gm) ?? []
).join("\n");

export interface PairRun {
  readonly verdict: string;
  /** Change of throughput: -0.1 is 10% less. */
  readonly effect: number;
  readonly measurement: Measurement;
  readonly seconds: number;
}

/** One pair through the whole program: a repository with two commits, compared by `run`. */
export function runPair(pair: Pair, minutes = 2): PairRun {
  const folder = mkdtempSync(join(tmpdir(), "bench-regressions-"));
  try {
    const repository = join(folder, "repository");
    cpSync(app, repository, { recursive: true });
    commitArms(repository, pair);
    const results = join(folder, "results");
    const began = performance.now();
    execFileSync(
      "node",
      [
        ...[resolve("dist", "cli.js"), "run", "--app", "main:app", "--working-directory", repository],
        ...["--install", installedBy(pair, repository), "--ready-path", "/health", "--database", "none"],
        ...["--workers", "1", "--endpoints", "/quotes", "--vus", "8", "--no-comment"],
        ...[
          "--base-ref",
          "HEAD~1",
          "--max-minutes",
          String(minutes),
          "--fail-on",
          "never",
          "--no-only-affected",
        ],
        ...["--results-directory", results],
      ],
      { stdio: ["ignore", "ignore", "inherit"], timeout: (minutes * 60 + 280) * 1_000 },
    );
    const seconds = (performance.now() - began) / 1_000;
    const [file = ""] = readdirSync(join(results, "cells"));
    const measurement = measurementSchema.parse(
      JSON.parse(readFileSync(join(results, "cells", file), "utf8")),
    );
    const figures: unknown = JSON.parse(readFileSync(join(results, "figures.json"), "utf8"));
    return { ...verdictIn(figures), measurement, seconds };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function verdictIn(figures: unknown): { readonly verdict: string; readonly effect: number } {
  const cells: unknown = Object(figures).cells;
  const cell: unknown = Array.isArray(cells) ? cells[0] : undefined;
  const { verdict, throughputEffect } = Object(cell);
  return { verdict: String(verdict), effect: Number(throughputEffect) };
}

/** The app's own requirements, which stand in its repository, or an environment that is there already. */
export function installedBy({ locks }: Pair, repository: string): string {
  return locks === undefined ? resolve(".tools", "target-app") : join(repository, "requirements.txt");
}

export function commitArms(repository: string, { base, head, locks }: Pair): void {
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@example.invalid", ...args], {
      cwd: repository,
      stdio: "ignore",
    });
  git("init", "--initial-branch=main");
  for (const [arm, edits] of Object.entries({ base, head })) {
    cpSync(app, repository, { recursive: true });
    for (const edit of edits) apply(repository, edit);
    const lock = locks?.[arm === "base" ? "base" : "head"];
    if (lock !== undefined) writeFileSync(join(repository, "requirements.txt"), `${needed}\n${lock}\n`);
    git("add", "--all");
    git("commit", "--allow-empty", "--message=Change");
  }
}

function apply(repository: string, { file, from, to }: Edit): void {
  const path = join(repository, file);
  const text = readFileSync(path, "utf8");
  if (text.split(from).length !== 2) throw new Error(`${file} does not have this once: ${from}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
}
