import type { Design } from "../model/plan/plan.ts";
import type { Estimate } from "../statistics/estimate.ts";
import { plural } from "../text/numbers.ts";
import { percent, signedPercent } from "../text/percent.ts";
import { isWithin, type Judged } from "./answer.ts";
import type { Gate, Verdict } from "./comparison.ts";
import { isDecidedByCpu } from "./cpu-time.ts";

export interface Circumstances {
  readonly gates: readonly Gate[];
  readonly totals: Totals | undefined;
  /** Throughput by CPU time; `undefined` where CPU is not the limit. */
  readonly cpu: Judged | undefined;
  /** The least slowdown of the head, as a share, however much failed gates have distorted the figures. */
  readonly leastSlowDown: number | undefined;
  readonly replicates: number;
  /** Replicates that the cell could still have had. */
  readonly left: number;
  /** Number of replicates after which it would probably be settled; `undefined` when too few are left. */
  readonly settledAfter: number | undefined;
  /** True when it was ended because nothing points to a change, though `unchanged` would need many more replicates. */
  readonly endedWithoutSign: boolean;
  /** Number of replicates after which a slowdown would probably be on one side of what fails the check. */
  readonly placedAfter: Readonly<Record<"slices" | "totals" | "cpu", number | undefined>>;
  /** Time that one replicate takes, with all that belongs to it. */
  readonly secondsPerReplicate: number;
  readonly design: Design;
}

/** Combines the result of the replicates with the conditions under which it holds. */
export function verdictOf(judged: Judged, circumstances: Circumstances): Verdict {
  const { gates, replicates } = circumstances;
  const failed = gates.filter(({ isMet }) => !isMet);
  const plain = {
    isSmall: false,
    isByStalls: false,
    isByCpu: false,
    reason: "",
    minutesToSettle: undefined,
    minutesToPlace: undefined,
  };
  if (failed.length > 0) {
    const reason = failed.map(({ name, evidence }) => `${name}: ${evidence}`).join("; ");
    const { leastSlowDown: least = 0, design } = circumstances;
    if (least < design.minChange) return { ...plain, kind: "invalid", reason };
    return {
      ...plain,
      kind: "slower",
      reason: `at least ${percent(least, "measured")} slower, however much the failed checks distort the figures (${reason})`,
    };
  }
  if (replicates < 2) {
    return {
      ...plain,
      kind: "inconclusive",
      reason: "there was time for only one replicate, so there is no interval",
    };
  }
  const { totals, cpu, design, placedAfter } = circumstances;
  if (isSlowerByStalls(judged, totals, design)) {
    const minutesToPlace = minutesUntil(placedAfter.totals, circumstances);
    return { ...plain, kind: "slower", isByStalls: true, reason: stallWords(judged, totals), minutesToPlace };
  }
  const isByCpu = isDecidedByCpu(judged, cpu, design);
  const decisive = isByCpu ? cpu : judged;
  if (totals !== undefined && !stallsAgree(decisive, totals, design)) {
    const { minChange } = design;
    const isSlower = mayCostMore(decisive, totals, { minChange, isByCpu });
    const reason = stallWords(decisive, totals, isByCpu);
    return { ...plain, kind: isSlower ? "slower" : "inconclusive", isByCpu: isSlower && isByCpu, reason };
  }
  const { kind, isSmall } = decisive;
  if (kind === "inconclusive") return { ...plain, kind, ...unsettled(decisive, circumstances) };
  const placed = kind === "slower" && !isSmall ? placedAfter[isByCpu ? "cpu" : "slices"] : undefined;
  const minutesToPlace = minutesUntil(placed, circumstances);
  return { ...plain, kind, isSmall, isByCpu, reason: isByCpu ? cpuWords : "", minutesToPlace };
}

const cpuWords =
  "throughput alone does not settle it, but CPU time per request does, and the app's CPU is the bottleneck";

/** Minutes until a cell has so many replicates; `undefined` when it will never have them. */
function minutesUntil(
  count: number | undefined,
  { replicates, left, secondsPerReplicate }: Circumstances,
): number | undefined {
  return count === undefined || left === 0 ? undefined : ((count - replicates) * secondsPerReplicate) / 60;
}

/** Words on stalls, which cost throughput that a typical slice does not show, or may give back what it lost. */
function stallWords({ kind }: Judged, { effect: { value, interval } }: Totals, isByCpu = false): string {
  const what = isByCpu ? "judged by CPU time, it is" : "a typical slice is";
  const usual = `${what} ${kind}, but`;
  if (interval === undefined || interval.low > 0 || interval.high < 0)
    return `${usual} total throughput, including stalls, changed by ${signedPercent(value)}`;
  return `${usual} the change in total throughput, including stalls, may be anything from ${signedPercent(interval.low)} to ${signedPercent(interval.high)}`;
}

/**
 * The reason when the interval holds both answers, and the minutes after which more replicates would tell them apart.
 */
function unsettled({ effect: { interval } }: Judged, circumstances: Circumstances) {
  const { replicates, left, settledAfter, design } = circumstances;
  const most = plural(design.looks.at(-1) ?? replicates, "replicate");
  const reason =
    interval === undefined
      ? `the change may be anything from zero to more than ${percent(design.minChange)}`
      : `the change may be anything from ${signedPercent(interval.low)} to ${signedPercent(interval.high)}`;
  if (left === 0)
    return {
      reason: `${reason}, even after all ${most}`,
      minutesToSettle: undefined,
    };
  if (circumstances.endedWithoutSign)
    return {
      reason: `measuring stopped early because nothing points to a change (CPU time, SQL statements and response sizes are equal), but ${reason}`,
      minutesToSettle: undefined,
    };
  if (settledAfter === undefined)
    return {
      reason: `${reason}, and even the full ${most} would probably not settle it`,
      minutesToSettle: undefined,
    };
  return { reason, minutesToSettle: minutesUntil(settledAfter, circumstances) };
}

/** Total throughput of head against base: rare long stalls, which no usual slice shows, count in full. */
export interface Totals {
  /** The change with its 95% interval. */
  readonly effect: Estimate;
  /** The same, judged over all looks at the totals' own share of the false alarms. */
  readonly judged: Judged;
}

/** True when stalls alone make a cell slower: the totals are certainly worse, by as much as matters. */
export function isSlowerByStalls(
  { kind, isSmall }: Judged,
  totals: Totals | undefined,
  { minChange }: Pick<Design, "minChange">,
): totals is Totals {
  if (kind === "slower" && !isSmall) return false; // the usual slice says it already
  return totals?.judged.kind === "slower" && totals.effect.value <= -minChange;
}

/** True when totals do not contradict the usual slice; `unchanged` needs totals that rule out a change. */
export function stallsAgree(
  { kind, isSmall }: Judged,
  totals: Totals | undefined,
  { minChange }: Pick<Design, "minChange">,
): boolean {
  const interval = totals?.effect.interval;
  if (totals === undefined || interval === undefined) return true;
  const isOpposite = (kind === "slower" && interval.low > 0) || (kind === "faster" && interval.high < 0);
  if (isOpposite) return false;
  return (kind !== "unchanged" && !isSmall) || isWithin(totals.effect, minChange);
}

/** True when a slowdown is certain and its size, with all stalls, is open. */
export function mayCostMore(
  { kind, isSmall, effect }: Judged,
  totals: Totals,
  { minChange, isByCpu }: { readonly minChange: number; readonly isByCpu: boolean },
): boolean {
  const { interval } = totals.effect;
  if (kind !== "slower" || !isSmall || interval === undefined || interval.low > 0) return false;
  return !isByCpu || !isWithin(effect, minChange);
}
