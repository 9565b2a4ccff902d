// Gets what the demo, the tests and the linters need, from locked versions with hashes. It may be run again at any
// time: what is there already is left as it is.
//
// Plain Node without packages, because it runs before there are any.
import { firstLine } from "./lib/run.mjs";
import { nodeModulesStep } from "./setup/node-modules.mjs";
import { programStep } from "./setup/program.mjs";
import { actionlint, k6 } from "./setup/programs.mjs";
import { pythonStep } from "./setup/python.mjs";

const steps = {
  k6: programStep(k6, hasFitK6),
  actionlint: programStep(actionlint),
  nodeModules: nodeModulesStep,
  pythonTools: pythonStep("python", ["tools/python/requirements.txt"]),
  targetApp: pythonStep("target-app", ["target-app/requirements.txt", "target-app/requirements-dev.txt"]),
};

const { k6: loadGenerator, targetApp, nodeModules, pythonTools } = steps;
const needs = {
  demo: [loadGenerator, targetApp], // the bundle needs no packages
  bench: [loadGenerator, nodeModules, targetApp],
  test: [loadGenerator, nodeModules, pythonTools, targetApp],
  lint: [steps.actionlint, nodeModules, pythonTools, targetApp],
  everything: Object.values(steps),
};

/** k6 1.0 and newer run TypeScript and know our options. */
function hasFitK6() {
  const line = firstLine([process.env.LOADTEST_K6 || "k6", "version"]);
  return Number(/\bv(\d+)\./.exec(line ?? "")?.[1] ?? 0) >= 1;
}

async function main([flag, purpose = "everything", ...rest]) {
  const wanted = needs[purpose];
  if ((flag !== undefined && flag !== "--for") || wanted === undefined || rest.length > 0) {
    console.error(`usage: setup.mjs [--for ${Object.keys(needs).join("|")}]`);
    return 2;
  }
  const pending = wanted.filter((step) => !step.isDone());
  const missing = new Set(
    (await Promise.all([...pending.map((step) => step.missing()), missingNode()])).flat(),
  );
  if (missing.size > 0) {
    console.error(`This machine lacks:\n${[...missing].map((each) => `  - ${each}`).join("\n")}`);
    return 3;
  }
  for (const step of pending) {
    const start = performance.now();
    console.log(`set-up: ${step.name}`);
    await step.install();
    console.log(`  done in ${((performance.now() - start) / 1_000).toFixed(1)} s`);
  }
  return 0;
}

function missingNode() {
  const major = Number(process.versions.node.split(".")[0]);
  return major >= 20 ? [] : [`node: 20 or newer (it is ${process.versions.node})`];
}

process.exitCode = await main(process.argv.slice(2)).catch((error) => {
  console.error(`set-up: ${error.message}`);
  return 3;
});
