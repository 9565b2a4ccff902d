import type { Design } from "../model/plan/plan.ts";
import { plural } from "../text/numbers.ts";
import { percent, signedPercent } from "../text/percent.ts";
import type { Gate, Verdict } from "./comparison.ts";
import type { Judged } from "./sequential-judge.ts";
import { isSlowerByStalls, stallsAgree, type Totals } from "./stalls.ts";

/** What else a verdict depends on. */
export interface Circumstances {
  readonly gates: readonly Gate[];
  readonly totals: Totals | undefined;
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
  const { totals, design } = circumstances;
  if (totals !== undefined) {
    const kind = isSlowerByStalls(judged, totals, design) ? "slower" : "inconclusive";
    if (kind === "slower" || !stallsAgree(judged, totals, design))
      return { ...plain, kind, reason: stallWords(judged, totals) };
  }
  const { kind, isSmall } = judged;
  return kind === "inconclusive"
    ? { ...plain, kind, ...unsettled(circumstances) }
    : { ...plain, kind, isSmall };
}

/** Stalls cost throughput that the usual slice does not show, or may give what it lost: one answer would be half the truth. */
function stallWords({ kind }: Judged, { effect: { value, interval } }: Totals): string {
  const usual = `the usual slice is ${kind === "inconclusive" ? "not settled" : kind}, but`;
  if (interval === undefined || interval.low > 0 || interval.high < 0)
    return `${usual} the total throughput with all stalls changed by ${signedPercent(value)}`;
  return `${usual} the total throughput with all stalls may have changed by ${signedPercent(interval.low)} to ${signedPercent(interval.high)}`;
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
