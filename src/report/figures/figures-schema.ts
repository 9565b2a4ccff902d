import * as z from "zod";
import { verdictKinds } from "../../compare/comparison.ts";
import { causes } from "../../model/findings/finding.ts";
import { figure, speedFigures } from "./speed-figures.ts";

const count = z.int().nonnegative();
const text = z.string();
/** A share, head against base: -0.1 is 10 % less. */
const effect = figure;

/** The key figures of one arm. */
const armFigures = { ...speedFigures, failures: count.nullable(), requests: count.nullable() };

/** Each effect, with both ends of its interval. */
const effectFigures = {
  throughputEffect: effect,
  throughputEffectLow: effect,
  throughputEffectHigh: effect,
  cpuEffect: effect,
  cpuEffectLow: effect,
  cpuEffectHigh: effect,
  p50Effect: effect,
  p50EffectLow: effect,
  p50EffectHigh: effect,
  p95Effect: effect,
  p95EffectLow: effect,
  p95EffectHigh: effect,
  openP50Effect: effect,
  openP50EffectLow: effect,
  openP50EffectHigh: effect,
  openP95Effect: effect,
  openP95EffectLow: effect,
  openP95EffectHigh: effect,
  openP99Effect: effect,
  openP99EffectLow: effect,
  openP99EffectHigh: effect,
};

/** Latency at one arrival rate. */
const openFigures = z
  .strictObject({ rateRequestsPerSecond: figure, p50Ms: figure, p95Ms: figure, p99Ms: figure })
  .nullable();

/** One cell: the figures of `head`, and those of `base` where it was measured too. Of a comparison `null` where there is none. */
const cellFigures = z.strictObject({
  id: text,
  /** Absent where nobody named it; so everywhere. */
  app: text.optional(),
  endpoint: text,
  workers: count,
  /** `measured`, or why there are no figures. */
  status: z.enum(["measured", "failed", "cancelled", "missing", "invalid"]),
  ...armFigures,
  verdict: z.enum([...verdictKinds, "new", "removed", "no base"]).nullable(),
  /** Slower or faster, but by less than the smallest effect. */
  isSmall: z.boolean().nullable(),
  reason: text.nullable(),
  minutesToSettle: figure,
  /** At least, of the throughput's interval, as a share. */
  confidence: figure,
  replicates: count.nullable(),
  gatesNotMet: z.array(z.strictObject({ name: text, evidence: text })).nullable(),
  open: z.strictObject({ base: openFigures, head: openFigures }).nullable(),
  ...effectFigures,
  base: z.strictObject(armFigures).optional(),
  /** Of a cell with several steps, like the two that follow; `null` where none was completed. */
  iterationsPerSecond: figure.optional(),
  iterationP50Ms: figure.optional(),
  iterationP95Ms: figure.optional(),
});

/** One cause; `null` where something is not known or does not apply. Texts may quote the code under test. */
const causeFigures = {
  app: text.optional(),
  cause: z.enum(causes),
  severity: z.enum(["problem", "note"]),
  confidence: z.enum(["high", "medium"]),
  /** Method and route. */
  endpoint: text.nullable(),
  /** From the top of the repository. */
  path: text.nullable(),
  /** From the app's folder. */
  file: text.nullable(),
  line: count.nullable(),
  function: text.nullable(),
  isInDiff: z.boolean().nullable(),
  summary: text,
  advice: text,
  /** The figure that the cause implies, and what was measured. */
  prediction: z.strictObject({ what: text, predicted: figure, observed: figure }),
  /** Share of what limits the requests that the cause accounts for, 0 to 1. */
  weight: figure,
  cells: count,
};

/** One threshold at one place. */
const thresholdFigures = z.strictObject({
  threshold: text,
  app: text.optional(),
  /** `null`: all endpoints together. */
  endpoint: text.nullable(),
  workers: count,
  state: z.enum(["kept", "broken", "unknown"]),
  /** In the unit of the threshold; `null` where there is none. */
  value: figure,
  /** Why it is unknown; empty otherwise. */
  reason: text,
});

/** How many workers one endpoint needs; `null` where that is not known. */
const workersFigures = z.strictObject({
  endpoint: text,
  /** Smallest count within 2 % of the best throughput. */
  workers: count.nullable(),
  /** Chance that it is this one, as a share. */
  chance: figure,
  /** Why there is no advice. */
  obstacle: text.nullable(),
  /** Of the Universal Scalability Law, from five counts on; no peak where there is none. */
  serialShare: figure,
  crosstalk: figure,
  peakWorkers: figure,
});

const diagnosisFigures = z.strictObject({
  /** Of the head, as many as the report shows, in its order; `isNew`: whether the base has it not, `null` where that was not looked into. */
  causes: z.array(z.strictObject({ ...causeFigures, isNew: z.boolean().nullable() })),
  /** How many there are besides. */
  more: count,
  /** Of the base, with its lines; the head has them no longer. */
  mended: z.array(z.strictObject(causeFigures)),
  /** What was not seen, or that nothing was found. */
  remarks: z.array(text),
});

/** The form of `figures.json` and of the output `figures`; nothing of ours reads it, so the tests hold reports to it. */
export const figuresSchema = z.strictObject({
  schemaVersion: z.literal(1),
  cells: z.array(cellFigures),
  /** Each with its value; absent where none was set. */
  thresholds: z.array(thresholdFigures).optional(),
  /** Of each endpoint that has two worker counts or more; absent where none has. */
  workers: z.array(workersFigures).optional(),
  /** What causes were found; absent where none were looked for. */
  diagnosis: diagnosisFigures.optional(),
});

export type Figures = z.infer<typeof figuresSchema>;
export type CellFigures = z.infer<typeof cellFigures>;
export type ArmFigures = NonNullable<CellFigures["base"]>;
export type OpenFigures = z.infer<typeof openFigures>;
export type EffectFigures = Pick<CellFigures, keyof typeof effectFigures>;
export type DiagnosisFigures = z.infer<typeof diagnosisFigures>;
export type CauseFigures = DiagnosisFigures["mended"][number];
export type ThresholdFigures = z.infer<typeof thresholdFigures>;
export type WorkersFigures = z.infer<typeof workersFigures>;
