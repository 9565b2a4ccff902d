import { acceptanceOf } from "../../compare/acceptance.ts";
import type { Comparison, Row } from "../../compare/comparison.ts";
import { problemOf } from "../../compare/problem.ts";
import { hasVerdicts, standingOf, standingWords, versusIn } from "../../compare/standing.ts";
import { cellLabel } from "../../model/plan/cell.ts";
import { plural } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import { effectColumn } from "../columns/main-columns.ts";
import type { TestCase } from "../document/report.ts";
import { verdictWords } from "../facts/latency-words.ts";
import { isForbidden, isPerhapsForbidden, limitOf } from "../facts/outcome.ts";

/** Each cell as a test. It fails only when it fails the check, and is skipped when nobody knows whether it does. */
export function casesOf(comparison: Comparison): TestCase[] {
  const isCompared = hasVerdicts(comparison);
  return comparison.rows.map((row) => ({
    endpoint: cellLabel(row.cell),
    workers: plural(row.cell.workers, "worker"),
    result: resultOf(row, comparison, isCompared),
  }));
}

function resultOf(row: Row, comparison: Comparison, isCompared: boolean): TestCase["result"] {
  const { check, design } = comparison;
  const problem = problemOf(row);
  if (problem !== undefined) {
    const { state, during, reason, logTail } = problem;
    return { kind: "error", state, message: `${during} ${reason}`, log: logTail };
  }
  const acceptance = acceptanceOf(row, comparison);
  if (design?.kind !== "control" && isForbidden(row, check, design) && acceptance !== undefined)
    return { kind: "skipped", message: `accepted by ${acceptance.by}: ${acceptance.reason}` };
  if (design?.kind !== "control" && isForbidden(row, check, design))
    return { kind: "failure", message: `${verdictWords(row)}, ${effectColumn.text(row)}` };
  if (design?.kind !== "control" && isPerhapsForbidden(row, check, design)) {
    const limit = percent(limitOf(check, design));
    const message = `${standingWords(row)}, ${effectColumn.text(row)}: may be slower by ${limit} or more`;
    return { kind: "skipped", message };
  }
  const isDoubtful = ["inconclusive", "invalid", "no base"].includes(standingOf(row) ?? "");
  if (!isCompared || !isDoubtful) return { kind: "passed" };
  const reason = versusIn(row)?.verdict.reason ?? row.loneArm?.reason ?? "";
  return { kind: "skipped", message: `${standingWords(row)}: ${reason}` };
}
