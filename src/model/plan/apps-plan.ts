import { InputError } from "../../errors/errors.ts";
import type { NonEmptyArray } from "../../lists/non-empty.ts";
import { sum } from "../../statistics/estimate.ts";
import { percent } from "../../text/percent.ts";
import { mostThresholds } from "../thresholds/threshold.ts";
import { type Check, usualCheck } from "./check.ts";
import { type Design, mostCells, type Plan, usualLatencyEffect, usualMemoryEffect } from "./plan.ts";

/** Most apps in one report. */
export const mostApps = 20;

/** The plan of one app, whose cells have its name. */
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
  const { failOn, failThreshold }: Check = first.check ?? usualCheck;
  const isUsual = failOn === usualCheck.failOn && failThreshold === usualCheck.failThreshold;
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
      check: { failOn, failThreshold, ...(thresholds.length > 0 && { thresholds }) },
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
  ofDesign("smallest-effect", ({ smallestEffect }) => percent(smallestEffect)),
  ofDesign("smallest-latency-effect", ({ smallestLatencyEffect = usualLatencyEffect }) =>
    percent(smallestLatencyEffect),
  ),
  ofDesign("smallest-memory-effect", ({ smallestMemoryEffect = usualMemoryEffect }) =>
    percent(smallestMemoryEffect),
  ),
  ofDesign("false-alarm-rate", ({ falseAlarmRate }) => percent(falseAlarmRate)),
  ofDesign("max-minutes", ({ maxMinutes }) => String(maxMinutes)),
  ["fail-on", ({ check = usualCheck }) => check.failOn],
  ["fail-threshold", ({ check = usualCheck }) => percent(check.failThreshold)],
];

function baseWords(design: Design | undefined): string {
  if (design === undefined) return "none";
  return design.kind === "control" ? "the head itself" : "a base";
}

function differences(apps: readonly AppPlan[]): string[] {
  return shared.flatMap(([input, text]) => {
    const said = apps.flatMap(({ name, plan, isAlone = false }) => {
      const words = text(plan, isAlone);
      return words === undefined ? [] : [{ name, words }];
    });
    const [first] = said;
    const other = said.find(({ words }) => words !== first?.words);
    if (first === undefined || other === undefined) return [];
    return [
      `${input}: is one for the whole report, but ${first.name} has ${first.words} and ${other.name} ${other.words}; say it as an input, which holds for all`,
    ];
  });
}
