import { lineMark, mergeGenerators, parseGeneratorLogs } from "../../src/engine.ts";
import { expected, identityOf } from "../../test/model/scale/generators.ts";
import { median, print, rounded } from "../parts/timing.ts";

const generators = 4;
const requestsOfRecord = 20;
const rounds = 5;

/** Time of reading and merging logs, by their number of records: linear if each record costs the same. */
export async function mergingCost(): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  for (const records of [5_000, 20_000, 80_000]) {
    const logs = [1, 2, 3, 4].map((generator) => logOf(generator, records / generators));
    const seconds = Array.from({ length: rounds }, () => {
      const began = performance.now();
      const merging = mergeGenerators(parseGeneratorLogs(logs).generators, expected);
      if ("problems" in merging) throw new Error(merging.problems.join("; "));
      return (performance.now() - began) / 1_000;
    });
    const each = rounded((median(seconds) * 1e6) / records);
    print(`  ${records} records: ${rounded(median(seconds) * 1_000)} ms, ${each} µs each`);
    figures[`mergeMicrosecondsEachOf${records}`] = each;
  }
  return figures;
}

/** Records of 100 users, slice after slice. */
function logOf(generator: number, records: number): string {
  const identity = identityOf(generator, generators);
  const { process } = identity;
  const lines = Array.from({ length: records }, (_, index) => {
    const slice = Math.floor(index / 100);
    const buckets = Array.from({ length: requestsOfRecord }, (__, place) => 300 + ((index + place) % 200));
    const sums = [requestsOfRecord, 0, 400.5, 30.25, -1, { "200": requestsOfRecord }, buckets];
    const record = [
      slice,
      slice % 2 === 0 ? "base" : "head",
      ...sums,
      requestsOfRecord,
      401.5,
      1_000 * slice,
    ];
    return { of: [process, index % 100, index], record };
  });
  const end = { process, requests: records * requestsOfRecord, droppedIterations: 0, durationSeconds: 4 };
  return [{ generator: identity }, ...lines, { end }]
    .map((line) => lineMark + JSON.stringify(line))
    .join("\n");
}
