import type { Comparison, Row } from "../../compare/comparison.ts";
import { groupBy } from "../../lists/group.ts";
import { mostApps } from "../../model/plan/apps-plan.ts";
import type { Threshold } from "../../model/thresholds/threshold.ts";

/** The content of a report about one of its apps. */
export interface AppRows {
  /** Only letters, digits, `_`, `.`, `-` and `/`. */
  readonly app: string;
  /** The comparison of this app alone. Its name stands nowhere in it any more. */
  readonly comparison: Comparison;
}

/**
 * A report in parts, one for each app, in the order of the plan. Empty when nobody named an app, or when there are more
 * than a plan of ours may have.
 */
export function appSections(comparison: Comparison): readonly AppRows[] {
  const apps = groupBy(comparison.rows, ({ cell }) => cell.app);
  if (apps.size > mostApps || apps.has(undefined)) return [];
  return [...apps].map(([app = "", rows]) => ({
    app,
    comparison: { ...comparison, rows: rows.map(withoutApp), check: checkWithin(comparison.check, app) },
  }));
}

function withoutApp({ cell: { app: _, ...cell }, ...row }: Row): Row {
  return { ...row, cell };
}

function checkWithin({ thresholds = [], ...check }: Comparison["check"], app: string): Comparison["check"] {
  const own = thresholds
    .filter((threshold) => threshold.app === undefined || threshold.app === app)
    .map(({ app: _, ...threshold }): Threshold => threshold);
  return own.length === 0 ? check : { ...check, thresholds: own };
}
