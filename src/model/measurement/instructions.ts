import * as z from "zod";
import { sum } from "../../statistics/estimate.ts";
import { count, seconds } from "./amounts.ts";

/** What is left out makes a negligible part of a request. */
export const mostLibraries = 30;

/** One arm's server in one start. */
const countedArmSchema = z.strictObject({
  /** Instructions in user space of each batch of requests, with what ran in the background. */
  batches: z.array(count).min(1).max(20),
  /** How long each batch took. */
  seconds: z.array(seconds).min(1).max(20),
  /** Instructions in each second without any request, before the batches of all endpoints and after them. */
  idlePerSecond: z.array(z.number().nonnegative().max(1e15)).length(2),
  /** Those of all batches in each library and program, the most first. */
  libraries: z
    .array(z.strictObject({ name: z.string().regex(/^\w[\w+-]{0,49}$/), count }))
    .max(mostLibraries)
    .optional(),
});
export type CountedArm = z.infer<typeof countedArmSchema>;

const countedStartSchema = z.strictObject({
  hashSeed: z.int().min(0).max(4_294_967_295),
  requests: z.int().min(1).max(10_000),
  base: countedArmSchema,
  head: countedArmSchema,
});
export type CountedStart = z.infer<typeof countedStartSchema>;

/** Instructions of a cell's requests, counted on servers of their own, or why they were not. */
export const instructionsSchema = z.union([
  z.strictObject({ starts: z.array(countedStartSchema).min(1).max(10) }),
  z.strictObject({ unseen: z.string().max(500) }),
]);
export type Instructions = z.infer<typeof instructionsSchema>;

/** What a file of callgrind counts. */
export interface CallgrindCounts {
  readonly instructions: number;
  /** Those of each library and program, by a short name. */
  readonly libraries: ReadonlyMap<string, number>;
}

/** A line with a cost: where, and how many instructions. */
const costLine = /^(?:[+-]?\d{1,15}|\*) (\d{1,15})$/;
/** The file of what follows, or of a called function: either names it once, and gives only its number from then on. */
const objectLine = /^(c?)ob=\((\d{1,9})\)(?: (.{1,1000}))?$/;

/** The counts of a file; `undefined` for any other text. */
export function readCallgrind(text: string): CallgrindCounts | undefined {
  if (!text.startsWith("# callgrind format")) return undefined;
  const [, summary] = /^summary: (\d{1,15})$/m.exec(text.slice(0, 100_000)) ?? [];
  if (summary === undefined) return undefined;
  const names = new Map<string, string>();
  const libraries = new Map<string, number>();
  let [object, isOfCall] = [unknownLibrary, false];
  for (const line of text.split("\n")) {
    const [, cost] = costLine.exec(line) ?? [];
    if (cost !== undefined) {
      if (!isOfCall) libraries.set(object, (libraries.get(object) ?? 0) + Number(cost));
      isOfCall = false;
    } else if (line.startsWith("calls="))
      isOfCall = true; // the next cost is counted where it is called
    else {
      const [, called, id, path] = objectLine.exec(line) ?? [];
      if (id === undefined) continue;
      if (path !== undefined) names.set(id, libraryName(path));
      if (called === "") object = names.get(id) ?? unknownLibrary;
    }
  }
  return { instructions: Number(summary), libraries };
}

/** Those of several files together. */
export function addedCounts(all: readonly CallgrindCounts[]): CallgrindCounts {
  const libraries = new Map<string, number>();
  for (const [name, count] of all.flatMap((each) => [...each.libraries]))
    libraries.set(name, (libraries.get(name) ?? 0) + count);
  return { instructions: sum(all.map(({ instructions }) => instructions)), libraries };
}

const unknownLibrary = "other";

/** The package of an extension, else the name of the library: `pydantic_core`, `_json`, `libc`, `Python`. */
export function libraryName(path: string): string {
  const [, packaged, file = ""] = /-packages\/([\w-]+)[./]|([^/]*)$/.exec(path) ?? [];
  if (/^(?:lib)?python\d/.test(file)) return "Python";
  return /^\w[\w+-]{0,49}(?=\.|$)/.exec(packaged ?? file)?.[0] ?? unknownLibrary;
}
