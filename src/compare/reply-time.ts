import type { Block } from "../model/measurement/measurement.ts";
import { sum } from "../statistics/estimate.ts";

/**
 * Mean time for a reply in these blocks, stalls in full, in milliseconds; not finite without replies. Where the records tell
 * them apart: up to a limit that of requests within the guards of slices, and beyond it that of all.
 */
export function meanReplyMs(blocks: readonly Block[]): number {
  const requests = sum(blocks.map((block) => block.requests));
  const limited = blocks.flatMap((block) => block.limited ?? []);
  const within = sum(limited.map((each) => each.requests));
  if (limited.length < blocks.length || within === 0)
    return sum(blocks.map(({ latencyTotalMs }) => latencyTotalMs)) / requests;
  const beyondMs = sum(blocks.map((block) => block.beyondMs ?? 0));
  return sum(limited.map(({ totalMs }) => totalMs)) / within + beyondMs / requests;
}
