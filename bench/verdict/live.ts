// One live run: a repository with two commits whose code differs by a known amount, through the whole program.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import {
  cpuPerRequest,
  logRatios,
  type Measurement,
  measurementSchema,
  pairEffects,
  type Replicate,
  sum,
  trimmedMean,
} from "../../src/engine.ts";
import { neutralEdit } from "./neutral.ts";
import type { NeutralEdit, RecordedReplicate, RecordedRun } from "./recording.ts";

export interface Trial {
  readonly kind: RecordedRun["kind"];
  /** As a share of throughput: -0.1 is 10% less. */
  readonly aimedEffect: number;
  readonly hog: boolean;
  readonly busy?: true;
  readonly blind?: true;
  readonly neutral?: NeutralEdit;
  /** As the input is written; absent: the usual one. */
  readonly minChange?: string;
  /** The same. */
  readonly maxMinutes?: string;
}

/** Loops that take about as much CPU time as one whole request of the base. The app counts the exact time. */
const loopsPerRequest = 30_000;

/** Enough rows to bring Postgres close to the whole of its CPU: k6 runs there too, and its part does not change. */
const databaseRows = 200_000;
const waitSeconds = 0.05;

/** Runs base against head and returns the recording. `originSeconds`: clock of the first recording. */
export function runLive(trial: Trial, originSeconds: number): RecordedRun {
  const root = process.cwd();
  const folder = mkdtempSync(join(tmpdir(), "bench-verdict-"));
  try {
    const more = injectedWork(trial.aimedEffect);
    const app = readFileSync("bench/verdict/app.py", "utf8");
    const edited = trial.neutral === undefined ? {} : neutralEdit(app, trial.neutral);
    makeRepository(folder, [
      { "app.py": app, "change.py": change("base", more.base) },
      { ...edited, "change.py": change("head", more.head) },
    ]);
    const results = join(folder, "results");
    const log = join(folder, "change.log");
    const hog = trial.hog ? startHog() : undefined;
    const start = performance.now();
    try {
      spawnChecked(
        [
          ...["run", "--app", "app:app", "--working-directory", join(folder, "repository")],
          ...["--install", join(root, ".tools", "target-app"), "--ready-path", "/health"],
          ...requestsOf(trial.kind),
          ...["--comment-mode", "never", "--no-only-affected", "--soak", "0s", "--diagnose", "never"],
          ...(trial.kind === "database" ? [] : ["--database", "none"]),
          ...["--base-ref", "HEAD~1", "--max-minutes", trial.maxMinutes ?? "10", "--fail-on", "never"],
          ...(trial.minChange === undefined ? [] : ["--min-change", trial.minChange]),
          ...["--app-env", `CHANGE_LOG=${log}`, "--results-directory", results],
        ],
        root,
      );
    } finally {
      hog?.kill("SIGKILL");
    }
    const wallSeconds = (performance.now() - start) / 1_000;
    return recordOf(trial, results, log, { wallSeconds, originSeconds });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Service time that each arm gets in addition, as a share: the slower arm gets the work, so a faster head is possible. */
function injectedWork(effect: number): Readonly<Record<"base" | "head", number>> {
  // Throughput of 1 - x means a service time of 1 / (1 - x).
  return effect < 0 ? { base: 0, head: 1 / (1 + effect) - 1 } : { base: effect, head: 0 };
}

function requestsOf(kind: Trial["kind"]): string[] {
  const users = ["--vus", "8", "--workers", kind === "workers" ? "2" : "1"];
  if (kind === "mixed") return [...users, "--iteration", "/cpu\n/large"];
  return [...users, "--endpoints", kind === "workers" ? "/cpu" : `/${kind}`];
}

function change(arm: string, more: number): string {
  return [
    `ARM = "${arm}"`,
    `EXTRA_LOOPS = ${Math.round(more * loopsPerRequest)}`,
    `DATABASE_ROWS = ${Math.round(databaseRows * (1 + more))}`,
    `WAIT_SECONDS = ${waitSeconds * (1 + more)}`,
    "",
  ].join("\n");
}

/** @param commits each with the files that it writes */
function makeRepository(folder: string, commits: readonly Readonly<Record<string, string>>[]): void {
  const repository = join(folder, "repository");
  mkdirSync(repository);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@example.invalid", ...args], {
      cwd: repository,
      stdio: "ignore",
    });
  git("init", "--initial-branch=main");
  for (const files of commits) {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(repository, name), text);
    git("add", "--all");
    git("commit", "--allow-empty", "--message=Change");
  }
}

function spawnChecked(args: readonly string[], root: string): void {
  execFileSync("node", [join(root, "dist", "cli.js"), ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 900_000,
  });
}

/** Burns the last CPU, which is the app's: a quarter of a second on and half a second off on average. */
function startHog(): ChildProcess {
  const script = [
    "import os, random, time",
    "os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})",
    "start = time.monotonic()",
    "while time.monotonic() - start < 1000:", // bounded, in case nobody ends it
    "    end = time.monotonic() + random.expovariate(1 / 0.25)",
    "    while time.monotonic() < end: pass",
    "    time.sleep(random.expovariate(1 / 0.5))",
  ].join("\n");
  return spawn("python3", ["-c", script], { stdio: "ignore" });
}

function recordOf(
  trial: Trial,
  results: string,
  log: string,
  { wallSeconds, originSeconds }: { readonly wallSeconds: number; readonly originSeconds: number },
): RecordedRun {
  const [file = ""] = readdirSync(join(results, "cells"));
  const measurement = measurementSchema.parse(JSON.parse(readFileSync(join(results, "cells", file), "utf8")));
  const figures = JSON.parse(readFileSync(join(results, "figures.json"), "utf8")) as {
    cells: {
      verdict: string;
      isSmall: boolean;
      throughputEffect: number;
      throughputEffectLow: number;
      throughputEffectHigh: number;
    }[];
  };
  const [cell] = figures.cells;
  if (cell === undefined) throw new Error("the run has no cell");
  // Each worker counts for itself, so several do not tell which replicate they were of.
  const isCounted = trial.kind !== "wait" && trial.kind !== "database" && trial.kind !== "workers";
  const truths = isCounted ? trueEffects(log, measurement) : [];
  const { minChange: _, maxMinutes: __, ...kept } = trial;
  const startedSeconds = Date.parse(measurement.startedAt) / 1_000 - originSeconds;
  return {
    ...kept,
    ...(measurement.replicates.every(({ isLaidOutAlike }) => isLaidOutAlike) && { alike: true }),
    commit: execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim(),
    verdict: cell.verdict,
    isSmall: cell.isSmall,
    effect: cell.throughputEffect,
    low: cell.throughputEffectLow,
    high: cell.throughputEffectHigh,
    originSeconds,
    loadSeconds: rounded(loadSecondsOf(measurement)),
    wallSeconds: rounded(wallSeconds),
    measureSeconds: rounded(measureSecondsOf(results, file)),
    replicates: measurement.replicates.map((replicate, index) => ({
      startSeconds: Math.round(startedSeconds + (index * wallSeconds) / measurement.replicates.length),
      ...recordReplicate(replicate),
      trueEffect: truths[index] ?? null,
    })),
  };
}

/** Seconds from the plan, which `measure` writes first, to the document of the only cell, which it writes last. */
function measureSecondsOf(results: string, file: string): number {
  const writtenMs = (...path: string[]) => statSync(join(results, ...path)).mtimeMs;
  return (writtenMs("cells", file) - writtenMs("plan.json")) / 1_000;
}

function loadSecondsOf({ replicates }: Measurement): number {
  const openSeconds = 2;
  return sum(
    replicates.map(
      ({ pairs, open }) =>
        ((pairs?.arms.base.cycles.length ?? 0) * 2 * (pairs?.sliceMs ?? 0)) / 1_000 +
        (open ? openSeconds : 0),
    ),
  );
}

const pairsPerBlock = 15;

function recordReplicate(replicate: Replicate): Pick<RecordedReplicate, "blocks" | "cpuEffect" | "appShare"> {
  const { pairs, conditions } = replicate;
  const [cpuEffect] = logRatios([replicate], cpuPerRequest);
  if (pairs === undefined) return { blocks: [], cpuEffect: null };
  const appShare = conditions?.appShare === undefined ? {} : { appShare: rounded(conditions.appShare) };
  const count = Math.max(1, Math.floor(pairs.arms.base.cycles.length / pairsPerBlock));
  const blocks = Array.from({ length: count }, (_, index): RecordedReplicate["blocks"][number] => {
    const part = <T>(all: readonly T[]) =>
      all.slice(Math.floor((index * all.length) / count), Math.floor(((index + 1) * all.length) / count));
    const arm = (name: "base" | "head") => ({
      cycles: part(pairs.arms[name].cycles),
      cycleMs: part(pairs.arms[name].cycleMs),
    });
    const [base, head] = [arm("base"), arm("head")];
    const effect = trimmedMean(pairEffects({ ...pairs, arms: { base, head } }), 0.2);
    return [rounded(effect, 5), sum(base.cycles), sum(base.cycleMs), sum(head.cycles), sum(head.cycleMs)];
  });
  return { blocks, cpuEffect: cpuEffect === undefined ? null : rounded(cpuEffect, 5), ...appShare };
}

/**
 * ln of the throughput's true change in each replicate. It follows from the share of the head's CPU time per request at
 * saturation that its injected loops took, less the effect of the base's empty loop. The app counts the loops by its
 * own clock, request by request. The CPU time of an idle server and of other loads is in neither.
 */
function trueEffects(log: string, { replicates }: Measurement): (number | undefined)[] {
  if (!existsSync(log)) return [];
  const rows = readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as [arm: string, requests: number, injected: number]);
  const injectedSeconds = (wanted: string) =>
    rows.filter(([arm]) => arm === wanted).map(([, requests, injected]) => injected / requests);
  const [base, head] = [injectedSeconds("base"), injectedSeconds("head")];
  return replicates.map((replicate, index) => {
    const share = (arm: "base" | "head", seconds: number | undefined) =>
      Math.log(1 - (seconds ?? Number.NaN) / (cpuPerRequest(replicate, arm) ?? Number.NaN));
    const effect = share("head", head[index]) - share("base", base[index]);
    return Number.isFinite(effect) ? rounded(effect, 5) : undefined;
  });
}

function rounded(value: number, digits = 4): number {
  return Number(value.toPrecision(digits));
}
