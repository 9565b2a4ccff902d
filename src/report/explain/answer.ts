import { reachOf } from "../../compare/answer.ts";
import type { Comparison, Row } from "../../compare/comparison.ts";
import { endpointLabel } from "../../model/plan/cell.ts";
import { changeSize, percent } from "../../text/percent.ts";
import { printable } from "../../text/printable.ts";
import type { SlowdownAnswer } from "./explain-schema.ts";

/** Says whether a cell is still slower; `undefined` where nothing was compared. */
export function answerOf(
  { standing, versus, effect }: Row,
  { design }: Comparison,
): SlowdownAnswer | undefined {
  if (standing === "not reached") return "gone";
  if (versus === undefined) return undefined;
  const { kind, isSmall } = versus.verdict;
  if (kind === "slower" && !isSmall) return "still there";
  const isRuledOut = effect !== undefined && reachOf(effect, design?.minChange ?? 0) === "certainly not";
  return kind === "unchanged" || kind === "faster" || isRuledOut ? "gone" : "not certain";
}

/** The last line of `again`. */
export function answerText(answer: SlowdownAnswer, { cell, standing, effect, versus }: Row): string {
  const endpoint = printable(endpointLabel(cell.endpoint));
  const { size, range } = changeSize(effect);
  if (answer === "still there")
    return `The slowdown is still there: ${endpoint} is ${size} slower (${range}).`;
  if (standing === "not reached") return `The slowdown is gone: ${endpoint} runs none of the changed code.`;
  const low = effect?.interval?.low ?? -1;
  const most = `${percent(Math.min(1, -low), "measured")} slower`;
  if (answer === "gone")
    return `The slowdown is gone: ${endpoint} is ${low < 0 ? `at most ${most}` : "not slower"}.`;
  if (versus?.verdict.kind === "invalid") return `Not certain: ${versus.verdict.reason}`;
  const minutes = versus?.verdict.minutesToSettle;
  const more =
    minutes === undefined ? "a larger `--max-minutes`" : `\`--max-minutes ${Math.ceil(minutes) + 1}\``;
  return `Not certain whether the slowdown is gone: ${endpoint} may be up to ${most}. Run it again with ${more}.`;
}
