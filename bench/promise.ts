// How often a report in which nothing changed shows a change of any kind, and of which: whole reports of equal servers under
// six kinds of noise, through the program's own functions, with throughput, total throughput, CPU time, latency, memory,
// start-up, instructions and the soak test. `--reports N` (2,000) and `--cells N` (4) say how many; `--rate R` (0.01) is the
// false-alarm rate.

import {
  type ArmRecord,
  agingOf,
  type Design,
  growth,
  type Histogram,
  isSettled,
  looks,
  type Measurement,
  makeCell,
  mean,
  type Replicate,
  versusOf,
} from "../src/engine.ts";
import { replicate, slicePairs } from "../test/compare/two-arms.ts";
import { measurement } from "../test/fixtures/measurement.ts";
import { agedPairOf, drawn, type Noise, noises, normal, random, swing } from "./parts/noise.ts";
import { print, printFigures, rounded } from "./parts/timing.ts";

const option = (name: string, usual: number) => {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? usual : Number(process.argv[index + 1]);
};
const reports = option("reports", 2_000);
const cells = option("cells", 4);
const design: Design = {
  ...{ kind: "comparison", minChange: 0.03, falseAlarmRate: option("rate", 0.01), maxMinutes: 15 },
  looks: [...looks],
  cells,
};

/** Standard deviations of equal code, as recorded, on the logarithmic scale. */
const spreads = { pair: 0.06, start: 0.0025, cpu: 0.005, memory: 0.0015, startCpu: 0.025, counted: 0.001 };
const pairsOfReplicate = 30;
const requestsOfReplicate = 1_500;
/** Shares of requests in each bucket: around 8 ms, on the logarithmic scale with a standard deviation of 0.4. */
const latencyShares = Array.from({ length: 400 }, (_, bucket) => {
  const distance = (bucket * Math.log(growth) - Math.log(8)) / 0.4;
  return (Math.log(growth) * Math.exp(-0.5 * distance ** 2)) / (0.4 * Math.sqrt(2 * Math.PI));
});
const latencies = Array.from({ length: 500 }, drawLatency);

const figures: Record<string, number> = { reports, cells };
for (const noise of noises) {
  const alarms = new Map<string, number>();
  let replicates = 0;
  for (let report = 0; report < reports; report += 1) {
    const measurements = Array.from({ length: cells }, (_, index) => measured(index, noise));
    replicates += mean(measurements.map((each) => each.replicates.length)) / reports;
    const kinds = new Set([...alarmsOf(measurements), ...agedAlarms(noise)]);
    for (const kind of [...kinds, ...(kinds.size > 0 ? ["any"] : [])])
      alarms.set(kind, (alarms.get(kind) ?? 0) + 1);
  }
  const percentOf = (count: number) => rounded((100 * count) / reports);
  const words = [...alarms].map(([kind, count]) => `${kind} ${percentOf(count)}%`);
  print(`${noise}: ${words.join(", ") || "none"}; ${rounded(replicates, 2)} replicates a cell`);
  figures[`${noise}Percent`] = percentOf(alarms.get("any") ?? 0);
}
printFigures(figures);

function alarmsOf(measurements: readonly Measurement[]): string[] {
  return [...versusOf(measurements, design).values()].flatMap(
    ({ verdict, latency, footprint, instructions }) => [
      ...(verdict.kind === "slower" || verdict.kind === "faster" ? [throughputWords(verdict)] : []),
      ...latency.flatMap(({ kind }) => (kind === "longer" || kind === "shorter" ? ["latency"] : [])),
      ...footprint.flatMap(({ kind }) => (kind === "none" ? [] : ["memory and start"])),
      ...(typeof instructions === "object" && instructions.kind !== "none" ? ["instructions"] : []),
    ],
  );
}

function throughputWords({ isByCpu, isByStalls }: { isByCpu: boolean; isByStalls: boolean }): string {
  return isByCpu ? "CPU time" : isByStalls ? "total throughput" : "throughput";
}

function agedAlarms(noise: Noise): string[] {
  const pair = agedPairOf({ pairs: 2, seconds: 30, noise }, design);
  const step = () => Math.max(0, 4e5 + 4e5 * drawn(noise, normal()));
  const peaks = () => {
    let bytes = 8e7;
    return Array.from({ length: 11 }, () => (bytes += step()));
  };
  const peakMemoryBytes = { base: peaks(), head: peaks() };
  const grown = (of: readonly number[]) => (of.at(-1) ?? 0) - (of[0] ?? 0);
  const memoryGrowthBytes = { base: grown(peakMemoryBytes.base), head: grown(peakMemoryBytes.head) };
  const aging = agingOf({ ...pair, peakMemoryBytes, memoryGrowthBytes }, design, 1);
  return [
    ...(aging?.kind === "slower" || aging?.kind === "faster" ? ["over time"] : []),
    ...(aging?.isMemoryGrowing ? ["memory growth"] : []),
  ];
}

function measured(index: number, noise: Noise): Measurement {
  const next = drawReplicates(noise);
  const replicates: Replicate[] = [];
  while (replicates.length === 0 || !isSettled(replicates, design)) replicates.push(next());
  const instructions = { starts: [1, 2].map((hashSeed) => countedStart(hashSeed, noise)) };
  const cell = makeCell({ ...measurement().cell, endpoint: { method: "GET", path: `/${index}` } });
  return measurement({ cell, replicates, instructions });
}

/** Draws one replicate after the other, so that correlated ones hang together. */
function drawReplicates(noise: Noise): () => Replicate {
  const betweenStarts = difference(noise);
  return () => {
    const swung = noise === "swinging" ? swing.size * (normal() - normal()) : 0;
    const start = spreads.start * betweenStarts() + swung;
    const betweenSlices = difference(noise);
    const effects = Array.from({ length: pairsOfReplicate }, () => start + spreads.pair * betweenSlices());
    const arm = (isHead: boolean): Partial<ArmRecord> => {
      const around = (usual: number, spread: number) => usual * Math.exp(spread * drawn(noise, normal()));
      return {
        latency: latencyAt(isHead ? start : 0),
        latencyClustering: [1, 1, 1],
        statuses: { 200: 4_000 },
        cpuSeconds: around(1.5, spreads.cpu) * (isHead ? Math.exp(-start) : 1),
        readyMemoryBytes: around(8e7, spreads.memory),
        peakMemoryBytes: around(9e7, spreads.memory),
        startCpuSeconds: around(0.8, spreads.startCpu),
      };
    };
    return replicate({ pairs: slicePairs(effects), arms: { base: arm(false), head: arm(true) } });
  };
}

/** Differences of two equal arms, one after the other. */
function difference(noise: Noise): () => number {
  let [base, head] = [normal(), normal()];
  return () => {
    [base, head] = [drawn(noise, base), drawn(noise, head)];
    return (head - base) / Math.SQRT2;
  };
}

/** As many requests as chance puts into each bucket. */
function drawLatency(): Histogram {
  const counted = latencyShares.flatMap((share, bucket) => {
    const usual = requestsOfReplicate * share;
    const count = Math.round(usual + Math.sqrt(usual) * normal());
    return count > 0 ? [[bucket, count] as const] : [];
  });
  return { buckets: counted.map(([bucket]) => bucket), counts: counted.map(([, count]) => count) };
}

/** A drawn one, moved to where the arm's speed puts it. */
function latencyAt(speed: number): Histogram {
  const { buckets, counts } = latencies[Math.floor(random() * latencies.length)] as Histogram;
  const shift = Math.round(-speed / Math.log(growth));
  return { buckets: [...buckets].map((bucket) => bucket + shift), counts };
}

function countedStart(hashSeed: number, noise: Noise) {
  const arm = () => {
    const usual = 4e8 * Math.exp(spreads.counted * drawn(noise, normal()));
    const batches = [0, 0, 0, 0].map(() => Math.round(usual * Math.exp(0.000_5 * drawn(noise, normal()))));
    return { batches, seconds: [1, 1, 1, 1], idlePerSecond: [0, 0] };
  };
  return { hashSeed, requests: 100, base: arm(), head: arm() };
}
