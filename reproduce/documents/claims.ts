import * as z from "zod";

import { type ClaimCheck, checkSchema, claimIdSchema, claimsIn } from "./checks.ts";
import { countProblems, parseDocument, refuse } from "./document.ts";
import { metricNames } from "./metrics.ts";

const text = z.string().min(1).max(1_000);

/** One of the two measured things that a claim puts side by side. */
const sideSchema = z.strictObject({
  /** A published result's id; `null` when the reports measured nothing. */
  result: z.string().min(1).max(100).nullable(),
  system: z.string().min(1).max(100),
  value: z.number().nonnegative().nullable(),
  config: text.nullable(),
});
export type Side = z.infer<typeof sideSchema>;

/**
 * The expected result of a re-run. `confirm`: the claim holds. `refute`: it fails. `artefact`: it holds where an
 * artefact shows itself (`when`). `hardware`: it depends on cores, network or library costs. `open`: not known
 * beforehand.
 */
const expectationSchema = z.enum(["confirm", "refute", "artefact", "hardware", "open"]);
export type ClaimExpectation = z.infer<typeof expectationSchema>;

const claimSchema = z.strictObject({
  id: claimIdSchema,
  report: text,
  /** First and last line of the report's text. */
  lines: z.tuple([z.int(), z.int()]),
  text,
  left: sideSchema,
  right: sideSchema.nullable(),
  metric: z.enum(metricNames),
  /** Left divided by right, dimensionless; `null` when the report prints no number for the pair. */
  published_ratio: z.number().nonnegative().nullable(),
  check: checkSchema,
  needs: text.nullable(),
  model: z.strictObject({ arithmetic: text, predicted: text }),
  expect: expectationSchema,
  /** Meaning of a check that holds. */
  check_pass_means: z.enum(["claim holds", "refuted"]),
  note: text.nullable(),
});
export type Claim = z.infer<typeof claimSchema>;

const schema = z.strictObject({ about: text, count: z.int(), claims: z.array(claimSchema) });

/** Reads `claims.json`. Throws an `InputError`. */
export function parseClaims(json: string): readonly Claim[] {
  const { count, claims } = parseDocument("claims.json", schema, json);
  const ids = claims.map(({ id }) => id);
  const problems = claims.flatMap((claim) => checkProblems(claim, claim.check, claims));
  refuse("claims.json", [...countProblems(count, ids), ...problems]);
  return claims;
}

/** Reasons why a check does not fit its claim, in sentences. */
export function checkProblems(claim: Claim, check: ClaimCheck, claims: readonly Claim[]): readonly string[] {
  const ids = new Set(claims.map(({ id }) => id));
  const unknown = claimsIn(check).filter((id) => !ids.has(id));
  return [
    ...unknown.map((id) => `${claim.id} refers to ${id}, which does not exist`),
    ...(claim.right === null && check.on !== "left" ? [`${claim.id} has no right side for its check`] : []),
  ];
}

/** The id of a side's case. */
export function caseIdOf({ result, system }: Side): string {
  return result ?? system;
}
