// Writes everything that can be written for you: format, safe fixes of the linters, parts made from the inputs, the
// bundle.
import { join } from "node:path";

import { pythonTool, root } from "./lib/places.mjs";
import { run } from "./lib/run.mjs";

const ruff = pythonTool("target-app-dev", "ruff");
const commands = [
  [join(root, "node_modules/.bin/biome"), "check", "--write", "--log-level=warn"],
  [ruff, "check", "--fix", "--quiet", "target-app", "probe"],
  [ruff, "format", "--quiet", "target-app", "probe"],
  [process.execPath, "scripts/write-schema.mjs"],
  [process.execPath, "scripts/build.mjs"],
];

for (const argv of commands) process.exitCode = (await run(argv)) || process.exitCode;
