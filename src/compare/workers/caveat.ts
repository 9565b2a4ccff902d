import type { WorkersAdvice } from "./advice.ts";
import type { Excess } from "./limits.ts";
import type { ScaledCount } from "./worker-count.ts";

/** Below this share of their CPUs, something else than CPU holds the workers back. */
const idleShare = 0.5;

/** The reasons that limit the worth of an advice. */
export type Caveat =
  | { readonly kind: "excess"; readonly workers: readonly number[]; readonly excess: Excess }
  | { readonly kind: "idle"; readonly virtualUsers: number }
  | { readonly kind: "beyond cores"; readonly cores: number }
  | { readonly kind: "unusable"; readonly workers: readonly number[] };

/** The gravest caveat; `undefined` when the advice has none. */
export function caveatOf(chosen: ScaledCount, advice: WorkersAdvice): Caveat | undefined {
  const { cores, load, excessive, unusable } = advice;
  const larger = excessive.filter(({ workers }) => workers > chosen.workers);
  const [first] = larger;
  if (first !== undefined)
    return { kind: "excess", workers: larger.map(({ workers }) => workers), excess: first.excess };
  if (chosen.cpuShare !== undefined && chosen.cpuShare < idleShare && "virtualUsers" in load)
    return { kind: "idle", virtualUsers: load.virtualUsers };
  if (cores !== undefined && chosen.workers > cores) return { kind: "beyond cores", cores };
  return unusable.length === 0
    ? undefined
    : { kind: "unusable", workers: unusable.map(({ workers }) => workers) };
}
