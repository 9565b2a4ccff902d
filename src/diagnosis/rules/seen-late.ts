import type { Finding } from "../../model/findings/finding.ts";

/** Least share of such a finding's weight that another function must have to be the likelier one. */
const leastWeight = 0.5;

/**
 * Python lets others look only between two steps, so work within a call into C is seen at the step after it: often at
 * the `await` that follows, whose own line does next to nothing. Another function of the same file that works for the
 * same endpoint comes before it.
 */
export function awaitsLast(findings: readonly Finding[]): readonly Finding[] {
  return findings.map((each) => {
    if (!isAwait(each)) return each;
    const working = findings.filter(
      (other) =>
        other.cause === each.cause &&
        other.endpoint === each.endpoint &&
        other.place?.file === each.place?.file &&
        !isAwait(other) &&
        other.weight >= leastWeight * each.weight,
    );
    const most = Math.max(...working.map(({ weight }) => weight));
    return working.length === 0 ? each : { ...each, weight: Math.min(each.weight, 0.99 * most) };
  });
}

function isAwait({ cause, place }: Finding): boolean {
  return cause === "CPU work on the event loop" && /\bawait\b/.test(place?.code ?? "");
}
