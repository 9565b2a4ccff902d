// Runs every test: Vitest, then pytest for the target app and for the probe, each on a seeded Postgres. The last line printed is the sum.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { runTypeScript } from "./lib/bundle.mjs";
import { pythonTool, root, toolsFolder } from "./lib/places.mjs";
import { run } from "./lib/run.mjs";
import { countJunit, countVitest, withStatus } from "./lib/test-counts.mjs";

const reports = join(toolsFolder, "test-reports");
const vitestReport = (part) => join(reports, `vitest-${part}.json`);
const pytestReport = (folder) => join(reports, `pytest-${folder}.xml`);

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

// The core and the commands must be covered by their own tests; counting what all the others reach takes minutes.
const pure = await vitest("pure", ["--coverage"]);
const real = await vitest("real", ["--project=fuzz", "--project=patient"]);
const targetApp = await pytest("target-app");
// They wait most of the time, so two processes share the files; a third would spoil what they time.
const probe = await pytest("probe", ["--numprocesses=2", "--dist=loadfile"]);

const counts = {
  "Vitest, pure": withStatus(countVitest(textOf(vitestReport("pure"))), pure),
  "Vitest, real": withStatus(countVitest(textOf(vitestReport("real"))), real),
  "pytest of the target app": withStatus(countJunit(textOf(pytestReport("target-app"))), targetApp),
  "pytest of the probe": withStatus(countJunit(textOf(pytestReport("probe"))), probe),
};
let passed = 0;
let failed = 0;
for (const [runner, count] of Object.entries(counts)) {
  console.log(
    `${runner}: ${count.passed} passed, ${count.failed} failed${count.problem === undefined ? "" : ` (${count.problem})`}`,
  );
  passed += count.passed;
  failed += count.failed;
}
const sum = `${passed} passed, ${failed} failed`;
writeFileSync(join(reports, "sum.txt"), `${sum}\n`);
console.log(sum);
process.exitCode = failed === 0 ? 0 : 1;

/** The project of this name, and more by options. */
function vitest(project, options) {
  return run([
    process.execPath,
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    `--project=${project}`,
    ...options,
    "--reporter=default",
    "--reporter=json",
    "--reporter=./scripts/lib/second-tries.mjs",
    `--outputFile.json=${vitestReport(project)}`,
  ]);
}

function pytest(folder, options = []) {
  return runTypeScript("scripts/with-database.ts", [
    pythonTool("target-app-dev", "python"),
    ...["-m", "pytest", folder, `--rootdir=${folder}`, "-c", `${folder}/pyproject.toml`],
    `--junitxml=${pytestReport(folder)}`,
    ...options,
  ]);
}

function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // the runner did not come so far; its exit status tells
  }
}
