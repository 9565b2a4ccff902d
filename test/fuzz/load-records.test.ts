import fc from "fast-check";
import { expect, test } from "vitest";

import { LoadRecordError, parseLoadRecords } from "../../src/model/load/load-records.ts";
import { sum } from "../../src/statistics/estimate.ts";
import { isPolluted, mutationsOf, numbersIn, numRuns, timeout } from "./mutation.ts";

const record = [0, "head", 3, 1, 21.5, 9, 17, { "200": 2, "503": 1 }, [5, 5, -7], 2, 15.25, 98.5];
const other = [0, "head", 4, 0, 8, 2, -1, { "200": 4 }, [3, 4, 4, 9], 4, 10, 99];

test("T18, T19: records of a load are read, or refused by name, and no number is invented", {
  timeout,
}, () => {
  let used = 0;
  fc.assert(
    fc.property(mutationsOf(record), mutationsOf(other), (one, two) => {
      const log = `k6's own words\n${one}\n${two}\n`;
      try {
        const slices = parseLoadRecords(log);
        const lines = log.split("\n").filter((line) => line.startsWith("["));
        const records: (typeof record)[] = lines.map((line) => JSON.parse(line));
        used += slices.length;
        // Users of one slice are added up; else a number is one that was there.
        const given = records.flatMap((each) => [...numbersIn(each)]);
        const sums = new Set([0, ...given.flatMap((each) => [each, ...given.map((more) => each + more)])]);
        for (const { latency, ...rest } of slices) {
          expect([...numbersIn(rest)].filter((number) => !(number >= 0 && sums.has(number)))).toEqual([]);
          expect(latency.buckets.filter((bucket) => !given.includes(bucket))).toEqual([]);
        }
        const buckets = sum(records.map((each) => (Array.isArray(each[8]) ? each[8].length : Number.NaN)));
        expect(sum(slices.flatMap(({ latency }) => [...latency.counts]))).toBe(buckets);
      } catch (error) {
        if (!(error instanceof LoadRecordError)) throw error;
      }
      expect(isPolluted()).toBe(false);
    }),
    { numRuns },
  );
  expect(used).toBeGreaterThan(numRuns / 10); // to refuse everything would keep all that, too
});
