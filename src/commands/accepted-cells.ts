import type { Comparison } from "../compare/comparison.ts";
import type { ReportPorts } from "../ports/report.ts";
import { exitStatusOf } from "../report/facts/outcome.ts";
import { plural } from "../text/numbers.ts";

/**
 * The comparison with the slow-downs that members accept. Nobody is asked where nothing fails. A refusal of the forge
 * costs the acceptances alone: the check fails as it would without them.
 */
export async function withAcceptances(
  comparison: Comparison,
  { readAcceptances, progress }: Pick<ReportPorts, "readAcceptances" | "progress">,
): Promise<Comparison> {
  if (exitStatusOf(comparison) !== 1) return comparison;
  const outcome = await readAcceptances();
  if (outcome.kind !== "read") {
    if (outcome.kind === "failed")
      progress({ kind: "warning", text: `nothing is taken for accepted: ${outcome.reason}` });
    return comparison;
  }
  if (outcome.refused.length > 0)
    progress({
      kind: "warning",
      text: `${plural(outcome.refused.length, "line")} \`/loadtest accept\` left out: their authors may not write to this repository`,
    });
  const { accepted } = outcome;
  return accepted.length === 0 ? comparison : { ...comparison, accepted };
}
