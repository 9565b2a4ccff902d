// Runs every test: Vitest, then pytest for the target app on a seeded Postgres. The last line printed is the sum.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { runTypeScript } from "./lib/bundle.mjs";
import { pythonTool, root, toolsFolder } from "./lib/places.mjs";
import { run } from "./lib/run.mjs";
import { countJunit, countVitest, withStatus } from "./lib/test-counts.mjs";

const reports = join(toolsFolder, "test-reports");
const vitestReport = join(reports, "vitest.json");
const pytestReport = join(reports, "pytest.xml");

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

const vitest = await run([
  process.execPath,
  join(root, "node_modules/vitest/vitest.mjs"),
  "run",
  "--coverage",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${vitestReport}`,
]);
const pytest = await runTypeScript("scripts/with-database.ts", [
  pythonTool("target-app", "python"),
  ...["-m", "pytest", "target-app", "--rootdir=target-app", "-c", "target-app/pyproject.toml"],
  `--junitxml=${pytestReport}`,
]);

const counts = {
  Vitest: withStatus(countVitest(textOf(vitestReport)), vitest),
  pytest: withStatus(countJunit(textOf(pytestReport)), pytest),
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

function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // the runner did not come so far; its exit status tells
  }
}
