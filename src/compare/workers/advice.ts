import type { Environment } from "../../model/measurement/environment.ts";
import { cellLabel, type Load } from "../../model/plan/cell.ts";
import type { Row } from "../comparison.ts";
import { appCores, countOf, rowsByEndpoint } from "./endpoint-rows.ts";
import { type Enough, enoughOf } from "./enough.ts";
import { type Excess, excessOf } from "./limits.ts";
import { incomparable, tooFew, tooUnsure } from "./obstacle.ts";
import { type FittedLaw, fitLaw } from "./scalability-law.ts";
import { scaled } from "./speed-up.ts";
import type { ScaledCount, UnusableCount } from "./worker-count.ts";

/** A count that is not advised although it has figures. */
export interface ExcessiveCount {
  readonly workers: number;
  /** The resource of which it takes more than there is. */
  readonly excess: Excess;
}

/** Advice from the worker counts of one endpoint. */
export interface WorkersAdvice {
  /** Foreign text. */
  readonly endpoint: string;
  readonly load: Load;
  /** Environment of the measurement, when any cell recorded it. */
  readonly environment: Environment | undefined;
  /** CPUs that the app could use; `undefined` when nobody recorded them. */
  readonly cores: number | undefined;
  /** Counts with figures, ascending. */
  readonly counts: readonly ScaledCount[];
  readonly unusable: readonly UnusableCount[];
  readonly excessive: readonly ExcessiveCount[];
  /** Why no count can be advised: our own words; `undefined` when one can. */
  readonly obstacle: string | undefined;
  /** The count that is enough, among those that are not excessive; `undefined` with an obstacle. */
  readonly enough: Enough | undefined;
  /** Fitted from five counts on. */
  readonly law: FittedLaw | undefined;
}

/** Advice for each endpoint of a report that was planned with two worker counts or more, in the order of the plan. */
export function workersAdvice(rows: readonly Row[]): readonly WorkersAdvice[] {
  const advice = known.get(rows) ?? rowsByEndpoint(rows).map(adviceOf);
  known.set(rows, advice);
  return advice;
}

/** Advice on rows that were asked for before: each form of a report asks, and thousands of curves are drawn for it. */
const known = new WeakMap<readonly Row[], readonly WorkersAdvice[]>();

function adviceOf([first, ...others]: readonly [Row, ...Row[]]): WorkersAdvice {
  const rows = [first, ...others];
  const found = rows.map(countOf);
  const usable = found.filter((count) => "rates" in count);
  const environment = rows.find((row) => row.environment !== undefined)?.environment;
  const excessive = usable.flatMap((count): ExcessiveCount[] => {
    const excess = excessOf(count, environment);
    return excess === undefined ? [] : [{ workers: count.workers, excess }];
  });
  const allowed = usable.filter(({ workers }) => !excessive.some((each) => each.workers === workers));
  const difference = incomparable(rows);
  const lack = difference ?? tooFew({ planned: rows.length, usable: usable.length, allowed: allowed.length });
  const enough = lack === undefined ? enoughOf(allowed) : undefined;
  const obstacle = lack ?? (enough && tooUnsure(enough));
  return {
    endpoint: cellLabel(first.cell),
    load: first.cell.load,
    environment,
    cores: environment && appCores(environment),
    counts: scaled(usable, difference === undefined),
    unusable: found.filter((count) => "reason" in count),
    excessive,
    obstacle,
    enough: obstacle === undefined ? enough : undefined,
    law: lack === undefined ? fitLaw(usable) : undefined,
  };
}
