import { groupBy } from "../lists/group.ts";
import type { ScriptResults } from "../model/measurement/generator.ts";
import { type ArmName, armNames, type Measurement } from "../model/measurement/measurement.ts";
import { type Estimate, mean, median, sum } from "../statistics/estimate.ts";
import { relativeChange } from "../statistics/student.ts";

type Times = ScriptResults["groups"][number];

/** Results of a user's own script in all runs against the base, and how long its parts take compared with there. */
export interface ScriptChange {
  readonly base: ScriptResults;
  /** Change of the mean time of each request and group that both arms have, with a plain 95% interval. */
  readonly changes: readonly {
    readonly of: "requests" | "groups";
    readonly name: string;
    readonly effect: Estimate;
  }[];
}

/** Results of a user's own script: those of its only run, or of all runs against the head, with the base's. */
export function scriptIn({ replicates }: Measurement): {
  readonly script?: ScriptResults;
  readonly scriptChange?: ScriptChange;
} {
  const pairs = replicates.flatMap(({ scripts }) => scripts ?? []);
  const [only] = replicates.flatMap(({ script }) => script ?? []);
  if (pairs.length === 0) return only === undefined ? {} : { script: only };
  const of = (arm: ArmName) => pairs.map((pair) => pair[arm]);
  const [base, head] = [merged(of("base")), merged(of("head"))];
  const changes = (["requests", "groups"] as const).flatMap((kind) =>
    (head[kind] ?? []).flatMap(({ name }) => {
      const effect = relativeChange(pairs.flatMap((pair) => logRatio(pair, kind, name)));
      return effect === undefined ? [] : { of: kind, name, effect };
    }),
  );
  return { script: head, scriptChange: { base, changes } };
}

function logRatio(
  pair: Readonly<Record<ArmName, ScriptResults>>,
  kind: "requests" | "groups",
  name: string,
): number[] {
  const [base, head] = armNames.map((arm) => pair[arm][kind]?.find((each) => each.name === name)?.meanMs);
  const ratio = Math.log((head ?? Number.NaN) / (base ?? Number.NaN));
  return Number.isFinite(ratio) ? [ratio] : [];
}

/** Checks and times of all runs together, metrics of a typical run. A threshold is kept if most runs kept it. */
function merged(runs: readonly ScriptResults[]): ScriptResults {
  const requests = timesOf(runs.flatMap((run) => run.requests ?? []));
  return {
    checks: parts(
      runs.flatMap(({ checks }) => checks),
      ({ group, name }) => `${group}::${name}`,
    ).map(([first, all]) => ({
      ...first,
      passes: sum(all.map(({ passes }) => passes)),
      fails: sum(all.map(({ fails }) => fails)),
    })),
    groups: timesOf(runs.flatMap(({ groups }) => groups)),
    ...(requests.length > 0 && { requests }),
    metrics: parts(
      runs.flatMap(({ metrics }) => metrics),
      ({ name }) => name,
    ).map(([{ name }, all]) => ({
      name,
      values: Object.fromEntries(
        parts(
          all.flatMap(({ values }) => Object.entries(values)),
          ([key]) => key,
        ).map(([[key], each]) => [key, median(each.map(([, value]) => value))]),
      ),
    })),
    thresholds: parts(
      runs.flatMap(({ thresholds }) => thresholds),
      ({ metric, condition }) => `${metric}: ${condition}`,
    ).map(([{ metric, condition }, all]) => {
      const values = all.flatMap(({ value }) => value ?? []);
      const isKept = 2 * all.filter((each) => each.isKept).length >= all.length;
      return { metric, condition, isKept, ...(values.length > 0 && { value: median(values) }) };
    }),
  };
}

function timesOf(all: readonly Times[]): Times[] {
  return parts(all, ({ name }) => name).map(([{ name }, times]) => {
    const count = sum(times.map((each) => each.count));
    return {
      name,
      count,
      meanMs: sum(times.map((each) => each.meanMs * each.count)) / count,
      p95Ms: mean(times.map(({ p95Ms }) => p95Ms)),
    };
  });
}

/** Those that are called alike, with the first of them. */
function parts<T>(all: readonly T[], nameOf: (each: T) => string): (readonly [T, readonly T[]])[] {
  return [...groupBy(all, nameOf).values()].flatMap((each) => {
    const [first] = each;
    return first === undefined ? [] : [[first, each] as const];
  });
}
