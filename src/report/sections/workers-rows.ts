import type { WorkersAdvice } from "../../compare/workers/advice.ts";
import { type AdviceOutcome, adviceOutcome } from "../../compare/workers/advice-outcome.ts";
import { worthwhileShare } from "../../compare/workers/enough.ts";
import { caveatWords, rateOf } from "../../compare/workers/sentence.ts";
import { figure, plural, times } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import { type Line, line, name } from "../document/inline.ts";

/** The advice on an endpoint as a row: `/items`, `2 workers`, `1,804 req/s`, …, or why there is none. */
export function workersRow(advice: WorkersAdvice): readonly Line[] {
  const endpoint = line(name(advice.endpoint));
  const outcome = adviceOutcome(advice);
  if (outcome === undefined) return [endpoint, line(`no recommendation: ${advice.obstacle}`)];
  const { chosen, enough, isCertain } = outcome;
  const { memoryBytes, connections = 0 } = chosen;
  const columns = [
    `${isCertain ? "" : "probably "}${plural(enough.workers, "worker")}`,
    `${figure(rateOf(chosen))} req/s`,
    memoryBytes === undefined ? "" : `${figure(memoryBytes / 1e6)} MB`,
    connections === 0 ? "" : plural(connections, "connection"),
    [comparedWords(outcome), caveatWords([outcome])].filter((text) => text !== "").join("; "),
  ];
  return [endpoint, ...columns.filter((text) => text !== "").map((text) => line(text))];
}

/** The recommended number compared with larger ones, else with the smallest. */
function comparedWords({ advice, chosen, smallest, upTo, isOpen }: AdviceOutcome): string {
  const larger = advice.counts.find(({ workers }) => workers === upTo);
  if (larger !== undefined) {
    const change = rateOf(larger) / rateOf(chosen) - 1;
    const words =
      change < -worthwhileShare
        ? `${percent(-change, "whole")} slower`
        : `under ${percent(worthwhileShare)} faster`;
    return `${plural(larger.workers, "worker")}: ${words}`;
  }
  const speedUp = chosen.speedUp?.value;
  const gain =
    smallest === undefined || speedUp === undefined
      ? ""
      : `${times(speedUp)} times that of ${plural(smallest, "worker")}`;
  return [gain, isOpen ? "more may help" : ""].filter((text) => text !== "").join(", ");
}
