import { expect, test } from "vitest";
import { isEnough } from "../../src/compare/answer.ts";
import { holmLevels, makeJudge } from "../../src/compare/sequential-judge.ts";
import { sampleOfBlocks } from "../../src/compare/throughput-sample.ts";
import { looks } from "../../src/model/plan/plan.ts";
import { halfWidth } from "../../src/statistics/student.ts";
import { design } from "./two-arms.ts";
import { judgeOfValues } from "./value-judge.ts";

/** One standard error of a rate of 1% is then 0.1%. */
const runs = 10_000;
/** Of a replicate: so much that most cells go on to the last look, where false alarms are most frequent. */
const spreads = [0.04, 0.08] as const;
/** Of a replicate on a quiet machine. */
const quiet = 0.012;

/** Numbers from 0 to 1, the same on every call (Mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Values of cells whose true effect is known, each as many as the last look wants. */
function cellsWith(
  effect: number,
  seed: number,
  { cells = runs, spread = quiet }: { readonly cells?: number; readonly spread?: number } = {},
): number[][] {
  const random = randomNumbers(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: cells }, () =>
    Array.from({ length: looks.at(-1) ?? 0 }, () => effect + spread * normal()),
  );
}

/** Share of the cells for which something holds. */
function shareOf(cells: readonly number[][], holds: (values: readonly number[]) => boolean): number {
  return cells.filter(holds).length / cells.length;
}

const { judge, isDecided } = judgeOfValues(design({ looks: [...looks] }));

/** Measuring stops at the first look that decides. */
function measured(values: readonly number[], decides = isDecided): readonly number[] {
  const end = looks.find((look) => decides(values.slice(0, look))) ?? values.length;
  return values.slice(0, end);
}

/** What is said of a cell in the end. */
const verdictOf = (values: readonly number[]) => judge(measured(values), 0.01);

const isChange = ({ kind }: Pick<ReturnType<typeof judge>, "kind">) => kind === "slower" || kind === "faster";

test.for(spreads)(
  "of cells without any change, whose replicates spread by %s, at most 1.1% are called slower or faster",
  (spread) => {
    const rate = shareOf(cellsWith(0, 1, { spread }), (values) => isChange(verdictOf(values)));
    // A procedure that finds nothing keeps every rate. Most of the quieter cells are settled as `unchanged` before.
    expect(rate).toBeGreaterThan(0.002);
    expect(rate).toBeLessThanOrEqual(0.011);
  },
);

test.for(spreads)(
  "of reports with four cells without any change, whose replicates spread by %s, at most 1.1% call one of them slower or faster",
  (spread) => {
    const cells = 4;
    const shared = judgeOfValues(design({ looks: [...looks], cells }));
    const all = cellsWith(0, 6, { spread }).map((values) => measured(values, shared.isDecided));
    const reports = Array.from({ length: runs / cells }, (_, index) =>
      all.slice(index * cells, (index + 1) * cells),
    );
    const alarms = reports.filter((report) => {
      const levels = holmLevels(report.map(shared.levelOf), cells, 0.01);
      return report.some((values, index) => isChange(shared.judge(values, levels[index] ?? 0)));
    });
    // Most equal cells are settled as `unchanged` before chance could call one.
    expect(alarms.length / reports.length).toBeGreaterThan(0.001);
    expect(alarms.length / reports.length).toBeLessThanOrEqual(0.011);
  },
);

/** Blocks of a cell whose replicates have two each, which scatter by `within`; their starts differ by `between`. */
function blocksOf(within: number, between: number, normal: () => number): number[][] {
  return Array.from({ length: looks.at(-1) ?? 0 }, () => {
    const start = between * normal();
    return [0, 1].map(() => start + within * normal());
  });
}

interface Spread {
  readonly within: number;
  readonly between: number;
  readonly minChange?: number;
  readonly isAlike?: boolean;
}

test.for<Spread>([
  { within: 0.016, between: 0 },
  { within: 0.016, between: 0.01 },
  { within: 0.05, between: 0.01 },
  { within: 0.005, between: 0.02 },
  { within: 0.008, between: 0.015, minChange: 0.01 },
  { within: 0.008, between: 0.03, minChange: 0.01, isAlike: false },
])(
  "of equal cells whose blocks scatter by $within and starts by $between, where $minChange is asked for, at most 1% are called",
  ({ minChange = 0.03, isAlike = true, ...spread }: Spread) => {
    const cells = 1_000;
    const random = randomNumbers(7);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const by = design({ looks: [...looks], minChange });
    const judge = makeJudge(by).judge;
    const called = Array.from({ length: cells }, () => {
      const replicates = blocksOf(spread.within, spread.between, normal);
      const at = (look: number) => judge(sampleOfBlocks(replicates.slice(0, look), { isAlike }));
      return at(looks.find((look) => isEnough(at(look), by)) ?? replicates.length);
    }).filter(isChange);
    // Three standard errors above 1% of so many.
    expect(called.length / cells).toBeLessThanOrEqual(0.01 + 3 * Math.sqrt((0.01 * 0.99) / cells));
  },
);

test.for<Spread>([
  { within: 0.02, between: 0.003 },
  { within: 0.005, between: 0.02, isAlike: false },
  { within: 0.03, between: 0.03, isAlike: false },
])(
  "of cells that are slower by as much as was asked for, whose blocks scatter by $within and starts by $between, at most 1% are called unchanged",
  ({ within, between, isAlike = true }) => {
    const cells = 1_000;
    const random = randomNumbers(8);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const by = design({ looks: [...looks] });
    const judge = makeJudge(by).judge;
    const missed = Array.from({ length: cells }, () => {
      const replicates = blocksOf(within, between, normal).map((blocks) =>
        blocks.map((block) => block + Math.log(1 - 0.03)),
      );
      const at = (look: number) => judge(sampleOfBlocks(replicates.slice(0, look), { isAlike }));
      return at(looks.find((look) => isEnough(at(look), by)) ?? replicates.length);
    }).filter(({ kind }) => kind === "unchanged");
    expect(missed.length / cells).toBeLessThanOrEqual(0.01);
  },
);

test("1% when any look with an interval off 0 would end it", () => {
  const rate = shareOf(cellsWith(0, 2), (values) =>
    looks.some((look) => isChange(judge(values.slice(0, look), 0.01))),
  );
  // The bounds are made for a known deviation. It is estimated: without asking for less than 1% it would be 1.1%.
  expect(rate).toBeGreaterThan(0.008);
  expect(rate).toBeLessThan(0.0115);
});

test("peeking at plain 99% intervals would raise several times as many", () => {
  const isOff = (values: readonly number[]) => {
    const middle = values.reduce((total, value) => total + value, 0) / values.length;
    return Math.abs(middle) > halfWidth(values, 0.99);
  };
  const rate = shareOf(cellsWith(0, 3, { cells: 10_000 }), (values) =>
    looks.some((look) => isOff(values.slice(0, look))),
  );
  expect(rate).toBeGreaterThan(0.02);
});

test.for([
  { effect: -0.03, least: 0.95 },
  { effect: -0.05, least: 0.999 },
  { effect: 0.1, least: 1 },
])(
  "finds a change of $effect in $least of the cells, and never in the wrong direction",
  ({ effect, least }) => {
    const cells = cellsWith(effect, 4, { cells: 1_000 });
    const right = effect < 0 ? "slower" : "faster";
    const wrong = effect < 0 ? "faster" : "slower";
    expect(shareOf(cells, (values) => verdictOf(values).kind === right)).toBeGreaterThanOrEqual(least);
    expect(shareOf(cells, (values) => verdictOf(values).kind === wrong)).toBe(0);
  },
);

test("the interval holds the true change in at least 98.7% of the cells, whenever measuring stopped", () => {
  const truth = Math.expm1(-0.02);
  const rate = shareOf(cellsWith(-0.02, 5, { cells: 10_000 }), (values) => {
    const { interval } = verdictOf(values).effect;
    return interval !== undefined && interval.low <= truth && truth <= interval.high;
  });
  expect(rate).toBeGreaterThanOrEqual(0.987);
});
