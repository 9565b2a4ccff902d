import { clusteringOf } from "../../src/model/load/clustering.ts";
import { growth, type Histogram, histogramOf, mergeHistograms } from "../../src/model/load/histogram.ts";
import type { ArmRecord, Replicate } from "../../src/model/measurement/measurement.ts";
import { armRecord } from "../fixtures/measurement.ts";

/** What disturbs requests, besides their own variety. */
export interface Noise {
  /** Standard deviation of ln of a service time. */
  readonly variety: number;
  /** Share of requests that take `slowFactor` times as long. */
  readonly slowShare?: number;
  readonly slowFactor?: number;
  /** Standard deviation of the machine's speed, which changes within some 100 ms. */
  readonly drift?: number;
  /** Something else takes half of the CPU: mean seconds on and off. */
  readonly hog?: readonly [on: number, off: number];
  /** The machine stops for up to this many seconds, with this mean time between. */
  readonly stalls?: readonly [longest: number, between: number];
  /** Standard deviation of the speed of one start of one arm. */
  readonly starts?: number;
}

export interface LatencyLoad {
  /** `cpu`: one server works off one request after the other. `wait`: requests wait each for itself. */
  readonly kind: "cpu" | "wait";
  /** Requests per second at saturation. */
  readonly rate: number;
  readonly users?: number;
  readonly noise: Noise;
  /** The head's share of requests that take longer, and by how many usual latencies. */
  readonly change?: { readonly share: number; readonly usualLatencies: number };
}

const sliceMs = 50;
const slices = 60;

type Arm = "base" | "head";

/** A source of replicates of the closed phase; each call draws one. */
export function latencyLoad(load: LatencyLoad, random: () => number): () => Pick<Replicate, "arms"> {
  const { kind, rate, users = 8, noise, change } = load;
  const { normal } = numbersOf(random);
  const usualMs = (users * 1_000) / rate;
  const serviceMs = kind === "cpu" ? usualMs / users : usualMs;
  const workMs = (arm: Arm, start: Record<Arm, number>) => {
    const own = serviceMs * Math.exp(noise.variety * normal() - noise.variety ** 2 / 2) * start[arm];
    const slow = random() < (noise.slowShare ?? 0) ? (noise.slowFactor ?? 1) : 1;
    const extra =
      arm === "head" && change !== undefined && random() < change.share ? change.usualLatencies * usualMs : 0;
    return own * slow + extra;
  };
  const machine = speedsOf(noise, random);
  return () => {
    const start = {
      base: Math.exp((noise.starts ?? 0) * normal()),
      head: Math.exp((noise.starts ?? 0) * normal()),
    };
    const endsAt = machine();
    const first = Array.from({ length: slices / 2 }, () => (random() < 0.5 ? 0 : 1));
    const armAt = (ms: number): Arm =>
      ((Math.floor(ms / sliceMs) & 1) ^ (first[Math.floor(ms / sliceMs / 2)] ?? 0)) === 0 ? "base" : "head";
    const records = new Map<number, { arm: Arm; latencies: number[] }>();
    const sent = Array<number>(users).fill(0);
    const guardStart = Math.min(2 * usualMs, sliceMs / 4);
    const guardEnd = Math.min(1.25 * usualMs, sliceMs / 4);
    let freeAt = 0;
    let clock = 0;
    while (clock < slices * sliceMs) {
      const user = sent.indexOf(Math.min(...sent));
      clock = sent[user] ?? 0;
      const arm = armAt(clock);
      const begins = kind === "cpu" ? Math.max(clock, freeAt) : clock;
      const done = endsAt(begins, workMs(arm, start));
      if (kind === "cpu") freeAt = done;
      sent[user] = done;
      const slice = Math.floor(clock / sliceMs);
      const within = clock - slice * sliceMs;
      if (within < guardStart || within >= sliceMs - guardEnd) continue;
      const record = records.get(slice) ?? { arm, latencies: [] };
      record.latencies.push(done - clock);
      records.set(slice, record);
    }
    const histograms = (arm: Arm) =>
      [...records.values()].filter((each) => each.arm === arm).map(({ latencies }) => histogram(latencies));
    return { arms: { base: recordOf(histograms("base")), head: recordOf(histograms("head")) } };
  };
}

/** Other distributions, from uniform numbers. */
export function numbersOf(random: () => number) {
  return {
    normal: () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
    exponential: (mean: number) => -mean * Math.log(1 - random()),
  };
}

/** Draws the machine's behaviour; the function says when work that begins at a time is done. */
export function speedsOf(noise: Noise, random: () => number) {
  const { normal, exponential } = numbersOf(random);
  const stepMs = 5;
  const { drift = 0, hog, stalls } = noise;
  return () => {
    let speed = normal() * drift;
    let hogUntil = 0;
    let nextHog = hog === undefined ? Number.POSITIVE_INFINITY : exponential(1_000 * (hog[1] ?? 1));
    let nextStall = stalls === undefined ? Number.POSITIVE_INFINITY : exponential(1_000 * stalls[1]);
    const speeds: number[] = [];
    const speedAt = (step: number) => {
      while (speeds.length <= step) {
        const now = speeds.length * stepMs;
        speed = 0.95 * speed + Math.sqrt(1 - 0.95 ** 2) * drift * normal();
        if (hog !== undefined && now >= nextHog) {
          hogUntil = now + exponential(1_000 * hog[0]);
          nextHog = hogUntil + exponential(1_000 * hog[1]);
        }
        let factor = Math.exp(speed) * (now < hogUntil ? 0.5 : 1);
        if (stalls !== undefined && now >= nextStall) {
          const end = now + random() * stalls[0] * 1_000;
          while (speeds.length * stepMs < end) speeds.push(0);
          nextStall = end + exponential(1_000 * stalls[1]);
          factor = Math.exp(speed);
        }
        speeds.push(factor);
      }
      return speeds[step] ?? 1;
    };
    return (begins: number, work: number) => {
      let now = begins;
      let left = work;
      for (;;) {
        const step = Math.floor(now / stepMs);
        const rate = speedAt(step);
        const end = (step + 1) * stepMs;
        if (left <= (end - now) * rate) return now + left / rate;
        left -= (end - now) * rate;
        now = end;
      }
    };
  };
}

export function histogram(latencies: readonly number[]): Histogram {
  return histogramOf(latencies.map((ms) => Math.ceil(Math.log(ms) / Math.log(growth))));
}

function recordOf(slices: readonly Histogram[]): ArmRecord {
  const latencyClustering = clusteringOf(slices);
  return armRecord({
    latency: mergeHistograms(slices),
    ...(latencyClustering !== undefined && { latencyClustering }),
  });
}
