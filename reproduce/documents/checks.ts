import * as z from "zod";

import { messageOf } from "../../src/engine.ts";
import { parseCondition } from "../formula/condition.ts";
import { claimInName, namesIn } from "../formula/formula.ts";
import { parseFormula } from "../formula/formula-parser.ts";

/** Name of a claim: `P04`. */
export const claimIdSchema = z.string().regex(/^[A-Z]\d{2}$/, "a claim id is a letter and two digits");

export const formulaSchema = z.string().superRefine(reportErrorsOf(parseFormula));

/** A number, or a formula of the case's parameters and other claims' ratios: `VUs + 40*W*hold_s/S`, `D01 ratio`. */
export const boundSchema = z.union([z.number(), formulaSchema]);
export type Bound = z.infer<typeof boundSchema>;

/** `ratio`: left divided by right. `left`: the figure of the left side alone, in its own unit. */
const on = z.enum(["ratio", "left"]);
/** Condition under which an artefact shows itself: `loop=asyncio and TCP_NODELAY unset`. */
const when = z.string().superRefine(reportErrorsOf(parseCondition)).optional();

const scalarCheckSchema = z.discriminatedUnion("op", [
  z.strictObject({ on, op: z.enum([">=", "<="]), value: boundSchema, when }),
  z.strictObject({ on, op: z.literal("between"), low: boundSchema, high: boundSchema, when }),
  /** `tolerance` is a share of the value. */
  z.strictObject({ on, op: z.literal("equals"), value: boundSchema, tolerance: z.number().min(0), when }),
]);
/** A check of one number against bounds. */
export type ScalarCheck = z.infer<typeof scalarCheckSchema>;

const seriesCheckSchema = z.strictObject({
  on: z.literal("series"),
  op: z.literal("decreasing"),
  /** Claims whose ratios fall in this order. */
  of: z.array(claimIdSchema).min(2),
  /** Excess that a ratio may have over the one before it; dimensionless. The last is below the first in any case. */
  slack: z.number().min(0),
});
/** A check of the order of several claims' ratios. */
export type SeriesCheck = z.infer<typeof seriesCheckSchema>;

const spreadCheckSchema = z.strictObject({
  /** The longest time minus the mean, in milliseconds. */
  on: z.literal("max_minus_mean"),
  op: z.literal("left<right"),
});

/** Condition on the measured figures for a claim to hold. */
export const checkSchema = z.discriminatedUnion("on", [
  scalarCheckSchema,
  seriesCheckSchema,
  spreadCheckSchema,
]);
export type ClaimCheck = z.infer<typeof checkSchema>;

/** The condition that a check states, if any. */
export function conditionOf(check: ClaimCheck): string | undefined {
  return "when" in check ? check.when : undefined;
}

/** The claims whose ratios a check needs. */
export function claimsIn(check: ClaimCheck): readonly string[] {
  switch (check.op) {
    case "decreasing":
      return check.of;
    case "left<right":
      return [];
    case "between":
      return [check.low, check.high].flatMap(claimsInBound);
    default:
      return claimsInBound(check.value);
  }
}

function claimsInBound(bound: Bound): readonly string[] {
  if (typeof bound === "number") return [];
  return namesIn(parseFormula(bound)).flatMap((name) => claimInName(name) ?? []);
}

interface Context {
  readonly addIssue: (issue: { readonly code: "custom"; readonly message: string }) => void;
}

/** Turns the error that a parser throws into an issue of a schema. */
function reportErrorsOf(parse: (text: string) => unknown): (text: string, context: Context) => void {
  return (text, context) => {
    try {
      parse(text);
    } catch (error) {
      context.addIssue({ code: "custom", message: messageOf(error) });
    }
  };
}
