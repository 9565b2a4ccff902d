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
const hunk = /^@@ -\S+ \+(\d{1,9})(?:,\d{1,9})? @@/;

/** Names that the lines of a diff (`git diff --unified=0`) assign at the left margin. */
export function changedNames(file: string, diff: string): readonly ChangedName[] {
  let line = 0;
  return diff.split("\n").flatMap((each): readonly ChangedName[] => {
    const begun = hunk.exec(each);
    if (begun !== null) {
      line = Number(begun[1]) - 1;
      return [];
    }
    if (!each.startsWith("+") || line < 0) return [];
    line += 1;
    const [, name] = assignment.exec(each) ?? [];
    return name === undefined || each.startsWith("+++") ? [] : [{ name, file, line, text: each.slice(1) }];
  });
}
