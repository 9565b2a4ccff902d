import type { Replicate } from "../../src/model/measurement/measurement.ts";
import { histogram, type Noise, numbersOf, speedsOf } from "./latency-load.ts";

const sliceMs = 1_000;
const guardMs = 100;

/**
 * A source of open phases: requests arrive evenly at 60% of what one server can do, a second for each arm, in random
 * order. Each call draws one.
 *
 * @param rate requests per second at saturation, without noise
 */
export function openLoad(
  { rate, noise }: { readonly rate: number; readonly noise: Noise },
  random: () => number,
): () => NonNullable<Replicate["open"]> {
  const { normal } = numbersOf(random);
  const { slowShare = 0, slowFactor = 1, hog, stalls } = noise;
  // What the server can do is measured under the same noise.
  const hogged = hog === undefined ? 1 : 1 - 0.5 * (hog[0] / (hog[0] + hog[1]));
  const stalled = stalls === undefined ? 1 : 1 - stalls[0] / 2 / (stalls[0] / 2 + stalls[1]);
  const capacity = (rate * hogged * stalled) / (1 + slowShare * (slowFactor - 1));
  const machine = speedsOf(noise, random);
  return () => {
    const endsAt = machine();
    const isHeadFirst = random() < 0.5;
    const latencies: Record<"base" | "head", number[]> = { base: [], head: [] };
    let freeAt = 0;
    for (let clock = 0; clock < 2 * sliceMs; clock += 1_000 / (0.6 * capacity)) {
      const slow = random() < slowShare ? slowFactor : 1;
      const work = (1_000 / rate) * Math.exp(noise.variety * normal() - noise.variety ** 2 / 2) * slow;
      freeAt = endsAt(Math.max(clock, freeAt), work);
      const arm = clock < sliceMs === isHeadFirst ? "head" : "base";
      if (clock % sliceMs >= guardMs) latencies[arm].push(freeAt - clock);
    }
    const of = (arm: "base" | "head") => ({
      latency: histogram(latencies[arm]),
      requests: latencies[arm].length,
      failures: 0,
    });
    return {
      requestsPerSecond: 0.6 * capacity,
      droppedIterations: 0,
      arms: { base: of("base"), head: of("head") },
    };
  };
}
