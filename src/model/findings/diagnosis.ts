import * as z from "zod";
import { causes, type Finding, inOrder, type Phrase, units } from "./finding.ts";
import { partNames, placeSchema } from "./probe-document.ts";

const nodeMilliseconds = z.number().nonnegative().max(1e9);
const mostNames = 1_500;
export const mostNodes = 1_500;

/** Where the CPU time of a request goes: a tree of functions, each before those that it calls. Foreign text. */
export const flameSchema = z.strictObject({
  names: z.array(z.string().max(120)).max(mostNames),
  /**
   * Depth, index of its name, and CPU time with all that it calls in milliseconds per request: of the head, and of the base
   * if there is one. The first is the whole request.
   */
  nodes: z
    .array(
      z.tuple([
        z.int().nonnegative().max(400),
        z.int().nonnegative().max(mostNames),
        nodeMilliseconds,
        nodeMilliseconds.nullable(),
      ]),
    )
    .max(mostNodes),
});
export type Flame = z.infer<typeof flameSchema>;

const milliseconds = z.number().nonnegative().max(1e12);
const count = z.int().nonnegative().max(1e12);

export const mostItems = 10;

export const longestText = 300;

const amount = {
  /** Absent when the line is not known. */
  place: placeSchema.optional(),
  count,
  totalMs: milliseconds,
  longestMs: milliseconds,
};

/** All that diagnosis saw: parts of a request's time, lines at the loop, statements; ten at most. */
export const seenSchema = z.strictObject({
  requests: count,
  /** Parts of a mean request; `total` is all of it, and `inThreads` overlaps with the others. */
  partsMs: z.record(z.enum(partNames), milliseconds),
  stalls: z.array(z.strictObject({ ...amount, cpuMs: milliseconds })).max(mostItems),
  statements: z.array(z.strictObject({ ...amount, text: z.string().max(longestText) })).max(mostItems),
});

export type Seen = z.infer<typeof seenSchema>;

const mostCharacters = 500;

/** Anything that a runner, a shell or another system could read as more than the name of a file below the top. */
const strange = /[\p{C}\p{Zl}\p{Zp}\\:*?"<>|]/u;

/** True when a path names a file below a repository's top, and nothing else: `app/orders.py`. */
export function isRepositoryPath(path: string): boolean {
  const isPlain = path.length <= mostCharacters && !strange.test(path);
  return isPlain && path.split("/").every((part) => !["", ".", "..", ".git"].includes(part));
}

const words = z.string().max(300);
const sentence = z.string().min(1).max(2_000);
const phraseSchema: z.ZodType<Phrase> = z.union([
  sentence,
  z
    .array(z.union([sentence, z.strictObject({ line: sentence })]))
    .min(1)
    .max(9),
]);
const figure = z.number();
const named = { what: words, unit: z.enum(units).optional() };

/** A finding between jobs, made next to the code under test: every size and path is limited. */
export const foundCauseSchema = z.strictObject({
  cause: z.enum(causes),
  severity: z.enum(["problem", "note"]),
  confidence: z.enum(["high", "medium"]),
  endpoint: z.string().max(400).optional(),
  place: placeSchema.optional(),
  subject: words.min(1).optional(),
  summary: phraseSchema,
  advice: sentence,
  figures: z
    .array(
      z.strictObject({
        ...{ ...named, value: figure },
        /** Only of a relative change, where 0.1 is 10% more. */
        interval: z.strictObject({ low: figure, high: figure }).optional(),
      }),
    )
    .max(300),
  prediction: z.strictObject({ ...named, predicted: figure, observed: figure }),
  weight: z.number().min(0).max(1),
  statementMs: milliseconds.optional(),
  pool: z.strictObject({ place: placeSchema, name: z.string().max(30), from: count, to: count }).optional(),
  sql: words.min(1).optional(),
  /** The place's file from the top of the repository; absent when it is no file of the repository. */
  path: z.string().refine(isRepositoryPath).optional(),
  /** True when the place's line is in the diff from the base; absent when there is no diff. */
  isInDiff: z.boolean().optional(),
  /** The remedy, from the file's own lines; absent when it is not certain. */
  edits: z
    .array(
      z.strictObject({
        path: z.string().refine(isRepositoryPath),
        line: z.int().positive().max(10_000_000),
        before: words,
        after: words,
        isInDiff: z.boolean().optional(),
      }),
    )
    .max(2)
    .optional(),
});
export type FoundCause = z.infer<typeof foundCauseSchema>;

export const mostFindings = 50;
export const mostUnseen = 20;
const longestUnseen = 800;

export const armDiagnosisSchema = z.strictObject({
  /** Problems before notes, the weightiest first; absent when nothing could be observed. */
  findings: z.array(foundCauseSchema).max(mostFindings).optional(),
  /** One sentence for each thing that diagnosis could not see, with the reason; may quote foreign text. */
  unseen: z.array(z.string().max(longestUnseen)).max(mostUnseen),
  /** Absent when nothing could be seen. */
  seen: seenSchema.optional(),
  /** The head's stacks, with the base's times; absent where no stacks were sampled. */
  flame: flameSchema.optional(),
});
export type ArmDiagnosis = z.infer<typeof armDiagnosisSchema>;

/** Nothing was seen, for this reason; `besides` may hold the cause of that. */
export function nothingSeen(reason: string, besides: readonly string[] = []): ArmDiagnosis {
  return { unseen: unseenList([reason, ...besides]) };
}

/** The findings that fit the document, in their order: figures that are no numbers must not cost the cell. */
export function armDiagnosis(
  findings: readonly (Finding | FoundCause)[],
  unseen: readonly string[],
  evidence?: Seen,
): ArmDiagnosis {
  const seen = seenSchema.safeParse(evidence).data;
  const parsed = inOrder<Finding | FoundCause>(findings).map((finding) =>
    foundCauseSchema.safeParse(finding),
  );
  const read = parsed.flatMap(({ data }) => data ?? []).slice(0, mostFindings);
  const lost = findings.length - read.length;
  return {
    findings: read,
    unseen: unseenList([...unseen, ...(lost > 0 ? [`ignored findings of an unknown form: ${lost}`] : [])]),
    ...(seen && { seen }),
  };
}

function unseenList(sentences: readonly string[]): string[] {
  return [...new Set(sentences.map((each) => each.slice(0, longestUnseen)))].slice(0, mostUnseen);
}
