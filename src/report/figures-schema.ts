import * as z from "zod";
import { verdictKinds } from "../compare/comparison.ts";
import { causes } from "../model/findings/finding.ts";
import { figure, speedFigures } from "./speed-figures.ts";

const count = z.int().nonnegative();
const text = z.string();
/** A share, head against base: -0.1 is 10 % less. */
const effect = figure;

const armFigures = { ...speedFigures, failures: count.nullable(), requests: count.nullable() };

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

const openFigures = z
  .strictObject({ rateRequestsPerSecond: figure, p50Ms: figure, p95Ms: figure, p99Ms: figure })
  .nullable();

const cellFigures = z.strictObject({
  id: text,
  app: text.optional(),
  endpoint: text,
  workers: count,
  status: z.enum(["measured", "failed", "cancelled", "missing", "invalid"]),
  ...armFigures,
  verdict: z.enum([...verdictKinds, "new", "removed", "no base"]).nullable(),
  isSmall: z.boolean().nullable(),
  reason: text.nullable(),
  minutesToSettle: figure,
  confidence: figure,
  replicates: count.nullable(),
  gatesNotMet: z.array(z.strictObject({ name: text, evidence: text })).nullable(),
  open: z.strictObject({ base: openFigures, head: openFigures }).nullable(),
  ...effectFigures,
  base: z.strictObject(armFigures).optional(),
  iterationsPerSecond: figure.optional(),
  iterationP50Ms: figure.optional(),
  iterationP95Ms: figure.optional(),
});

const causeFigures = {
  cause: z.enum(causes),
  severity: z.enum(["problem", "note"]),
  confidence: z.enum(["high", "medium"]),
  endpoint: text.nullable(),
  path: text.nullable(),
  file: text.nullable(),
  line: count.nullable(),
  function: text.nullable(),
  isInDiff: z.boolean().nullable(),
  summary: text,
  advice: text,
  prediction: z.strictObject({ what: text, predicted: figure, observed: figure }),
  weight: figure,
  cells: count,
};

/** The form of `figures.json` and of the output `figures`; nothing of ours reads it, so the tests hold reports to it. */
export const figuresSchema = z.strictObject({
  schemaVersion: z.literal(1),
  cells: z.array(cellFigures),
  thresholds: z
    .array(
      z.strictObject({
        threshold: text,
        app: text.optional(),
        endpoint: text.nullable(),
        workers: count,
        state: z.enum(["kept", "broken", "unknown"]),
        value: figure,
        reason: text,
      }),
    )
    .optional(),
  workers: z
    .array(
      z.strictObject({
        endpoint: text,
        workers: count.nullable(),
        chance: figure,
        obstacle: text.nullable(),
        serialShare: figure,
        crosstalk: figure,
        peakWorkers: figure,
      }),
    )
    .optional(),
  diagnosis: z
    .strictObject({
      causes: z.array(z.strictObject({ ...causeFigures, isNew: z.boolean().nullable() })),
      more: count,
      mended: z.array(z.strictObject(causeFigures)),
      remarks: z.array(text),
    })
    .optional(),
});
