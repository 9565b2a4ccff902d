import { type Estimate, mean } from "../../statistics/estimate.ts";
import { halfWidth, relativeChange } from "../../statistics/student.ts";
import type { ArmCpu, OwnerCpu } from "./arm-cpu.ts";
import { type Owner, ownerKey } from "./owner.ts";

/** CPU time of one owner, head against base, in milliseconds per request. */
export interface Difference {
  readonly owner: Owner;
  readonly baseMs: number;
  readonly headMs: number;
  /** Its interval is corrected for the number of owners compared. */
  readonly extraMs: Estimate;
  /** True when the interval leaves 0 out. */
  readonly isSure: boolean;
  readonly confidence: number;
  /** Head minus base in each pair of turns. */
  readonly pairsMs: readonly number[];
  readonly base: OwnerCpu | undefined;
  readonly head: OwnerCpu | undefined;
}

export interface CpuChange {
  readonly differences: readonly Difference[];
  readonly baseMs: number;
  readonly headMs: number;
  /** The whole difference, with a 95% interval. */
  readonly extraMs: Estimate;
  /** Instructions per request, head against base (0.1 is 10% more); `undefined` where they were not counted. */
  readonly instructions: Estimate | undefined;
  readonly pairs: number;
}

/** Owners below this share of a request's CPU time are left out: each of them would widen all intervals. */
const leastShare = 0.01;
const falseAlarms = 0.05;
/** Part of these for the functions that the change touches: few, and it is hardly ever another one. */
const ofTouched = 0.8;
/** With fewer pairs an interval says little. */
export const fewestPairs = 5;

/** Each owner's difference with its interval, the largest first. `isTouched`: by the diff alone. */
export function cpuChange(
  base: ArmCpu,
  head: ArmCpu,
  isTouched: (owner: OwnerCpu) => boolean = () => false,
): CpuChange | undefined {
  const pairs = Math.min(base.turnsMs.length, head.turnsMs.length);
  if (pairs < fewestPairs) return undefined;
  const [baseMs, headMs] = [mean(base.turnsMs), mean(head.turnsMs)];
  const both = [...new Map([...base.owners, ...head.owners])].map(
    ([key, { owner }]): Measured => ({ owner, base: base.owners.get(key), head: head.owners.get(key) }),
  );
  const wanted = both.filter((each) => {
    const most = Math.max(meanOf(each.base), meanOf(each.head));
    return most >= leastShare * Math.max(baseMs, headMs);
  });
  const touched = new Set(wanted.filter((each) => each.head !== undefined && isTouched(each.head)));
  const isSplit = touched.size > 0 && touched.size < wanted.length;
  const confidenceOf = (each: Measured) => {
    if (!isSplit) return 1 - falseAlarms / wanted.length;
    return touched.has(each)
      ? 1 - (ofTouched * falseAlarms) / touched.size
      : 1 - ((1 - ofTouched) * falseAlarms) / (wanted.length - touched.size);
  };
  const differences = wanted
    .map((each) => differenceOf(each, pairs, confidenceOf(each)))
    .toSorted((a, b) => Math.abs(b.extraMs.value) - Math.abs(a.extraMs.value));
  const whole = base.turnsMs.map((ms, pair) => (head.turnsMs[pair] ?? 0) - ms);
  return {
    differences: withoutMoved(differences),
    ...{ baseMs, headMs, pairs, extraMs: estimateOf(whole, 0.95) },
    instructions: instructionsChange(base, head),
  };
}

function instructionsChange(base: ArmCpu, head: ArmCpu): Estimate | undefined {
  const ratios = head.turnsInstructions?.map((count, pair) => count / (base.turnsInstructions?.[pair] ?? 0));
  if (ratios === undefined || !ratios.every((each) => each > 0 && Number.isFinite(each))) return undefined;
  return relativeChange(ratios.map(Math.log));
}

export function joinedAs(
  owner: Owner,
  { differences, pairs }: CpuChange,
  isPart: (each: Owner) => boolean,
): readonly Difference[] {
  const parts = differences.filter((each) => isPart(each.owner));
  const total = (of: (each: Difference) => number) => parts.reduce((sum, each) => sum + of(each), 0);
  const pairsMs = Array.from({ length: pairs }, (_, pair) => total((each) => each.pairsMs[pair] ?? 0));
  const confidence = Math.max(...parts.map((each) => each.confidence), 1 - falseAlarms);
  const joined: Difference = {
    ...{ owner, ...judged(pairsMs, confidence), base: undefined, head: undefined },
    ...{ baseMs: total((each) => each.baseMs), headMs: total((each) => each.headMs) },
  };
  return [joined, ...differences.filter((each) => !isPart(each.owner))].toSorted(
    (a, b) => Math.abs(b.extraMs.value) - Math.abs(a.extraMs.value),
  );
}

function meanOf(cpu: OwnerCpu | undefined): number {
  return cpu === undefined ? 0 : mean(cpu.turnsMs);
}

type Measured = Pick<Difference, "owner" | "base" | "head">;

function differenceOf({ owner, base, head }: Measured, pairs: number, confidence: number): Difference {
  const pairsMs = Array.from(
    { length: pairs },
    (_, pair) => (head?.turnsMs[pair] ?? 0) - (base?.turnsMs[pair] ?? 0),
  );
  return { owner, ...judged(pairsMs, confidence), baseMs: meanOf(base), headMs: meanOf(head), base, head };
}

function judged(pairsMs: readonly number[], confidence: number) {
  const extraMs = estimateOf(pairsMs, confidence);
  const { low, high } = extraMs.interval ?? { low: 0, high: 0 };
  return { pairsMs, confidence, extraMs, isSure: low > 0 || high < 0 };
}

function estimateOf(values: readonly number[], confidence: number): Estimate {
  const [value, half] = [mean(values), halfWidth(values, confidence)];
  return { value, interval: { low: value - half, high: value + half } };
}

/** Code that moved into a function of its own changes nothing: caller and called count as one. */
function withoutMoved(differences: readonly Difference[]): readonly Difference[] {
  const gone = new Set<string>();
  const joined = differences.map((called) => {
    const [caller] = (called.head ?? called.base)?.callers ?? [];
    const other = differences.find(
      ({ owner }) =>
        owner.kind === "own" &&
        owner.where === caller?.frame.file &&
        owner.function === caller.frame.function &&
        ownerKey(owner) !== ownerKey(called.owner),
    );
    if (other === undefined || gone.has(ownerKey(other.owner)) || gone.has(ownerKey(called.owner)))
      return called;
    const isOpposite = Math.sign(other.extraMs.value) === -Math.sign(called.extraMs.value);
    if (!called.isSure || !other.isSure || !isOpposite) return called;
    gone.add(ownerKey(other.owner));
    const pairsMs = called.pairsMs.map((ms, pair) => ms + (other.pairsMs[pair] ?? 0));
    return {
      ...called,
      ...judged(pairsMs, Math.max(called.confidence, other.confidence)),
      baseMs: called.baseMs + other.baseMs,
      headMs: called.headMs + other.headMs,
    };
  });
  return joined.filter(({ owner }) => !gone.has(ownerKey(owner)));
}
