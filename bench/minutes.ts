// How long people wait: whole comparisons through the program, each on a repository with two commits and ready environments.
//
// `npm run bench -- minutes` runs every case once; `-- CASE:RUNS ...` runs those named. The machine must be idle.
//
// - `equal`: one cell, nothing changed
// - `slower`: one cell, about 7% more CPU time, `max-slowdown: 5%`
// - `control`: our own app, four endpoints at 1 and 2 workers, `control: true`
// - `reached`: four endpoints at 1 and 2 workers, of which a harmless change reaches one
// - `twelve`: twelve endpoints at 1 and 2 workers, one of them about 5% slower

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { median, print, printFigures, rounded } from "./parts/timing.ts";

interface Case {
  readonly endpoints: number;
  /** Rounds that the first endpoint's loop takes in the head; the others take `usualRounds`. */
  readonly rounds: number;
  readonly options: readonly string[];
}

/** About half a millisecond, as much again as the rest of a request. */
const usualRounds = 20_000;
const everything = "--no-only-affected";
const [one, both] = [
  ["--workers", "1"],
  ["--workers", "1,2"],
];
const cases: Readonly<Record<string, Case>> = {
  equal: { endpoints: 1, rounds: usualRounds, options: [everything, ...one] },
  slower: { endpoints: 1, rounds: 1.1 * usualRounds, options: [everything, ...one, "--max-slowdown", "5%"] },
  control: { endpoints: 0, rounds: usualRounds, options: [...both, "--control"] },
  reached: { endpoints: 4, rounds: usualRounds + 1, options: both },
  twelve: { endpoints: 12, rounds: 1.08 * usualRounds, options: [everything, ...both] },
};
const ownEndpoints = [
  ...["/async_select?user_id=1", "/sync_select?user_id=1"],
  ...["/async_endpoint_async_processing?ms=20", "/health"],
];

const asked = process.argv.slice(2);
const figures: Record<string, number | string> = {};
for (const text of asked.length > 0 ? asked : Object.keys(cases)) {
  const [name = "", runs = "1"] = text.split(":");
  const chosen = cases[name];
  if (chosen === undefined)
    throw new Error(`not a case: ${name}; known are ${Object.keys(cases).join(", ")}`);
  const all: Result[] = [];
  for (let run = 1; run <= Number(runs); run += 1) {
    const result = await compare(name, chosen);
    all.push(result);
    print(
      `${name} ${run}/${runs}: ${result.seconds.toFixed(0)} s (${result.measuring.toFixed(0)} s after set-up), ${result.replicates} replicates; ${result.verdicts}`,
    );
  }
  figures[`${name}Seconds`] = rounded(median(all.map(({ seconds }) => seconds)));
  figures[`${name}SecondsAfterSetUp`] = rounded(median(all.map(({ measuring }) => measuring)));
  figures[`${name}Runs`] = all.length;
  figures[`${name}Verdicts`] = countsOf(all.flatMap(({ kinds }) => kinds));
}
printFigures(figures);

interface Result {
  readonly seconds: number;
  readonly measuring: number;
  readonly replicates: number;
  readonly kinds: readonly string[];
  readonly verdicts: string;
}

async function compare(name: string, { endpoints, rounds, options }: Case): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "bench-minutes-"));
  try {
    const results = join(folder, "results");
    const workload = endpoints === 0 ? ownApp() : generatedApp(folder, endpoints, rounds);
    const began = performance.now();
    let measuringFrom = began;
    const output = { text: "" };
    const child = spawn(
      "node",
      [
        ...["dist/cli.js", "run", ...workload, ...options, "--vus", "8", "--comment-mode", "never"],
        ...["--fail-on", "never", "--install", join(process.cwd(), ".tools", "target-app")],
        ...["--results-directory", results],
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (part: Buffer) => {
        output.text += part.toString();
        if (measuringFrom === began && /^\[1\/|affects/m.test(output.text)) measuringFrom = performance.now();
      });
    const status = await new Promise<number | null>((done) => child.once("close", done));
    if (status !== 0) throw new Error(`${name} ended with ${status}:\n${output.text.slice(-3_000)}`);
    const ended = performance.now();
    return {
      seconds: (ended - began) / 1_000,
      measuring: (ended - measuringFrom) / 1_000,
      ...cellsIn(join(results, "figures.json")),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function ownApp(): string[] {
  const files = readdirSync("sql").filter((name) => name.endsWith(".sql"));
  const seed = files
    .toSorted()
    .map((name) => join("sql", name))
    .join("\n");
  return [
    ...["--app", "app.asgi:app", "--working-directory", "target-app"],
    ...["--ready-path", "/health", "--seed", seed],
    ...["--endpoints", ownEndpoints.join("\n")],
  ];
}

/** Each endpoint's work is a file of its own, so that a change can reach one of them alone. */
function generatedApp(folder: string, endpoints: number, rounds: number): string[] {
  const repository = join(folder, "repository");
  mkdirSync(repository);
  const names = Array.from({ length: endpoints }, (_, index) => `work_${index}`);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@example.invalid", ...args], {
      cwd: repository,
      stdio: "ignore",
    });
  const workOf = (count: number) =>
    `def work():\n    for _ in range(1_000, ${1_000 + Math.round(count)}):\n        pass\n    return {"done": 1}\n`;
  git("init", "--initial-branch=main");
  for (const name of names) writeFileSync(join(repository, `${name}.py`), workOf(usualRounds));
  writeFileSync(
    join(repository, "main.py"),
    [
      ...names.map((name) => `import ${name}`),
      "from fastapi import FastAPI",
      "app = FastAPI()",
      '@app.get("/health")\nasync def health():\n    return {}',
      ...names.map((name) => `@app.get("/${name}")\nasync def get_${name}():\n    return ${name}.work()`),
      "",
    ].join("\n"),
  );
  git("add", "--all");
  git("commit", "--message=Base");
  writeFileSync(join(repository, "work_0.py"), workOf(rounds));
  git("commit", "--all", "--allow-empty", "--message=Head");
  return [
    ...["--app", "main:app", "--working-directory", repository, "--ready-path", "/health"],
    ...["--database", "none", "--base-ref", "HEAD~1"],
    ...["--endpoints", names.map((name) => `/${name}`).join("\n")],
  ];
}

function cellsIn(path: string): Pick<Result, "replicates" | "kinds" | "verdicts"> {
  const { cells } = JSON.parse(readFileSync(path, "utf8")) as {
    cells: { endpoint: string; verdict: string; throughputEffect?: number; replicates?: number }[];
  };
  const kinds = cells.map(({ verdict }) => verdict);
  const [first] = cells;
  const effect =
    first?.throughputEffect === undefined ? "" : `, first ${(100 * first.throughputEffect).toFixed(1)}%`;
  return {
    kinds,
    replicates: cells.reduce((all, { replicates = 0 }) => all + replicates, 0),
    verdicts: `${countsOf(kinds)}${effect}`,
  };
}

function countsOf(kinds: readonly string[]): string {
  return [...new Set(kinds)]
    .map((kind) => `${kinds.filter((each) => each === kind).length} ${kind}`)
    .join(", ");
}
