// How often equal code, and edits that change nothing, are called dearer or cheaper by their instructions, and how often 1% more
// CPU time in one of twelve endpoints is told.
//
// `npm run bench -- instructions RUNS [FILE]` runs equal code in each second run, and the edits by turns in the others. Each run
// is an app with twelve endpoints, on two starts of each arm; two of four runs have a task in the background. With a file,
// what was counted is appended to it. With `--dearer`, four of the endpoints take 1% more CPU time in each run.

import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  countCells,
  files,
  instructionChange,
  makePlan,
  measurePorts,
  openShared,
  parseConfig,
  prepare,
} from "../src/engine.ts";
import { dearer, type Edit, edits, roundsOfOnePercent } from "./instructions/edits.ts";
import { print, printFigures } from "./parts/timing.ts";

const app = resolve("bench/instructions");
const endpoints = [
  ...["/models", "/thread", "/database", "/wait", "/gather", "/fills"],
  ...["/garbage", "/random", "/clock", "/text", "/json", "/sets"],
];

interface Result {
  readonly endpoint: string;
  readonly edit: string;
  /** ln(head / base), with half its interval. */
  readonly effect: number;
  readonly half: number;
  readonly kind: string;
  readonly millions: number;
}

const isDearer = process.argv.includes("--dearer");
const [runs = "2", recording] = process.argv.slice(2).filter((each) => each !== "--dearer");
const results: Result[] = [];
const unseen: string[] = [];
const seconds: number[] = [];
for (let run = 0; run < Number(runs); run += 1) {
  const neutral = edits.slice(1);
  const harmless = run % 2 === 0 ? edits[0] : neutral[((run - 1) / 2) % neutral.length];
  const edit = isDearer ? dearer : harmless;
  if (edit !== undefined) await countOnce(edit, run % 4 >= 2);
}
const called = results.filter(({ kind }) => kind !== "none");
for (const endpoint of endpoints) print(rowOf(endpoint));
const isOwn = ({ endpoint }: Result) => isDearer && endpoint in roundsOfOnePercent;
const kinds = (isEqual: boolean) => results.filter(({ edit }) => (edit === "none") === isEqual);
printFigures({
  dearer: results.filter(isOwn).length,
  dearerTold: results.filter((each) => isOwn(each) && each.kind === "more").length,
  othersTold: called.filter((each) => isDearer && !isOwn(each)).length,
  equal: kinds(true).length,
  equalCalled: called.filter(({ edit }) => edit === "none").length,
  neutral: kinds(false).length,
  neutralCalled: called.filter(({ edit }) => edit !== "none").length,
  outsideInterval: results.filter(({ effect, half }) => Math.abs(effect) > half).length,
  medianEffect: middle(results.map(({ effect }) => Math.abs(effect))),
  largestEffect: Math.max(...results.map(({ effect }) => Math.abs(effect))),
  medianHalf: middle(results.map(({ half }) => half)),
  unseen: unseen.length,
  secondsEachRun: middle(seconds),
});

async function countOnce(edit: Edit, hasTicks: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bench-instructions-"));
  try {
    const repository = join(folder, "repository");
    commitArms(repository, edit);
    await using shared = await openShared(process.env);
    const { workload } = parseConfig(
      "measure",
      {
        ...{ app: "app:app", "working-directory": repository, install: resolve(".tools", "target-app") },
        ...{ database: "none", "ready-path": "/health", workers: "1", endpoints: endpoints.join("\n") },
        ...{ "base-ref": "HEAD~1", "results-directory": join(folder, "results") },
        ...(hasTicks && { "app-env": "TICKS=1" }),
      },
      files,
    );
    if (workload === undefined) throw new Error("measure has a workload");
    const { cells, design } = makePlan(workload);
    if (design === undefined) throw new Error("it compares");
    const made = await measurePorts({ resultsDirectory: join(folder, "results") }, workload, shared);
    const ports = { ...made, progress: () => undefined };
    await using prepared = await prepare(workload, {}, ports);
    const began = performance.now();
    const counted = await countCells(cells, prepared, ports);
    seconds.push((performance.now() - began) / 1_000);
    for (const instructions of counted.values()) {
      const endpoint = endpoints[[...counted.values()].indexOf(instructions)] ?? "";
      if (recording !== undefined)
        appendFileSync(
          recording,
          `${JSON.stringify({ endpoint, edit: edit.name, hasTicks, instructions })}\n`,
        );
      const change = instructionChange(instructions, { ...design, cells: isDearer ? cells.length : 1 });
      if (typeof change === "string") unseen.push(`${endpoint}: ${change}`);
      else {
        const { value, interval } = change.effect;
        const half = Math.log1p(interval?.high ?? 0) - Math.log1p(value);
        const { kind, arms } = change;
        results.push({
          endpoint,
          edit: edit.name,
          effect: Math.log1p(value),
          half,
          kind,
          millions: arms.base / 1e6,
        });
        if (kind !== "none")
          print(`called ${kind}: ${edit.name} ${endpoint} ${JSON.stringify(instructions)}`);
      }
    }
    print(`${edit.name}: ${seconds.at(-1)?.toFixed(0)} s${unseen.length > 0 ? `, ${unseen.at(-1)}` : ""}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function commitArms(repository: string, edit: Edit): void {
  cpSync(app, repository, { recursive: true, filter: (path) => !path.endsWith(".ts") });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@example.invalid", ...args], {
      cwd: repository,
      stdio: "ignore",
    });
  git("init");
  git("add", "--all");
  git("commit", "--message", "base");
  for (const file of readdirSync(repository).filter((name) => name.endsWith(".py"))) {
    const path = join(repository, file);
    writeFileSync(path, edit.make(file, readFileSync(path, "utf8")));
  }
  git("commit", "--all", "--allow-empty", "--message", "head");
}

function rowOf(endpoint: string): string {
  const own = results.filter((each) => each.endpoint === endpoint);
  const percents = (values: readonly number[]) => (100 * middle(values)).toFixed(2);
  const largest = Math.max(0, ...own.map(({ effect }) => Math.abs(effect)));
  return `${endpoint.padEnd(10)} ${middle(own.map(({ millions }) => millions)).toFixed(2)} M, |effect| ${percents(own.map(({ effect }) => Math.abs(effect)))}% (largest ${(100 * largest).toFixed(2)}%), ± ${percents(own.map(({ half }) => half))}%`;
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
