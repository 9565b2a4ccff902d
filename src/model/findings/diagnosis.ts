import * as z from "zod";
import { causes, type Finding } from "./finding.ts";
import { flameSchema } from "./flame.ts";
import { placeSchema } from "./probe-document.ts";
import { isRepositoryPath } from "./repository-path.ts";
import { type Seen, seenSchema } from "./seen.ts";

const words = z.string().max(300);
const sentence = z.string().min(1).max(2_000);
const figure = z.number();

/**
 * A finding as it travels between jobs. It was made beside the code under test, so each size has a limit and the path
 * is one below the repository's top.
 */
export const foundCauseSchema = z.strictObject({
  cause: z.enum(causes),
  severity: z.enum(["problem", "note"]),
  confidence: z.enum(["high", "medium"]),
  endpoint: z.string().max(400).optional(),
  place: placeSchema.optional(),
  summary: sentence,
  advice: sentence,
  figures: z
    .array(
      z.strictObject({
        ...{ what: words, value: figure },
        /** Only of a relative change, where 0.1 is 10 % more. */
        interval: z.strictObject({ low: figure, high: figure }).optional(),
      }),
    )
    .max(300),
  prediction: z.strictObject({ what: words, predicted: figure, observed: figure }),
  weight: z.number().min(0).max(1),
  /** The place's file from the top of the repository; absent when it is no file of the repository. */
  path: z.string().refine(isRepositoryPath).optional(),
  /** True when the place's line is in the diff from the base; absent when there is no diff. */
  isInDiff: z.boolean().optional(),
});
export type FoundCause = z.infer<typeof foundCauseSchema>;

export const mostFindings = 50;
export const mostUnseen = 20;
const longestUnseen = 800;

/** The diagnosis of one arm. */
export const armDiagnosisSchema = z.strictObject({
  /** Problems before notes, the weightiest first; absent when nothing could be observed. */
  findings: z.array(foundCauseSchema).max(mostFindings).optional(),
  /** One sentence for each thing that diagnosis could not see, with the reason; may quote foreign text. */
  unseen: z.array(z.string().max(longestUnseen)).max(mostUnseen),
  /** Absent when nothing could be seen. */
  seen: seenSchema.optional(),
  /** Of the head, beside the base's times; absent where no stacks were sampled. */
  flame: flameSchema.optional(),
});
export type ArmDiagnosis = z.infer<typeof armDiagnosisSchema>;

/** Nothing was seen, for this reason; `besides` may hold the cause of that. */
export function nothingSeen(reason: string, besides: readonly string[] = []): ArmDiagnosis {
  return { unseen: unseenList([reason, ...besides]) };
}

/** The findings that fit the document: figures that are no numbers must not cost the cell. */
export function armDiagnosis(
  findings: readonly (Finding | FoundCause)[],
  unseen: readonly string[],
  evidence?: Seen,
): ArmDiagnosis {
  const seen = seenSchema.safeParse(evidence).data;
  const parsed = findings.map((finding) => foundCauseSchema.safeParse(finding));
  const kept = parsed.flatMap(({ data }) => data ?? []).slice(0, mostFindings);
  const lost = findings.length - kept.length;
  return {
    findings: kept,
    unseen: unseenList([...unseen, ...(lost > 0 ? [`left out findings of no usable form: ${lost}`] : [])]),
    ...(seen && { seen }),
  };
}

function unseenList(sentences: readonly string[]): string[] {
  return [...new Set(sentences.map((each) => each.slice(0, longestUnseen)))].slice(0, mostUnseen);
}
