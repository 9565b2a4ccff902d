import {
  type GeneratorRecords,
  histogramOf,
  makeCell,
  type Plan,
  planMark,
  scaledDocument,
  segmentOf,
  sequenceOf,
  versusOf,
} from "../../src/engine.ts";
import { print, rounded } from "../parts/timing.ts";

const cells = 1_000;
const replicates = 12;
const slicesOfLoad = 2 + 8 * replicates;
const usualMs = 20;
/** Deviations, as shares: of a slice, and of what lasts for a replicate. */
const noise = { slice: 0.03, replicate: 0.004 } as const;
const mostOffsetMs = 50;

const load = { kind: "constant", virtualUsers: 64, durationSeconds: 10 } as const;
const cell = makeCell({ endpoint: { method: "GET", path: "/" }, workers: 1, server: "http://a", load });

function planFor(count: number): Plan {
  return {
    schemaVersion: 1,
    cells: [cell],
    design: {
      ...{ kind: "comparison", minChange: 0.03, falseAlarmRate: 0.01, looks: [replicates] },
      ...{ maxMinutes: 2, cells: 1 },
    },
    generators: { count, run: "run1" },
  };
}

/** A small generator of numbers (mulberry32), so that a run can be repeated. */
function chances(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return { next, normal };
}

/**
 * Equal arms. A generator whose clock is off sends to one arm while the others load the other one: both are quicker
 * then, for as long as it lasts.
 */
function generatorsOf(count: number, { next, normal }: ReturnType<typeof chances>): GeneratorRecords[] {
  const offsets = Array.from({ length: count }, () => (2 * next() - 1) * mostOffsetMs);
  const ofSlices = Array.from({ length: slicesOfLoad }, () => Math.exp(noise.slice * normal()));
  const ofReplicates = Array.from({ length: replicates + 1 }, () => [
    Math.exp(noise.replicate * normal()),
    Math.exp(noise.replicate * normal()),
  ]);
  const flips = Array.from({ length: slicesOfLoad / 2 }, () => (next() < 0.5 ? 0 : 1));
  return offsets.map((offsetMs, index) => {
    const away = offsets.reduce((sum, other) => sum + Math.abs(other - offsetMs), 0) / count / 1_000;
    const slices = ofSlices.map((ofSlice, slice): GeneratorRecords["slices"][number] => {
      const arm = ((slice & 1) ^ (flips[slice >> 1] ?? 0)) === 0 ? "base" : "head";
      const ofReplicate = ofReplicates[Math.floor(slice / 8)]?.[arm === "base" ? 0 : 1] ?? 1;
      const cycleMs = usualMs * ofSlice * ofReplicate * (1 - away / 2) * Math.exp(0.01 * normal());
      const requests = Math.round((16 * 1_000) / cycleMs);
      return {
        ...{
          index: slice,
          arm,
          requests,
          failures: 0,
          latencyTotalMs: requests * cycleMs,
          latencyMaxMs: cycleMs,
        },
        ...{ statuses: { "200": requests }, latency: histogramOf([300, 301]), bodyBytes: [] },
        ...{ cycles: Math.round(requests / 2), cycleMs: Math.round(requests / 2) * cycleMs, printedMs: 0 },
      };
    });
    const process = `p${index}`;
    const requests = slices.reduce((sum, each) => sum + each.requests, 0);
    const startMs = 1_000_000;
    return {
      schemaVersion: 1,
      identity: {
        ...{ process, cell: cell.id, run: "run1", plan: planMark(planFor(count)), script: "s", version: "0" },
        ...{
          segment: segmentOf(index + 1, count),
          sequence: sequenceOf(count),
          startMs,
          readyMs: startMs - 900,
        },
        ...{ begunMs: startMs + 2, clock: { offsetMs, errorMs: 12 } },
      },
      end: { process, requests, droppedIterations: 0, durationSeconds: slicesOfLoad },
      slices,
    };
  });
}

/** Something that happens to generators: whole records, or a fault that must be seen. */
const faults: readonly ((records: GeneratorRecords[]) => GeneratorRecords[])[] = [
  (records) => records.slice(1),
  (records) => [...records, ...records.slice(-1).map(withProcess)],
  ([first, ...others]) =>
    first === undefined
      ? []
      : [{ ...first, identity: { ...first.identity, begunMs: first.identity.startMs + 400 } }, ...others],
  ([first, ...others]) =>
    first === undefined ? [] : [{ ...first, slices: first.slices.slice(3) }, ...others],
];

function withProcess(records: GeneratorRecords): GeneratorRecords {
  return { ...records, identity: { ...records.identity, process: "again" } };
}

/** Verdicts on equal arms, and what becomes of faults. */
export async function simulatedCells(): Promise<Record<string, number>> {
  const chance = chances(7);
  let [alarms, judged, faulty, unseen, refused] = [0, 0, 0, 0, 0];
  for (let index = 0; index < cells; index += 1) {
    const count = [2, 4, 16, 64][index % 4] ?? 2;
    const plan = planFor(count);
    const isFaulty = index % 5 === 4;
    const whole = generatorsOf(count, chance);
    const records = isFaulty ? (faults[Math.floor(index / 5) % faults.length]?.(whole) ?? whole) : whole;
    const start = { schemaVersion: 1 as const, cell, startedAt: "2026-01-01T00:00:00.000Z", commits: {} };
    const document = scaledDocument(start, plan, records);
    const isGood = document.status === "measured";
    if (isFaulty) {
      faulty += 1;
      if (isGood) unseen += 1;
      continue;
    }
    if (!isGood || plan.design === undefined) {
      refused += 1;
      continue;
    }
    judged += 1;
    const kind = versusOf([document], plan.design).get(cell.id)?.verdict.kind;
    if (kind === "slower" || kind === "faster") alarms += 1;
  }
  print(`  ${judged} cells of equal arms: ${alarms} slower or faster (${rounded((100 * alarms) / judged)}%)`);
  print(`  ${faulty} with a lost, doubled, late or incomplete generator: ${unseen} shown as good`);
  print(`  ${refused} refused without a fault (clocks within ${mostOffsetMs} ms of the truth)`);
  return { simulatedAlarmShare: alarms / judged, faultsUnseen: unseen, refusedWithoutFault: refused };
}
