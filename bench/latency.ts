// How often a latency percentile is wrongly called changed, and how often a change of p99 is found: simulated loads of
// many kinds through the program's own functions. `--reports N` (300) and `--cells N` (1) say how many.

import {
  type Design,
  isLatencyOpen,
  latencyChanges,
  looks,
  mean,
  mergeHistograms,
  openLatencyChange,
  openPhasesIn,
  percentiles,
  quantileMs,
  type Replicate,
} from "../src/engine.ts";
import { type LatencyLoad, latencyLoad } from "../test/compare/latency-load.ts";
import { openLoad } from "../test/compare/open-load.ts";
import { print, printFigures, rounded } from "./parts/timing.ts";
import { randomFrom } from "./verdict/random.ts";

const option = (name: string, usual: number) => {
  const index = process.argv.indexOf(`--${name}`);
  return index < 0 ? usual : Number(process.argv[index + 1]);
};

const quiet = { variety: 0.3, drift: 0.05 };
const equal: Readonly<Record<string, LatencyLoad>> = {
  "CPU-bound, quiet": { kind: "cpu", rate: 1_000, noise: quiet },
  "CPU-bound, 160 req/s": { kind: "cpu", rate: 160, noise: quiet },
  "CPU hog": { kind: "cpu", rate: 1_000, noise: { ...quiet, drift: 0.1, hog: [0.25, 0.5] } },
  "stalls of the machine": { kind: "cpu", rate: 1_000, noise: { ...quiet, stalls: [0.2, 1.5] } },
  "5% of requests 20 times as long": {
    kind: "cpu",
    rate: 1_000,
    noise: { variety: 0.3, slowShare: 0.05, slowFactor: 20 },
  },
  "waits, 1% 10 times as long": {
    kind: "wait",
    rate: 1_000,
    noise: { variety: 0.2, slowShare: 0.01, slowFactor: 10 },
  },
  "waits, 5% 10 times as long": {
    kind: "wait",
    rate: 500,
    noise: { variety: 0.2, slowShare: 0.05, slowFactor: 10 },
  },
  "waits, heavy tail": { kind: "wait", rate: 500, noise: { variety: 1, starts: 0.01 } },
  "starts differ by 2%": { kind: "cpu", rate: 1_000, noise: { ...quiet, starts: 0.02 } },
  "waits, all alike": { kind: "wait", rate: 500, noise: { variety: 0.000_1 } },
};
const changed: Readonly<Record<string, LatencyLoad>> = {
  "CPU-bound, 1,000 req/s": {
    kind: "cpu",
    rate: 1_000,
    noise: { ...quiet, starts: 0.005 },
    change: { share: 0.003, usualLatencies: 0.95 },
  },
  "waits, 1,000 req/s": {
    kind: "wait",
    rate: 1_000,
    noise: { variety: 0.3, starts: 0.005 },
    change: { share: 0.02, usualLatencies: 1.95 },
  },
  "waits, 200 req/s": {
    kind: "wait",
    rate: 200,
    noise: { variety: 0.3, starts: 0.005 },
    change: { share: 0.02, usualLatencies: 1.95 },
  },
};
/** A quiet cell of equal throughput usually ends after so many replicates. */
const usualReplicates = 5;
const poolSize = 300;

const cells = option("cells", 1);
const reports = option("reports", 300);
const random = randomFrom(20_261);
const design: Design = {
  kind: "comparison",
  minChange: 0.03,
  falseAlarmRate: 0.01,
  looks: [...looks],
  maxMinutes: 60,
  cells,
};

type Drawn = Pick<Replicate, "arms">;
const generator = { requests: 0, failures: 0, iterations: 0, droppedIterations: 0, durationSeconds: 5 };
const whole = (drawn: readonly Drawn[]): Replicate[] => drawn.map((each) => ({ ...each, generator }));
const swapped = ({ arms: { base, head } }: Drawn): Drawn => ({
  arms: { ...(head && { base: head }), ...(base && { head: base }) },
});

/** Replicates of one cell; equal arms may change places. */
function drawCell(pool: readonly Drawn[], mayFlip: boolean): Replicate[] {
  const drawn = Array.from({ length: looks.at(-1) ?? 0 }, () => {
    const one = pool[Math.floor(random() * pool.length)] ?? { arms: {} };
    return mayFlip && random() < 0.5 ? swapped(one) : one;
  });
  return whole(drawn);
}

/** The first look, from `least` on, at which latencies need no more. */
function endOf(replicates: readonly Replicate[], least: number): number {
  const end = looks.find((look) => look >= least && !isLatencyOpen(replicates.slice(0, look), design));
  return end ?? replicates.length;
}

const called = (changes: ReturnType<typeof latencyChanges>) =>
  changes.filter(({ kind }) => kind === "longer" || kind === "shorter");
const offZero = (changes: ReturnType<typeof latencyChanges>) =>
  changes.filter(({ effect: { interval } }) => interval && (interval.low > 0 || interval.high < 0));

const alarms: number[] = [];
print("| equal code | reports | interval excludes 0 | called longer or shorter | replicates added |");
print("| :--- | ---: | ---: | ---: | ---: |");
for (const [name, load] of Object.entries(equal)) {
  const pool = Array.from({ length: poolSize }, latencyLoad(load, random));
  const results = Array.from({ length: reports }, () => {
    const ofCells = Array.from({ length: cells }, () => {
      const replicates = drawCell(pool, true);
      const least = looks[Math.floor(random() * looks.length)] ?? 3; // throughput decides when a cell ends
      const end = endOf(replicates, least);
      const changes = latencyChanges(replicates.slice(0, end), design);
      return { isOff: offZero(changes).length > 0, isCalled: called(changes).length > 0, added: end - least };
    });
    return {
      isOff: ofCells.some(({ isOff }) => isOff),
      isCalled: ofCells.some(({ isCalled }) => isCalled),
      added: mean(ofCells.map(({ added }) => added)),
    };
  });
  const share = (key: "isOff" | "isCalled") => (100 * results.filter((each) => each[key]).length) / reports;
  alarms.push(share("isCalled"));
  const added = rounded(mean(results.map((each) => each.added)), 2);
  print(
    `| ${name} | ${reports} | ${rounded(share("isOff"), 2)}% | ${rounded(share("isCalled"), 2)}% | ${added} |`,
  );
}

const openAlarms: number[] = [];
print("\n| equal code at equal load | reports | an interval excludes 0 |");
print("| :--- | ---: | ---: |");
for (const [name, { kind, rate, noise }] of Object.entries(equal)) {
  if (kind !== "cpu") continue; // requests that only wait do not queue
  const draw = openLoad({ rate, noise }, random);
  const isOff = Array.from({ length: reports }, () =>
    Array.from({ length: cells }, () => {
      const replicates = Array.from({ length: openPhasesIn(Math.max(...looks), true) }, () => ({
        arms: {},
        generator,
        open: draw(),
      }));
      return percentiles.map((share) => openLatencyChange(replicates, share, design)?.interval);
    })
      .flat()
      .some((interval) => interval !== undefined && (interval.low > 0 || interval.high < 0)),
  );
  openAlarms.push((100 * isOff.filter((each) => each).length) / reports);
  print(`| ${name} | ${reports} | ${rounded(openAlarms.at(-1) ?? 0, 2)}% |`);
}

const found: Record<string, number> = {};
print("\n| change | p99 truly longer by | called | replicates |");
print("| :--- | ---: | ---: | ---: |");
for (const [name, load] of Object.entries(changed)) {
  const pool = Array.from({ length: poolSize }, latencyLoad(load, random));
  const p99 = (arm: "base" | "head") =>
    quantileMs(mergeHistograms(pool.flatMap(({ arms }) => arms[arm]?.latency ?? [])), 0.99) ?? Number.NaN;
  const results = Array.from({ length: reports }, () => {
    const replicates = drawCell(pool, false);
    const end = endOf(replicates, usualReplicates);
    const changes = latencyChanges(replicates.slice(0, end), design);
    return { end, isCalled: changes.some(({ share, kind }) => share === 0.99 && kind === "longer") };
  });
  const percent = (100 * results.filter(({ isCalled }) => isCalled).length) / reports;
  found[`p99FoundPercent ${name}`] = rounded(percent);
  const truth = rounded(100 * (p99("head") / p99("base") - 1), 2);
  print(
    `| ${name} | ${truth}% | ${rounded(percent)}% | ${rounded(mean(results.map(({ end }) => end)), 2)} |`,
  );
}
printFigures({
  cells,
  reports,
  mostAlarmsPercent: Math.max(...alarms),
  mostOpenAlarmsPercent: Math.max(...openAlarms),
  ...found,
});
