import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";

import { root, toolsFolder } from "./places.mjs";
import { run } from "./run.mjs";

/**
 * Runs a TypeScript file of this repository with the packages as they are installed. Node 20 cannot read it itself.
 * The working directory is the repository; `import.meta.url` is that of the bundle, so it is of no use there.
 */
export async function runTypeScript(entry, args = [], options = {}) {
  const bundle = join(toolsFolder, "bundles", `${basename(entry, ".ts")}.mjs`);
  const { outputFiles } = await build({
    entryPoints: [join(root, entry)],
    bundle: true,
    packages: "external",
    platform: "node",
    target: "node20",
    format: "esm",
    sourcemap: "inline",
    write: false,
    logLevel: "warning",
  });
  mkdirSync(dirname(bundle), { recursive: true });
  // As a whole: another run of it may be reading.
  writeFileSync(`${bundle}.part`, outputFiles[0].contents);
  renameSync(`${bundle}.part`, bundle);
  return run([process.execPath, "--enable-source-maps", bundle, ...args], options);
}
