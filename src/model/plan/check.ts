import * as z from "zod";
import { failChoices } from "../choices.ts";
import { mostThresholds, thresholdSchema } from "../thresholds/threshold.ts";

/** Conditions that fail the check; they travel in the plan, because the job that reports has no configuration file. */
export const checkSchema = z.strictObject({
  failOn: z.enum(failChoices),
  /** As a share: 0.05 is 5%. */
  maxSlowdown: z.number().positive().max(1),
  /** Bounds of the user's own; a broken one fails the check, unless the check never fails. Absent: none. */
  thresholds: z.array(thresholdSchema).min(1).max(mostThresholds).optional(),
});
export type Check = z.infer<typeof checkSchema>;

export const usualCheck: Check = { failOn: "regression", maxSlowdown: 0.05 };

/** The report's own settings of the check; the rest is the plan's. */
export type CheckRequest = { readonly [K in "failOn" | "maxSlowdown"]: Check[K] | undefined } & {
  readonly thresholds?: Check["thresholds"];
};

/** The plan's check, with the report's own settings on top. */
export function checkOf(
  planned: Check,
  { failOn, maxSlowdown, thresholds = planned.thresholds }: CheckRequest,
): Check {
  return {
    failOn: failOn ?? planned.failOn,
    maxSlowdown: maxSlowdown ?? planned.maxSlowdown,
    ...(thresholds !== undefined && { thresholds }),
  };
}
