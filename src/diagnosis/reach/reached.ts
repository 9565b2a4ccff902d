import { type ArmName, armNames } from "../../model/measurement/measurement.ts";
import { type ChangedFile, type ChangedLines, isIdle } from "./changed-files.ts";
import { mostOpened, type ReachDocument, startWindow } from "./reach-documents.ts";

export type Ran = Readonly<Record<ArmName, readonly ReachDocument[]>>;

/** What of a change does not run for some requests; `undefined` when any of it does, or may. */
export interface Unreached {
  /** `shop.py: Shop.close` */
  readonly functions: readonly string[];
  readonly files: readonly string[];
}

/**
 * Judges the requests of one window. A changed line runs when its function ran for them or at the start, and outside of
 * functions when its file was loaded at all.
 *
 * @param isFilled true when commands of the app's own fill the database: a Python file that the server does not load may
 *   be theirs then
 */
export function unreachedBy(
  window: string,
  files: readonly ChangedFile[],
  ran: Ran,
  isFilled: boolean,
): Unreached | undefined {
  const functions = new Set<string>();
  const idle = new Set<string>();
  for (const file of files) {
    const parts = armNames.map((arm) => partOf(file, arm, ran[arm], window));
    if (parts.some((part) => part === "runs")) return undefined;
    const names = parts.flatMap((part) => (part === "runs" || part === "not loaded" ? [] : part));
    const isLoaded = parts.some((part) => part !== "not loaded");
    const isTheirs = file.isUntracked !== true;
    if (!isLoaded && isTheirs && isFilled && !isIdle(file)) return undefined;
    if (!isLoaded && isTheirs) idle.add(file.path);
    for (const name of names) functions.add(`${file.path}: ${name}`);
  }
  return { functions: [...functions], files: [...idle] };
}

/** The changed functions of a file that did not run in one arm. */
function partOf(
  { path, lines }: ChangedFile,
  arm: ArmName,
  documents: readonly ReachDocument[],
  window: string,
): readonly string[] | "runs" | "not loaded" {
  const loaded = documents.flatMap((each) => each.files.filter(({ file }) => file === path));
  if (loaded.length === 0)
    return documents.some(({ opened }) => opened.includes(path) || opened.length >= mostOpened)
      ? "runs"
      : "not loaded";
  const names = new Set<string>();
  for (const { functions, empty } of loaded) {
    if (functions === null) return "runs";
    const nothing = new Set(empty);
    for (const line of linesIn(lines[arm])) {
      if (nothing.has(line)) continue;
      // The innermost one begins last.
      const around = functions.findLast(({ first, last }) => first <= line && line <= last);
      if (around === undefined || around.ran.includes(startWindow) || around.ran.includes(window))
        return "runs";
      names.add(around.name);
    }
  }
  return [...names];
}

function linesIn(ranges: readonly ChangedLines[]): readonly number[] {
  return ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, at) => first + at));
}
