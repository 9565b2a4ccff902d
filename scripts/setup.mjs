// Installs the needs of the demo, the tests and the linters, from locked versions with hashes. It may be run again at
// any time: existing parts are left alone.
//
// Plain Node without packages, because it runs before there are any.
import { firstLine } from "./lib/run.mjs";
import { chromiumStep } from "./setup/chromium.mjs";
import { newestPythonStep } from "./setup/newest-python.mjs";
import { nodeModulesStep } from "./setup/node-modules.mjs";
import { programStep } from "./setup/program.mjs";
import { actionlint, k6, mongod } from "./setup/programs.mjs";
import { pythonStep } from "./setup/python.mjs";

const steps = {
  k6: programStep(k6, hasFitK6),
  actionlint: programStep(actionlint),
  nodeModules: nodeModulesStep,
  chromium: chromiumStep,
  pythonTools: pythonStep("python", ["tools/python/requirements.txt"]),
  targetApp: pythonStep("target-app", ["target-app/requirements.txt"]),
  // An environment of its own: the demo alone needs neither the servers of the reports nor the linters.
  targetAppDev: pythonStep("target-app-dev", ["target-app/requirements-dev.txt"]),
};

/** A peer that one benchmark compares with; nothing else needs it. */
const locust = pythonStep("locust", ["tools/locust/requirements.txt"]);

/** What one sample needs; nothing else does. */
const mongoServer = programStep(mongod, () => firstLine(["mongod", "--version"]) !== undefined);

/** Environments in which the long tests serve an app, besides the newest. */
const oldVersions = ["oldest", "middle"].map((name) =>
  pythonStep(`old-versions-${name}`, [`tools/old-versions/${name}.txt`]),
);

const { k6: loadGenerator, chromium, targetApp, targetAppDev, nodeModules, pythonTools } = steps;
const programs = [loadGenerator, nodeModules, pythonTools, targetApp, targetAppDev];
const needs = {
  demo: [loadGenerator, targetApp], // the bundle needs no packages
  bench: [loadGenerator, nodeModules, targetApp, locust],
  pure: [nodeModules],
  page: [nodeModules, chromium],
  pytest: [nodeModules, targetAppDev],
  programs,
  test: [...programs, chromium],
  long: [...programs, chromium, newestPythonStep],
  samples: [...programs, chromium, mongoServer],
  versions: [loadGenerator, nodeModules, pythonTools, targetAppDev, newestPythonStep, ...oldVersions],
  lint: [steps.actionlint, nodeModules, pythonTools, targetAppDev],
  everything: Object.values(steps),
};

/** From 1.0 on k6 runs TypeScript and knows our options. */
function hasFitK6() {
  const line = firstLine([process.env.LOADTEST_K6 || "k6", "version"]);
  return /\bv[12]\./.test(line ?? "");
}

async function main([flag, purpose = "everything", ...rest]) {
  const purposes = purpose.split(",");
  if (
    (flag !== undefined && flag !== "--for") ||
    !purposes.every((each) => each in needs) ||
    rest.length > 0
  ) {
    console.error(`usage: setup.mjs [--for ${Object.keys(needs).join("|")},...]`);
    return 2;
  }
  const wanted = [...new Set(purposes.flatMap((each) => needs[each]))];
  const pending = wanted.filter((step) => !step.isDone());
  const missing = new Set(
    (await Promise.all([...pending.map((step) => step.missing()), missingNode()])).flat(),
  );
  if (missing.size > 0) {
    console.error(`This machine lacks:\n${[...missing].map((each) => `  - ${each}`).join("\n")}`);
    return 3;
  }
  // Side by side: most of them wait for the network, and none needs another.
  const ended = await Promise.allSettled(pending.map(install));
  const failures = ended.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  for (const failure of failures) console.error(`set-up: ${failure.message}`);
  return failures.length === 0 ? 0 : 3;
}

async function install(step) {
  const start = performance.now();
  console.log(`set-up: ${step.name}`);
  await step.install();
  console.log(`  ${step.name}: done in ${((performance.now() - start) / 1_000).toFixed(1)} s`);
}

function missingNode() {
  const major = Number(process.versions.node.split(".")[0]);
  return major >= 20 ? [] : [`node: 20 or newer (it is ${process.versions.node})`];
}

process.exitCode = await main(process.argv.slice(2)).catch((error) => {
  console.error(`set-up: ${error.message}`);
  return 3;
});
