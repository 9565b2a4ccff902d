import type { ArmSummary } from "../../compare/arm-summary.ts";
import type { Comparison, Row } from "../../compare/comparison.ts";
import { groupBy } from "../../lists/group.ts";
import { type ArmName, armNames } from "../../model/measurement/measurement.ts";
import { cellLabel } from "../../model/plan/cell.ts";
import { plural, plusMinus } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import { effectColumn } from "../columns/column-choice.ts";
import type {
  ChartGroup,
  EffectBar,
  EffectsChart,
  ThroughputBar,
  ThroughputChart,
} from "../document/report.ts";
import { armIntervalsNote } from "../facts/certainty.ts";
import { standingWords } from "../facts/change-words.ts";

/** Changes of throughput with their intervals beside the smallest effect, by endpoint; `undefined` without any. */
export function effectsChart({ design, rows }: Comparison): EffectsChart | undefined {
  const groups = grouped(rows, (row): EffectBar[] => {
    const { value = 0, interval } = row.effect ?? {};
    if (interval === undefined) return [];
    const workers = plural(row.cell.workers, "worker");
    const change = effectColumn.text(row);
    return [{ workers, value, interval, tone: row.tone, verdict: standingWords(row), change }];
  });
  if (groups.length === 0) return undefined;
  const smallest = design?.minChange ?? 0;
  const band = smallest > 0 ? `; the band is ±${percent(smallest)}, the smallest effect that matters` : "";
  return {
    caption: `Throughput of head against base with its interval: slower on the left, faster on the right${band}.`,
    minChange: smallest,
    groups,
  };
}

/** Throughput with its intervals, by endpoint; `undefined` when nothing was measured. */
export function throughputChart(comparison: Comparison): ThroughputChart | undefined {
  const measured = comparison.rows.filter((row) => row.problem === undefined);
  const groups = grouped(measured, (row) => {
    const arms = armsOf(row);
    return arms.map(([arm, summary]) => throughputBar(row, arm, summary, arms.length > 1));
  });
  if (groups.length === 0) return undefined;
  return { note: comparison.hasVerdicts ? armIntervalsNote : "", groups };
}

function throughputBar(row: Row, arm: ArmName, { throughput }: ArmSummary, hasBoth: boolean): ThroughputBar {
  return {
    label: `${plural(row.cell.workers, "worker")}${hasBoth ? `, ${arm}` : ""}`,
    arm,
    value: throughput.value,
    interval: throughput.interval,
    text: `${plusMinus(throughput)} req/s`,
  };
}

/** In the order in which endpoints first have a bar. */
function grouped<Bar>(rows: readonly Row[], barsOf: (row: Row) => readonly Bar[]): ChartGroup<Bar>[] {
  const bars = rows.flatMap((row) => barsOf(row).map((bar) => ({ label: cellLabel(row.cell), bar })));
  return [...groupBy(bars, ({ label }) => label)].map(([label, own]) => ({
    label,
    bars: own.map(({ bar }) => bar),
  }));
}

function armsOf({ arms }: Row): (readonly [ArmName, ArmSummary])[] {
  return armNames.flatMap((arm) => (arms[arm] === undefined ? [] : [[arm, arms[arm]] as const]));
}
