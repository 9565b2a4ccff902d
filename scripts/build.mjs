// Bundles the command line, the tool that reproduces published reports, and the script of the report's page, into `dist/`,
// which is committed: the action runs it without installing anything.
// `--check` writes nothing and fails when `dist/` does not match its source; `--check FOLDER` checks that folder.
//
// The bytes depend on the source and the lock file alone: no absolute paths, no times. Our own code keeps its lines and
// names, except in the page's script, which is in every page.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { build, transform } from "esbuild";
import { licencesOf } from "./lib/licences.mjs";
import { bundlePageScript } from "./lib/page-script.mjs";
import { root } from "./lib/places.mjs";

const programs = { "dist/cli.js": "src/cli.ts", "dist/reproduce.js": "reproduce/cli.ts" };
const target = "node20";
const largestBytes = { "dist/cli.js": 1_710_000, "dist/reproduce.js": 1_220_000, "dist/page.js": 400_000 };

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

/**
 * jStat as its own Makefile puts it together, without the files and functions of which nothing here calls one, and with
 * no more distributions than `src/statistics/jstat.d.ts` declares.
 */
const fewerDistributions = {
  name: "parts of jStat",
  setup({ onLoad }) {
    const declared = readFileSync(join(root, "src/statistics/jstat.d.ts"), "utf8");
    const kept = new Set([...declared.matchAll(/^ {4}(?:readonly )?(\w+)[:(]/gm)].map(([, name]) => name));
    onLoad({ filter: /\/node_modules\/jstat\/dist\/jstat\.js$/ }, ({ path }) => {
      const parts = ["_header", "core", "special", "distribution", "_footer"];
      const files = parts.map((part) => join(dirname(path), "..", "src", `${part}.js`));
      const whole = files.map((file) => readFileSync(file, "utf8")).join("");
      const contents = whole.replaceAll(/^jStat\.extend\(jStat\.(\w+), \{\n.*?^\}\);\n/gms, (block, name) =>
        kept.has(name) ? block : "",
      );
      return { contents: withoutUnused(contents, kept), loader: "js" };
    });
  },
};

/** Leaves functions out until each that is left is kept, or named by another. */
function withoutUnused(program, kept) {
  const fewer = program.replaceAll(/^jStat\.(\w+) = function.*?^\};\n/gms, (block, name) => {
    const named = new RegExp(`\\bjStat\\.${name}\\b`, "g");
    const isNamed = program.match(named).length > block.match(named).length;
    return kept.has(name) || isNamed ? block : "";
  });
  return fewer === program ? program : withoutUnused(fewer, kept);
}

/**
 * Parts of `pg` that nobody asks for: an optional native driver, a pool of connections, a file of passwords, values in
 * binary form, and the binding of a password to a certificate.
 */
const plainConnections = {
  name: "plain connections",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]pg-types[\\/]lib[\\/]binaryParsers\.js$/ }, () => ({
      contents: "module.exports = { init() {} };",
    }));
    onLoad({ filter: /[\\/]pg[\\/]lib[\\/]crypto[\\/]cert-signatures\.js$/ }, () => ({
      contents: "module.exports = {};",
    }));
    onLoad({ filter: /[\\/]pgpass[\\/]lib[\\/]index\.js$/ }, () => ({
      contents: "module.exports = (connection, found) => found();",
    }));
    onLoad({ filter: /[\\/](?:pg[\\/]lib[\\/]native|pg-pool)[\\/]index\.js$/ }, () => ({
      contents: "module.exports = class {};",
    }));
  },
};

/** Of our own package only its version is asked for. */
const onlyVersion = {
  name: "only the version",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]package\.json$/ }, ({ path }) => {
      if (path !== join(root, "package.json")) return undefined;
      const { version } = JSON.parse(readFileSync(path, "utf8"));
      return { contents: JSON.stringify({ version }), loader: "json" };
    });
  },
};

/** Before Node 20.15 the second name that a file in an archive may have is not read: Node has no such sum of its own. */
const oneNameEach = {
  name: "one name each",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]yauzl[\\/]crc32\.js$/ }, () => ({ contents: "module.exports = () => -1;" }));
  },
};

/** Kinds of values that only YAML 1.1 has: a configuration is YAML 1.2, and one that says otherwise is read as that. */
const onlyYaml12 = {
  name: "only YAML 1.2",
  setup({ onLoad }) {
    const kinds = /[\\/]yaml-1\.1[\\/](?:binary|bool|float|int|omap|pairs|schema|set|timestamp)\.js$/;
    onLoad({ filter: kinds }, ({ path }) => {
      const [, names] = /^export \{ (.+) \};$/m.exec(readFileSync(path, "utf8"));
      const nothing = names.split(", ").map((name) => `export const ${name} = undefined;`);
      const isSchema = path.endsWith("schema.js");
      return { contents: isSchema ? 'export { schema } from "../core/schema.js";' : nothing.join("\n") };
    });
  },
};

/** What zod writes a schema's description with: our scripts ask for one, our programs never. */
const noSchemaWriters = {
  name: "no schema writers",
  setup({ onLoad }) {
    onLoad({ filter: /\/zod\/v4\/core\/(?:json-schema-processors|to-json-schema)\.js$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const names = [...text.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
      return { contents: names.map((name) => `export const ${name} = () => undefined;`).join("\n") };
    });
  },
};

const written = /\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)/;

/** What inputs say only in the documentation, which `npm run fix` writes from the source. */
const noDocumentation = {
  name: "no documentation",
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/config\/(?:inputs|file)\/[\w-]+\.ts$/ }, ({ path }) => {
      const unasked = path.includes("/file/") ? "details|example|description" : "details|example";
      const field = new RegExp(`\\b(?:${unasked}):${written.source},?`, "g");
      return { contents: readFileSync(path, "utf8").replaceAll(field, ""), loader: "ts" };
    });
  },
};

async function makeProgram([outfile, entry]) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    target,
    format: "esm",
    charset: "utf8",
    legalComments: "external",
    // Shorter words for the same, line by line: names and lines stay, for diffs and for traces of errors.
    minifySyntax: true,
    plugins: [
      ...[quietPackages, fewerDistributions, plainConnections, onlyVersion],
      ...[oneNameEach, onlyYaml12, noSchemaWriters, noDocumentation],
    ],
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
  });
  const files = filesOf(outputFiles, metafile, `${outfile}.LEGAL.txt`);
  return files.set(outfile, withoutMarks(await withoutIndentation(await smallPackages(files.get(outfile)))));
}

/**
 * Packages lose their spaces and the names inside of their functions: traces of errors and diffs need those of our own
 * code only. Names at the top stay, because other files use them.
 */
async function smallPackages(program) {
  const files = program.split(/^(?=\/\/ (?:node_modules|src|reproduce)\/\S+\n)/m).map(async (file) => {
    if (!file.startsWith("// node_modules/")) return file;
    // Without its imports esbuild takes a file for a script, whose top everybody may use.
    const imports = (file.match(/^import .*\n/gm) ?? []).join("");
    const script = file.replaceAll(/^import .*\n/gm, "");
    const options = { minify: true, lineLimit: 500, target, charset: "utf8", legalComments: "none" };
    const [mark] = file.split("\n", 1);
    return `${mark}\n${imports}${(await transform(script, options)).code}`;
  });
  return (await Promise.all(files)).join("");
}

async function makePageScript() {
  const { outputFiles, metafile } = await bundlePageScript();
  return filesOf(outputFiles, metafile, "dist/page.js.LEGAL.txt");
}

function filesOf(outputFiles, metafile, legal) {
  const files = new Map(outputFiles.map(({ path, text }) => [relative(root, path), text]));
  files.set(legal, `${licencesOf(metafile)}${files.get(legal) ?? ""}`);
  return files;
}

/** Marks that said what may be left out, and names of files: when all is put together, nobody reads them. */
function withoutMarks(text) {
  return text
    .replaceAll("/* @__PURE__ */ ", "")
    .replaceAll(/^\/\/ (?:node_modules|src|reproduce)\/\S+\n/gm, "");
}

/**
 * Spaces and semicolons that mean nothing are a tenth of our own code's bytes. Lines and names stay. Lines within a text
 * keep theirs: they are the only ends of lines that are left when all other spaces are left out.
 */
async function withoutIndentation(program) {
  const bare = await withoutSpaces(program);
  const ofTexts = new Set(bare.split("\n").slice(1).map(startOfText));
  const closerFile = (file) => {
    if (file.startsWith("// node_modules/")) return file;
    const lines = file.split("\n");
    return lines
      .map((line, index) => {
        if (ofTexts.has(startOfText(line))) return `\n${line}`;
        const close = closer(line, lines[index + 1]);
        const before = lines[index - 1] ?? "";
        // Brackets that close need no line, and neither does what stands first within them.
        const isJoined = /^[)}\]]+[;,]?$/.test(close) || /^[^`]{0,300}[[({]$/.test(before.trim());
        return isJoined && before !== "" && !/\/\/|`/.test(before) ? close : `\n${close}`;
      })
      .join("")
      .slice(1);
  };
  const files = program.split(/^(?=\/\/ (?:node_modules|src|reproduce)\/\S+\n)/m);
  const flat = files.map(closerFile).join("");
  if ((await withoutSpaces(flat)) !== bare)
    throw new Error("without indentation it would be another program");
  return flat;
}

/** Behind it is code again. */
function startOfText(line) {
  return line.split(/`|\$\{/, 1)[0];
}

const quoted = /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/;

/** A line in which a text of several lines or a regular expression may begin only loses its indentation. */
function closer(line, next = "") {
  const bare = line.replace(/^(?: {2})+/, "");
  const parts = bare.split(quoted);
  const isPlain = parts.every((part, index) => index % 2 === 1 || !/[`/"']/.test(part));
  const code = isPlain
    ? parts
        .map((part, index) =>
          index % 2 === 1 ? part : part.replaceAll(/ ?([=<>!?:,;*{}()[\]|&]+) ?/g, "$1"),
        )
        .join("")
    : bare;
  const isWithinText = bare.split("`").length % 2 === 0;
  const isEnded = /^ *(?:$|[([`+*/.,<-])/.test(next) || /^(?:for|if|while)\b/.test(code) || isWithinText;
  return isEnded ? code : code.replace(/;$/, "");
}

async function withoutSpaces(program) {
  const { code } = await transform(program, {
    minifyWhitespace: true,
    charset: "utf8",
    legalComments: "none",
  });
  return code;
}

async function makeFiles() {
  const made = await Promise.all([...Object.entries(programs).map(makeProgram), makePageScript()]);
  return new Map(made.flatMap((files) => [...files]));
}

/** Hashes of what the steps with the token may read, as `sha256sum` prints them: the text of action.yml has them. */
function actionWith(files) {
  const sumOf = (name, old) => {
    const text = name === "package.json" ? readFileSync(join(root, name)) : files.get(name);
    return text === undefined ? old : createHash("sha256").update(text).digest("hex");
  };
  const action = readFileSync(join(root, "action.yml"), "utf8");
  return action.replaceAll(/^( {10})([0-9a-f]{64})( {2})(\S+)$/gm, (_, before, old, space, name) =>
    [before, sumOf(name, old), space, name].join(""),
  );
}

function write(files) {
  writeFileSync(join(root, "action.yml"), actionWith(files));
  mkdirSync(join(root, "dist"), { recursive: true });
  for (const [path, text] of files)
    writeFileSync(join(root, path), text, { mode: path in programs ? 0o755 : 0o644 });
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
for (const [path, most] of Object.entries(largestBytes)) {
  const bytes = Buffer.byteLength(files.get(path));
  console.log(`${path}: ${(bytes / 1_000).toFixed(0)} kB`);
  if (bytes > most) {
    console.error(`${path} is larger than ${most / 1_000} kB`);
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
