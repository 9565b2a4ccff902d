import type { ArmSummary } from "../../compare/arm-summary.ts";
import type { Comparison, Row } from "../../compare/comparison.ts";
import { isIteration, isMix } from "../../model/endpoint/endpoint.ts";
import { count, perRequest } from "../../text/numbers.ts";
import { changeSize, percent } from "../../text/percent.ts";

/** Statements per request by which the arms must differ, and the same as a share: opening a connection sends some. */
const leastStatements = 0.5;
const leastShareOfStatements = 0.01;
/** With several requests in turns, chance decides with which of them a load ends, and in which share. */
const leastShareOfTurns = 0.1;

/** Share by which the mean size of replies must differ: it is taken from samples. */
const leastShareOfReply = 0.1;

/** Counts, and CPU time, that changed while throughput was limited otherwise. Our own words. */
export function countedChanges(row: Row, { design }: Pick<Comparison, "design">): string[] {
  const { base, head } = row.arms;
  if (row.versus === undefined || base === undefined || head === undefined) return [];
  const hasTurns = isMix(row.cell.endpoint) || isIteration(row.cell.endpoint);
  return [
    statementsSentence(base, head, hasTurns ? leastShareOfTurns : leastShareOfStatements),
    // The sizes come from samples, and the speed of an arm decides which requests are sampled.
    hasTurns ? undefined : replySentence(base, head),
    cpuSentence(row, design?.minChange ?? Number.POSITIVE_INFINITY),
  ].filter((text) => text !== undefined);
}

/** True when a row has something important for a reader that its verdict does not show. */
export function hasCountedChanges(row: Row, comparison: Pick<Comparison, "design">): boolean {
  return countedChanges(row, comparison).length > 0;
}

function statementsSentence(
  { statementsPerRequest: base }: ArmSummary,
  { statementsPerRequest: head }: ArmSummary,
  leastShare: number,
): string | undefined {
  if (base === undefined || head === undefined) return undefined;
  const change = Math.abs(head - base);
  if (change < Math.max(leastStatements, leastShare * base)) return undefined;
  return `Each request runs ${perRequest(head)} SQL statements instead of ${perRequest(base)}.`;
}

function replySentence(
  { responseBytes: base }: ArmSummary,
  { responseBytes: head }: ArmSummary,
): string | undefined {
  if (base === undefined || head === undefined) return undefined;
  const change = head - base;
  if (Math.abs(change) <= leastShareOfReply * base) return undefined;
  const share = base === 0 ? "" : `${percent(Math.abs(change) / base, "whole")} `;
  return `Responses are ${share}${change < 0 ? "smaller" : "larger"}: ${count(head)} B instead of ${count(base)} B.`;
}

function cpuSentence(row: Row, minChange: number): string | undefined {
  const versus = row.versus;
  const change = versus?.effects.cpuPerRequest;
  const { low, high } = change?.interval ?? { low: 0, high: 0 };
  const isOpen = versus?.verdict.kind === "unchanged" || versus?.verdict.kind === "inconclusive";
  const isCertain = low > 0 || high < 0;
  if (change === undefined || !isOpen || !isCertain || Math.abs(change.value) < minChange) return undefined;
  const { size, range } = changeSize(change);
  return `Each request takes ${size} ${change.value < 0 ? "less" : "more"} CPU (95% interval ${range}).`;
}
