import { spawnSync } from "node:child_process";

import { root } from "./places.mjs";

/** Paths that differ from where the branch left main, uncommitted ones included; `undefined` if there is no main. */
export function changedFiles() {
  const base = ["origin/main", "main"].map((main) => git("merge-base", "HEAD", main)?.[0]).find(Boolean);
  if (base === undefined) return undefined;
  return [...git("diff", "--name-only", base), ...git("ls-files", "--others", "--exclude-standard")];
}

function git(...words) {
  const { status, stdout } = spawnSync("git", ["-C", root, ...words], { encoding: "utf8" });
  return status === 0 ? stdout.split("\n").filter((line) => line !== "") : undefined;
}
