// Bundles the command line into `dist/`, which is committed: the action runs it without installing anything.
// `--check` writes nothing and fails when `dist/` is not what its source makes.
//
// The bytes depend on the source and the lock file alone: no minifier, no absolute paths, no times.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { build } from "esbuild";
import { licencesOf } from "./lib/licences.mjs";
import { root } from "./lib/places.mjs";

const largestBytes = 2_000_000;

async function makeFiles() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["src/cli.ts"],
    outfile: "dist/cli.js",
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    charset: "utf8",
    legalComments: "external",
    // An optional native driver, which `pg` asks for only when told to.
    external: ["pg-native"],
    banner: {
      // CommonJS packages in an ES module need a `require` for Node's own modules.
      js: `#!/usr/bin/env node
import { createRequire as createRequireOfBundle } from "node:module";
const require = createRequireOfBundle(import.meta.url);`,
    },
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  const files = new Map(outputFiles.map(({ path, text }) => [relative(root, path), text]));
  const legal = "dist/cli.js.LEGAL.txt";
  files.set(legal, `${licencesOf(metafile)}${files.get(legal) ?? ""}`);
  return files;
}

function write(files) {
  mkdirSync(join(root, "dist"), { recursive: true });
  for (const [path, text] of files)
    writeFileSync(join(root, path), text, { mode: path.endsWith(".js") ? 0o755 : 0o644 });
}

/** Paths of files that are not as the source makes them. */
function differences(files) {
  return [...files].filter(([path, text]) => textOf(join(root, path)) !== text).map(([path]) => path);
}

function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

const files = await makeFiles().catch(() => process.exit(1)); // esbuild has said what is wrong
const bytes = Buffer.byteLength(files.get("dist/cli.js"));
console.log(`dist/cli.js: ${(bytes / 1_000).toFixed(0)} kB`);
if (bytes > largestBytes) {
  console.error(`dist/cli.js is larger than ${largestBytes / 1_000} kB`);
  process.exitCode = 1;
}
if (process.argv.includes("--check")) {
  const stale = differences(files);
  for (const path of stale)
    console.error(`${path} is not what its source makes; run \`npm run build\` and commit it`);
  if (stale.length > 0) process.exitCode = 1;
} else {
  write(files);
}
