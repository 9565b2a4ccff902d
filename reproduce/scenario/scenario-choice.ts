import { InputError, nearest } from "../../src/engine.ts";
import { claimsIn } from "../documents/checks.ts";
import { type Claim, caseIdOf } from "../documents/claims.ts";

/** Cases to run: some scenarios whole, and of the others the cases that some claims compare. */
export interface Choice {
  readonly whole: ReadonlySet<string>;
  readonly claims: ReadonlySet<string>;
}

/**
 * The scenarios for `reproduce NAME ...`: names of scenarios, `all`, or ids of claims.
 *
 * @throws InputError that names each unknown word, and the nearest known one
 */
export function chooseScenarios(
  words: readonly string[],
  scenarios: readonly string[],
  claims: readonly Claim[],
): Choice {
  const ids = claims.map(({ id }) => id);
  const known = ["all", ...scenarios, ...ids];
  const problems = words
    .filter((word) => !known.includes(word))
    .map((word) => unknownWord(word, scenarios, ids));
  if (words.length === 0)
    problems.push(`reproduce: name a report (${scenarios.join(", ")}), all, or claims, e.g. P01`);
  if (problems.length > 0) throw new InputError(problems);
  const whole = words.includes("all") ? scenarios : scenarios.filter((name) => words.includes(name));
  return { whole: new Set(whole), claims: new Set(ids.filter((id) => words.includes(id))) };
}

function unknownWord(word: string, scenarios: readonly string[], ids: readonly string[]): string {
  const isClaim = /^[a-z]\d+$/i.test(word);
  const meant = isClaim ? nearest(word.toUpperCase(), ids) : nearest(word.toLowerCase(), scenarios);
  const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
  return `reproduce: "${word}" is neither a report (${scenarios.join(", ")}, all) nor a claim (${ids[0]} to ${ids.at(-1)})${hint}`;
}

/** Ids of the cases that claims compare, including those of claims that they build on. */
export function casesOfClaims(wanted: ReadonlySet<string>, claims: readonly Claim[]): ReadonlySet<string> {
  const byId = new Map(claims.map((claim) => [claim.id, claim]));
  const all = new Set<string>();
  const visit = (id: string) => {
    const claim = byId.get(id);
    if (claim === undefined || all.has(id)) return;
    all.add(id);
    for (const other of claimsIn(claim.check)) visit(other);
  };
  for (const id of wanted) visit(id);
  const sides = [...all].flatMap((id) => [byId.get(id)?.left, byId.get(id)?.right]);
  return new Set(sides.flatMap((side) => (side ? [caseIdOf(side)] : [])));
}
