import type { Effects, OpenSummary, Row } from "../../compare/comparison.ts";
import { percentileName } from "../facts/change-words.ts";
import type { CellFigures, EffectFigures, OpenFigures } from "./figures-schema.ts";
import { rounded } from "./speed-figures.ts";

type VersusFigures = EffectFigures &
  Pick<
    CellFigures,
    | "verdict"
    | "isSmall"
    | "isByStalls"
    | "isByCpu"
    | "longerLatencies"
    | "moreOf"
    | "reason"
    | "minutesToSettle"
    | "minutesToPlace"
    | "confidence"
    | "replicates"
    | "gatesNotMet"
    | "open"
  >;

/** Everything about a row's verdict in numbers. */
export function versusFigures(row: Row): VersusFigures {
  const versus = row.versus;
  const standing = row.standing;
  return {
    verdict: standing === undefined || standing === "not compared" ? null : standing,
    isSmall: versus?.verdict.isSmall ?? null,
    isByStalls: versus?.verdict.isByStalls ?? null,
    isByCpu: versus?.verdict.isByCpu ?? null,
    longerLatencies: versus === undefined ? null : row.longerLatencies.map(percentileName),
    moreOf: versus === undefined ? null : row.moreFootprint.map(({ part }) => part),
    reason: versus?.verdict.reason ?? row.loneArm?.reason ?? null,
    minutesToSettle: rounded(versus?.verdict.minutesToSettle),
    minutesToPlace: rounded(versus?.verdict.minutesToPlace),
    confidence: rounded(versus?.confidence),
    replicates: versus?.replicates ?? null,
    gatesNotMet:
      versus?.gates.filter(({ isMet }) => !isMet).map(({ name, evidence }) => ({ name, evidence })) ?? null,
    open:
      versus === undefined
        ? null
        : { base: openFigures(versus.open.base), head: openFigures(versus.open.head) },
    ...effectFigures(versus?.effects),
  };
}

function effectFigures(effects: Effects | undefined): EffectFigures {
  return {
    throughputEffect: rounded(effects?.throughput.value),
    throughputEffectLow: rounded(effects?.throughput.interval?.low),
    throughputEffectHigh: rounded(effects?.throughput.interval?.high),
    totalThroughputEffect: rounded(effects?.totalThroughput?.value),
    totalThroughputEffectLow: rounded(effects?.totalThroughput?.interval?.low),
    totalThroughputEffectHigh: rounded(effects?.totalThroughput?.interval?.high),
    throughputByCpuEffect: rounded(effects?.throughputByCpu?.value),
    throughputByCpuEffectLow: rounded(effects?.throughputByCpu?.interval?.low),
    throughputByCpuEffectHigh: rounded(effects?.throughputByCpu?.interval?.high),
    cpuEffect: rounded(effects?.cpuPerRequest?.value),
    cpuEffectLow: rounded(effects?.cpuPerRequest?.interval?.low),
    cpuEffectHigh: rounded(effects?.cpuPerRequest?.interval?.high),
    ...streamEffects(effects),
    ...footprintEffects(effects),
    p50Effect: rounded(effects?.latencyP50?.value),
    p50EffectLow: rounded(effects?.latencyP50?.interval?.low),
    p50EffectHigh: rounded(effects?.latencyP50?.interval?.high),
    p95Effect: rounded(effects?.latencyP95?.value),
    p95EffectLow: rounded(effects?.latencyP95?.interval?.low),
    p95EffectHigh: rounded(effects?.latencyP95?.interval?.high),
    p99Effect: rounded(effects?.latencyP99?.value),
    p99EffectLow: rounded(effects?.latencyP99?.interval?.low),
    p99EffectHigh: rounded(effects?.latencyP99?.interval?.high),
    openP50Effect: rounded(effects?.openLatencyP50?.value),
    openP50EffectLow: rounded(effects?.openLatencyP50?.interval?.low),
    openP50EffectHigh: rounded(effects?.openLatencyP50?.interval?.high),
    openP95Effect: rounded(effects?.openLatencyP95?.value),
    openP95EffectLow: rounded(effects?.openLatencyP95?.interval?.low),
    openP95EffectHigh: rounded(effects?.openLatencyP95?.interval?.high),
    openP99Effect: rounded(effects?.openLatencyP99?.value),
    openP99EffectLow: rounded(effects?.openLatencyP99?.interval?.low),
    openP99EffectHigh: rounded(effects?.openLatencyP99?.interval?.high),
  };
}

/** Without those that are not known. */
function streamEffects({ firstByte, bytesPerSecond }: Partial<Effects> = {}) {
  return {
    ...(firstByte !== undefined && {
      firstByteEffect: rounded(firstByte.value),
      firstByteEffectLow: rounded(firstByte.interval?.low),
      firstByteEffectHigh: rounded(firstByte.interval?.high),
    }),
    ...(bytesPerSecond !== undefined && {
      bytesPerSecondEffect: rounded(bytesPerSecond.value),
      bytesPerSecondEffectLow: rounded(bytesPerSecond.interval?.low),
      bytesPerSecondEffectHigh: rounded(bytesPerSecond.interval?.high),
    }),
  };
}

/** Without those that are not known. */
function footprintEffects({ readyMemory, peakMemory, startCpu }: Partial<Effects> = {}) {
  return {
    ...(readyMemory !== undefined && {
      readyMemoryEffect: rounded(readyMemory.value),
      readyMemoryEffectLow: rounded(readyMemory.interval?.low),
      readyMemoryEffectHigh: rounded(readyMemory.interval?.high),
    }),
    ...(peakMemory !== undefined && {
      peakMemoryEffect: rounded(peakMemory.value),
      peakMemoryEffectLow: rounded(peakMemory.interval?.low),
      peakMemoryEffectHigh: rounded(peakMemory.interval?.high),
    }),
    ...(startCpu !== undefined && {
      startCpuEffect: rounded(startCpu.value),
      startCpuEffectLow: rounded(startCpu.interval?.low),
      startCpuEffectHigh: rounded(startCpu.interval?.high),
    }),
  };
}

function openFigures(open: OpenSummary | undefined): OpenFigures {
  if (open === undefined) return null;
  const { p50, p95, p99 } = open.latencyMs;
  return {
    rateRequestsPerSecond: rounded(open.requestsPerSecond),
    p50Ms: rounded(p50),
    p95Ms: rounded(p95),
    p99Ms: rounded(p99),
  };
}
