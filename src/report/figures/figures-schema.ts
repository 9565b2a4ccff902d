import * as z from "zod";
import { verdictKinds } from "../../compare/comparison.ts";
import { footprintParts } from "../../compare/footprint-change.ts";
import { causes } from "../../model/findings/finding.ts";
import {
  type EffectName,
  effectNames,
  figure,
  isOptionalEffect,
  type OptionalEffect,
  speedFigures,
} from "./speed-figures.ts";

const count = z.int().nonnegative();
const text = z.string();
/** A share, head against base: -0.1 is 10% less. */
const effect = figure;

const armFigures = {
  ...speedFigures,
  failures: count.nullable(),
  requests: count.nullable(),
  /** Mean time to the first byte, and bytes of reply bodies; absent where they are not known. */
  firstByteMs: figure.optional(),
  bytesPerSecond: figure.optional(),
  /** Most resident memory of all replicates, when the server was ready and under load; absent where it is not known. */
  readyMemoryBytes: count.optional(),
  peakMemoryBytes: count.optional(),
  startCpuSeconds: figure.optional(),
};

type Ends<Name extends string> = `${Name}Effect${"" | "Low" | "High"}`;
const effectFigures = Object.fromEntries(
  Object.keys(effectNames).flatMap((name) =>
    ["Effect", "EffectLow", "EffectHigh"].map((end) => [
      `${name}${end}`,
      isOptionalEffect(name) ? effect.optional() : effect,
    ]),
  ),
) as Record<Ends<Exclude<EffectName, OptionalEffect>>, typeof effect> &
  Record<Ends<OptionalEffect>, z.ZodOptional<typeof effect>>;

const openFigures = z
  .strictObject({ rateRequestsPerSecond: figure, p50Ms: figure, p95Ms: figure, p99Ms: figure })
  .nullable();

/** The figures of `head`, and of `base` if measured; `null` without a comparison. */
const cellFigures = z.strictObject({
  id: text,
  /** Absent when nobody named the app, here and below. */
  app: text.optional(),
  endpoint: text,
  workers: count,
  /** `measured`, or the kind of reason why there are no figures. */
  status: z.enum(["measured", "not reached", "failed", "cancelled", "missing", "invalid"]),
  ...armFigures,
  verdict: z.enum([...verdictKinds, "not reached", "new", "removed", "no base"]).nullable(),
  /** Slower or faster, but by less than the smallest effect. */
  isSmall: z.boolean().nullable(),
  /** Slower by its stalls, which the totals show and the usual slice does not. */
  isByStalls: z.boolean().nullable(),
  /** Slower or faster by its CPU time per request, where throughput alone does not tell. */
  isByCpu: z.boolean().nullable(),
  /** Percentiles at saturation that certainly are longer, by the smallest latency effect or more. */
  longerLatencies: z.array(z.enum(["p50", "p95", "p99"])).nullable(),
  /** What the head certainly takes more of, by as much as matters. */
  moreOf: z.array(z.enum(footprintParts)).nullable(),
  reason: text.nullable(),
  minutesToSettle: figure,
  /** For `slower`: minutes that would tell whether the change reaches what fails the check. */
  minutesToPlace: figure,
  /** Least confidence of the throughput's interval, as a share. */
  confidence: figure,
  replicates: count.nullable(),
  gatesNotMet: z.array(z.strictObject({ name: text, evidence: text })).nullable(),
  open: z.strictObject({ base: openFigures, head: openFigures }).nullable(),
  ...effectFigures,
  /** Instructions that a library adds to each request, or takes away, where those of the request changed. */
  libraries: z.array(z.strictObject({ name: text, extraInstructions: z.int() })).optional(),
  /** The soak test; only one cell has it. Memory in bytes for each 1,000 requests, `extra`: how much more in the head. */
  aging: z
    .strictObject({
      seconds: figure,
      kind: z.enum(["slower", "perhaps slower", "faster", "none"]),
      throughputEffect: figure,
      throughputEffectLow: figure,
      throughputEffectHigh: figure,
      longestMs: z.strictObject({ base: figure, head: figure }),
      memoryGrowth: z.strictObject({ base: figure, head: figure, extraLow: figure, extraHigh: figure }),
    })
    .optional(),
  base: z.strictObject(armFigures).optional(),
  /** For cells with several steps, as the two that follow; `null` when no iteration was completed. */
  iterationsPerSecond: figure.optional(),
  iterationP50Ms: figure.optional(),
  iterationP95Ms: figure.optional(),
});

/** One cause; `null` for a field that is not known or does not apply. Texts may quote the code under test. */
const causeFigures = {
  app: text.optional(),
  cause: z.enum(causes),
  severity: z.enum(["problem", "note"]),
  confidence: z.enum(["high", "medium"]),
  endpoint: text.nullable(),
  /** Relative to the top of the repository. */
  path: text.nullable(),
  /** Relative to the app's folder. */
  file: text.nullable(),
  line: count.nullable(),
  function: text.nullable(),
  isInDiff: z.boolean().nullable(),
  summary: text,
  advice: text,
  /** The figure that the cause implies, and the measured one. */
  prediction: z.strictObject({ what: text, predicted: figure, observed: figure }),
  /** The cause's share of the limit on the requests, 0 to 1. */
  weight: figure,
  cells: count,
};

const thresholdFigures = z.strictObject({
  threshold: text,
  app: text.optional(),
  /** `null`: all endpoints together. */
  endpoint: text.nullable(),
  workers: count,
  state: z.enum(["kept", "broken", "unknown"]),
  /** In the unit of the threshold; `null` when there is none. */
  value: figure,
  /** The reason why it is unknown; empty otherwise. */
  reason: text,
});

/** Workers that one endpoint needs; `null` when not known. */
const workersFigures = z.strictObject({
  endpoint: text,
  /** Smallest count within 2% of the best throughput. */
  workers: count.nullable(),
  /** Chance that it is this count, as a share. */
  chance: figure,
  obstacle: text.nullable(),
  /** From the Universal Scalability Law, with five counts or more. No peak when the law has none. */
  serialShare: figure,
  crosstalk: figure,
  peakWorkers: figure,
});

const diagnosisFigures = z.strictObject({
  /** Causes in the head, in the report's order. `isNew` is `null` when the base was not diagnosed. */
  causes: z.array(z.strictObject({ ...causeFigures, isNew: z.boolean().nullable() })),
  more: count,
  /** Causes in the base, with its lines; the head no longer has them. */
  fixed: z.array(z.strictObject(causeFigures)),
  /** Blind spots of diagnosis, or that it found nothing. */
  remarks: z.array(text),
});

/** The form of `figures.json` and of the `figures` output. The tests hold reports to it; nothing of ours reads it. */
export const figuresSchema = z.strictObject({
  schemaVersion: z.literal(1),
  cells: z.array(cellFigures),
  /** Each with its value; absent when none was set. */
  thresholds: z.array(thresholdFigures).optional(),
  /** One for each endpoint with two worker counts or more; absent when there is none. */
  workers: z.array(workersFigures).optional(),
  /** Absent when diagnosis did not run. */
  diagnosis: diagnosisFigures.optional(),
});

export type Figures = z.infer<typeof figuresSchema>;
export type CellFigures = z.infer<typeof cellFigures>;
export type ArmFigures = NonNullable<CellFigures["base"]>;
export type OpenFigures = z.infer<typeof openFigures>;
export type EffectFigures = Pick<CellFigures, keyof typeof effectFigures>;
export type DiagnosisFigures = z.infer<typeof diagnosisFigures>;
export type CauseFigures = DiagnosisFigures["fixed"][number];
export type ThresholdFigures = z.infer<typeof thresholdFigures>;
export type WorkersFigures = z.infer<typeof workersFigures>;
