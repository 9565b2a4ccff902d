import { groupBy } from "../lists/group.ts";
import type { Diagnose } from "../model/choices.ts";
import { isSocket } from "../model/endpoint/endpoint.ts";
import { mostLogarithm } from "../model/measurement/amounts.ts";
import type { AgedPair, ArmName, Measurement } from "../model/measurement/measurement.ts";
import type { Design } from "../model/plan/plan.ts";
import { sum } from "../statistics/estimate.ts";
import { agingOf } from "./aging.ts";
import { versusOf } from "./cell-comparison.ts";
import type { Effect, Versus } from "./comparison.ts";

/** Who runs more workers and gets replies this many times later wants to know why, whatever this change did. */
const collapsedFrom = 2;

/** Ids of the cells to diagnose: those with a head, of each endpoint the one with the most workers. */
export function diagnosedCells(
  measurements: readonly Measurement[],
  design: Design | undefined,
  diagnose: Diagnose,
): ReadonlySet<string> {
  if (diagnose === "never") return new Set();
  const measured = measurements.filter(
    ({ cell, status, replicates }) =>
      // The probe watches requests; messages through a WebSocket are none.
      status === "measured" &&
      !isSocket(cell.endpoint) &&
      replicates.some(({ arms }) => arms.head !== undefined),
  );
  const versus =
    design === undefined || diagnose === "always" ? new Map<string, Versus>() : versusOf(measured, design);
  const collapsed = collapsedCells(measured);
  const chosen = measured.filter((measurement) => {
    const { verdict, latency = [] } = versus.get(measurement.cell.id) ?? {};
    const hasLonger = latency.some(({ kind }) => kind === "longer");
    const isSlow = hasLonger || collapsed.has(measurement.cell.id);
    return verdict?.kind !== "unchanged" || isSlow || mayAgeSlower(measurement, design);
  });
  const diagnosed = diagnose === "always" ? chosen : onePerEndpoint(chosen, design);
  return new Set(diagnosed.map(({ cell }) => cell.id));
}

function onePerEndpoint(chosen: readonly Measurement[], design: Design | undefined): Measurement[] {
  const place = (measurement: Measurement) =>
    mayAgeSlower(measurement, design) ? measurement.cell.id : withoutWorkers(measurement); // with age it is another load
  return [...groupBy(chosen, place).values()].flatMap((same) =>
    same.toSorted((a, b) => b.cell.workers - a.cell.workers).slice(0, 1),
  );
}

/** Ids of cells whose head answers far later than with fewer workers. */
function collapsedCells(measured: readonly Measurement[]): ReadonlySet<string> {
  const same = groupBy(measured, withoutWorkers);
  const isCollapsed = (one: Measurement) =>
    same
      .get(withoutWorkers(one))
      ?.some(
        (other) =>
          other.cell.workers < one.cell.workers &&
          meanLatencyMs(one, "head") > collapsedFrom * meanLatencyMs(other, "head"),
      );
  return new Set(measured.filter(isCollapsed).map(({ cell }) => cell.id));
}

function withoutWorkers({ cell: { id: _, workers: __, ...rest } }: Measurement): string {
  return JSON.stringify(rest);
}

/** True when causes may come with age: they need a longer look. */
export function mayAgeSlower({ aged }: Measurement, design: Design | undefined): boolean {
  const kind = aged && design && agingOf(aged, design, 1)?.kind;
  return kind === "slower" || kind === "perhaps slower";
}

/** Ids of cells that certainly changed, by throughput or, where that leaves it open, by CPU time. */
export function changedCells(
  measurements: readonly Measurement[],
  design: Design | undefined,
): ReadonlyMap<string, "slower" | "faster"> {
  if (design === undefined) return new Map();
  const measured = measurements.filter(({ status }) => status === "measured");
  return new Map(
    [...versusOf(measured, design)].flatMap(([id, { verdict, effects }]) => {
      if (verdict.kind === "slower" || verdict.kind === "faster") return [[id, verdict.kind] as const];
      const cpu = effects.cpuPerRequest;
      if (verdict.kind !== "inconclusive" || !isCertain(cpu, design.minChange)) return [];
      return [[id, (cpu?.value ?? 0) > 0 ? "slower" : "faster"] as const];
    }),
  );
}

function isCertain(change: Effect | undefined, least: number): boolean {
  const { low, high } = change?.interval ?? { low: 0, high: 0 };
  return (low > 0 || high < 0) && Math.abs(change?.value ?? 0) >= least;
}

/**
 * ln(head / base) of the throughput of some cells whose endpoints get requests by turns, as far as their replicates certainly
 * show a change, with half of its interval; `undefined` where none does. Cells in doubt count as unchanged.
 *
 * @param measurements all of the report, because they share its false alarms
 */
export function knownEffect(
  cells: readonly Measurement[],
  measurements: readonly Measurement[],
  design: Design,
): AgedPair["known"] {
  const measured = measurements.filter(({ status }) => status === "measured");
  const versus = versusOf(measured, design);
  const times = cells.map((each) => {
    const { low, high } = sureInterval(versus.get(each.cell.id));
    const base = meanLatencyMs(each, "base");
    return { base, head: base / Math.exp((low + high) / 2), half: (high - low) / 2 };
  });
  const head = sum(times.map((each) => each.head));
  const effect = Math.log(sum(times.map(({ base }) => base)) / head);
  const half = Math.hypot(...times.map((each) => (each.half * each.head) / head));
  if (!Number.isFinite(effect) || effect === 0) return undefined;
  // The interval of a few replicates that differ much can be wider than what a document holds.
  const limited = (value: number) => Math.max(-mostLogarithm, Math.min(mostLogarithm, value));
  return { effect: limited(effect), half: limited(half) };
}

/** As logarithms; 0 where nothing is certain. */
function sureInterval(versus: Versus | undefined): NonNullable<Effect["interval"]> {
  const isSure = versus?.verdict.kind === "slower" || versus?.verdict.kind === "faster";
  const { interval } = versus?.effects.totalThroughput ?? versus?.effects.throughput ?? {};
  if (!isSure || interval === undefined || interval.low <= -1) return { low: 0, high: 0 };
  return { low: Math.log1p(interval.low), high: Math.log1p(interval.high) };
}

/** Mean time for an arm's replies, in milliseconds, over all replicates; NaN without any. */
function meanLatencyMs({ replicates }: Pick<Measurement, "replicates">, arm: ArmName): number {
  const blocks = replicates.flatMap(({ arms }) => arms[arm]?.blocks ?? []);
  return (
    sum(blocks.map(({ latencyTotalMs }) => latencyTotalMs)) / sum(blocks.map(({ requests }) => requests))
  );
}
