import type { Design } from "../measurement/plan.ts";
import { secondsPerReplicate } from "../measurement/plan.ts";
import type { Estimate } from "../statistics/estimate.ts";
import type { Gate, Verdict } from "./comparison.ts";
import type { Judged } from "./judgement.ts";

/** What else a verdict depends on. */
export interface Circumstances {
  readonly gates: readonly Gate[];
  /** Effect on the total throughput, stalls included, with its 95 % interval. */
  readonly totals: Estimate | undefined;
  readonly replicates: number;
  readonly design: Design;
}

/** Puts what the replicates say and the conditions under which they say it into one verdict. */
export function verdictOf(judged: Judged, circumstances: Circumstances): Verdict {
  const { gates, replicates, design } = circumstances;
  const failed = gates.filter(({ isMet }) => !isMet);
  const plain = { isSmall: false, reason: "", minutesToSettle: undefined };
  if (failed.length > 0) {
    const reason = failed.map(({ name, evidence }) => `${name}: ${evidence}`).join("; ");
    return { ...plain, kind: "invalid", reason };
  }
  if (replicates < 2) {
    return {
      ...plain,
      kind: "inconclusive",
      reason: "there was time for one replicate only, which has no interval",
    };
  }
  const stalls = stallReason(judged, circumstances);
  if (stalls !== undefined) return { ...plain, kind: "inconclusive", reason: stalls };
  const { kind, isSmall, effect } = judged;
  if (kind !== "inconclusive") return { ...plain, kind, isSmall };
  return {
    ...plain,
    kind,
    reason: `the interval includes both no change and a change of ${percent(design.smallestEffect)}`,
    minutesToSettle: minutesToSettle(effect, replicates, design),
  };
}

/**
 * Rare stalls, which no usual slice shows, may cost throughput while that slice is unchanged, or cost more than its gain;
 * and where they are gone they may give more than it lost. Neither answer would be the truth.
 */
function stallReason({ kind }: Judged, { totals, design }: Circumstances): string | undefined {
  if (totals?.interval === undefined) return undefined;
  const { value, interval } = totals;
  const [isLess, isMore] = [interval.high < 0, interval.low > 0];
  const isHidden = (isLess || isMore) && Math.abs(value) >= design.smallestEffect;
  const isAgainst = { unchanged: isHidden, faster: isLess, slower: isMore, inconclusive: false }[kind];
  if (!isAgainst) return undefined;
  return `the usual slice is ${kind}, but the total throughput with all stalls changed by ${percent(value)}`;
}

/** The half-width shrinks with the root of the time; it must become as small as the nearer of the two answers asks. */
function minutesToSettle(
  { value, interval }: Estimate,
  replicates: number,
  design: Design,
): number | undefined {
  if (interval === undefined) return undefined;
  const half = (interval.high - interval.low) / 2;
  const wanted = Math.max(Math.abs(value), design.smallestEffect - Math.abs(value));
  const more = replicates * ((half / wanted) ** 2 - 1);
  return more > 0 ? (more * secondsPerReplicate) / 60 : undefined;
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
