import type { Estimate } from "../../statistics/estimate.ts";
import type { RepositoryChanges } from "../reach/changed-files.ts";

/** A name that a changed line assigns outside of functions: a constant. */
export interface ChangedName {
  readonly name: string;
  /** From the top of the repository. */
  readonly file: string;
  readonly line: number;
  /** What is written there. */
  readonly text: string;
}

/** Lines that a change only takes away. */
export interface Removal {
  /** From the top of the repository. */
  readonly file: string;
  /** In the new version: the line before which they stood. */
  readonly line: number;
  /** The first of them that is not empty. */
  readonly text: string;
}

/** Version of a package in each arm; `undefined` where it is not installed. */
export interface ChangedPackage {
  readonly base: string | undefined;
  readonly head: string | undefined;
}

/** Calls of a function in one request of each arm. */
export interface Calls {
  readonly base: number;
  readonly head: number;
}

/** Everything that is known of a change besides the samples. */
export interface ChangeFacts {
  /** CPU time per request in the measurement itself: that of the base, and what the head takes more. */
  readonly measured: { readonly baseMs: number; readonly extraMs: Estimate };
  readonly endpoint: string;
  readonly changes: RepositoryChanges | undefined;
  readonly names: readonly ChangedName[];
  /** Functions that became plain ones, which FastAPI runs in a thread, or that are asynchronous now. */
  readonly turned: readonly ChangedName[];
  readonly removals: readonly Removal[];
  /** By name, in lower case and with `_`. */
  readonly packages: ReadonlyMap<string, ChangedPackage>;
  /** By `callsKey`. */
  readonly calls: ReadonlyMap<string, Calls>;
  /** Source texts of the head by `file:line`, from the top of the repository. */
  readonly texts: ReadonlyMap<string, string>;
}

/** A function as the samples and the counts both know it: `shop.py Shop.close`. */
export function callsKey(file: string, name: string): string {
  return `${file} ${name.replaceAll(".<locals>", "")}`;
}

/** As in the names of modules: `pydantic_core`. */
export function packageKey(name: string): string {
  return name.toLowerCase().replaceAll(/[-.]/g, "_");
}

const assignment = /^\+([A-Za-z_]\w*)\s*(?::[^=]+)?=(?!=)/;
const definition = /^([+-])\s*(async )?def ([A-Za-z_]\w*)/;
const hunk = /^@@ -\S+ \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** Names that the lines of a diff (`git diff --unified=0`) assign at the left margin. */
export function changedNames(file: string, diff: string): readonly ChangedName[] {
  return newLines(diff).flatMap(({ line, text }): readonly ChangedName[] => {
    const [, name] = assignment.exec(text) ?? [];
    return name === undefined ? [] : [{ name, file, line, text: text.slice(1) }];
  });
}

/** Functions that a diff makes plain ones or asynchronous. */
export function turnedFunctions(file: string, diff: string): readonly ChangedName[] {
  const former = diff
    .split("\n")
    .map((each) => definition.exec(each))
    .filter((each) => each?.[1] === "-");
  return newLines(diff).flatMap(({ line, text }): readonly ChangedName[] => {
    const [, , isAsync, name] = definition.exec(text) ?? [];
    const isTurned = former.some((each) => each?.[3] === name && each?.[2] !== isAsync);
    return name === undefined || !isTurned ? [] : [{ name, file, line, text: text.slice(1) }];
  });
}

/** Places at which a diff takes lines away and puts none there. */
export function removedLines(file: string, diff: string): readonly Removal[] {
  const found: Removal[] = [];
  let line: number | undefined;
  for (const text of diff.split("\n")) {
    const begun = hunk.exec(text);
    // Such a hunk names the line after which they stood.
    if (begun !== null) line = begun[2] === "0" ? Number(begun[1]) + 1 : undefined;
    const taken = text.startsWith("-") && !text.startsWith("---") ? text.slice(1).trim() : "";
    if (line === undefined || taken === "") continue;
    found.push({ file, line, text: taken });
    line = undefined;
  }
  return found;
}

/** Added lines, with their sign and their number in the new version. */
function newLines(diff: string): readonly { readonly line: number; readonly text: string }[] {
  let line = 0;
  return diff.split("\n").flatMap((text) => {
    const begun = hunk.exec(text);
    if (begun !== null) line = Number(begun[1]) - 1;
    if (!text.startsWith("+") || text.startsWith("+++")) return [];
    line += 1;
    return [{ line, text }];
  });
}
