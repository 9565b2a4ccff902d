import type { Design } from "../model/plan/plan.ts";
import type { Estimate } from "../statistics/estimate.ts";
import { plural } from "../text/numbers.ts";
import { percent, signedPercent } from "../text/percent.ts";
import type { Gate, Verdict } from "./comparison.ts";
import type { Judged } from "./sequential-judge.ts";

/** What else a verdict depends on. */
export interface Circumstances {
  readonly gates: readonly Gate[];
  /** Effect on the total throughput, stalls included, with its 95 % interval. */
  readonly totals: Estimate | undefined;
  /** As a share: how much slower the head is at least, whatever gates that are not met have bent. */
  readonly leastSlowDown: number | undefined;
  readonly replicates: number;
  /** Replicates that the cell could have had besides. */
  readonly left: number;
  /** After how many replicates it would probably be settled; `undefined` where those that are left are too few. */
  readonly settledAfter: number | undefined;
  /** Time that one replicate takes, with all that belongs to it. */
  readonly secondsPerReplicate: number;
  readonly design: Design;
}

/** Puts what the replicates say and the conditions under which they say it into one verdict. */
export function verdictOf(judged: Judged, circumstances: Circumstances): Verdict {
  const { gates, replicates } = circumstances;
  const failed = gates.filter(({ isMet }) => !isMet);
  const plain = { isSmall: false, reason: "", minutesToSettle: undefined };
  if (failed.length > 0) {
    const reason = failed.map(({ name, evidence }) => `${name}: ${evidence}`).join("; ");
    const { leastSlowDown: least = 0, design } = circumstances;
    if (least < design.smallestEffect) return { ...plain, kind: "invalid", reason };
    return {
      ...plain,
      kind: "slower",
      reason: `at least ${percent(least, "measured")} slower, however far what is not met bent the figures (${reason})`,
    };
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
  const { kind, isSmall } = judged;
  return kind === "inconclusive"
    ? { ...plain, kind, ...unsettled(circumstances) }
    : { ...plain, kind, isSmall };
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
  return `the usual slice is ${kind}, but the total throughput with all stalls changed by ${signedPercent(value)}`;
}

/** An interval that holds both answers, and whether more replicates would tell them apart. */
function unsettled({ replicates, left, settledAfter, secondsPerReplicate, design }: Circumstances) {
  const most = plural(design.looks.at(-1) ?? replicates, "replicate");
  const reason = `the interval includes both no change and a change of ${percent(design.smallestEffect)}`;
  if (left === 0)
    return {
      reason: `${reason} after all ${most}, so more minutes would not settle it`,
      minutesToSettle: undefined,
    };
  if (settledAfter === undefined)
    return { reason: `${reason}, and all ${most} would hardly settle it`, minutesToSettle: undefined };
  return { reason, minutesToSettle: ((settledAfter - replicates) * secondsPerReplicate) / 60 };
}
