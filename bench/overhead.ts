// Cost of a run beside the load itself, next to the same grid in a hand-written shell script.

import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import { generatorCost } from "./parts/generator-cost.ts";
import { reportCost } from "./parts/report-cost.ts";
import { seedCost } from "./parts/seed-cost.ts";
import { fileBytes, median, print, printFigures, rounded, timed } from "./parts/timing.ts";

const root = process.cwd();
const cli = join(root, "dist", "cli.js");
const k6 = find("k6", [join(root, ".tools", "bin")]);
const paths = ["/async_select?user_id=1", "/sync_select?user_id=1"];
const workers = ["1", "2"];
const secondsPerCell = 10;
const loadSeconds = paths.length * workers.length * secondsPerCell;

const work = await mkdtemp(join(tmpdir(), "bench-overhead-"));
try {
  await runOnce("1s"); // warms the caches
  const rounds = [];
  for (let round = 0; round < 2; round += 1) {
    const ours = await runOnce(`${secondsPerCell}s`);
    const undiagnosed = await runOnce(`${secondsPerCell}s`, ["--diagnose", "never"]);
    const plain = await plainScript();
    print(
      `round ${round + 1}: run ${ours.toFixed(1)} s, without diagnosis ${undiagnosed.toFixed(1)} s, shell script ${plain.toFixed(1)} s, load ${loadSeconds} s`,
    );
    rounds.push({ ours, undiagnosed, plain });
  }
  const help = [];
  for (let round = 0; round < 9; round += 1) help.push((await timed(["node", cli, "--help"])).seconds);
  const seed = await seedCost(root);
  const generator = await generatorCost(k6, join(root, "k6", "load.ts"));
  const report = await reportCost(cli);
  printFigures({
    runSecondsPerLoadSecond: rounded(median(rounds.map(({ ours }) => ours)) / loadSeconds),
    undiagnosedSecondsPerLoadSecond: rounded(
      median(rounds.map(({ undiagnosed }) => undiagnosed)) / loadSeconds,
    ),
    shellScriptSecondsPerLoadSecond: rounded(median(rounds.map(({ plain }) => plain)) / loadSeconds),
    runPerShellScriptRatio: rounded(median(rounds.map(({ ours, plain }) => ours / plain))),
    // The shell script looks for no causes.
    undiagnosedPerShellScriptRatio: rounded(
      median(rounds.map(({ undiagnosed, plain }) => undiagnosed / plain)),
    ),
    seedSeconds: seed.seedSeconds,
    copySeconds: seed.copySeconds,
    helpSeconds: rounded(median(help)),
    bundleBytes: fileBytes(cli),
    reportSeconds256Cells: rounded(report.seconds),
    reportPeakBytes256Cells: report.peakMemoryBytes,
    generatorCpuClosedRatio: generator.closed,
    generatorCpuOpenRatio: generator.open,
  });
} finally {
  await rm(work, { recursive: true, force: true });
}

/** Seconds of one whole `run`: Postgres, seed, servers, load, reports. */
async function runOnce(duration: string, more: readonly string[] = []): Promise<number> {
  const seed = readdirSync(join(root, "sql"))
    .filter((name) => name.endsWith(".sql"))
    .toSorted();
  const argv = [
    ...["node", cli, "run", "--app", "app.asgi:app", "--working-directory", "target-app"],
    ...["--install", join(root, ".tools", "target-app"), "--ready-path", "/health"],
    ...["--workers", workers.join(","), "--endpoints", paths.join("\n")],
    ...["--seed", seed.map((name) => join("sql", name)).join("\n"), "--duration", duration],
    ...["--results-directory", join(work, "results"), ...more],
  ];
  return (await timed(argv, { env: { LOADTEST_K6: k6 } })).seconds;
}

async function plainScript(): Promise<number> {
  const postgres = "/usr/lib/postgresql";
  const versions = existsSync(postgres)
    ? readdirSync(postgres).map((version) => join(postgres, version, "bin"))
    : [];
  const env = {
    K6: k6,
    PGBIN: find("initdb", versions).replace(/\/initdb$/, ""),
    VENV: join(root, ".tools", "target-app"),
    APP: join(root, "target-app"),
    SQL: join(root, "sql"),
    WORKERS: workers.join(" "),
    PATHS: paths.join(" "),
    SECONDS_PER_CELL: String(secondsPerCell),
  };
  return (await timed(["bash", join(root, "bench", "plain-k6.sh")], { env })).seconds;
}

function find(program: string, folders: readonly string[]): string {
  const all = [...folders, ...(process.env["PATH"] ?? "").split(delimiter)].map((folder) =>
    join(folder, program),
  );
  const found = all.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${program} is needed for this benchmark and was not found`);
  return found;
}
