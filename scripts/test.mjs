// Runs tests, after the set-up that they need: Vitest, and pytest for the target app and the probe, each on a seeded
// Postgres. Without arguments all but the long ones; else `--long`, `--programs`, `--quick` (what the change touches) or
// files and folders. The last line of output is the sum.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

import { changedFiles } from "./lib/changed-files.mjs";
import { pythonTool, root, toolsFolder } from "./lib/places.mjs";
import { firstLine, run } from "./lib/run.mjs";
import { chosen, long, needsOf, programs, quick, usual } from "./lib/test-choices.mjs";
import { countJunit, countVitest, lookedAtAgain, withStatus } from "./lib/test-counts.mjs";

/** More failures than this are no chance, and would take long. */
const mostToLookAt = 10;

const choices = {
  usual: () => usual(changedFiles()),
  "--long": () => long,
  "--programs": () => programs,
  "--quick": () => quick(changedFiles() ?? []),
};

async function main(args) {
  const name = args.length === 0 ? "usual" : args[0].startsWith("--") ? args[0] : "files";
  if (name !== "files" && (choices[name] === undefined || args.length > 1)) {
    console.error("usage: test.mjs [--long|--programs|--quick|FILE...]");
    return 2;
  }
  const order = name === "files" ? chosen(args) : choices[name]();
  const needs = [...new Set(order.flat().flatMap(needsOf))].join(",");
  const status = await run([process.execPath, "scripts/setup.mjs", "--for", needs]);
  if (status !== 0) return status;
  leadToPython();
  const reports = join(toolsFolder, "test-reports", name.replace("--", ""));
  rmSync(reports, { recursive: true, force: true });
  mkdirSync(reports, { recursive: true });
  const counts = new Map();
  for (const parts of order)
    await Promise.all(parts.map(async (part) => counts.set(part, await runPart(part, reports))));
  for (const [part, count] of counts) if (part.again) counts.set(part, await lookAgain(part, count, reports));
  return report(counts, reports);
}

/** Tests start Python hundreds of times; a version manager's stand-in on PATH takes longer than Python itself. */
function leadToPython() {
  const python = firstLine(["python3", "-c", "import sys; print(sys.executable)"]);
  if (python) process.env.PATH = `${dirname(python)}${delimiter}${process.env.PATH}`;
}

const runPart = (part, reports, again) => (part.folder ? pytest : vitest)(part, reports, again);

/** What failed beside others runs once more with the machine to itself: a defect fails there, too. */
async function lookAgain(part, count, reports) {
  const { length } = count.failures;
  if (length === 0 || length > mostToLookAt) return count;
  console.log(`${part.name}: ${length} failed; they run again by themselves`);
  const again = part.folder
    ? ["--last-failed", "--numprocesses=0"]
    : ["--maxWorkers=1", ...new Set(count.files)];
  return lookedAtAgain(count, await runPart(part, reports, again));
}

function report(counts, reports) {
  let passed = 0;
  let failed = 0;
  for (const [{ name }, { seconds, ...count }] of counts) {
    const problem = count.problem === undefined ? "" : ` (${count.problem})`;
    console.log(`${name}: ${count.passed} passed, ${count.failed} failed${problem}, in ${seconds} s`);
    // Nobody shall take a run in which these passed for a clean one.
    for (const test of count.laterTries ?? []) console.log(`  passed on a later try only: ${test}`);
    for (const test of count.passedAgain ?? []) console.log(`  passed by itself only: ${short(test)}`);
    for (const failure of count.failures) console.log(`  ${short(failure)}`);
    passed += count.passed;
    failed += count.failed;
  }
  const sum = `${passed} passed, ${failed} failed`;
  writeFileSync(join(reports, "sum.txt"), `${sum}\n`);
  console.log(sum);
  return failed === 0 ? 0 : 1;
}

const short = (text) => text.replace(`${root}/`, "");

/** `again`: instead of the part's files, these, which have failed. */
async function vitest({ name, words, related, fuzzCases }, reports, again) {
  const file = join(reports, `${name}.json`);
  const flags = words.filter((word) => word.startsWith("--"));
  const argv = [
    ...[process.execPath, "node_modules/vitest/vitest.mjs", ...(related ? ["related", "--run"] : ["run"])],
    ...(again === undefined ? words : [...flags, ...again]),
    ...["--reporter=default", "--reporter=json", "--reporter=./scripts/lib/later-tries.mjs"],
    `--outputFile.json=${file}`,
  ];
  const cases = process.env.LOADTEST_FUZZ_CASES ?? fuzzCases;
  const variables = {
    ...(cases === undefined ? {} : { LOADTEST_FUZZ_CASES: String(cases) }),
    LOADTEST_LATER_TRIES: join(reports, `${name}-later-tries.txt`),
  };
  const { status, seconds } = await timed(() => run(argv, { variables }));
  const laterTries = (textOf(variables.LOADTEST_LATER_TRIES) ?? "").split("\n").filter((line) => line !== "");
  return { ...withStatus(countVitest(textOf(file)), status), laterTries, seconds };
}

/** A bad moment of a machine lasts seconds, so the later tries wait. The summary names a test that needed one. */
const reruns = ["--reruns=4", "--reruns-delay=3", "-rR"];

/** The probe's tests wait most of the time, so two processes share the files; a third would spoil their timing. */
const sharedFiles = { probe: ["--numprocesses=2", "--dist=loadfile"] };

async function pytest({ folder, words }, reports, again = []) {
  const file = join(reports, `${folder}.xml`);
  const argv = [
    ...[pythonTool("target-app-dev", "python"), "-m", "pytest", ...(words.length > 0 ? words : [folder])],
    ...[`--rootdir=${folder}`, "-c", `${folder}/pyproject.toml`, `--junitxml=${file}`],
    ...[...reruns, ...(sharedFiles[folder] ?? []), ...again],
  ];
  const { runTypeScript } = await import("./lib/bundle.mjs"); // its packages are there only after the set-up
  const { status, seconds } = await timed(() => runTypeScript("scripts/with-database.ts", argv));
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

process.exitCode = await main(process.argv.slice(2)).catch((error) => {
  console.error(error.message);
  return 2;
});
