import { groupBy } from "../../lists/group.ts";
import { isNonEmpty, type NonEmptyArray } from "../../lists/non-empty.ts";
import { cpuCount, type Environment, machineKey } from "../../model/measurement/environment.ts";
import { cellLabel, type Load } from "../../model/plan/cell.ts";
import { plural } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import type { ArmSummary } from "../arm-summary.ts";
import type { Row } from "../comparison.ts";
import { type FittedLaw, fitLaw } from "./scalability-law.ts";
import {
  type Enough,
  enoughOf,
  type ScaledCount,
  scaled,
  type UnusableCount,
  type WorkerCount,
} from "./worker-count.ts";

interface ExcessiveCount {
  readonly workers: number;
  readonly excess: Excess;
}

export interface WorkersAdvice {
  /** Foreign text. */
  readonly endpoint: string;
  readonly load: Load;
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

/** Advice on rows that was given before: each form of a report needs it, and thousands of curves are drawn for it. */
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
  const obstacle = lack ?? (enough && tooUncertain(enough));
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

/** Larger shares of failed requests make throughput meaningless: failing is often quicker. */
const mostFailures = 0.01;

/** Rows that differ in nothing but their worker count, ascending in it; two or more, of which one was to be measured. */
function rowsByEndpoint(rows: readonly Row[]): NonEmptyArray<Row>[] {
  const groups = groupBy(rows, ({ cell: { app, endpoint, server, load } }) =>
    JSON.stringify([app, endpoint, server, load]),
  );
  return [...groups.values()]
    .map((group) => group.toSorted((a, b) => a.cell.workers - b.cell.workers))
    .filter((group) => new Set(group.map(({ cell }) => cell.workers)).size > 1)
    .filter((group) => group.some(({ status }) => status !== "not reached"))
    .filter((group) => isNonEmpty(group));
}

function countOf(row: Row): WorkerCount | UnusableCount {
  const { workers } = row.cell;
  const { head } = row.arms;
  const reason = unusableReason(row, head);
  if (reason !== undefined || head === undefined) return { workers, reason: reason ?? "not measured" };
  return {
    workers,
    rates: head.replicateRates,
    memoryBytes: head.peakMemoryBytes,
    connections: head.connections,
    cpuShare: cpuShareOf(head, workers, row.environment),
  };
}

/** CPUs that the app may use: its own, or those that it shares with k6 and Postgres. */
function appCores({ appCpus, cores }: Environment): number {
  return appCpus === undefined ? cores : cpuCount(appCpus);
}

function unusableReason({ status, versus }: Row, head: ArmSummary | undefined): string | undefined {
  if (status !== "measured") return status;
  if (head === undefined) return "not in the head";
  if (versus?.verdict.kind === "invalid") return `invalid: ${versus.verdict.reason}`;
  const failed = head.failures / head.requests;
  if (failed > mostFailures) return `${percent(failed)} of its requests failed`;
  return head.replicateRates.length === 0 || head.replicateRates.some((rate) => !(rate > 0))
    ? "no throughput"
    : undefined;
}

/** By the utilisation law: throughput times CPU time per request is CPUs in use (Denning and Buzen, 1978). */
function cpuShareOf(
  { throughput, cpuPerRequestMs }: ArmSummary,
  workers: number,
  environment: Environment | undefined,
): number | undefined {
  if (cpuPerRequestMs === undefined || environment === undefined) return undefined;
  const used = (throughput.value * cpuPerRequestMs) / 1_000;
  return used / Math.min(workers, Math.max(1, appCores(environment)));
}

/** Why throughput at different worker counts cannot be compared at all: our own words; `undefined` when it can. */
function incomparable(rows: readonly Row[]): string | undefined {
  if (rows.some(({ cell }) => cell.load.kind === "rate"))
    return "requests arrived at a fixed rate, which does not show what more workers could do";
  const machines = new Set(rows.flatMap(({ environment }) => (environment ? [machineKey(environment)] : [])));
  return machines.size > 1
    ? `its worker counts were measured on ${machines.size} machines, which are not equally fast`
    : undefined;
}

/** Least chance of an advice: below it, the advice is more likely wrong than right. */
const leastChance = 0.5;

/** Why a count that was found must not be advised: the replicates of other counts allow them as well. */
function tooUncertain({ chance, chances }: Enough): string | undefined {
  if (chance === undefined || chance >= leastChance) return undefined;
  const likely = chances
    .filter((each) => each.chance >= 0.1)
    .toSorted((a, b) => b.chance - a.chance)
    .map((each) => `${plural(each.workers, "worker")} ${percent(each.chance, "whole")}`);
  return `the replicates differ too much to choose a worker count (chance of being the smallest sufficient count: ${likely.join(", ")}). Raise max-minutes, or use a quieter machine`;
}

/** Why no count can be advised although they could be compared. */
function tooFew(figures: {
  readonly planned: number;
  readonly usable: number;
  readonly allowed: number;
}): string | undefined {
  const { planned, usable, allowed } = figures;
  if (usable < 2)
    return `${usable === 0 ? "none" : "only one"} of the ${planned} worker counts has usable figures`;
  return allowed === 0 ? "every worker count takes more memory or connections than are available" : undefined;
}

/** Share of the machine's memory that the workers may take: the rest is for the system and for what was not measured. */
export const memoryShare = 0.8;

/** Connections for ordinary users by Postgres' default: `max_connections` is 100, of which 3 are for superusers. */
const usualConnections = 97;

/** Connections that the app's Postgres grants to ordinary users: its own figure, else the default. */
export function connectionLimit({ maxConnections }: Environment): number {
  return maxConnections ?? usualConnections;
}

export type Excess = "memory" | "connections";

/** Why a count must not be advised although it was measured: a few words of our own; `undefined` when it may be. */
function excessOf(
  { memoryBytes, connections }: WorkerCount,
  environment: Environment | undefined,
): Excess | undefined {
  if (environment === undefined) return undefined;
  if (memoryBytes !== undefined && memoryBytes > memoryShare * environment.memoryBytes) return "memory";
  return connections !== undefined && connections > connectionLimit(environment) ? "connections" : undefined;
}
