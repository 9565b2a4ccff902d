import * as z from "zod";
import { jsonOf } from "../../text/json.ts";
import { outsideSchema } from "../outside-hosts.ts";
import type { ProbeFile } from "../probe-documents.ts";

const line = z.int().min(1).max(10_000_000);
const text = z.string().max(4_096);

/** The probe lists no more files. */
export const mostOpened = 2_000;

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
  /** The repository's files of which any code ran. */
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

/** The name of the window before all others. */
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
