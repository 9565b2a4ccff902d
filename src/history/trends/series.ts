import { groupBy } from "../../lists/group.ts";
import type { HistoryLine } from "../history-line.ts";
import type { Trend } from "./history.ts";
import { metrics, type TrendMetric } from "./metrics.ts";

/**
 * With fewer points of one machine nothing is looked for: of changes of 5 % among points that scatter by 2 % the engine
 * finds a quarter in 8 points, a twelfth in 6 and next to none in 4 (`npm run bench -- change-points`).
 */
export const fewestPoints = 8;

/** What one kind of machine measured of one figure of one cell. Nothing else may be compared. */
export interface Series {
  readonly trend: Trend;
  readonly metric: TrendMetric;
  readonly fingerprint: string;
  /** Those that have the figure, in the order in which they were measured. */
  readonly lines: readonly HistoryLine[];
  readonly values: readonly number[];
}

/** Every series that has a point, of each machine its own. */
export function seriesOf(trends: readonly Trend[]): Series[] {
  return trends.flatMap((trend) =>
    [...groupBy(trend.lines, ({ machine }) => machine.fingerprint)].flatMap(([fingerprint, all]) =>
      metrics.flatMap((metric) => {
        const lines = all.filter((line) => line[metric.key] !== null);
        const values = lines.map((line) => line[metric.key] ?? 0);
        return lines.length === 0 ? [] : [{ trend, metric, fingerprint, lines, values }];
      }),
    ),
  );
}

/** Whether the engine can say anything of it. */
export function isLongEnough({ values }: Series): boolean {
  return values.length >= fewestPoints;
}
