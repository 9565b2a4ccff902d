// Runs tests: Vitest, then pytest for the target app and for the probe, each on a seeded Postgres. The argument selects
// them: `usual`, `long` or `programs`. The last line of output is the sum.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

import { runTypeScript } from "./lib/bundle.mjs";
import { pythonTool, root, toolsFolder } from "./lib/places.mjs";
import { firstLine, run } from "./lib/run.mjs";
import { choices, options } from "./lib/test-choices.mjs";
import { countJunit, countVitest, lookedAtAgain, withStatus } from "./lib/test-counts.mjs";

let reports;

/** More failures than this are no chance, and would take long. */
const mostToLookAt = 10;

async function main([name = "usual", ...rest]) {
  const choice = choices[name];
  if (choice === undefined || rest.length > 0) {
    console.error(`usage: test.mjs [${Object.keys(choices).join("|")}]`);
    return 2;
  }
  leadToPython();
  reports = join(toolsFolder, "test-reports", name);
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const counts = {};
  for (const parts of choice.order) {
    const made = await Promise.all(parts.map((part) => runPart(part, choice)));
    for (const [part, count] of made) counts[part] = count;
  }
  for (const part of choice.again) counts[part] = await lookAgain(part, counts[part], choice);
  return report(counts);
}

/** Tests start Python hundreds of times; a version manager's stand-in on PATH takes longer than Python itself. */
function leadToPython() {
  const python = firstLine(["python3", "-c", "import sys; print(sys.executable)"]);
  if (python) process.env.PATH = `${dirname(python)}${delimiter}${process.env.PATH}`;
}

async function runPart(part, choice) {
  return [part, await (part in choice.vitest ? vitest(part, choice) : pytest(part))];
}

/** What failed beside others runs once more with the machine to itself: a defect fails there, too. */
async function lookAgain(part, count, choice) {
  if (count === undefined || count.failures.length === 0 || count.failures.length > mostToLookAt)
    return count;
  console.log(`${part}: ${count.failures.length} failed; they run again by themselves`);
  const again = await (part in choice.vitest
    ? vitest(part, choice, [...new Set(count.files)])
    : pytest(part, ["--last-failed", "--numprocesses=0"]));
  return lookedAtAgain(count, again);
}

function report(counts) {
  let passed = 0;
  let failed = 0;
  for (const [part, { seconds, ...count }] of Object.entries(counts)) {
    const problem = count.problem === undefined ? "" : ` (${count.problem})`;
    console.log(`${part}: ${count.passed} passed, ${count.failed} failed${problem}, in ${seconds} s`);
    for (const name of count.passedAgain ?? [])
      console.log(`  passed by itself only: ${name.replace(`${root}/`, "")}`);
    for (const failure of count.failures) console.log(`  ${failure.replace(`${root}/`, "")}`);
    passed += count.passed;
    failed += count.failed;
  }
  const sum = `${passed} passed, ${failed} failed`;
  writeFileSync(join(reports, "sum.txt"), `${sum}\n`);
  console.log(sum);
  return failed === 0 ? 0 : 1;
}

/** The projects of a part in one run of Vitest. `again`: only these files, one after the other. */
async function vitest(part, { vitest: parts, coverage, fuzzCases }, again = []) {
  const file = join(reports, `vitest-${part}.json`);
  const vitestProgram = join(root, "node_modules/vitest/vitest.mjs");
  const words = [
    ...[process.execPath, vitestProgram, "run", ...parts[part].map((each) => `--project=${each}`)],
    ...(coverage.includes(part) ? ["--coverage"] : []),
    ...(again.length > 0 ? ["--maxWorkers=1", ...again] : []),
    ...["--reporter=default", "--reporter=json", "--reporter=./scripts/lib/later-tries.mjs"],
    `--outputFile.json=${file}`,
  ];
  const cases = process.env.LOADTEST_FUZZ_CASES ?? String(fuzzCases);
  const { status, seconds } = await timed(() => run(words, { variables: { LOADTEST_FUZZ_CASES: cases } }));
  return { ...withStatus(countVitest(textOf(file)), status), seconds };
}

async function pytest(folder, again = []) {
  const file = join(reports, `pytest-${folder}.xml`);
  const words = [
    ...[pythonTool("target-app-dev", "python"), "-m", "pytest", folder],
    ...[`--rootdir=${folder}`, "-c", `${folder}/pyproject.toml`, `--junitxml=${file}`],
    ...(options.pytest[folder] ?? []),
    ...again,
  ];
  const { status, seconds } = await timed(() => runTypeScript("scripts/with-database.ts", words));
  return { ...withStatus(countJunit(textOf(file)), status), seconds };
}

async function timed(running) {
  const began = performance.now();
  const status = await running();
  return { status, seconds: Math.round((performance.now() - began) / 1_000) };
}

function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // the runner did not get that far; its exit status tells
  }
}

process.exitCode = await main(process.argv.slice(2));
