import type { Comparison, Row } from "../../compare/comparison.ts";
import { moreMemory, startsSlower } from "../../compare/footprint/more-footprint.ts";
import type { LatencyChange, PercentileMs } from "../../compare/latency/latency-change.ts";
import { latenciesBeyond, unexpectedLatencies } from "../../compare/latency/longer-latencies.ts";
import { perhapsSlowerWithAge, slowerWithAge, standingWords, versusIn } from "../../compare/standing.ts";
import { usualLatencyEffect } from "../../model/plan/plan.ts";
import { count, figure } from "../../text/numbers.ts";
import { percent, relativeChange } from "../../text/percent.ts";

/** `p99` */
export function percentileName({ share }: Pick<LatencyChange, "share">): "p50" | "p95" | "p99" {
  if (share < 0.9) return "p50";
  return share < 0.99 ? "p95" : "p99";
}

/**
 * The standing with what the usual throughput does not show: `unchanged, slower with age, longer p99, more memory, slower start`.
 * Empty when the row has no figures.
 */
export function verdictWords(row: Row): string {
  const names = unexpectedLatencies(row).map(percentileName);
  const perhaps = perhapsSlowerWithAge(row) ? ["perhaps slower with age"] : [];
  const age = slowerWithAge(row) ? ["slower with age"] : perhaps;
  const latency = names.length === 0 ? [] : [`longer ${names.join(", ")}`];
  const memory = moreMemory(row).length === 0 ? [] : ["more memory"];
  const start = startsSlower(row) ? ["slower start"] : [];
  return [standingWords(row), ...age, ...latency, ...memory, ...start].join(", ");
}

/** Percentiles that certainly changed by as much as matters, and what that means for the check: our own words. */
export function latencySentences(
  row: Row,
  { check, design }: Pick<Comparison, "check" | "design">,
): string[] {
  const changed = (versusIn(row)?.latency ?? []).filter(
    ({ kind }) => kind === "longer" || kind === "shorter",
  );
  if (changed.length === 0) return [];
  const changes = changed.map((change) => `${percentileName(change)} ${changeWords(change)}`).join("; ");
  const limit = percent(design?.smallestLatencyEffect ?? usualLatencyEffect);
  const canFail = check.failOn === "latency" && design?.kind !== "control";
  const fails = canFail && latenciesBeyond(row, design, "surely").length > 0;
  const mayFail = canFail && !fails && latenciesBeyond(row, design, "perhaps").length > 0;
  return [
    `Latency at saturation changed: ${changes}.`,
    ...(fails ? [`The check fails, because a percentile is longer by ${limit} or more.`] : []),
    ...(mayFail ? [`A percentile may be longer by ${limit} or more, which would fail the check.`] : []),
  ];
}

function changeWords({ arms: { base, head }, effect }: LatencyChange): string {
  return `${figure(base.value)} → ${figure(head.value)} ms (${relativeChange(effect)})`;
}

/** `10.6 → 15.5 (+46 % ± 8)`, in milliseconds; or why a percentile cannot be told, with its bounds. */
export function percentileText(row: Row, share: number): string | undefined {
  const change = versusIn(row)?.latency.find((each) => each.share === share);
  if (change === undefined) return undefined;
  const { arms, kind, effect, requests } = change;
  if (kind === "unresolved")
    return `not resolvable with ${count(requests)} requests (${boundsText(arms.base)} → ${boundsText(arms.head)})`;
  const figures = `${figure(arms.base.value)} → ${figure(arms.head.value)}`;
  return effect.interval === undefined ? figures : `${figures} (${relativeChange(effect)})`;
}

function boundsText({ low, high }: PercentileMs): string {
  return high === undefined ? `${figure(low)} or more` : `${figure(low)} to ${figure(high)}`;
}
