// Finds words and sentences that we do not write, in the files and folders that it is given, or in all that others read.
// `scripts/lib/vocabulary.mjs` has the list, with reasons.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";

import { root } from "./lib/places.mjs";
import { findingsIn } from "./lib/vocabulary.mjs";

const readByOthers = [
  ...["src", "page", "docs", "probe", "examples", "action.yml", ".github/workflows"],
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md"],
];
const named = process.argv.slice(2).map((path) => relative(root, resolve(path)));
const { stdout } = spawnSync(
  "git",
  ["ls-files", "-z", "--", ...(named.length === 0 ? readByOthers : named)],
  {
    cwd: root,
    encoding: "utf8",
  },
);
const files = stdout
  .split("\0")
  .filter(
    (path) => /\.(?:[mc]?[jt]s|py|ya?ml|md)$/.test(path) && !/^(?:docs\/reports|probe\/tests)\//.test(path),
  );

let count = 0;
for (const path of files)
  for (const { line, words, instead, why } of findingsIn(path, readFileSync(join(root, path), "utf8"))) {
    count += 1;
    console.log(`${path}:${line}: "${words}": ${instead} (${why})`);
  }
console.log(`${count} findings in ${files.length} files`);
process.exitCode = count === 0 ? 0 : 1;
