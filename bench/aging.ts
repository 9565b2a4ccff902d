// False alarms and power of the soak test, by quick simulation: pairs of equal servers under six kinds of noise, and heads
// that stall for a part of their time, through the program's own judgement. One pair for 55 s stands beside two for 30 s.
// `--reports N` (4,000) says how many of each. `bench -- stalls` simulates each request instead, and takes minutes.

import { type AgedPair, agingOf, type Block, type Design, isAgingOpen, looks } from "../src/engine.ts";
import { replicate } from "../test/compare/two-arms.ts";
import { armRecord } from "../test/fixtures/measurement.ts";
import { print, printFigures, rounded } from "./parts/timing.ts";
import { randomFrom } from "./verdict/random.ts";

const at = process.argv.indexOf("--reports");
const reports = at < 0 ? 4_000 : Number(process.argv[at + 1]);
const design: Design = {
  kind: "comparison",
  minChange: 0.03,
  falseAlarmRate: 0.01,
  looks: [...looks],
  cells: 1,
  maxMinutes: 15,
};
const youthSeconds = 5;
const blockSeconds = 2;
const usualMs = 8;
/** Standard deviations of a block, on the logarithmic scale, and between two starts. */
const [blockNoise, startNoise] = [0.01, 0.007];
const swing = { size: 0.05, seconds: 10 };
const noises = ["normal", "t3", "outliers", "correlated", "skewed", "swinging"] as const;
type Noise = (typeof noises)[number];

/** The head stalls for this share of its time, for so many seconds each, at random or after equal pauses. */
interface Stalling {
  readonly share: number;
  readonly seconds: number;
  readonly isRegular?: true;
}
const stallings: readonly Stalling[] = [
  { share: 0.05, seconds: 0.1 },
  { share: 0.05, seconds: 0.5 },
  { share: 0.05, seconds: 1 },
  { share: 0.1, seconds: 0.5 },
  { share: 0.1, seconds: 1 },
  { share: 0.1, seconds: 1, isRegular: true },
  { share: 0.05, seconds: 1, isRegular: true },
];

const whole = replicate();
const arm = armRecord();
const random = randomFrom(20_261);
const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const figures: Record<string, number> = { reports };
for (const [pairs, seconds] of [
  [1, 55],
  [2, 30],
] as const) {
  const name = `${pairs} x ${seconds} s`;
  for (const noise of noises) {
    const { called, perhaps } = outcomes(pairs, seconds, noise);
    print(`${name}, equal code, ${noise}: called ${percent(called)}, perhaps slower ${percent(perhaps)}`);
    figures[`${noise}CalledPercent${pairs}`] = rounded(100 * called);
  }
  for (const stalling of stallings) {
    const { called, perhaps } = outcomes(pairs, seconds, "normal", stalling);
    const { share, seconds: length, isRegular } = stalling;
    print(
      `${name}, ${100 * share}% in ${isRegular ? "regular " : ""}stalls of ${length} s: slower ${percent(called)}, perhaps slower ${percent(perhaps)}, missed ${percent(1 - called - perhaps)}`,
    );
    if (share === 0.05 && length === 1 && !isRegular)
      figures[`missedPercent${pairs}`] = rounded(100 * (1 - called - perhaps));
  }
}
printFigures(figures);

function outcomes(pairs: number, seconds: number, noise: Noise, stalling?: Stalling) {
  let [called, perhaps] = [0, 0];
  for (let report = 0; report < reports; report += 1) {
    const starts = Array.from({ length: pairs }, () => startNoise * normal());
    const partsFrom = (from: number) =>
      starts.map((start, hashSeed) => part({ start, hashSeed, from, seconds, noise, stalling }));
    const pair = {
      ...{ cells: ["a"], youthSeconds, memoryGrowthBytes: {} },
      parts: partsFrom(youthSeconds),
    } satisfies AgedPair;
    const isOpen = isAgingOpen(pair, design);
    const parts = isOpen ? [...pair.parts, ...partsFrom(youthSeconds + seconds)] : pair.parts;
    const kind = agingOf({ ...pair, parts }, design, 1)?.kind;
    if (kind === "slower" || kind === "faster") called += 1;
    if (kind === "perhaps slower") perhaps += 1;
  }
  return { called: called / reports, perhaps: perhaps / reports };
}

interface Part {
  readonly start: number;
  readonly hashSeed: number;
  readonly from: number;
  readonly seconds: number;
  readonly noise: Noise;
  readonly stalling: Stalling | undefined;
}

function part({ start, hashSeed, from, seconds, noise, stalling }: Part) {
  const stalls = stalling === undefined ? [] : stallsUntil(from + seconds, stalling);
  const blocksOf = (effect: number, isHead: boolean): Block[] => {
    let [last, slow] = [normal(), 0];
    const phase = Math.floor((random() * swing.seconds) / blockSeconds); // swings do not keep to our stretches
    return Array.from({ length: Math.floor(seconds / blockSeconds) }, (_, index) => {
      if (noise === "swinging" && (index + phase) % (swing.seconds / blockSeconds) === 0)
        slow = swing.size * normal();
      last = drawn(noise, last);
      const begins = from + blockSeconds * index;
      const stalled = stalls.filter(([, to]) => to > begins && to <= begins + blockSeconds);
      const stalledMs = isHead ? stalled.reduce((all, [begin, to]) => all + 1_000 * (to - begin), 0) : 0;
      const requests = (500 * blockSeconds) / usualMs; // of one user, who has half of the time
      return {
        ...{ startSeconds: blockSeconds * index, seconds: blockSeconds / 2, requests, failures: 0 },
        latencyTotalMs: requests * usualMs * Math.exp(blockNoise * last + slow + effect) + stalledMs,
        latencyMaxMs: usualMs,
      };
    });
  };
  const [base, head] = [blocksOf(0, false), blocksOf(start, true)];
  return { ...whole, hashSeed, arms: { base: { ...arm, blocks: base }, head: { ...arm, blocks: head } } };
}

function drawn(noise: Noise, last: number): number {
  const value = normal();
  if (noise === "t3") return value / Math.sqrt((normal() ** 2 + normal() ** 2 + normal() ** 2) / 3);
  if (noise === "outliers") return random() < 0.05 ? 10 * value : value;
  if (noise === "correlated") return 0.5 * last + Math.sqrt(0.75) * value;
  return noise === "skewed" ? -Math.log(1 - random()) - 1 : value;
}

function stallsUntil(end: number, { share, seconds, isRegular }: Stalling) {
  const stalls: (readonly [from: number, to: number])[] = [];
  const usual = seconds / share - seconds;
  const pause = () => (isRegular ? usual : -Math.log(1 - random()) * usual);
  for (let from = pause(); from < end; from += seconds + pause()) stalls.push([from, from + seconds]);
  return stalls;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(2)}%`;
}
