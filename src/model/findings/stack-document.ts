import * as z from "zod";
import { placeSchema } from "./probe-document.ts";

const name = z.string().max(500);
const line = z.int().nonnegative().max(10_000_000);
const index = z.int().nonnegative().max(100_000);
const microseconds = z.int().nonnegative().max(1e12);
const instructions = z.int().nonnegative().max(1e15);

const frameSchema = z.strictObject({
  /** The user's file, from the top of the repository; `null` for others' code. */
  file: name.nullable(),
  /** The package of others' code: `pydantic`, or `python` for its own library. */
  package: name,
  function: name,
  first: line,
  last: line,
  /** True for what answers a request when the server, or another of its kind, calls it. */
  isApp: z.boolean(),
  names: z.array(z.string().max(100)).max(200),
});
/** A function in a stack; foreign text. */
export type StackFrame = z.infer<typeof frameSchema>;

/** The samples of stacks that one process took. It runs the code under test, so every size has a limit. */
export const stackDocumentSchema = z.strictObject({
  schemaVersion: z.literal(1),
  window: z.string().max(100),
  frames: z.array(frameSchema).max(50_000),
  /** Frame and line, again and again, the innermost first. Line 0: not the user's own. */
  stacks: z.array(z.array(line).max(610)).max(20_000),
  /** Frame, line, and what is written there. */
  texts: z.array(z.tuple([index, line, z.string().max(200)])).max(100_000),
  /**
   * Time in milliseconds since 1970, stack (-1: none of the app's), CPU time that it stands for, and CPU time of the whole
   * process since the sample before, with its instructions where the system lets them be counted.
   */
  samples: z
    .array(
      z.tuple([
        z.int().nonnegative().max(1e14),
        z.int().min(-1).max(20_000),
        microseconds,
        microseconds,
        instructions.optional(),
      ]),
    )
    .max(200_000),
  unseen: z.array(z.string().max(200)).max(20),
});
export type StackDocument = z.infer<typeof stackDocumentSchema>;

/** What one process keeps in memory. It runs the code under test, so every size has a limit. */
export const memoryDocumentSchema = z.strictObject({
  schemaVersion: z.literal(1),
  window: z.string().max(100),
  /** Allocated since the window before and not freed, by whomever; less than nothing where more was freed. */
  keptBytes: z.int().min(-1e15).max(1e15),
  lines: z.array(z.strictObject({ place: placeSchema, bytes: z.int().positive().max(1e15) })).max(100),
  unseen: z.array(z.string().max(200)).max(20),
});
export type MemoryDocument = z.infer<typeof memoryDocumentSchema>;
