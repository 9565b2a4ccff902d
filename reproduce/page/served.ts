import type { CaseFigures } from "../documents/metrics.ts";

/** Requests a second that did not fail: no server served a request that timed out. */
export function servedRps({ success_rps, rps, failed_rate = 0 }: CaseFigures): number | undefined {
  return success_rps ?? (rps === undefined ? undefined : rps * (1 - failed_rate));
}
