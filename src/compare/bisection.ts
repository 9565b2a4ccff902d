import type { BisectAnswer, Bisection, Witness } from "../model/bisection/bisection.ts";
import type { Estimate, Interval } from "../statistics/estimate.ts";
import { reachOf } from "./answer.ts";
import type { Row } from "./comparison.ts";
import type { InstructionChange } from "./instruction-change.ts";

export type ComparedEnds =
  | { readonly kind: "changed"; readonly row: Row; readonly effect: Estimate }
  | { readonly kind: "equal" }
  /** `undefined`: nothing was measured. */
  | { readonly kind: "not certain"; readonly row: Row | undefined };

export function compareEnds(rows: readonly Row[]): ComparedEnds {
  const changed = rows.flatMap((row) => {
    const verdict = row.versus?.verdict;
    const isChanged = verdict?.kind === "slower" || verdict?.kind === "faster";
    return isChanged && !verdict.isSmall && row.effect !== undefined ? [{ row, effect: row.effect }] : [];
  });
  const [most] = changed.toSorted((a, b) => sizeOf(b.effect) - sizeOf(a.effect));
  if (most !== undefined) return { kind: "changed", ...most };
  const open = rows.filter((row) => !isEqual(row));
  return rows.length > 0 && open.length === 0
    ? { kind: "equal" }
    : { kind: "not certain", row: open.find(({ versus }) => versus !== undefined) ?? open[0] };
}

/** A size that is the same for half and for twice the throughput. */
function sizeOf({ value }: Estimate): number {
  return Math.abs(Math.log1p(value));
}

function isEqual({ standing, versus }: Row): boolean {
  if (standing === "not reached") return true;
  return versus !== undefined && (versus.verdict.kind === "unchanged" || versus.verdict.isSmall);
}

/** How much slower the slower end is than the faster one: -0.1 is 10% less. */
export function slowdownOf({ value }: Estimate): number {
  return value < 0 ? value : 1 / (1 + value) - 1;
}

type Likeness = "slower end" | "faster end" | "not certain" | "not measured";

/** @param limit half of the slowdown between the ends, as a share above 0: neither end is near it */
export function likenessOf(row: Row | undefined, limit: number): Likeness {
  if (row?.standing === "not reached") return "faster end";
  if (row?.versus === undefined) return "not measured";
  if (row.effect === undefined) return "not certain";
  const reach = reachOf(row.effect, limit);
  if (reach === "perhaps") return "not certain";
  return reach === "certainly" ? "slower end" : "faster end";
}

/** The answer for git; `undefined` where none is certain. */
export function answerOf(
  likeness: Likeness,
  slowerEnd: Bisection["slowerEnd"],
): BisectAnswer["answer"] | undefined {
  if (likeness === "not certain") return undefined;
  if (likeness === "not measured") return "skip";
  return (likeness === "slower end") === (slowerEnd === "bad") ? "bad" : "good";
}

/** Instructions or statements of a request, counted side by side. */
export interface Counted {
  /** The other commit (the head) against the reference (the base): ln of their ratio for instructions, the difference for statements. */
  readonly apart: Interval;
  readonly reference: number;
  readonly other: number;
}

/** What changed less than this part of the throughput, on the logarithmic scale, did not cause its change. */
const leastPart = 1 / 2;
/** Statements of other work than requests: more than 0.5% is seldom. */
const statementError = { least: 0.1, share: 0.005 } as const;
/** A request sends at least half a statement more, less the error. */
const leastStatements = 0.4;
/** Part of the way between the ends from which a count is at neither. */
const farFromEnd = 1 / 4;

/** `undefined` where two starts do not agree at all. */
export function instructionsApart({ effect, arms }: InstructionChange): Counted | undefined {
  if (effect.interval === undefined) return undefined;
  const { low, high } = effect.interval;
  return {
    apart: { low: Math.log1p(low), high: Math.log1p(high) },
    ...{ reference: arms.base, other: arms.head },
  };
}

/** `undefined` where nobody counted. */
export function statementsApart({ base, head }: Row["arms"]): Counted | undefined {
  const [one, two] = [base?.statementsPerRequest, head?.statementsPerRequest];
  if (one === undefined || two === undefined) return undefined;
  const error = Math.max(statementError.least, statementError.share * Math.max(one, two));
  return { apart: { low: two - one - error, high: two - one + error }, reference: one, other: two };
}

/** The same, seen from the other one. */
function reversed({ apart, reference, other }: Counted): Counted {
  return { apart: { low: -apart.high, high: -apart.low }, reference: other, other: reference };
}

type SlowerEnd = NonNullable<Bisection["slowerEnd"]>;

/**
 * What decides the steps instead of throughput, where the ends (the good one is the base) have changed by so much:
 * instructions that explain at least half of it, or statements that the slower end sends in addition. `undefined`:
 * neither.
 *
 * @param change slowdown of the slower end: -0.1 is 10% less throughput
 */
export function witnessOf(
  { arms, versus }: Row,
  { change, slowerEnd }: { readonly change: number; readonly slowerEnd: SlowerEnd },
): Witness | undefined {
  const { instructions, effects } = versus ?? {};
  const needed = -Math.log1p(change) * leastPart;
  const counts = typeof instructions === "object" ? instructionsApart(instructions) : undefined;
  const isCpuLimit = effects?.throughputByCpu !== undefined;
  return (
    witness("instructions", counts, needed, { slowerEnd, isProof: isCpuLimit }) ??
    witness("statements", statementsApart(arms), leastStatements, { slowerEnd, isProof: false })
  );
}

function witness(
  by: Witness["by"],
  counted: Counted | undefined,
  least: number,
  { slowerEnd, isProof }: { readonly slowerEnd: SlowerEnd; readonly isProof: boolean },
): Witness | undefined {
  if (counted === undefined) return undefined;
  const { apart } = slowerEnd === "bad" ? counted : reversed(counted);
  return apart.low < least ? undefined : { by, isProof, apart, good: counted.reference, bad: counted.other };
}

/** The row whose instructions have changed most for certain, where throughput leaves open whether the ends differ. */
export function countedEnds(rows: readonly Row[]) {
  const found = rows.flatMap((row) => {
    const change = row.versus?.instructions;
    if (typeof change !== "object" || change.kind === "none") return [];
    const slowerEnd: SlowerEnd = change.kind === "more" ? "bad" : "good";
    const own = witness("instructions", instructionsApart(change), 0, { slowerEnd, isProof: true });
    return own === undefined ? [] : [{ row, change, slowerEnd, witness: own }];
  });
  return found.toSorted((a, b) => b.witness.apart.low - a.witness.apart.low)[0];
}

interface Placed {
  readonly likeness: Exclude<Likeness, "not measured">;
  /** True where the count is certainly far from both ends: more than one commit has changed it. */
  readonly isAtNeitherEnd: boolean;
}

/** The end that a count is nearer to, where no error of the counts could change that. `far`: the slower end. */
export function placeOf({ low, high }: Interval, far: Interval): Placed {
  const [nearer, farther] = [far.low / 2, far.high / 2];
  const likeness = high < nearer ? "faster end" : low > farther ? "slower end" : "not certain";
  const margin = far.high * farFromEnd;
  const isFarFromFaster = low > margin || high < -margin;
  const isFarFromSlower = high < far.low - margin || low > far.high + margin;
  return { likeness, isAtNeitherEnd: isFarFromFaster && isFarFromSlower };
}
