import { type ArmName, armNames, type Measurement } from "../../model/measurement/measurement.ts";
import { type Estimate, sum } from "../../statistics/estimate.ts";
import { percent } from "../../text/percent.ts";
import type { RepositoryChanges } from "../reach/changed-files.ts";
import type { ReachDocument } from "../reach/reached.ts";

/** A name that a changed line assigns outside of functions: a constant. */
export interface ChangedName {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** What is written there. */
  readonly text: string;
}

/** Lines that stand in one version only, with none in their place in the other. */
export interface LoneLines {
  readonly kind: "removed" | "added";
  readonly file: string;
  /** Line before which they were, or would be, in the version that lacks them. */
  readonly before: number;
  /** Line of the head: the first of them, or the one after their former place. */
  readonly line: number;
  /** The first of them that is neither empty nor a remark. */
  readonly text: string;
}

/** Version of a package in each arm; `undefined` where it is not installed. */
export interface ChangedPackage {
  readonly base: string | undefined;
  readonly head: string | undefined;
}

export interface Calls {
  readonly base: number;
  readonly head: number;
}

export interface ChangeFacts {
  /** CPU time per request in the measurement itself: that of the base, and what the head takes more. */
  readonly measured: {
    readonly baseMs: number;
    readonly extraMs: Estimate;
    /** True when requests certainly run more instructions where they take more time, or fewer where they take less. */
    readonly isCertain: boolean;
  };
  readonly endpoint: string;
  readonly changes: RepositoryChanges | undefined;
  readonly names: readonly ChangedName[];
  /** Functions that became plain ones, which FastAPI runs in a thread, or that are asynchronous now. */
  readonly turned: readonly ChangedName[];
  readonly loneLines: readonly LoneLines[];
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
const hunk = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;

/** Names that the lines of a diff (`git diff --unified=0`) assign at the left margin. */
export function changedNames(file: string, diff: string): readonly ChangedName[] {
  return newLines(diff).flatMap(({ line, text }): readonly ChangedName[] => {
    const [, name] = assignment.exec(text) ?? [];
    return name === undefined ? [] : [{ name, file, line, text: text.slice(1) }];
  });
}

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

/** Places at which a diff (`git diff --unified=0`) only takes lines away, or only adds some. */
export function loneLines(file: string, diff: string): readonly LoneLines[] {
  const found: LoneLines[] = [];
  let open: Pick<LoneLines, "kind" | "before" | "line"> | undefined;
  for (const text of diff.split("\n")) {
    const begun = hunk.exec(text);
    if (begun !== null) open = loneHunk(begun);
    if (open === undefined || !/^[+-](?![+-]{2} )/.test(text)) continue;
    const said = text
      .slice(1)
      .replace(/^\s*#.*/, "")
      .trim();
    if (said !== "") found.push({ file, ...open, text: said });
    if (said !== "") open = undefined;
    else if (open.kind === "added") open = { ...open, line: open.line + 1 };
  }
  return found;
}

/** A side without lines names the line after which they would be. */
function loneHunk([, base, ofBase, head, ofHead]: readonly string[]):
  | Pick<LoneLines, "kind" | "before" | "line">
  | undefined {
  if (ofHead === "0") return { kind: "removed", before: Number(head) + 1, line: Number(head) + 1 };
  if (ofBase === "0") return { kind: "added", before: Number(base) + 1, line: Number(head) };
  return undefined;
}

function newLines(diff: string): readonly { readonly line: number; readonly text: string }[] {
  let line = 0;
  return diff.split("\n").flatMap((text) => {
    const begun = hunk.exec(text);
    if (begun !== null) line = Number(begun[3]) - 1;
    if (!text.startsWith("+") || text.startsWith("+++")) return [];
    line += 1;
    return [{ line, text }];
  });
}

/** Calls of each of the user's functions in one request of each arm, over the requests of one window. */
export function callsPerRequest(
  documents: Readonly<Record<ArmName, readonly ReachDocument[]>>,
  window: string,
  requests: Readonly<Record<ArmName, number>>,
): ReadonlyMap<string, Calls> {
  const found = new Map<string, Calls>();
  for (const arm of armNames) {
    for (const [key, count] of countsIn(documents[arm], window)) {
      const known = found.get(key) ?? { base: 0, head: 0 };
      found.set(key, { ...known, [arm]: known[arm] + count / Math.max(1, requests[arm]) });
    }
  }
  return found;
}

function countsIn(
  documents: readonly ReachDocument[],
  window: string,
): readonly (readonly [string, number])[] {
  return documents
    .flatMap(({ files }) => files)
    .flatMap(({ file, functions }) =>
      (functions ?? []).flatMap(({ name, ran, calls }) => {
        const count = calls?.[ran.indexOf(window)];
        return count === undefined ? [] : [[callsKey(file, name), count] as const];
      }),
    );
}

/** Share of what a request takes longer, or less long, below which CPU time is a side of it. */
const littleShare = 0.1;

/** Why no function can be to blame: CPU time per request did not change, or too little. */
export function littleCpu(
  { replicates }: Pick<Measurement, "replicates">,
  { baseMs, extraMs: { interval } }: ChangeFacts["measured"],
  minChange: number,
): string | undefined {
  if (interval === undefined) return undefined;
  const mostMs = Math.max(Math.abs(interval.low), Math.abs(interval.high));
  if (mostMs < minChange * baseMs)
    return `CPU time per request changed by less than ${percent(minChange)}, so the functions were not compared`;
  const longerMs = Math.abs(eachMs(replicates, "head") - eachMs(replicates, "base"));
  if (mostMs < littleShare * longerMs)
    return `CPU time accounts for less than ${percent(littleShare)} of the change, so the functions were not compared`;
  return undefined;
}

/** Time of an arm between two replies, in milliseconds; `NaN` without any. */
function eachMs(replicates: Measurement["replicates"], arm: ArmName): number {
  const blocks = replicates.flatMap(({ arms }) => arms[arm]?.blocks ?? []);
  return (1_000 * sum(blocks.map(({ seconds }) => seconds))) / sum(blocks.map(({ requests }) => requests));
}
