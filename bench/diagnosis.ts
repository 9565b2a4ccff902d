// Checks that diagnosis names the right cause and line, and measures the cost of the probe.
//
// `npm run bench -- diagnosis` runs everything; groups (`report`, `small`, `healthy`, `cost`) and starts of names
// select. `--record` keeps the results for the table, and `--write` puts a summary into docs/internals/evidence.md.

import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { cpuSetsOf } from "../src/engine.ts";
import { type Case, cases, costCases } from "./diagnosis/cases.ts";
import { costOf } from "./diagnosis/cost.ts";
import { Databases } from "./diagnosis/databases.ts";
import { outcomeOf, placeOf, wantedOf } from "./diagnosis/expectation.ts";
import { diagnose, type Ground } from "./diagnosis/phase.ts";
import { type CaseResult, figuresOf, type Results, readResults, writeResults } from "./diagnosis/results.ts";
import { costRow, resultRow, writeTable } from "./diagnosis/table.ts";
import { print, printFigures } from "./parts/timing.ts";

const flags = process.argv.slice(2).filter((word) => word.startsWith("--"));
const names = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const pairs = 300;
const isWanted = ({ name, group }: Case) =>
  names.length === 0 || names.some((start) => group === start || name.startsWith(start));

const workFolder = await mkdtemp(join(tmpdir(), "bench-diagnosis-"));
await chmod(workFolder, 0o711); // Postgres may run as another user and must reach its own folder below
try {
  const signal = new AbortController().signal;
  const cpuSets = await cpuSetsOf({ logPath: join(workFolder, "taskset.log"), signal });
  // The users are in this process, so that the app has its CPU to itself.
  if (cpuSets !== undefined)
    execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", cpuSets.others, String(process.pid)]);
  await using databases = new Databases(workFolder, cpuSets?.others);
  const results = await measure({ workFolder, databases, cpuSets });
  if (flags.includes("--record")) writeResults(results);
  if (flags.includes("--write")) writeTable(readResults());
  printFigures(figuresOf(results));
} finally {
  await rm(workFolder, { recursive: true, force: true });
}

async function measure(ground: Ground): Promise<Results> {
  const results: CaseResult[] = [];
  for (const app of cases.filter(isWanted)) {
    const result = await resultOf(app, ground);
    print(resultRow(result));
    results.push(result);
  }
  const costs: Results["costs"][number][] = [];
  for (const app of costCases.filter(isWanted)) {
    const cost = await costOf(app, ground, pairs);
    print(costRow(cost));
    costs.push(cost);
  }
  return { cases: results, costs };
}

async function resultOf(app: Case, ground: Ground): Promise<CaseResult> {
  const wanted = app.expected && wantedOf(app.expected, app.folder);
  const { findings, evidence, seconds, warnings } = await diagnose(app, ground);
  const outcome = outcomeOf(wanted, findings);
  const isVerbose = flags.includes("--verbose");
  if (isVerbose || outcome !== "hit")
    print(
      JSON.stringify(isVerbose ? { findings, evidence } : { findings, parts: evidence?.partsMs }, null, 1),
    );
  for (const warning of warnings) print(`  ${warning}`);
  const [first] = findings;
  return {
    ...{ name: app.name, group: app.group, outcome, seconds },
    wanted: wanted ?? null,
    found: first === undefined ? null : { cause: first.cause, place: placeOf(first) ?? null },
    others: findings.slice(1).map(({ cause }) => cause),
  };
}
