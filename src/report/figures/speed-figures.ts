import * as z from "zod";
import type { ArmSummary } from "../../compare/arm-summary.ts";
import type { Effects } from "../../compare/comparison.ts";

/** `null` when a figure is not known, never 0. */
export const figure = z.number().nullable();

/** Effects by the start of their names in the figures, in their order. */
export const effectNames = {
  throughput: "throughput",
  /** From all slices together, stalls included. */
  totalThroughput: "totalThroughput",
  /** Throughput as CPU time per request makes it, where the app's CPU is the limit. */
  throughputByCpu: "throughputByCpu",
  cpu: "cpuPerRequest",
  firstByte: "firstByte",
  bytesPerSecond: "bytesPerSecond",
  readyMemory: "readyMemory",
  peakMemory: "peakMemory",
  startCpu: "startCpu",
  instructions: "instructions",
  p50: "latencyP50",
  p95: "latencyP95",
  p99: "latencyP99",
  openP50: "openLatencyP50",
  openP95: "openLatencyP95",
  openP99: "openLatencyP99",
} as const satisfies Readonly<Record<string, keyof Effects>>;

export type EffectName = keyof typeof effectNames;

/** These are absent where they are not known; others are `null`. */
export type OptionalEffect = (typeof optionalEffects)[number];
const optionalEffects = [
  "firstByte",
  "bytesPerSecond",
  "readyMemory",
  "peakMemory",
  "startCpu",
  "instructions",
] as const;

export function isOptionalEffect(name: string): boolean {
  return optionalEffects.some((each) => each === name);
}

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
  /** In user space; absent where they were not counted. */
  instructionsPerRequest: figure.optional(),
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
    ...(arm?.instructionsPerRequest !== undefined && {
      instructionsPerRequest: rounded(arm.instructionsPerRequest),
    }),
  };
}

/** Six digits that count. Numbers that JSON does not know become `null`. */
export function rounded(value: number | undefined): number | null {
  return value === undefined || !Number.isFinite(value) ? null : Number(value.toPrecision(6));
}
