import {
  type GeneratorIdentity,
  type GeneratorRecords,
  lineMark,
} from "../../../src/model/scale/generator-records.ts";
import { segmentOf, sequenceOf } from "../../../src/model/scale/segments.ts";

/** One request, as a generator of a test sent it. */
export interface SentRequest {
  readonly generator: number;
  readonly user: number;
  readonly slice: number;
  readonly status: number;
  readonly bucket: number;
}

export const sliceMs = 1_000;
export const expected = { cell: "get-w1-1", plan: "plan1", run: "run1", count: 4, sliceMs };

export function identityOf(
  number: number,
  count: number,
  changes: Partial<GeneratorIdentity> = {},
): GeneratorIdentity {
  return {
    process: `p${number}`,
    cell: expected.cell,
    run: "run1",
    plan: expected.plan,
    script: "script1",
    version: "0.0.0",
    segment: segmentOf(number, count),
    sequence: sequenceOf(count),
    startMs: 1_000_000,
    readyMs: 999_000,
    begunMs: 1_000_001,
    clock: { offsetMs: 2 * number, errorMs: 3 },
    ...changes,
  };
}

/** A whole generator: one request in each of two slices. */
export function recordsOf(
  number: number,
  count: number,
  changes: Partial<GeneratorIdentity> = {},
): GeneratorRecords {
  const identity = identityOf(number, count, changes);
  const slice = (index: number, arm: "base" | "head") => ({
    index,
    arm,
    requests: 1,
    failures: 0,
    latencyTotalMs: 0.1 * number,
    latencyMaxMs: number,
    statuses: { "200": 1 },
    latency: { buckets: [number], counts: [1] },
    cycles: 1,
    cycleMs: 0.3 * number,
    printedMs: 900 + number,
    bodyBytes: [17],
  });
  return {
    schemaVersion: 1,
    identity,
    end: { process: identity.process, requests: 2, droppedIterations: 0, durationSeconds: 2 + number },
    slices: [slice(0, "base"), slice(1, "head")],
  };
}

/** The log of one generator: its identity, one record for each user and slice, its end. */
export function logOf(
  requests: readonly SentRequest[],
  number: number,
  count: number,
  changes: Partial<GeneratorIdentity> = {},
): string[] {
  const identity = identityOf(number, count, changes);
  const mine = requests.filter(({ generator }) => generator === number);
  const keys = [...new Set(mine.map(({ user, slice }) => `${user} ${slice}`))];
  const records = keys.map((key, index) => {
    const of = mine.filter(({ user, slice }) => `${user} ${slice}` === key);
    const [first] = of;
    const statuses: Record<string, number> = {};
    for (const { status } of of) statuses[status] = (statuses[status] ?? 0) + 1;
    const record = [
      first?.slice,
      (first?.slice ?? 0) % 2 === 0 ? "base" : "head",
      of.length,
      of.filter(({ status }) => status >= 400).length,
      of.reduce((total, { bucket }) => total + 1.01 ** bucket, 0),
      Math.max(...of.map(({ bucket }) => 1.01 ** bucket)),
      -1,
      statuses,
      of.map(({ bucket }) => bucket),
      of.length,
      of.length * 1.1,
      500,
    ];
    return { of: [identity.process, first?.user, index], record };
  });
  const end = { process: identity.process, requests: mine.length, droppedIterations: 0, durationSeconds: 4 };
  return [{ generator: identity }, ...records, { end }].map((line) => lineMark + JSON.stringify(line));
}
