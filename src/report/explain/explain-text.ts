import { reachOf } from "../../compare/answer.ts";
import type { Comparison, Row } from "../../compare/comparison.ts";
import { endpointLabel } from "../../model/plan/cell.ts";
import { byteLength } from "../../text/length.ts";
import { perRequest } from "../../text/numbers.ts";
import { changeSize, percent, relativeChange } from "../../text/percent.ts";
import { printable } from "../../text/visible.ts";
import { lackingMinutes } from "../facts/reasons.ts";
import type { ExplainDocument, SlowdownAnswer } from "./explain-schema.ts";

/** A small part of what a coding agent can read at once; in bytes. */
const mostBytes = 8_000;

/** The document on one line. It has at most 8 kB unless `isAll`: what is least important is left out first. */
export function explainText(document: ExplainDocument, { isAll = false } = {}): string {
  let fitting = document;
  while (!isAll && byteLength(JSON.stringify(fitting)) > mostBytes) {
    const shorter = shorterThan(fitting);
    if (shorter === undefined) break;
    fitting = shorter;
  }
  return `${JSON.stringify(fitting)}\n`;
}

type ExplainedList = "cells" | "causes" | "thresholds";

/** The same with less: kept thresholds, quiet cells, evidence, then whatever is last. */
function shorterThan(document: ExplainDocument): ExplainDocument | undefined {
  const { cells, causes, thresholds = [] } = document;
  const isKept = thresholds.at(-1)?.state === "kept";
  const isQuiet = !["slower", "faster", "inconclusive"].includes(cells.at(-1)?.verdict ?? "slower");
  const isProven = causes.some(({ quoted }) => quoted.evidence !== undefined);
  if (document.quoted !== undefined) {
    const { quoted: _, ...rest } = document;
    return rest;
  }
  if (isKept) return withoutLast(document, "thresholds");
  if (isQuiet && cells.length > 1) return withoutLast(document, "cells");
  if (isProven) return { ...document, causes: causes.map(withoutEvidence) };
  if (causes.length > 3) return withoutLast(document, "causes");
  if (thresholds.length > 3) return withoutLast(document, "thresholds");
  return cells.length > 1 ? withoutLast(document, "cells") : undefined;
}

function withoutEvidence({
  quoted: { evidence: _, ...quoted },
  ...cause
}: ExplainDocument["causes"][number]) {
  return { ...cause, quoted };
}

function withoutLast(document: ExplainDocument, list: ExplainedList): ExplainDocument {
  const { leftOut = {} } = document;
  return {
    ...document,
    [list]: document[list]?.slice(0, -1),
    leftOut: { ...leftOut, [list]: (leftOut[list] ?? 0) + 1 },
  };
}

/** Share of a reported slowdown that may be left, or of equal size by noise, once it is gone. */
const mostLeft = 1 / 4;

/** The slowdown from which on it is not gone: what fails the check, unless the report saw less than that or far more. */
function limitOf({ design, failsFrom }: Comparison, reported = failsFrom): number {
  return Math.max(design?.minChange ?? 0, Math.min(failsFrom, reported), mostLeft * reported);
}

/**
 * Says whether a slowdown is left; `undefined` where nothing was compared.
 *
 * @param reported the slowdown that a report was certain of, as a share
 */
export function answerOf(
  { standing, versus, effect }: Row,
  comparison: Comparison,
  reported?: number,
): SlowdownAnswer | undefined {
  if (standing === "not reached") return "gone";
  if (versus === undefined) return undefined;
  const { kind, isSmall } = versus.verdict;
  if (kind === "slower" && !isSmall) return "still there";
  if (kind === "unchanged" || kind === "faster") return "gone";
  const limit = limitOf(comparison, reported);
  return effect !== undefined && reachOf(effect, limit) === "certainly not" ? "gone" : "not certain";
}

/** The last line of `again`, about its only row. */
export function answerText(
  answer: SlowdownAnswer,
  { cell, standing, effect, versus, arms }: Row,
  comparison: Comparison,
  reported?: number,
): string {
  const endpoint = printable(endpointLabel(cell.endpoint));
  const { size, range } = changeSize(effect);
  const interval = versus === undefined ? "interval" : `${percent(versus.confidence)} interval`;
  const before =
    reported === undefined ? "" : `; the report was certain of at least ${percent(reported, "measured")}`;
  if (answer === "still there")
    return `The slowdown is still there: ${endpoint} is ${size} slower (${interval}: ${range})${before}.`;
  if (standing === "not reached") return `The slowdown is gone: ${endpoint} runs none of the changed code.`;
  const { low, high } = effect?.interval ?? { low: -1, high: 0 };
  const most = `${percent(Math.min(1, -low), "measured")} slower`;
  const { design, failsFrom } = comparison;
  const minutes = lackingMinutes(comparison)?.setting;
  const cpu = versus?.effects.cpuPerRequest;
  const time =
    cpu?.interval === undefined ? "" : ` CPU time per request: ${relativeChange(cpu)} (95% interval).`;
  const seen = `${time}${statementsOf(arms)}`;
  if (answer === "gone" && low >= 0) return `The slowdown is gone: ${endpoint} is not slower (${interval}).`;
  if (answer === "gone" && -low < failsFrom) {
    const limit =
      -low < (design?.minChange ?? 0) ? "" : `, less than the ${percent(failsFrom)} that fail the check`;
    return `The slowdown is gone: ${endpoint} is at most ${most}${limit} (${interval}).`;
  }
  if (answer === "gone") {
    const rest = minutes === undefined ? "" : `, or \`--max-minutes ${minutes}\` here,`;
    return `The slowdown is gone: ${endpoint} is at most ${most} (${interval})${before}.${seen} Only the check${rest} can rule out a slowdown of ${percent(failsFrom)}.`;
  }
  if (versus?.verdict.kind === "invalid") return `Not certain: ${versus.verdict.reason}`;
  const between = high > 0 ? ` and ${percent(high, "measured")} faster` : "";
  const advice =
    minutes === undefined
      ? "More minutes are unlikely to settle it: use a quieter machine."
      : `Run it again with \`--max-minutes ${minutes}\`.`;
  const where = between === "" ? `up to ${most}` : `anything between ${most}${between}`;
  return `Not certain: ${endpoint} may be ${where} (${interval}).${seen} ${advice}`;
}

/** What is counted needs no certainty: a repeated query that is gone shows here first. */
function statementsOf({ base, head }: Row["arms"]): string {
  const [before, now] = [base?.statementsPerRequest, head?.statementsPerRequest];
  if (before === undefined || now === undefined || before + now === 0) return "";
  const counts = [perRequest(before), perRequest(now)] as const;
  return ` SQL statements per request: ${counts[0] === counts[1] ? `${counts[0]} in both versions` : `${counts[0]} in the base, ${counts[1]} now`}.`;
}
