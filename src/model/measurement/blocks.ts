import type { Block } from "./measurement.ts";

export function addBlocks(one: Block, next: Block): Block {
  return {
    startSeconds: one.startSeconds,
    seconds: one.seconds + next.seconds,
    requests: one.requests + next.requests,
    failures: one.failures + next.failures,
    latencyTotalMs: one.latencyTotalMs + next.latencyTotalMs,
    latencyMaxMs: Math.max(one.latencyMaxMs, next.latencyMaxMs),
    ...limitedOf(one, next),
  };
}

function limitedOf(one: Block, next: Block): Pick<Block, "limited" | "beyondMs"> {
  if (one.limited === undefined || next.limited === undefined) return {};
  return {
    limited: {
      requests: one.limited.requests + next.limited.requests,
      totalMs: one.limited.totalMs + next.limited.totalMs,
    },
    beyondMs: (one.beyondMs ?? 0) + (next.beyondMs ?? 0),
  };
}
