import { InputError } from "../../errors/errors.ts";
import type { NonEmptyArray } from "../../lists/non-empty.ts";
import { sum } from "../../statistics/estimate.ts";
import { plural } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import { type Check, mostThresholds, usualCheck } from "../thresholds/threshold.ts";
import { serverKindOf } from "../workload/seed.ts";
import type { AppOfReport, Workload } from "../workload/workload.ts";
import { minutesProblem, mostMeasuringSeconds } from "./minutes.ts";
import { type Design, lineOf, mostCells, type Plan, usualLatencyEffect, usualMemoryEffect } from "./plan.ts";

export const mostApps = 20;

export interface AppPlan {
  readonly name: string;
  readonly plan: Plan;
  /** True when a wanted comparison is impossible: its design does not count as different then. */
  readonly isAlone?: boolean;
}

/**
 * The plan of a report of several apps: the false alarms are those of all cells together. Throws an `InputError` when
 * the apps differ in a setting that a report has only once.
 */
export function mergePlans(apps: NonEmptyArray<AppPlan>, { isForMatrix = false } = {}): Plan {
  const [{ plan: first }, ...others] = apps;
  if (others.length === 0) return first;
  const cells = apps.flatMap(({ plan }) => plan.cells);
  const thresholds = apps.flatMap(({ name, plan }) =>
    (plan.check?.thresholds ?? []).map((threshold) => ({ app: name, ...threshold })),
  );
  const problems = [
    ...differences(apps),
    ...(cells.length > mostCells
      ? [`config: the apps have ${cells.length} cells; a report has at most ${mostCells}`]
      : []),
    ...(thresholds.length > mostThresholds
      ? [`thresholds: the apps have ${thresholds.length}; a report has at most ${mostThresholds}`]
      : []),
  ];
  if (problems.length > 0) throw new InputError(problems);
  const { failOn, maxSlowdown }: Check = first.check ?? usualCheck;
  const isUsual = failOn === usualCheck.failOn && maxSlowdown === usualCheck.maxSlowdown;
  const design = apps.map(({ plan }) => plan.design).find((each) => each !== undefined);
  const seconds = apps.map(({ plan }) => plan.estimatedSeconds);
  const known = seconds.filter((each) => each !== undefined);
  return {
    schemaVersion: 1,
    cells,
    ...(known.length === seconds.length && {
      estimatedSeconds: isForMatrix ? Math.max(...known) : sum(known),
    }),
    ...(design !== undefined && { design: { ...design, cells: cells.length } }),
    ...((!isUsual || thresholds.length > 0) && {
      check: { failOn, maxSlowdown, ...(thresholds.length > 0 && { thresholds }) },
    }),
  };
}

/** A setting of the whole report, in words; `undefined` when a plan has none. */
type Shared = readonly [name: string, text: (plan: Plan, isAlone: boolean) => string | undefined];

const ofDesign = (name: string, text: (design: Design) => string): Shared => [
  name,
  ({ design }) => design && text(design), // without a base the message names `base-ref`
];

const shared: readonly Shared[] = [
  ["base-ref, control", ({ design }, isAlone) => (isAlone ? undefined : baseWords(design))],
  ofDesign("min-change", ({ minChange }) => percent(minChange)),
  ofDesign("min-latency-change", ({ minLatencyChange = usualLatencyEffect }) => percent(minLatencyChange)),
  ofDesign("min-memory-change", ({ minMemoryChange = usualMemoryEffect }) => percent(minMemoryChange)),
  ofDesign("false-alarm-rate", ({ falseAlarmRate }) => percent(falseAlarmRate)),
  ofDesign("max-minutes", ({ maxMinutes }) => String(maxMinutes)),
  ["fail-on", ({ check = usualCheck }) => check.failOn],
  ["max-slowdown", ({ check = usualCheck }) => percent(check.maxSlowdown)],
];

function baseWords(design: Design | undefined): string {
  if (design === undefined) return "none";
  return design.kind === "control" ? "the head itself" : "a base";
}

function differences(apps: readonly AppPlan[]): string[] {
  return shared.flatMap(([input, text]) => {
    const values = apps.flatMap(({ name, plan, isAlone = false }) => {
      const words = text(plan, isAlone);
      return words === undefined ? [] : [{ name, words }];
    });
    const [first] = values;
    const other = values.find(({ words }) => words !== first?.words);
    if (first === undefined || other === undefined) return [];
    return [
      `${input}: applies to the whole report, but ${first.name} has ${first.words} and ${other.name} ${other.words}; set it as an input, which applies to all apps`,
    ];
  });
}

/** One job of a matrix: its own inputs, next to those of all jobs. */
interface MatrixJob {
  /** Empty for an unnamed app. */
  readonly app: string;
  readonly config: string;
  readonly database: "private" | "existing" | "none";
  readonly workers: number;
  /** Empty with an iteration, or a script. */
  readonly endpoint: string;
}

/** A job for each worker count and line of `endpoints` of each app, in the order of the plan. */
export function jobsOf({ cells }: Plan, apps: readonly AppOfReport[]): readonly MatrixJob[] {
  const jobs = apps.flatMap(({ workload, config }) =>
    cells
      .filter(({ app }) => app === workload.name)
      .map(({ endpoint, workers }): MatrixJob => {
        const line = lineOf(endpoint, workload);
        return {
          app: workload.name ?? "",
          config,
          database: serverKindOf(workload.database),
          workers,
          endpoint: line,
        };
      }),
  );
  return [...new Map(jobs.map((job) => [JSON.stringify(job), job])).values()];
}

/**
 * The plan whose machines together measure for no longer than the smallest total that an app allows. Throws an
 * `InputError` when a machine's part is too short for a comparison.
 *
 * @param parts number of cells of each job, or of each app
 * @param isForMatrix the jobs run at the same time; apps are measured one after the other
 */
export function withinTotal(
  plan: Plan,
  workloads: readonly Pick<Workload, "maxTotalMinutes">[],
  { parts, isForMatrix }: { readonly parts: readonly number[]; readonly isForMatrix: boolean },
): Plan {
  const totals = workloads.flatMap(({ maxTotalMinutes }) => maxTotalMinutes ?? []);
  if (plan.design === undefined || totals.length === 0) return plan;
  const total = Math.min(...totals);
  const maxMinutes = Math.min(plan.design.maxMinutes, Math.round((1_000 * total) / parts.length) / 1_000);
  const problem = minutesProblem(Math.max(...parts), maxMinutes);
  if (problem !== undefined)
    throw new InputError([
      `max-total-minutes: ${total} leaves ${maxMinutes} to each of ${plural(parts.length, "machine")}; ${problem}`,
    ]);
  const design = { ...plan.design, maxMinutes };
  const secondsOf = (each: Design) => {
    const seconds = parts.map((cells) => mostMeasuringSeconds(cells, each));
    return isForMatrix ? Math.max(...seconds) : sum(seconds);
  };
  const { estimatedSeconds } = plan;
  if (estimatedSeconds === undefined) return { ...plan, design };
  return { ...plan, estimatedSeconds: estimatedSeconds - secondsOf(plan.design) + secondsOf(design), design };
}
