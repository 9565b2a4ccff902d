import type { Comparison } from "../compare/comparison.ts";
import { problemOf } from "../compare/problem.ts";
import { exitStatusOf, outcomeOf } from "../report/facts/outcome.ts";
import { figure } from "../text/numbers.ts";

/** The document from which shields.io makes a badge (its "endpoint" form). */
export interface Badge {
  readonly schemaVersion: 1;
  readonly label: string;
  readonly message: string;
  readonly color: "brightgreen" | "yellow" | "red";
}

/** The verdict when something was compared; otherwise the best throughput of all cells. */
export function badgeOf(comparison: Comparison): Badge {
  const outcome = outcomeOf(comparison);
  const isDoubtful = outcome === "slower" || outcome === "inconclusive";
  const passed = isDoubtful ? ("yellow" as const) : ("brightgreen" as const);
  return {
    schemaVersion: 1,
    label: "load test",
    message: outcome === "complete" ? bestOf(comparison) : outcome,
    color: exitStatusOf(comparison) === 0 ? passed : "red",
  };
}

function bestOf({ rows }: Comparison): string {
  const rates = rows.flatMap((row) =>
    problemOf(row) === undefined ? (row.arms.head?.throughput.value ?? []) : [],
  );
  return rates.length === 0
    ? "complete"
    : `${rates.length > 1 ? "up to " : ""}${figure(Math.max(...rates))} req/s`;
}
