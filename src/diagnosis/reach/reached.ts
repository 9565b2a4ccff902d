import * as z from "zod";
import { type ArmName, armNames } from "../../model/measurement/measurement.ts";
import { jsonOf } from "../../text/json.ts";
import { outsideSchema, type ProbeFile } from "../probe-documents.ts";
import { type ChangedFile, type ChangedLines, isIdle } from "./changed-files.ts";

const line = z.int().min(1).max(10_000_000);
const text = z.string().max(4_096);

/** The probe lists no more files. */
const mostOpened = 2_000;

const reachDocumentSchema = z.strictObject({
  schemaVersion: z.literal(1),
  /** True when its process ended in the ordinary way: nothing ran after it. */
  ended: z.boolean().optional(),
  windows: z.array(text).max(1_001),
  /** Why it does not know all; the probe's own words. */
  doubts: z.array(z.string().max(200)).max(20),
  /** Files of the repository that were opened, from its top. */
  opened: z.array(text).max(mostOpened),
  outside: outsideSchema.optional(),
  files: z
    .array(
      z.strictObject({
        file: text,
        /** `null`: its lines are unknown. */
        functions: z
          .array(
            z.strictObject({
              name: text,
              first: line,
              last: line,
              ran: z.array(text).max(1_001),
              /** Calls in each window of `ran`. */
              calls: z.array(z.int().nonnegative().max(1e12)).max(1_001).optional(),
            }),
          )
          .max(100_000)
          .nullable(),
        /** Lines that are blank or a comment. */
        empty: z.array(line).max(1_000_000),
      }),
    )
    .max(20_000),
});

/** What one process ran: a document of `probe/loadtest_probe/reach.py`. */
export type ReachDocument = z.infer<typeof reachDocumentSchema>;

export const startWindow = "start";

/** The documents of one arm's processes, or why they say nothing: the app could forge any of them. */
export function parseReachDocuments(
  files: readonly ProbeFile[],
  windows: readonly string[],
): readonly ReachDocument[] | string {
  const documents: ReachDocument[] = [];
  for (const { text: written } of files.filter(({ name }) => name.startsWith("worker-"))) {
    const result = reachDocumentSchema.safeParse(jsonOf(written));
    if (!result.success) return "the probe could not record what ran";
    const [doubt] = result.data.doubts;
    if (doubt !== undefined) return `the probe cannot see everything that runs: ${doubt}`;
    documents.push(result.data);
  }
  if (documents.length === 0) return "the probe recorded nothing";
  const seen = new Set(documents.flatMap((each) => each.windows));
  return windows.every((each) => seen.has(each)) ? documents : "the probe did not see all requests";
}

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
