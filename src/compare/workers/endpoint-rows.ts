import { groupBy } from "../../lists/group.ts";
import { isNonEmpty, type NonEmptyArray } from "../../lists/non-empty.ts";
import { cpuCount } from "../../model/measurement/cpu-list.ts";
import type { Environment } from "../../model/measurement/environment.ts";
import { percent } from "../../text/percent.ts";
import type { ArmSummary } from "../arm-summary.ts";
import type { Row } from "../comparison.ts";
import type { UnusableCount, WorkerCount } from "./worker-count.ts";

/** Larger shares of failed requests make throughput meaningless: failing is often quicker. */
const mostFailures = 0.01;

/** Rows that differ in nothing but their worker count, ascending in it; two or more, of which one was to be measured. */
export function rowsByEndpoint(rows: readonly Row[]): NonEmptyArray<Row>[] {
  const groups = groupBy(rows, ({ cell: { app, endpoint, server, load } }) =>
    JSON.stringify([app, endpoint, server, load]),
  );
  return [...groups.values()]
    .map((group) => group.toSorted((a, b) => a.cell.workers - b.cell.workers))
    .filter((group) => new Set(group.map(({ cell }) => cell.workers)).size > 1)
    .filter((group) => group.some(({ status }) => status !== "not reached"))
    .filter((group) => isNonEmpty(group));
}

/** A row's figures for the advice, or the reason why it has none. */
export function countOf(row: Row): WorkerCount | UnusableCount {
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
export function appCores({ appCpus, cores }: Environment): number {
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
