import { expect, test } from "vitest";
import { judgeClaims } from "../../judgement/claim-judgement.ts";
import { exitStatusOf } from "../../judgement/exit-status.ts";
import { claim, measured } from "../published.ts";

/** J05 asks for 5 to 5.4 requests a second. */
const judgements = (rps: number) => judgeClaims([claim("J05")], [measured("junge/sync_baseline", { rps })]);
const failed = ["junge/async_dependent"];

test.for([
  { name: "all as expected", of: { judgements: judgements(5.2), failed: [] }, status: 0 },
  { name: "nothing judged", of: { judgements: judgeClaims([claim("J05")], []), failed: [] }, status: 0 },
  { name: "a claim otherwise", of: { judgements: judgements(4), failed: [] }, status: 1 },
  { name: "a case that failed", of: { judgements: judgements(5.2), failed }, status: 3 },
  { name: "both: what is not known comes first", of: { judgements: judgements(4), failed }, status: 3 },
])("$name: $status", ({ of, status }) => {
  expect(exitStatusOf(of)).toBe(status);
});
