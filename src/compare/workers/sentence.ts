import type { NonEmptyArray } from "../../lists/non-empty.ts";
import { count, figure, plural } from "../../text/numbers.ts";
import { percent } from "../../text/percent.ts";
import { connectionLimit, memoryShare } from "./advice.ts";
import type { AdviceOutcome, Caveat, SharedAdvice } from "./advice-outcome.ts";
import { type ScaledCount, worthwhileShare } from "./worker-count.ts";

/** Smaller chances of other counts are not shown. */
const tellingChance = 0.1;

/** Short sentences on how many workers to run: our own words, without the endpoints' names. */
export function adviceSentence({ said }: SharedAdvice): string {
  if ("obstacle" in said) return `no recommendation, because ${said.obstacle}.`;
  const { outcomes } = said;
  const parts = [othersWords(outcomes), needWords(outcomes), caveatWords(outcomes), chanceWords(outcomes)];
  const sentences = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  return `${[leadWords(outcomes), ...sentences].filter((part) => part !== "").join(". ")}.`;
}

export function rateOf({ rates }: Pick<ScaledCount, "rates">): number {
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}

function leadWords(outcomes: NonEmptyArray<AdviceOutcome>): string {
  const [{ enough, smallest, isCertain }] = outcomes;
  const lead = `${isCertain ? "" : "probably "}${plural(enough.workers, "worker")}`;
  const speed = `${range(outcomes.map(({ chosen }) => rateOf(chosen)))} req/s`;
  const speedUps = range(outcomes.map(({ chosen }) => chosen.speedUp?.value ?? 1));
  return `${lead} (${speed}${smallest === undefined ? "" : `, ${speedUps} times the throughput of ${plural(smallest, "worker")}`})`;
}

function othersWords(outcomes: NonEmptyArray<AdviceOutcome>): string {
  const [{ upTo, isOpen }] = outcomes;
  if (upTo !== undefined) return otherWords(outcomes, upTo);
  return isOpen ? "higher counts were not measured" : "";
}

/** The effect of larger counts: no more, or so much less that it must be said. */
function otherWords(outcomes: NonEmptyArray<AdviceOutcome>, upTo: number): string {
  const changes = outcomes.flatMap(({ chosen, advice }) =>
    advice.counts
      .filter(({ workers }) => workers > chosen.workers && workers <= upTo)
      .map((count) => ({ workers: count.workers, change: rateOf(count) / rateOf(chosen) - 1 })),
  );
  const best = Math.max(...changes.map(({ change }) => change));
  const isOne = changes.every(({ workers }) => workers === upTo);
  const larger = isOne ? `${upTo} workers` : `up to ${upTo} workers`;
  if (!(best < -worthwhileShare))
    return `going ${isOne ? "" : "up "}to ${plural(upTo, "worker")} adds less than ${percent(worthwhileShare)}`;
  return `with ${larger}, throughput is ${changes.length === 1 ? "" : "at least "}${percent(-best, "measured")} lower`;
}

function needWords(outcomes: NonEmptyArray<AdviceOutcome>): string {
  const [{ enough, advice }] = outcomes;
  const { environment } = advice;
  const memory = most(outcomes, ({ memoryBytes }) => memoryBytes);
  const connections = most(outcomes, (chosen) => chosen.connections);
  const needs: string[] = [];
  if (memory > 0)
    needs.push(`${bytes(memory)} of memory${of(environment && bytes(environment.memoryBytes))}`);
  if (connections > 0) {
    const limit = environment && count(connectionLimit(environment));
    needs.push(
      `${plural(connections, "database connection")}${of(limit && (environment.maxConnections === undefined ? `the ${limit} that Postgres allows by default` : limit))}`,
    );
  }
  return needs.length === 0
    ? ""
    : `${plural(enough.workers, "worker")} ${enough.workers === 1 ? "needs" : "need"} ${needs.join(" and ")}`;
}

export function caveatWords(outcomes: NonEmptyArray<AdviceOutcome>): string {
  const [{ caveat, enough }] = outcomes;
  const busy = most(outcomes, ({ cpuShare }) => cpuShare);
  return caveat === undefined ? "" : wordsOf(caveat, enough.workers, busy);
}

function wordsOf(caveat: Caveat, chosen: number, busy: number): string {
  switch (caveat.kind) {
    case "excess":
      return `avoid ${caveat.workers.join(" and ")} workers: they need more ${caveat.excess === "memory" ? `than ${percent(memoryShare)} of the memory` : "connections than the database allows"}`;
    case "idle":
      return `the CPU was only ${percent(busy, "chance")} busy, so with more than ${plural(caveat.virtualUsers, "virtual user")}, a different count may be best`;
    case "beyond cores":
      return `there are more workers (${chosen}) than cores for the app (${caveat.cores})`;
    case "unusable":
      return `${caveat.workers.join(" and ")} workers could not be judged`;
  }
}

function chanceWords(outcomes: NonEmptyArray<AdviceOutcome>): string {
  const [{ enough, isCertain }] = outcomes;
  if (enough.chance === undefined)
    return "there is only one replicate, so it is unknown how reliable this is";
  const least = Math.min(...outcomes.map((each) => each.enough.chance ?? 0));
  const others = enough.chances
    .filter(({ workers, chance }) => workers !== enough.workers && chance >= tellingChance)
    .toSorted((a, b) => b.chance - a.chance)
    .map(({ workers, chance }) => `${workers} (${percent(chance, "chance")})`);
  const rivals = isCertain || others.length === 0 ? "" : `; alternatives: ${others.join(" or ")}`;
  return `${percent(least, "chance")} certain${rivals}`;
}

function most(
  outcomes: readonly AdviceOutcome[],
  figureOf: (chosen: ScaledCount) => number | undefined,
): number {
  return Math.max(0, ...outcomes.map(({ chosen }) => figureOf(chosen) ?? 0));
}

function of(limit: string | undefined): string {
  return limit === undefined ? "" : ` (of ${limit})`;
}

function range(values: readonly number[]): string {
  return [...new Set([Math.min(...values), Math.max(...values)].map(figure))].join(" to ");
}

function bytes(size: number): string {
  return size >= 1e9 ? `${figure(size / 1e9)} GB` : `${figure(size / 1e6)} MB`;
}
