import { mkdtempSync, rmSync } from "node:fs";
import { chmod, cp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { parseMeasurements } from "../../src/model/measurement/documents.ts";
import type { StandIn } from "../stand-in/github.ts";
import { spanMs } from "./broken-parts.ts";
import { commentProblems, reportVariables, startGitHubOfOnePull, withWholeNames } from "./commented.ts";
import { mountSmallDisk, type SmallDisk } from "./disk.ts";
import { type Fault, faults, ownDeath } from "./faults.ts";
import { processesNaming } from "./processes.ts";
import { cellsIn, endpoints, type Place, type Running, startProgram, startRun, textIn } from "./program.ts";

export interface ChaosResult {
  readonly fault: string;
  /** Moment of the fault, or its planned one, in milliseconds from the start of the run. */
  readonly atMs: number;
  /** True when it came in time and found its target. */
  readonly hasStruck: boolean;
  readonly status: number;
  /** Time of the whole run with its report. */
  readonly seconds: number;
  /** Broken invariants; none when all is well. */
  readonly broken: readonly string[];
  readonly output: string;
}

export interface ChaosOptions {
  /** The repository: its bundle, tools and target app are used. */
  readonly root: string;
  readonly random: () => number;
  /** The fault; a random one by default. */
  readonly fault?: Fault;
}

const reportSpanMs = 900;

type Check = (holds: boolean, words: string) => void;

/**
 * Runs the program once with a fault at a random moment, lets it report and comment as the action does, and checks what
 * is left.
 */
export async function chaosRun({ root, random, fault = pick(random) }: ChaosOptions): Promise<ChaosResult> {
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), "chaos-"));
  await chmod(folder, 0o711);
  const port = await freePort();
  const broken: string[] = [];
  const check: Check = (holds, words) => void (holds || broken.push(words));
  const disk = fault.needsDisk && mountSmallDisk(folder);
  const program = { root, folder, port };
  try {
    await using github = await startGitHubOfOnePull();
    fault.ofGitHub?.(github);
    const run =
      fault.isOfReport === true
        ? await finishedRun(program)
        : await struckRun(program, { fault, random, disk: disk || undefined, check });
    check(!/fault of ours/.test(run.output), "it was called a fault of ours");
    await checkLeftovers(folder, port, check);
    const output = run.output + (await reportAndCheck(program, fault, github, random, check));
    await checkLeftovers(folder, port, check);
    const seconds = (performance.now() - began) / 1_000;
    return { fault: fault.name, ...run, seconds, broken: [...new Set(broken)], output };
  } finally {
    disk?.[Symbol.dispose]();
    await rm(folder, { recursive: true, force: true });
  }
}

type Run = Pick<ChaosResult, "atMs" | "hasStruck" | "status" | "output">;

/** A run in which the fault strikes at a random moment. */
async function struckRun(
  program: Place,
  {
    fault,
    random,
    disk,
    check,
  }: {
    readonly fault: Fault;
    readonly random: () => number;
    readonly disk: SmallDisk | undefined;
    readonly check: Check;
  },
): Promise<Run> {
  const { folder } = program;
  let atMs = fault.isUnderLoad ? 0 : Math.floor(random() * spanMs);
  await using parts = await fault.prepare?.(program, random);
  const startedAt = performance.now();
  const run = startRun(program, parts?.options, parts?.variables);
  const over = new AbortController();
  const before = new Map<string, string>();
  const remember = () => {
    for (const [name, text] of cellsIn(folder)) before.set(name, text);
  };
  const another = async () => {
    const own = { ...program, folder: mkdtempSync(join(tmpdir(), "chaos-another-")), port: await freePort() };
    await chmod(own.folder, 0o711);
    try {
      const other = startRun(own);
      const ended = await endOf(other, check);
      check(ended === 0, `the other run ended with ${ended}: ${other.output().slice(-500)}`);
      await checkLeftovers(own.folder, own.port, check);
      return ended;
    } finally {
      await rm(own.folder, { recursive: true, force: true });
    }
  };
  const striking = sleep(atMs, undefined, { signal: over.signal }).then(
    async () => {
      remember();
      const { child, output } = run;
      const isHit = await fault.strike({
        run: child,
        disk,
        random,
        output,
        over: over.signal,
        another,
      });
      if (fault.isUnderLoad) {
        atMs = Math.floor(performance.now() - startedAt);
        remember(); // it has waited: there may be an earlier cell's
      }
      return isHit;
    },
    () => false,
  );
  const patience = fault.isCancelled && setTimeout(() => run.child.kill("SIGINT"), cancelAfterMs);
  const status = await endOf(run, check);
  clearTimeout(patience || undefined);
  if (fault.name !== "another run at the same time") over.abort();
  const hasStruck = (await striking) || fault.prepare !== undefined;
  if (fault.strike === ownDeath.strike && hasStruck) {
    const next = startRun(program, parts?.options, parts?.variables);
    check((await endOf(next, check)) === 0, `the next run failed: ${next.output().slice(-500)}`);
  } else {
    const allowed =
      hasStruck && fault.isUnderLoad ? fault.statuses : [0, ...(hasStruck ? fault.statuses : [])];
    check(allowed.includes(status), `status ${status} is none of ${allowed.join(", ")}`);
    for (const [name, text] of before) check(cellsIn(folder).get(name) === text, `${name} was changed`);
    checkFiles(folder, status, fault, check);
  }
  return { atMs, hasStruck, status, output: run.output() };
}

/** Longer than a question to the database may take. */
const cancelAfterMs = 100_000;
/** Far longer than all limits within a run together. */
const longestMs = 240_000;

async function endOf({ ended, child }: Running, check: Check): Promise<number> {
  const timer = setTimeout(() => {
    check(false, `it still ran after ${longestMs / 1_000} s`);
    child.kill("SIGKILL");
  }, longestMs);
  const status = await ended;
  clearTimeout(timer);
  return status;
}

/** Results for faults that only the report meets: one run's are as good as another's. */
const finished = new Map<string, string>();

async function finishedRun(program: Place): Promise<Run> {
  const { folder, root } = program;
  let kept = finished.get(root);
  if (kept === undefined) {
    const run = startRun(program);
    if ((await run.ended) !== 0) throw new Error(`a run without a fault failed:\n${run.output()}`);
    kept = mkdtempSync(join(tmpdir(), "chaos-finished-"));
    process.once("exit", () => rmSync(kept ?? "", { recursive: true, force: true }));
    await cp(join(folder, "results"), kept, { recursive: true });
    finished.set(root, kept);
  } else await cp(kept, join(folder, "results"), { recursive: true });
  return { atMs: 0, hasStruck: true, status: 0, output: "" };
}

function pick(random: () => number): Fault {
  return faults[Math.floor(random() * faults.length)] ?? ownDeath;
}

/** Every planned cell is in the report, measured or not; and only a whole report is status 0. */
function checkFiles(folder: string, status: number, { needsDisk }: Fault, check: Check): void {
  const cells = [...cellsIn(folder).values()].map((text) => JSON.parse(text) as { status: string });
  const measured = cells.filter((cell) => cell.status === "measured").length;
  if (status === 0) check(measured === endpoints.length, `status 0 with ${measured} cells measured`);
  if ((status !== 0 && status !== 3) || needsDisk) return; // no time, or no room, for a report in a file
  if (status === 3) check(measured < endpoints.length, "status 3 with all cells measured");
  const text = textIn(folder, "report.md");
  check(text !== undefined, "there is no report");
  for (const path of endpoints) check(withWholeNames(text ?? "").includes(path), `the report lacks ${path}`);
}

/** No process runs, no port listens, no file lies around; and each document is whole. */
async function checkLeftovers(folder: string, port: number, check: Check): Promise<void> {
  const processes = processesNaming(folder);
  check(processes.length === 0, `processes left: ${processes.join("; ")}`);
  check(await isFree(port), "the port is in use");
  const known = new Set(["results", "event", "ballast", "bin", "engine"]);
  const strangers = (await readdir(folder)).filter((name) => !known.has(name));
  check(strangers.length === 0, `files left: ${strangers.join(", ")}`);
  for (const [name, text] of cellsIn(folder))
    check(parseMeasurements([{ name, text }]).warnings.length === 0, `${name} is no document`);
}

/** The step after the run: one comment, of this run, in which no planned cell is missing. */
async function reportAndCheck(
  program: Parameters<typeof startRun>[0],
  fault: Fault,
  github: StandIn,
  random: () => number,
  check: Check,
): Promise<string> {
  const { folder } = program;
  if (textIn(folder, "plan.json") === undefined) return ""; // it ended before the plan
  const eventFolder = mkdtempSync(join(tmpdir(), "chaos-event-")); // the disk may be full
  try {
    const variables = await reportVariables(eventFolder, github.apiUrl);
    const start = () => startProgram(program, "report", {}, variables);
    let report = start();
    if (fault.reportSignal !== undefined) {
      await sleep(random() * reportSpanMs);
      report.child.kill(fault.reportSignal);
      await report.ended;
      report = start();
    }
    const status = await report.ended;
    const cells = [...cellsIn(folder).values()].map((text) => JSON.parse(text) as { status: string });
    const isWhole = cells.filter((cell) => cell.status === "measured").length === endpoints.length;
    const allowed = fault.needsDisk ? [0, 3] : [isWhole ? 0 : 3];
    check(allowed.includes(status), `the report ended with ${status}`);
    check(github.violations.length === 0, github.violations.join("; "));
    if (fault.mayLackComment) check(github.state.comments.size <= 1, "several comments");
    else for (const problem of commentProblems(github, endpoints)) check(false, problem);
    return `\n--- report\n${report.output()}`;
  } finally {
    await rm(eventFolder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((done) => {
    server.once("error", () => done(false));
    server.listen(port, "127.0.0.1", () => server.close(() => done(true)));
  });
}
