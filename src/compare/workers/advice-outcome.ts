import { groupBy } from "../../lists/group.ts";
import { isNonEmpty, type NonEmptyArray } from "../../lists/non-empty.ts";
import type { Excess, WorkersAdvice } from "./advice.ts";
import type { Enough, ScaledCount } from "./worker-count.ts";

/** Below this chance the advice says what else it could be. */
const certainChance = 0.8;
/** CPUs count as used up from this share on. */
const busyShare = 0.9;

export interface AdviceOutcome {
  readonly advice: WorkersAdvice;
  readonly enough: Enough;
  readonly chosen: ScaledCount;
  /** The count that the speed-up is relative to; `undefined` when that is the chosen count itself. */
  readonly smallest: number | undefined;
  /** Largest count that gave no more; `undefined` when none larger could be advised. */
  readonly upTo: number | undefined;
  /** True when larger counts, which were not measured, could give more. */
  readonly isOpen: boolean;
  readonly isCertain: boolean;
  readonly caveat: Caveat | undefined;
}

export interface SharedAdvice {
  /** Foreign texts. */
  readonly endpoints: readonly string[];
  readonly said: { readonly obstacle: string } | { readonly outcomes: NonEmptyArray<AdviceOutcome> };
}

/** Groups endpoints with the same advice, in the order in which each advice first came. */
export function sharedAdvice(advices: readonly WorkersAdvice[]): SharedAdvice[] {
  const all = advices.map((advice) => ({ advice, outcome: adviceOutcome(advice) }));
  const groups = groupBy(all, ({ advice, outcome }) =>
    outcome === undefined ? `no: ${advice.obstacle}` : keyOf(outcome),
  );
  return [...groups.values()].map((group) => {
    const outcomes = group.flatMap(({ outcome }) => outcome ?? []);
    const obstacle = group[0]?.advice.obstacle ?? "";
    return {
      endpoints: group.map(({ advice }) => advice.endpoint),
      said: isNonEmpty(outcomes) ? { outcomes } : { obstacle },
    };
  });
}

export function adviceOutcome(advice: WorkersAdvice): AdviceOutcome | undefined {
  const { enough, counts, unusable, excessive, cores } = advice;
  const chosen = counts.find(({ workers }) => workers === enough?.workers);
  if (enough === undefined || chosen === undefined) return undefined;
  const smallest = counts[0]?.workers;
  const excluded = new Set(excessive.map(({ workers }) => workers));
  const larger = counts.filter(({ workers }) => workers > chosen.workers);
  const isLargest = [...counts, ...unusable].every(({ workers }) => workers <= chosen.workers);
  const upTo = larger.filter(({ workers }) => !excluded.has(workers)).at(-1)?.workers;
  const isFull = (chosen.cpuShare ?? 0) >= busyShare && chosen.workers >= (cores ?? Number.POSITIVE_INFINITY);
  return {
    advice,
    enough,
    chosen,
    smallest: smallest === chosen.workers ? undefined : smallest,
    upTo,
    isOpen: isLargest && !isFull,
    isCertain: (enough.chance ?? 1) >= certainChance,
    caveat: caveatOf(chosen, advice),
  };
}

/** Equal for outcomes that share their sentences, with ranges of figures. */
function keyOf({ enough, smallest, upTo, isOpen, isCertain, caveat }: AdviceOutcome): string {
  const rivals = isCertain ? [] : enough.chances;
  return JSON.stringify([
    enough.workers,
    enough.chance === undefined,
    rivals,
    smallest,
    upTo,
    isOpen,
    isCertain,
    caveat,
  ]);
}

/** Below this share of their CPUs, something else than CPU holds the workers back. */
const idleShare = 0.5;

export type Caveat =
  | { readonly kind: "excess"; readonly workers: readonly number[]; readonly excess: Excess }
  | { readonly kind: "idle"; readonly virtualUsers: number }
  | { readonly kind: "beyond cores"; readonly cores: number }
  | { readonly kind: "unusable"; readonly workers: readonly number[] };

/** The gravest caveat; `undefined` when the advice has none. */
function caveatOf(chosen: ScaledCount, advice: WorkersAdvice): Caveat | undefined {
  const { cores, load, excessive, unusable } = advice;
  const larger = excessive.filter(({ workers }) => workers > chosen.workers);
  const [first] = larger;
  if (first !== undefined)
    return { kind: "excess", workers: larger.map(({ workers }) => workers), excess: first.excess };
  if (chosen.cpuShare !== undefined && chosen.cpuShare < idleShare && "virtualUsers" in load)
    return { kind: "idle", virtualUsers: load.virtualUsers };
  if (cores !== undefined && chosen.workers > cores) return { kind: "beyond cores", cores };
  return unusable.length === 0
    ? undefined
    : { kind: "unusable", workers: unusable.map(({ workers }) => workers) };
}
