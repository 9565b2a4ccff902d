import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

import { type Measurement, measurementSchema } from "../../src/model/measurement/measurement.ts";
import { type Plan, planSchema } from "../../src/model/plan/plan.ts";
import { root } from "../contract/files.ts";

const recordingSchema = z.strictObject({ plan: planSchema, measurements: z.array(measurementSchema) });

/** A plan and what was measured by it. */
export interface Results {
  readonly plan: Plan;
  readonly measurements: readonly Measurement[];
}

/** What real runs of the action left: `change` is a pull request with an N+1 query, looked into for causes; `shop` and `workers` compare head with base, `same` is one cell without a change; `heads` has no base. */
export function recording(name: "change" | "shop" | "workers" | "heads" | "same"): Results {
  const path = join(root, "test/recordings", `${name}.json`);
  return recordingSchema.parse(JSON.parse(readFileSync(path, "utf8")));
}
