import * as z from "zod";
import type { ArmSummary } from "../../compare/arm-summary.ts";

/** `null` when a figure is not known, never 0. */
export const figure = z.number().nullable();

/** The speed of one arm, as both `figures.json` and the history record it. */
export const speedFigures = {
  throughputRequestsPerSecond: figure,
  throughputLowRequestsPerSecond: figure,
  throughputHighRequestsPerSecond: figure,
  p50Ms: figure,
  p95Ms: figure,
  p99Ms: figure,
  cpuPerRequestMs: figure,
  statementsPerRequest: figure,
};

type SpeedFigures = z.infer<z.ZodObject<typeof speedFigures>>;

/** All `null` for an arm that was not measured. */
export function speedFiguresOf(arm: ArmSummary | undefined): SpeedFigures {
  return {
    throughputRequestsPerSecond: rounded(arm?.throughput.value),
    throughputLowRequestsPerSecond: rounded(arm?.throughput.interval?.low),
    throughputHighRequestsPerSecond: rounded(arm?.throughput.interval?.high),
    p50Ms: rounded(arm?.latencyMs.p50),
    p95Ms: rounded(arm?.latencyMs.p95),
    p99Ms: rounded(arm?.latencyMs.p99),
    cpuPerRequestMs: rounded(arm?.cpuPerRequestMs),
    statementsPerRequest: rounded(arm?.statementsPerRequest),
  };
}

/** Six digits that count. Numbers that JSON does not know become `null`. */
export function rounded(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : Number(value.toPrecision(6));
}
