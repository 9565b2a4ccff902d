import type { ChaosResult } from "../../test/chaos/chaos.ts";

export type ChaosRow = Omit<ChaosResult, "output">;

/** One line for each fault: its runs, the number hit, their endings, and the state of the invariants. */
export function chaosTable(rows: readonly ChaosRow[]): string {
  const lines = [...new Set(rows.map(({ fault }) => fault))].map((fault) => {
    const mine = rows.filter((row) => row.fault === fault);
    return lineOf(fault, mine);
  });
  return [
    "| fault | runs | struck in time | exit statuses | invariants held |",
    "|---|---|---|---|---|",
    ...lines,
    lineOf("**all**", rows),
  ].join("\n");
}

function lineOf(fault: string, rows: readonly ChaosRow[]): string {
  const struck = rows.filter(({ hasStruck }) => hasStruck).length;
  const held = rows.filter(({ broken }) => broken.length === 0).length;
  const statuses = [...new Set(rows.map(({ status }) => String(status)))].toSorted();
  return `| ${fault} | ${rows.length} | ${struck} | ${statuses.join(", ")} | ${held} of ${rows.length} |`;
}
