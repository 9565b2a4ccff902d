import { readdirSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";

import { root } from "./places.mjs";
import { families, isBelow } from "./test-families.mjs";

/**
 * What each command runs: lists of parts that follow each other; parts of one list run side by side. A part is one start
 * of Vitest (`words`: projects, files and flags) or of pytest (`folder`, and files in `words`). `again`: what failed runs
 * once more at the end, with the machine to itself.
 */

const projects = (...names) => names.map((name) => `--project=${name}`);

/**
 * `changed`: paths that differ from the main branch; `undefined`, if nobody knows, makes everything run whole. CI leaves
 * nothing out, counts coverage, which takes half as long again, and tries more random cases.
 */
export function usual(changed, isCi = process.env.CI === "true") {
  const left = families.filter((family) => !isCi && changed !== undefined && !isTouched(family, changed));
  const vitest = left.filter(isOf("vitest"));
  const smoke = vitest.flatMap((family) => family.smoke ?? []);
  const isLeft = (path) =>
    vitest.some(({ tests, smoke: one }) => one && tests.some((each) => isBelow(path, each)));
  const real = testsBelow("test").filter(
    (path) => (!isPure(path) || isFuzz(path)) && !isLong(path) && !isLeft(path),
  );
  return [
    // The core and the commands must be covered by their own tests; the reach of all others does not count.
    [{ name: "pure", words: [...projects("pure"), ...(isCi ? ["--coverage"] : [])] }],
    // Beside the pure tests they would take as long in all, and miss their moments.
    [
      {
        ...{ name: "real", again: true },
        fuzzCases: isCi ? 10_000 : vitest.some(({ name }) => name === "fuzz") ? 100 : 2_000,
        words: [...projects("fuzz", "programs", "timed", "alone"), ...real.map(absolute)],
      },
    ],
    smoke.length === 0
      ? []
      : [{ name: "smoke", again: true, words: ["--tagsFilter=smoke", ...smoke.map(absolute)] }],
    [
      {
        name: "target-app",
        folder: "target-app",
        again: true,
        words: left.filter(isOf("target-app")).map(smokeOf),
      },
      { name: "probe", folder: "probe", again: true, words: left.filter(isOf("probe")).map(smokeOf) },
    ],
  ];
}

const smokeOf = ({ smoke }) => smoke;
const isLong = (path) => path.includes(".long.");
const isFuzz = (path) => path.startsWith("test/fuzz/");

/** What takes minutes each. */
export const long = [[{ name: "long", again: true, words: projects("long", "long-alone") }]];

/** Tests that another processor or another Node may change. */
export const programs = [
  [{ name: "real", again: true, words: projects("programs", "timed", "alone") }],
  [{ name: "probe", folder: "probe", again: true, words: [] }],
];

/** What a change touches: tests that import a changed file, those of changed adapters, and contracts in any case. */
export function quick(changed) {
  const touched = families.filter((family) => isTouched(family, changed));
  const folders = changed.flatMap((path) => /^src\/(adapters\/[^/]+\/)/.exec(path)?.[1] ?? []);
  const wanted = [
    ...folders.map((folder) => `test/${folder}`),
    ...touched.filter(isOf("vitest")).flatMap(({ tests }) => tests),
  ];
  const isWanted = (path) => wanted.some((prefix) => isBelow(path, prefix)) && !isLong(path);
  const real = testsBelow("test").filter(
    (path) => !isPure(path) && (changed.includes(path) || isWanted(path)),
  );
  const code = changed.filter((path) => /\.(?:ts|mjs)$/.test(path) && exists(path));
  const related = [...code, ...testsBelow("test/contract")].map(absolute);
  return [
    [{ name: "pure", related: true, words: [...projects("pure"), ...related] }],
    real.length === 0 ? [] : [{ name: "real", again: true, words: real.map(absolute) }],
    pytestFolders
      .filter((folder) => touched.some(isOf(folder)))
      .map((folder) => ({ name: folder, folder, again: true, words: [] })),
  ];
}

/** The named files and folders, each in the runner that it belongs to. Throws the message for one that holds no test. */
export function chosen(names) {
  const paths = names.map((name) => relative(root, resolve(process.env.INIT_CWD ?? root, name)));
  for (const path of paths)
    if (pytestFolder(path) === undefined ? testsBelow(path).length === 0 : !exists(path))
      throw new Error(`${path || "."} is no test file, and no folder with tests`);
  const vitest = paths.filter((path) => pytestFolder(path) === undefined).flatMap(testsBelow);
  return [
    vitest.length === 0 ? [] : [{ name: "vitest", words: vitest.map(absolute) }],
    pytestFolders.flatMap((folder) => {
      const words = paths.filter((path) => pytestFolder(path) === folder);
      return words.length > 0 ? [{ name: folder, folder, words }] : [];
    }),
  ];
}

/** What `setup.mjs` must install for a part. */
export function needsOf({ folder, words }) {
  if (folder !== undefined) return ["pytest"];
  if (words.includes("--project=pure")) return ["pure"];
  if (words.includes("--project=long")) return ["long"];
  const files = words.filter((word) => !word.startsWith("--")).map((word) => relative(root, word));
  return files.length === 0 ? ["test"] : [...new Set(files.map(needOf))];
}

const needOf = (path) => (isPure(path) ? "pure" : path.startsWith("test/page/") ? "page" : "programs");

/** Whether a file of Vitest starts no programs: `vitest.config.ts` says the same in globs. */
export function isPure(path) {
  return !/^test\/(?:.*\/)?(?:adapters|chaos|end-to-end)\/|^test\/page\/|\.(?:timed|alone|long)\./.test(path);
}

const pytestFolders = ["target-app", "probe"];
const pytestFolder = (path) =>
  pytestFolders.find((folder) => path === folder || path.startsWith(`${folder}/`));
const isOf = (runner) => (family) => (pytestFolder(family.tests[0]) ?? "vitest") === runner;
const absolute = (path) => join(root, path);
const exists = (path) => statSync(join(root, path), { throwIfNoEntry: false }) !== undefined;

function isTouched({ tests, of }, changed) {
  return changed.some((path) => [...tests, ...of].some((prefix) => isBelow(path, prefix)));
}

/** Test files of Vitest at or below a path. */
function testsBelow(path) {
  if (!exists(path)) return [];
  const names = statSync(join(root, path)).isDirectory()
    ? readdirSync(join(root, path), { recursive: true }).map((name) => join(path, name))
    : [path];
  return names.filter((name) => /^(?:test|bench|reproduce)\/.*\.test\.(?:ts|mjs)$/.test(name));
}
