// How often a head that stalls for a part of its time is called `unchanged`, or slower by little: simulated cells through
// the program's own functions, with the pairs of servers of the soak test. `--cells N` (300) says how many of each.

import {
  type AgedPair,
  type ArmName,
  agedPairs,
  agedPair as agedPairTimes,
  agingOf,
  armRecordOf,
  type Design,
  growth,
  isAgingOpen,
  isSettled,
  type LoadRecord,
  limitMsOf,
  looks,
  mean,
  type Replicate,
  secondsOfAged,
  slicesOfRecords,
  slicingFor,
  versusOf,
} from "../src/engine.ts";
import { slicedLoad } from "../test/compare/sliced-load.ts";
import { replicate } from "../test/compare/two-arms.ts";
import { cell, measurement } from "../test/fixtures/measurement.ts";
import { print, printFigures, rounded } from "./parts/timing.ts";
import { randomFrom } from "./verdict/random.ts";

const at = process.argv.indexOf("--cells");
const cells = at < 0 ? 300 : Number(process.argv[at + 1]);
const poolSize = 200;
const agedPool = 120;
const latencyMs = 8;
const virtualUsers = 8;
const blockMs = 2_000;
const closedSeconds = 3;
/** The usual soak test: two pairs side by side. */
const soakSeconds = 60;
const agedAtOnce = agedPairs(soakSeconds);
const agedSeconds = secondsOfAged(soakSeconds, agedAtOnce, Number.POSITIVE_INFINITY);
const design: Design = {
  kind: "comparison",
  minChange: 0.03,
  falseAlarmRate: 0.01,
  looks: [...looks],
  cells: 1,
  maxMinutes: 15,
};

/** Share of the head's time, and length of each stall in seconds. */
const kinds: readonly (readonly [share: number, seconds: number])[] = [
  [0, 0],
  [0.05, 0.02],
  [0.05, 0.1],
  [0.05, 0.5],
  [0.05, 1],
  [0.1, 0.1],
  [0.1, 0.5],
  [0.1, 1],
];

const figures: Record<string, number> = {};
let worst = 0;
for (const [share, seconds] of kinds) {
  const random = randomFrom(20_261 + Math.round(1_000 * share + 10 * seconds));
  const pool = Array.from({ length: poolSize }, () => drawReplicate(share, seconds, random));
  const old = Array.from({ length: agedPool }, () => drawAged(share, seconds, random));
  const one = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)] as T;
  const outcomes = Array.from({ length: cells }, () => {
    const replicates: Replicate[] = [];
    while (replicates.length === 0 || !isSettled(replicates, design)) replicates.push(one(pool));
    const [versus] = versusOf([measurement({ replicates })], design).values();
    const { kind = "none", isSmall = false } = versus?.verdict ?? {};
    const aging = agingOf(one(old), design, 1);
    const isOld = aging?.kind === "slower" || aging?.kind === "perhaps slower";
    return { kind, isSmall, isOld, count: replicates.length };
  });
  const shareOf = (isIt: (outcome: (typeof outcomes)[number]) => boolean) =>
    outcomes.filter(isIt).length / cells;
  const isQuiet = ({ kind, isSmall }: (typeof outcomes)[number]) =>
    kind === "unchanged" || (kind === "slower" && isSmall);
  const hidden = shareOf((each) => isQuiet(each) && !each.isOld);
  const name = share === 0 ? "equal code" : `${100 * share}% in stalls of ${1_000 * seconds} ms`;
  print(
    `${name}: slower ${percent(shareOf(({ kind, isSmall }) => kind === "slower" && !isSmall))}, unchanged or small ${percent(shareOf(isQuiet))}, slower over time, perhaps ${percent(shareOf(({ isOld }) => isOld))}, reported nowhere ${percent(hidden)}, ${mean(outcomes.map(({ count }) => count)).toFixed(1)} replicates`,
  );
  if (share > 0) worst = Math.max(worst, hidden);
  else figures["equalCodeUnchangedPercent"] = rounded(100 * shareOf(isQuiet));
}
printFigures({ cells, ...figures, mostReportedNowherePercent: rounded(100 * worst) });

/** Stalls at random times, whichever arm has the load. */
function stallsOf(share: number, seconds: number, within: number, random: () => number) {
  const stalls: (readonly [from: number, to: number])[] = [];
  const pause = () => -Math.log(1 - random()) * ((1_000 * seconds) / share - 1_000 * seconds);
  if (share > 0)
    for (let from = pause(); from < 1_000 * within; from += 1_000 * seconds + pause())
      stalls.push([from, from + 1_000 * seconds]);
  let next = 0;
  return (ms: number) => {
    while (next < stalls.length && (stalls[next]?.[1] ?? 0) <= ms) next += 1;
    return (stalls[next]?.[0] ?? Number.POSITIVE_INFINITY) <= ms;
  };
}

/** By how much one start of a server differs from another. */
function startEffect(random: () => number): number {
  return 0.007 * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function drawReplicate(share: number, seconds: number, random: () => number): Replicate {
  return drawLoad(closedSeconds, stallsOf(share, seconds, closedSeconds + 5, random), random);
}

function drawAged(share: number, seconds: number, random: () => number): AgedPair {
  const starts = Array.from({ length: agedAtOnce }, () => startEffect(random));
  const partOf = (effect: number, hashSeed: number) => {
    const isStalled = stallsOf(share, seconds, agedSeconds + 5, random);
    const users = virtualUsers / agedAtOnce;
    return { ...drawLoad(agedSeconds, isStalled, random, { users, effect }), hashSeed };
  };
  const parts = () => starts.map(partOf);
  const pair: AgedPair = {
    cells: [cell().id],
    youthSeconds: agedPairTimes.youth,
    parts: parts(),
    memoryGrowthBytes: {},
  };
  return isAgingOpen(pair, design) ? { ...pair, parts: [...pair.parts, ...parts()] } : pair;
}

function drawLoad(
  length: number,
  isHeadStalled: (ms: number) => boolean,
  random: () => number,
  { users = virtualUsers, effect = startEffect(random) } = {},
): Replicate {
  // A line of k6's log for each user in each slice, as `k6/load.ts` writes it.
  const records = new Map<string, LoadRecord>();
  const slicing = slicingFor(latencyMs);
  const pairs = slicedLoad({
    ...{ virtualUsers: users, latencyMs, slicing, effect, seconds: length, isHeadStalled },
    seed: Math.floor(random() * 2 ** 31),
    onReply: (arm, { user, slice, sentMs, isGuarded }, repliedMs) => {
      const ms = repliedMs - sentMs;
      const key = `${slice} ${user}`;
      const [, , requests, , total, longest, , , buckets] = records.get(key) ?? [
        slice,
        arm,
        0,
        0,
        0,
        0,
        -1,
        {},
        [],
      ];
      const bucket = Math.ceil(Math.log(ms) / Math.log(growth));
      const all = isGuarded ? [...buckets, bucket] : buckets;
      records.set(key, [
        ...[slice, arm, requests + 1, 0, total + ms, Math.max(longest, ms), -1, {}, all, 0, 0, repliedMs],
      ] as LoadRecord);
    },
  });
  const { sliceMs } = slicing;
  const slices = slicesOfRecords([...records.values()]);
  const options = { sliceMs, blockMs, endMs: 1_000 * length, arms: 2, limitMs: limitMsOf(slices) } as const;
  const blocksOf = (arm: ArmName) => armRecordOf(arm, slices, options).blocks;
  return replicate({
    pairs,
    arms: { base: { blocks: blocksOf("base") }, head: { blocks: blocksOf("head") } },
  });
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)}%`;
}
