import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { root } from "../lib/places.mjs";
import { firstLine, runQuietly } from "../lib/run.mjs";

/** The step that installs the packages of package-lock.json, and runs none of their scripts. */
export const nodeModulesStep = {
  name: "npm packages",
  isDone: isAsLocked,
  missing: async () => [
    ...(firstLine(["npm", "--version"]) === undefined ? ["npm: it comes with Node"] : []),
    ...(isLink() ? ["packages of its own: node_modules is a link, and `npm ci` would empty its target"] : []),
  ],
  install: () => runQuietly(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]),
};

/** A working tree may borrow the packages of another one. */
function isLink() {
  return lstatSync(join(root, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Compares the lock file with npm's own record of node_modules. */
function isAsLocked() {
  const locked = packagesOf(join(root, "package-lock.json"));
  const installed = packagesOf(join(root, "node_modules", ".package-lock.json"));
  if (installed === undefined) return false;
  const isSame = (path) =>
    installed[path]?.version === locked[path]?.version &&
    installed[path]?.integrity === locked[path]?.integrity;
  const wanted = Object.keys(locked).filter((path) => path !== "" && !locked[path].optional);
  return [...wanted, ...Object.keys(installed)].every(isSame);
}

function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined;
  }
}
