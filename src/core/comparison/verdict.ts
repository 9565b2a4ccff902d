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

/** The usual slice may be unchanged while rare stalls, which no usual slice shows, cost throughput. */
function stallReason({ kind }: Judged, { totals, design }: Circumstances): string | undefined {
  if (kind !== "unchanged" || totals?.interval === undefined) return undefined;
  const { value, interval } = totals;
  const isSure = interval.low > 0 || interval.high < 0;
  if (!isSure || Math.abs(value) < design.smallestEffect) return undefined;
  return `the usual slice is unchanged, but the total throughput with all stalls changed by ${percent(value)}`;
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
