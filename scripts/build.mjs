// Bundles the command line and the script of the report's page into `dist/`, which is committed: the action runs it without
// installing anything. The tool that reproduces published reports, which no job runs, goes to `reproduce/dist/`.
// `--check` writes nothing and fails when `dist/` does not match its source; `--check FOLDER` checks that folder.
//
// The bytes depend on the source and the lock file alone: no absolute paths, no times. Our own names stay, for traces.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { build, transform } from "esbuild";
import { licencesOf } from "./lib/licences.mjs";
import { bundlePageScript } from "./lib/page-script.mjs";
import { root } from "./lib/places.mjs";

const target = "node20";
const executable = new Set(["dist/cli.js", "reproduce/dist/reproduce.js"]);
/** In bytes, for files that are loaded together. */
const limits = [
  { paths: ["dist/cli.js", "dist/engine.js", "dist/main.js"], most: 1_650_000 },
  { paths: ["dist/workstation.js"], most: 240_000 },
  { paths: ["reproduce/dist/reproduce.js"], most: 1_320_000 },
  { paths: ["dist/page.js"], most: 400_000 },
];

/**
 * Says for a package, which does not say so itself, that loading its files does nothing: those that nobody calls are then
 * left out. Of the toolkit that is its client for OpenID Connect, and with it a whole HTTP client.
 */
const quietPackages = {
  name: "quiet packages",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /./ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === quietPackages || !importer.includes("/node_modules/@actions/")) return undefined;
      const found = await resolve(path, { importer, resolveDir, kind, pluginData: quietPackages });
      return { ...found, sideEffects: false };
    });
  },
};

/** Packages lose the names inside of their functions: traces of errors need those of our own code only. */
const smallPackages = {
  name: "small packages",
  setup({ onLoad }) {
    onLoad({ filter: /\/node_modules\/.*\.js$/ }, async ({ path }) => {
      const options = { minifyIdentifiers: true, minifySyntax: true, legalComments: "inline" };
      const { code } = await transform(await readFile(path, "utf8"), { ...options, target, charset: "utf8" });
      return { contents: code };
    });
  },
};

/** The driver for Postgres also loads its pool, and the one that needs libpq. Nobody here uses either, or `.pgpass`. */
const oneDriver = {
  name: "one driver",
  setup({ onLoad }) {
    const filter = /\/node_modules\/(?:pg-pool\/index|pg\/lib\/native\/index)\.js$/;
    onLoad({ filter }, () => ({ contents: "module.exports = class {};" }));
    const passwords = "module.exports = (_, done) => done();";
    onLoad({ filter: /\/node_modules\/pgpass\/lib\/index\.js$/ }, () => ({ contents: passwords }));
  },
};

/** What the documents say of an input in addition to its description, which no program shows. */
const withoutDetails = {
  name: "without details",
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/config\/inputs\/[\w-]+\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      return { contents: source.replaceAll(/^ +details:\s+"(?:[^"\\\n]|\\.)*",\n/gm, ""), loader: "ts" };
    });
  },
};

/** Of our own manifest the programs read only the version. */
const versionOnly = {
  name: "version only",
  setup({ onLoad }) {
    onLoad({ filter: /\/package\.json$/ }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, "utf8"));
      return { contents: JSON.stringify({ version }), loader: "json" };
    });
  },
};

/** Published reports compare no versions: they suggest no changes and count no instructions. */
const noComparison = {
  name: "no comparison",
  setup({ onLoad }) {
    const stubs = {
      "diagnosis/edits": "export const editsOf = () => [];",
      "measure/causes/instructions":
        "export const secondsToCount = async () => 0, countInstructions = async (all) => all, countCells = () => [];",
    };
    for (const [path, contents] of Object.entries(stubs))
      onLoad({ filter: new RegExp(`/src/${path}\\.ts$`) }, () => ({ contents }));
  },
};

async function makePrograms(outputs, plugins = []) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    target,
    format: "esm",
    charset: "utf8",
    legalComments: "external",
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 120, // a trace's line then leads to a place
    plugins: [...plugins, quietPackages, oneDriver, smallPackages, versionOnly, withoutDetails],
    // Its build for Node is CommonJS, of which nothing can be left out; the other one is the same code as ES modules.
    alias: { yaml: "./node_modules/yaml/browser/index.js" },
    banner: {
      // CommonJS packages in an ES module need a `require` for Node's own modules.
      js: `#!/usr/bin/env node
import { createRequire as createRequireOfBundle } from "node:module";
const require = createRequireOfBundle(import.meta.url);`,
    },
    metafile: true,
    write: false,
    logLevel: "warning",
    ...outputs,
  });
  return filesOf(outputFiles, metafile);
}

/** esbuild calls what its two other files share a chunk. */
async function makeCommandLine() {
  const files = await makePrograms({
    ...{ entryPoints: ["src/cli.ts"], outdir: "dist", splitting: true, chunkNames: "[name]" },
  });
  return new Map(
    [...files].map(([path, text]) => [
      path.replace("chunk", "engine"),
      text.replaceAll(/(?<=(?:from|import)\s?")\.\/chunk\.js(?=")/g, "./engine.js"),
    ]),
  );
}

async function makePageScript() {
  const { outputFiles, metafile } = await bundlePageScript();
  return filesOf(outputFiles, metafile);
}

/** Texts by path; the licences of all are in one file, beside the first program. */
function filesOf(outputFiles, metafile) {
  const texts = outputFiles.map(({ path, text }) => [relative(root, path), text]);
  const programs = texts.filter(([path]) => path.endsWith(".js")).toSorted();
  const legal = texts.filter(([path]) => !path.endsWith(".js")).map(([, text]) => text);
  return new Map([...programs, [`${programs[0][0]}.LEGAL.txt`, `${licencesOf(metafile)}${legal.join("")}`]]);
}

async function makeFiles() {
  const made = await Promise.all([
    makeCommandLine(),
    makePrograms({ entryPoints: ["reproduce/cli.ts"], outfile: "reproduce/dist/reproduce.js" }, [
      noComparison,
    ]),
    makePageScript(),
  ]);
  return new Map(made.flatMap((files) => [...files]).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** Hashes of what the steps with the token may read, as `sha256sum` prints them: the text of action.yml has them. */
function actionWith(files) {
  const read = [...files].filter(([path]) => path.startsWith("dist/"));
  const texts = [["package.json", readFileSync(join(root, "package.json"))], ...read];
  const list = texts.map(
    ([name, text]) => `          ${createHash("sha256").update(text).digest("hex")}  ${name}\n`,
  );
  const action = readFileSync(join(root, "action.yml"), "utf8");
  return action.replaceAll(/(?:^ {10}\w+ {2}(?:package\.json|dist\/\S+)\n)+/gm, list.join(""));
}

function write(files) {
  writeFileSync(join(root, "action.yml"), actionWith(files));
  for (const folder of ["dist", "reproduce/dist"]) mkdirSync(join(root, folder), { recursive: true });
  for (const [path, text] of files)
    writeFileSync(join(root, path), text, { mode: executable.has(path) ? 0o755 : 0o644 });
}

/** Paths of files that differ from those made of the source. */
function differences(files, folder) {
  return [...files].filter(([path, text]) => textOf(join(folder, path)) !== text).map(([path]) => path);
}

function textOf(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

/** esbuild has printed a mistake of its own. */
function stop({ errors, message }) {
  if (errors === undefined) console.error(message);
  process.exit(1);
}

const files = await makeFiles().catch(stop);
for (const { paths, most } of limits) {
  const bytes = paths.reduce((sum, path) => sum + Buffer.byteLength(files.get(path)), 0);
  console.log(`${paths.join(" + ")}: ${(bytes / 1_000).toFixed(0)} kB`);
  if (bytes > most) {
    console.error(`${paths.join(" + ")}: larger than ${most / 1_000} kB`);
    process.exitCode = 1;
  }
}
if (files.get("dist/page.js").toLowerCase().includes("</script")) {
  console.error("dist/page.js would end the page's script element");
  process.exitCode = 1;
}
const [, , flag, checked = root] = process.argv;
if (flag === "--check") {
  const stale = differences(files, checked);
  if (checked === root && actionWith(files) !== textOf(join(root, "action.yml"))) stale.push("action.yml");
  for (const path of stale)
    console.error(`${path} is not what its source makes; run \`npm run build\` and commit it`);
  if (stale.length > 0) process.exitCode = 1;
} else {
  write(files);
}
