import { defined } from "../lists/defined.ts";
import { groupBy } from "../lists/group.ts";
import { type ArmName, armNames, type Measurement } from "../model/measurement/measurement.ts";
import { redirectWords } from "../model/measurement/redirects.ts";
import { type Cell, endpointLabel } from "../model/plan/cell.ts";
import type { Plan } from "../model/plan/plan.ts";
import type { Acceptance } from "../model/pull-request.ts";
import { type Check, labelsMeant, usualCheck } from "../model/thresholds/threshold.ts";
import { sum } from "../statistics/estimate.ts";
import { agingOf } from "./aging.ts";
import { type ArmSummary, saturationOf, summarise } from "./arm-summary.ts";
import { versusOf } from "./cell-comparison.ts";
import type { Comparison, MeasuredRow, Row, Versus } from "./comparison.ts";
import { judgeThresholds } from "./judged-thresholds.ts";
import { failsFrom, judgeRow } from "./judgement.ts";
import { scriptIn } from "./script-runs.ts";

/** Matches the measurements with the plan, and judges each row. No planned cell is ever dropped. */
export function compare(
  plan: Plan,
  measurements: readonly Measurement[],
  check: Check = plan.check ?? usualCheck,
): Comparison {
  const planned = new Set(plan.cells.map((cell) => cell.id));
  const strangers = measurements.filter(({ cell }) => !planned.has(cell.id));
  const found = groupBy(measurements, ({ cell }) => cell.id);
  const usable = measurements.filter(
    ({ cell, status }) => planned.has(cell.id) && status === "measured" && found.get(cell.id)?.length === 1,
  );
  const versus = plan.design === undefined ? new Map<string, Versus>() : versusOf(usable, plan.design);
  return judge({
    design: plan.design,
    check,
    rows: plan.cells.map((cell) => ({
      ...toRow(cell, found.get(cell.id) ?? [], versus.get(cell.id)),
      ...agingIn(found.get(cell.id)?.[0], plan, usable),
    })),
    commits: measurements.find((each) => Object.keys(each.commits).length > 0)?.commits ?? {},
    ...defined({ settings: plan.settings }),
    warnings: strangers.map(({ cell }) => `Ignored a result for \`${cell.id}\`, which is not in the plan.`),
  });
}

export function judge({
  rows: measured,
  ...rest
}: Omit<Comparison, "rows" | "hasVerdicts" | "thresholds" | "failsFrom"> & {
  readonly rows: readonly MeasuredRow[];
}): Comparison {
  const rows = measured.map((row) => judgeRow(row, rest));
  return {
    ...rest,
    failsFrom: failsFrom(rest),
    rows,
    hasVerdicts: rows.some(({ isCompared }) => isCompared),
    thresholds: judgeThresholds(rows, rest),
  };
}

export function withAccepted(comparison: Comparison, accepted: readonly Acceptance[]): Comparison {
  const all = comparison.rows.map(({ cell }) => cell.endpoint);
  const acceptanceOf = ({ cell }: Row) =>
    accepted.find(
      ({ endpoint, workers }) =>
        (workers === undefined || workers === cell.workers) &&
        labelsMeant(endpoint, all).has(endpointLabel(cell.endpoint)),
    );
  return {
    ...comparison,
    accepted,
    rows: comparison.rows.map((row) => ({ ...row, acceptance: acceptanceOf(row) })),
  };
}

/** The pairs that lived long, in a report of several machines, share its false alarms. */
function agingIn(
  measurement: Measurement | undefined,
  { design }: Plan,
  usable: readonly Measurement[],
): Pick<MeasuredRow, "aging"> {
  if (measurement?.aged === undefined || design === undefined || !usable.includes(measurement)) return {};
  return { aging: agingOf(measurement.aged, design, usable.filter(({ aged }) => aged !== undefined).length) };
}

function toRow(cell: Cell, found: readonly Measurement[], versus: Versus | undefined): MeasuredRow {
  const blank = {
    cell,
    arms: {},
    droppedIterations: 0,
    details: undefined,
    environment: undefined,
    startedAt: undefined,
    versus: undefined,
    loneArm: undefined,
    notices: [],
    diagnosis: undefined,
  };
  const [measurement, ...others] = found;
  if (measurement === undefined) return { ...blank, status: "missing", failure: undefined };
  if (others.length > 0) {
    const reason = `${found.length} results claim to belong to this cell`;
    return { ...blank, status: "invalid", failure: { phase: "read results", reason, logTail: "" } };
  }
  const arms: Partial<Record<ArmName, ArmSummary>> = {};
  for (const name of armNames) {
    const summary = summarise(measurement.replicates.flatMap((replicate) => replicate.arms[name] ?? []));
    const counted = typeof versus?.instructions === "object" ? versus.instructions.arms[name] : undefined;
    if (summary !== undefined)
      arms[name] = {
        ...summary,
        ...saturationOf(measurement, name),
        ...defined({ instructionsPerRequest: counted }),
      };
  }
  return {
    cell,
    status: measurement.status,
    failure: measurement.failure,
    arms,
    droppedIterations: sum(
      measurement.replicates.map(
        ({ generator, open }) => generator.droppedIterations + (open?.droppedIterations ?? 0),
      ),
    ),
    details: measurement.replicates[0]?.generator.details,
    ...scriptIn(measurement),
    environment: measurement.environment,
    startedAt: measurement.startedAt,
    versus,
    loneArm: measurement.loneArm,
    notices: [...(measurement.redirects ?? []).map(redirectWords), ...(measurement.notices ?? [])],
    ...defined({ notReached: measurement.notReached }),
    diagnosis: measurement.diagnosis,
  };
}
