// Worth of the change points of `trends`, by the number of points: how often the engine finds a change where nothing
// changed, and how often it finds a real change of 5 or 10%. The rule beside it alarms when the newest commit is more
// than 10% from the mean of all before it. Series have normal scatter of 2%, as on a quiet machine.

import { mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

import { askOtava, mean, normalChance } from "../src/engine.ts";
import { print, printFigures, rounded } from "./parts/timing.ts";

const scatter = 0.02;
const repeats = 1_000;
const lengths = [4, 6, 8, 12, 20, 50, 100];
const changes = [0, 0.05, 0.1];
const normal = normalChance(20_261_122);

interface Case {
  readonly points: number;
  readonly change: number;
  readonly values: readonly number[];
}

/** A series that changes from the middle on. */
function caseOf(points: number, change: number): Case {
  const level = (at: number) => (at >= points / 2 ? 1_000 * (1 - change) : 1_000);
  const values = Array.from({ length: points }, (_, at) => level(at) * (1 + scatter * normal()));
  return { points, change, values };
}

async function ask(cases: readonly Case[]): Promise<ReadonlyMap<number, readonly number[]>> {
  const folder = await mkdtemp(join(tmpdir(), "bench-change-points-"));
  try {
    const question = JSON.stringify({ schemaVersion: 1, series: cases.map(({ values }) => values) });
    const answer = await askOtava(question, {
      programFolder: join(process.cwd(), "tools", "otava"),
      python: "auto",
      cacheFolder: join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "fastapi-loadtest"),
      logFolder: folder,
      signal: new AbortController().signal,
      onStep: print,
    });
    if (answer.kind === "no answer") throw new Error(answer.reason);
    const found: readonly { series: number; index: number }[] = JSON.parse(answer.text).changes;
    const indexes = new Map<number, number[]>();
    for (const { series, index } of found) indexes.set(series, [...(indexes.get(series) ?? []), index]);
    return indexes;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** True when the rule would have called any commit from the fourth on. */
function alarms({ values }: Case): boolean {
  return values.some((value, at) => at >= 3 && Math.abs(value / mean(values.slice(0, at)) - 1) > 0.1);
}

const cases = lengths.flatMap((points) =>
  changes.flatMap((change) => Array.from({ length: repeats }, () => caseOf(points, change))),
);
const found = await ask(cases);
const shareOf = (points: number, change: number, isHit: (each: Case, index: number) => boolean) => {
  const own = cases.flatMap((each, index) =>
    each.points === points && each.change === change ? [isHit(each, index)] : [],
  );
  return own.filter(Boolean).length / own.length;
};
const percent = (share: number) => `${(share * 100).toFixed(1)}%`.padStart(8);
print("points   false   5% found   10% found   by the rule: false   10% found");
const figures: Record<string, number> = {};
for (const points of lengths) {
  const isNear = ({ points: all }: Case, index: number) =>
    (found.get(index) ?? []).some((at) => Math.abs(at - all / 2) <= 1);
  const falsely = shareOf(points, 0, (_, index) => found.has(index));
  const [small, large] = [shareOf(points, 0.05, isNear), shareOf(points, 0.1, isNear)];
  const [ruleFalsely, ruleLarge] = [shareOf(points, 0, alarms), shareOf(points, 0.1, alarms)];
  print(
    `${String(points).padStart(6)} ${percent(falsely)}    ${percent(small)}     ${percent(large)}             ${percent(ruleFalsely)}     ${percent(ruleLarge)}`,
  );
  figures[`falseShare${points}Points`] = rounded(falsely);
  figures[`foundShareOf5Percent${points}Points`] = rounded(small);
  figures[`foundShareOf10Percent${points}Points`] = rounded(large);
}
printFigures(figures);
