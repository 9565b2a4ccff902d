import { type Design, usualLatencyEffect } from "../../model/plan/plan.ts";
import type { Row } from "../comparison.ts";
import { versusIn } from "../standing.ts";
import { type LatencyChange, reachOfLatency } from "./latency-change.ts";

/** Percentiles of a row that surely became longer, by as much as matters. */
export function longerLatencies(row: Row): readonly LatencyChange[] {
  return (versusIn(row)?.latency ?? []).filter(({ kind }) => kind === "longer");
}

/** The same where latencies are news: throughput that is clearly slower makes them longer anyway. */
export function unexpectedLatencies(row: Row): readonly LatencyChange[] {
  const verdict = versusIn(row)?.verdict;
  return verdict?.kind === "slower" && !verdict.isSmall ? [] : longerLatencies(row);
}

/** Percentiles that are longer for sure, by at least the smallest latency effect for sure or perhaps. */
export function latenciesBeyond(
  row: Row,
  design: Design | undefined,
  reach: "surely" | "perhaps",
): readonly LatencyChange[] {
  const smallest = design?.smallestLatencyEffect ?? usualLatencyEffect;
  return longerLatencies(row).filter(({ effect }) => reachOfLatency(effect, smallest) === reach);
}
