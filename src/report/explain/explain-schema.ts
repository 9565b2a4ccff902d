import * as z from "zod";
import { verdictKinds } from "../../compare/comparison.ts";
import { causes } from "../../model/findings/finding.ts";

/** Most characters of a foreign text, by its kind. */
export const longest = { name: 120, code: 160, text: 300, log: 600 } as const;

/** Text of the measured app or of its repository, cut to a length: data, and never an instruction. */
const foreign = (most: number) => z.string().max(most);
/** Our own words. */
const ours = z.string();
const number = z.number();
const count = z.int().nonnegative();
const sha = z.string().regex(/^[0-9a-f]{7,64}$/);
const cellId = z.string().regex(/^[a-z0-9-]{1,80}$/);
const arms = z.strictObject({ base: number.optional(), head: number.optional() });

export const answers = ["gone", "still there", "not certain"] as const;
export type SlowdownAnswer = (typeof answers)[number];

const suspects = [
  "more CPU per request",
  "more SQL statements",
  "larger responses",
  "more memory",
  "failed requests",
  "the load generator",
  "other programs on the machine",
] as const;
export type Suspect = (typeof suspects)[number];

/** One endpoint at one worker count. Absent fields are not known, or mean "no". */
const cell = z.strictObject({
  id: cellId,
  workers: count,
  verdict: z.enum([
    ...verdictKinds,
    "not reached",
    "new",
    "removed",
    "no base",
    "not compared",
    "failed",
    "cancelled",
    "missing",
  ]),
  /** True for a change that is certain but smaller than the smallest that matters. */
  isSmall: z.literal(true).optional(),
  fails: z.literal(true).optional(),
  /** Requests per second; `change` as a share with its interval: -0.1 is 10% less. */
  throughput: z
    .strictObject({
      base: number.optional(),
      head: number.optional(),
      change: number.optional(),
      low: number.optional(),
      high: number.optional(),
    })
    .optional(),
  p95Ms: arms.optional(),
  cpuMs: arms.optional(),
  sqlStatements: arms.optional(),
  /** CPU instructions, in millions, that each request runs in user space. */
  instructionsM: arms.optional(),
  /** Why the verdict is no plain answer. */
  reason: ours.optional(),
  minutesToSettle: number.optional(),
  /** What the figures exclude as the reason of a slowdown. */
  ruledOut: z.array(z.enum(suspects)).optional(),
  /** Measures this cell again and ends with `gone`, `still there` or `not certain`. */
  again: ours.optional(),
  quoted: z.strictObject({
    endpoint: foreign(longest.name),
    app: foreign(longest.name).optional(),
    /** Change of those instructions in each library. */
    libraries: foreign(longest.text).optional(),
    reason: foreign(longest.text).optional(),
    log: foreign(longest.log).optional(),
  }),
});

/** Why it is slow, by a rule whose predicted figure matches the measured one. */
const cause = z.strictObject({
  cause: z.enum(causes),
  cells: z.array(cellId),
  /** True if only the head has it; absent when that is not known. */
  isNew: z.boolean().optional(),
  isInDiff: z.boolean().optional(),
  confidence: z.enum(["high", "medium"]),
  /** Share of a request's time, or of its bottleneck. */
  weight: number,
  advice: ours,
  predicted: number,
  observed: number,
  line: count.optional(),
  /** The commit that has this line. */
  commit: sha.optional(),
  quoted: z.strictObject({
    /** From the repository's top, or relative to the app's folder where that is not known. */
    file: foreign(longest.name).optional(),
    function: foreign(longest.name).optional(),
    code: foreign(longest.code).optional(),
    summary: foreign(longest.text),
    evidence: foreign(longest.text).optional(),
    advice: foreign(longest.text).optional(),
    /** The remedy where it is certain: a patch for `git apply --unidiff-zero`, or an SQL statement. */
    patch: foreign(longest.log).optional(),
  }),
});

const threshold = z.strictObject({
  condition: ours,
  workers: count,
  state: z.enum(["kept", "broken", "unknown"]),
  value: number.optional(),
  reason: ours.optional(),
  /** The line that sends most of too many statements. */
  line: count.optional(),
  quoted: z.strictObject({
    endpoint: foreign(longest.name).optional(),
    statement: foreign(longest.code).optional(),
    file: foreign(longest.name).optional(),
  }),
});

/** What `explain` prints. Texts of the measured app stand in `quoted` and nowhere else. */
export const explainSchema = z.strictObject({
  schemaVersion: z.literal(1),
  /** Explains `quoted` to a reader who has not read this schema. */
  note: ours,
  outcome: z.enum(["complete", "incomplete", "slower", "inconclusive", "faster", "unchanged", "not reached"]),
  exitStatus: z.union([z.literal(0), z.literal(1), z.literal(3)]),
  /** Only `again` has one. */
  answer: z.enum(answers).optional(),
  commits: z.strictObject({ base: sha.optional(), head: sha.optional() }),
  /** The most important first. */
  cells: z.array(cell),
  causes: z.array(cause),
  thresholds: z.array(threshold).optional(),
  /** What was left out for length; `--all` shows it. */
  leftOut: z
    .strictObject({ cells: count.optional(), causes: count.optional(), thresholds: count.optional() })
    .optional(),
  quoted: z.strictObject({ warnings: z.array(foreign(longest.text)) }).optional(),
});

export type ExplainDocument = z.infer<typeof explainSchema>;
export type ExplainedCell = z.infer<typeof cell>;
export type ExplainedCause = z.infer<typeof cause>;
export type ExplainedThreshold = z.infer<typeof threshold>;
