// Every check that reads the files and starts nothing. No check writes; `npm run fix` does. Only `pins` asks the network,
// and is `not checked` without it.
import { readdirSync } from "node:fs";
import { cpus } from "node:os";
import { delimiter, join } from "node:path";

import { pythonTool, root, toolsFolder } from "./lib/places.mjs";
import { capture } from "./lib/run.mjs";

const node = process.execPath;
const inNodeModules = (name) => join(root, "node_modules/.bin", name);
const filesIn = (folder) => readdirSync(join(root, folder)).map((name) => join(folder, name));
/** Workflows for others to copy. */
const examples = filesIn("examples").filter((name) => name.endsWith(".yml"));
const workflows = [...filesIn(".github/workflows"), ...examples];
const schemaCheck = (schema, ...files) => [
  pythonTool("python", "check-jsonschema"),
  "--builtin-schema",
  schema,
  ...files,
];

const gates = {
  biome: [inNodeModules("biome"), "ci", "--error-on-warnings", "--colors=off"],
  types: [inNodeModules("tsc"), "--noEmit"],
  "types of the page": [inNodeModules("tsc"), "--noEmit", "--project", "page"],
  bundle: [node, "scripts/build.mjs", "--check"],
  ruff: [pythonTool("target-app-dev", "ruff"), "check", "target-app", "probe", "tools/otava"],
  "ruff format": [
    pythonTool("target-app-dev", "ruff"),
    "format",
    "--check",
    "target-app",
    "probe",
    "tools/otava",
  ],
  mypy: { argv: [pythonTool("target-app-dev", "mypy"), "."], folder: join(root, "target-app") },
  "mypy of the probe": { argv: [pythonTool("target-app-dev", "mypy"), "."], folder: join(root, "probe") },
  "mypy of the change points": {
    argv: [pythonTool("target-app-dev", "mypy"), "."],
    folder: join(root, "tools/otava"),
  },
  // With shellcheck on PATH it reads the scripts inside the workflows too.
  actionlint: [join(toolsFolder, "bin", "actionlint"), "-no-color", ...workflows],
  zizmor: [
    pythonTool("python", "zizmor"),
    "--offline",
    "--no-progress",
    "--color=never",
    "action.yml",
    ".github",
    ...examples,
  ],
  "schema of action.yml": schemaCheck("vendor.github-actions", "action.yml"),
  "schema of the workflows": schemaCheck("vendor.github-workflows", ...workflows),
  "schema of dependabot.yml": schemaCheck("vendor.dependabot", ".github/dependabot.yml"),
  pins: [node, "scripts/pins.mjs"],
  words: [node, "scripts/words.mjs"],
  shellcheck: [pythonTool("python", "shellcheck"), ".ci/run", ...shellScripts()],
};

function shellScripts() {
  return readdirSync(join(root, "scripts"))
    .filter((name) => name.endsWith(".sh"))
    .map((name) => join("scripts", name));
}

const variables = { PATH: [join(toolsFolder, "python", "bin"), process.env.PATH].join(delimiter) };

async function check([name, gate]) {
  const { argv, folder = root } = Array.isArray(gate) ? { argv: gate } : gate;
  const { code, text } = await capture(argv, { folder, variables });
  const isUnchecked = code === 0 && text.startsWith("not checked");
  console.log(`${code === 0 ? (isUnchecked ? "not checked" : "passed") : "FAILED"}  ${name}`);
  return { name, code, text, isUnchecked };
}

/** As many at a time as there are processors, in the order of the list. */
async function checkAll(waiting) {
  const results = [];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      results.push(await check(next));
  };
  await Promise.all(Array.from({ length: cpus().length }, worker));
  return results;
}

const results = await checkAll(Object.entries(gates));
const failed = results.filter(({ code }) => code !== 0);
for (const { name, text } of failed) console.log(`\n--- ${name} ---\n${text.trim()}`);
const unchecked = results.filter(({ isUnchecked }) => isUnchecked);
const note = unchecked.length === 0 ? "" : `, ${unchecked.length} not checked`;
const passed = results.length - failed.length - unchecked.length;
console.log(`\n${passed} of ${results.length} checks passed${note}`);
process.exitCode = failed.length === 0 ? 0 : 1;
