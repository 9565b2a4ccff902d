import * as z from "zod";
import { placeSchema } from "./probe-document.ts";

/** What one process keeps in memory. It runs the code under test, so every size has a limit. */
export const memoryDocumentSchema = z.strictObject({
  schemaVersion: z.literal(1),
  window: z.string().max(100),
  /** Allocated since the window before and not freed, by whomever; less than nothing where more was freed. */
  keptBytes: z.int().min(-1e15).max(1e15),
  /** The user's lines that allocated most of it. */
  lines: z.array(z.strictObject({ place: placeSchema, bytes: z.int().positive().max(1e15) })).max(100),
  unseen: z.array(z.string().max(200)).max(20),
});
export type MemoryDocument = z.infer<typeof memoryDocumentSchema>;
