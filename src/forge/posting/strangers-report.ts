import { compare } from "../../compare/compare.ts";
import type { Comparison } from "../../compare/comparison.ts";
import { type Measurement, measurementSchema } from "../../model/measurement/measurement.ts";
import { type Plan, planSchema } from "../../model/plan/plan.ts";
import { jsonOf } from "../../text/json.ts";
import { plural } from "../../text/numbers.ts";
import { plainCell, plainMeasurement, plainThreshold } from "./plain-measurement.ts";

/** A document of an artifact: its path in there, and its text. */
export interface ArtifactDocument {
  readonly name: string;
  readonly text: string;
}

type StrangersReport =
  | { readonly kind: "report"; readonly comparison: Comparison }
  | { readonly kind: "refused"; readonly reason: string };

/** Our own documents are nested about half as deep. */
const deepest = 16;

/** Reads another run's documents, claims of its code, without words and without what is not ours. */
export function readStrangersReport(documents: readonly ArtifactDocument[]): StrangersReport {
  const plan = planIn(documents);
  if (plan === undefined) return { kind: "refused", reason: "it contains no plan written by this version" };
  const cells = documents.filter(({ name }) => name !== "plan.json");
  const measurements = cells.flatMap((each) => measurementIn(each) ?? []);
  const lost = cells.length - measurements.length;
  const comparison = compare(plan, measurements);
  const lostWarnings =
    lost === 0 ? [] : [`Ignored ${plural(lost, "document")} that this version did not write.`];
  return {
    kind: "report",
    comparison: {
      ...comparison,
      warnings: [
        "These figures come from another run, and its code could have invented them.",
        ...lostWarnings,
        ...comparison.warnings,
      ],
    },
  };
}

function planIn(documents: readonly ArtifactDocument[]): Plan | undefined {
  const document = documents.find(({ name }) => name === "plan.json");
  const plan = planSchema.safeParse(valueIn(document?.text ?? "")).data;
  if (plan === undefined || new Set(plan.cells.map(({ id }) => id)).size < plan.cells.length)
    return undefined;
  const thresholds = plan.check?.thresholds?.map(plainThreshold);
  const { settings: _, ...rest } = plan; // a command to copy holds nothing of theirs
  return {
    ...rest,
    cells: plan.cells.map(plainCell),
    ...(plan.check && { check: { ...plan.check, ...(thresholds && { thresholds }) } }),
  };
}

function measurementIn({ name, text }: ArtifactDocument): Measurement | undefined {
  const measurement = measurementSchema.safeParse(valueIn(text)).data;
  return measurement !== undefined && name === `cells/${measurement.cell.id}.json`
    ? plainMeasurement(measurement)
    : undefined;
}

function valueIn(text: string): unknown {
  return jsonDepth(text) > deepest ? undefined : jsonOf(text);
}

/** Depth of nested lists and objects in JSON text. Works on any text, in one pass and without recursion. */
export function jsonDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text[index];
    if (isInString) {
      if (unit === "\\") index++;
      else if (unit === '"') isInString = false;
    } else if (unit === '"') isInString = true;
    else if (unit === "[" || unit === "{") deepest = Math.max(deepest, ++depth);
    else if (unit === "]" || unit === "}") depth--;
  }
  return deepest;
}
