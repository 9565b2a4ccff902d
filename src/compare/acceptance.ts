import { endpointLabel } from "../model/plan/cell.ts";
import type { Acceptance } from "../model/pull-request.ts";
import { labelsMeant } from "../model/thresholds/threshold.ts";
import type { Comparison, Row } from "./comparison.ts";

/** The acceptance of a row's slow-down; `undefined`: nobody has accepted it. */
export function acceptanceOf(
  { cell }: Pick<Row, "cell">,
  { accepted = [], rows }: Pick<Comparison, "accepted" | "rows">,
): Acceptance | undefined {
  const all = rows.map((row) => row.cell.endpoint);
  return accepted.find(
    ({ endpoint, workers }) =>
      (workers === undefined || workers === cell.workers) &&
      labelsMeant(endpoint, all).has(endpointLabel(cell.endpoint)),
  );
}
