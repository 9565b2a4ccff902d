import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

import { type Measurement, measurementSchema } from "../../src/model/measurement/measurement.ts";
import { type Plan, planSchema } from "../../src/model/plan/plan.ts";
import { root } from "../contract/files.ts";

const recordingSchema = z.strictObject({ plan: planSchema, measurements: z.array(measurementSchema) });

/** A plan and its measurements. */
export interface Results {
  readonly plan: Plan;
  readonly measurements: readonly Measurement[];
}

/**
 * Results of real runs of the action: `change` is a pull request with an N+1 query, with its causes; `shop` and
 * `workers` compare head with base, `same` is one cell without a change; `heads` has no base.
 */
export function recording(name: "change" | "shop" | "workers" | "heads" | "same"): Results {
  const path = join(root, "test/recordings", `${name}.json`);
  return recordingSchema.parse(JSON.parse(readFileSync(path, "utf8")));
}
