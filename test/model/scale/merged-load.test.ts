import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  growth,
  histogramCount,
  mergeHistograms,
  quantileMs,
  relativeError,
} from "../../../src/model/load/histogram.ts";
import { mergeStatuses } from "../../../src/model/load/statuses.ts";
import { generatorDocument, parseGenerators } from "../../../src/model/scale/generator-documents.ts";
import { parseGeneratorLogs } from "../../../src/model/scale/generator-records.ts";
import { mergeGenerators } from "../../../src/model/scale/merged-load.ts";
import { expected, type identityOf, logOf, recordsOf } from "./generators.ts";

const four = [1, 2, 3, 4].map((number) => recordsOf(number, 4));
const said = (records: Parameters<typeof mergeGenerators>[0]) => {
  const merging = mergeGenerators(records, expected);
  return "problems" in merging ? merging.problems : [];
};
const replaced = (number: number, changes: Parameters<typeof identityOf>[2]) =>
  four.with(number - 1, recordsOf(number, 4, changes));

describe("mergeGenerators", () => {
  test("adds up what four generators sent", () => {
    expect(mergeGenerators(four, expected)).toMatchObject({
      load: {
        requests: 8,
        durationSeconds: 6,
        clocksApartMs: 6,
        beginningsApartMs: 0,
        slices: [
          { index: 0, arm: "base", requests: 4, statuses: { "200": 4 }, latencyMaxMs: 4, printedMs: 904 },
          { index: 1, arm: "head", latency: { buckets: [1, 2, 3, 4], counts: [1, 1, 1, 1] } },
        ],
      },
    });
  });

  test("is the same to the last digit, in whatever order the records come, and however often", () => {
    const whole = mergeGenerators(four, expected);
    fc.assert(
      fc.property(fc.shuffledSubarray(four, { minLength: 4 }), fc.subarray(four), (order, again) => {
        expect(mergeGenerators([...order, ...again], expected)).toEqual(whole);
      }),
    );
  });

  test("takes the documents as they are read", () => {
    const documents = four.map((each, index) => ({ name: `${index}.json`, text: generatorDocument(each) }));
    const { records } = parseGenerators(documents);
    expect(mergeGenerators(records, expected)).toEqual(mergeGenerators(four, expected));
  });

  test("a lone generator needs no clock", () => {
    expect(said([recordsOf(1, 1, { clock: null })])).toEqual([]);
  });

  test.for([
    { name: "missing", records: four.slice(0, 3), problem: "no records came for the segment 3/4:1" },
    {
      name: "twice, by another process",
      records: [...four, recordsOf(2, 4, { process: "p9" })],
      problem: "two generators have the segment 1/4:1/2",
    },
    {
      name: "another run",
      records: replaced(2, { run: "run2" }),
      problem: "the records are of 2 runs: run1 (0:1/4, 1/2:3/4, 3/4:1), run2 (1/4:1/2)",
    },
    {
      name: "another run than the report",
      records: [1, 2, 3, 4].map((number) => recordsOf(number, 4, { run: "run2" })),
      problem: "generator 0:1/4 is of the run run2, the report of run1",
    },
    {
      name: "more than planned",
      records: [1, 2, 3, 4, 5].map((number) => recordsOf(number, 5)),
      problem: "5 generators left records; the plan has 4",
    },
    {
      name: "another script",
      records: replaced(1, { script: "script2" }),
      problem: "the records are of 2 scripts: script2 (0:1/4), script1 (1/4:1/2, 1/2:3/4, 3/4:1)",
    },
    {
      name: "another version",
      records: replaced(4, { version: "1.0.0" }),
      problem: "the records are of 2 versions: 0.0.0 (0:1/4, 1/4:1/2, 1/2:3/4), 1.0.0 (3/4:1)",
    },
    {
      name: "another plan",
      records: four.map(({ identity }, index) => recordsOf(index + 1, 4, { ...identity, plan: "plan2" })),
      problem: "generator 0:1/4 had the plan plan2, the report has plan1",
    },
    {
      name: "another cell",
      records: replaced(3, { cell: "other" }),
      problem: "generator 1/2:3/4 measured another cell: other",
    },
    {
      name: "another instant",
      records: replaced(3, { startMs: 1_030_000, begunMs: 1_030_000 }),
      problem:
        "the records are of 2 instants of the start: 1000000 (0:1/4, 1/4:1/2, 3/4:1), 1030000 (1/2:3/4)",
    },
    {
      name: "ready too late",
      records: replaced(2, { readyMs: 1_003_000, begunMs: 1_003_200 }),
      problem: "generator 1/4:1/2 was ready 3.00 s after the start",
    },
    {
      name: "held up at the start",
      records: replaced(2, { begunMs: 1_000_150 }),
      problem: "generator 1/4:1/2 began 0.150 s late",
    },
    {
      name: "a clock apart",
      records: replaced(2, { clock: { offsetMs: 120, errorMs: 5 } }),
      problem: "the generators' clocks differ by 118 ms; at most 100 ms are allowed",
    },
    {
      name: "a clock unknown",
      records: replaced(2, { clock: null }),
      problem: "the clock of generator 1/4:1/2 is not known: no response had a Date",
    },
    {
      name: "no end",
      records: four.map(({ end, ...rest }, index) =>
        index === 1 || end === undefined ? rest : { ...rest, end },
      ),
      problem: "generator 1/4:1/2 left no end: it was stopped, or its log is cut short",
    },
    {
      name: "a line lost",
      records: four.map((each, index) => (index === 1 ? { ...each, slices: each.slices.slice(1) } : each)),
      problem: "the records of generator 1/4:1/2 hold 1 requests, but k6 counted 2",
    },
    {
      name: "the other arm at the same time",
      records: four.map((each, index) =>
        index === 1
          ? { ...each, slices: each.slices.map((slice) => ({ ...slice, arm: "base" as const })) }
          : each,
      ),
      problem: "slice 1 has two arms",
    },
  ])("refuses: $name", ({ records, problem }) => expect(said(records)).toContain(problem));
});

const requests = fc.array(
  fc.record({
    generator: fc.integer({ min: 1, max: 4 }),
    user: fc.integer({ min: 1, max: 3 }),
    slice: fc.integer({ min: 0, max: 3 }),
    status: fc.constantFrom(200, 201, 404, 503),
    bucket: fc.integer({ min: -200, max: 900 }),
  }),
  { minLength: 1, maxLength: 200 },
);

test("the logs of four generators are, to the request, the load of all together", () => {
  fc.assert(
    fc.property(requests, fc.infiniteStream(fc.nat()), (sent, chance) => {
      const lines = [1, 2, 3, 4].flatMap((number) => logOf(sent, number, 4));
      const shuffled = lines
        .map((line) => ({ line, at: chance.next().value }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ line, at }) => (at % 3 === 0 ? `[pod/load-${at}-x/k6] ${line}` : line));
      const { generators } = parseGeneratorLogs([shuffled.join("\n"), shuffled.slice(0, 3).join("\n")]);
      const merging = mergeGenerators(generators, expected);
      if ("problems" in merging) throw new Error(merging.problems.join());
      const { slices } = merging.load;
      expect(mergeStatuses(slices.map(({ statuses }) => statuses))).toEqual(
        mergeStatuses(sent.map(({ status }) => ({ [status]: 1 }))),
      );
      for (const { index, requests: count, failures, latency } of slices) {
        const mine = sent.filter(({ slice }) => slice === index);
        expect(count).toBe(mine.length);
        expect(failures).toBe(mine.filter(({ status }) => status >= 400).length);
        expect(histogramCount(latency)).toBe(mine.length);
      }
      const all = sent.map(({ bucket }) => growth ** (bucket - 0.5)).toSorted((a, b) => a - b);
      const merged = mergeHistograms(slices.map(({ latency }) => latency));
      for (const share of [0.5, 0.95, 0.99]) {
        const exact = all[Math.ceil(share * all.length) - 1] ?? Number.NaN;
        expect(Math.abs((quantileMs(merged, share) ?? 0) / exact - 1)).toBeLessThanOrEqual(relativeError);
      }
    }),
  );
});

describe("parseGeneratorLogs", () => {
  const sent = [
    { generator: 1, user: 1, slice: 0, status: 200, bucket: 5 },
    { generator: 1, user: 1, slice: 1, status: 200, bucket: 6 },
  ];
  const log = logOf(sent, 1, 1);

  test("skips and counts the lines of others, with or without Windows' line ends", () => {
    const text = ["", "time=... level=info", ...log, "[1,2]", "hello"].join("\r\n");
    expect(parseGeneratorLogs([text])).toMatchObject({ skippedLines: 3, damagedLines: 0, strayRecords: 0 });
    expect(mergeGenerators(parseGeneratorLogs([text]).generators, expected)).toMatchObject({
      load: { requests: 2 },
    });
  });

  test("counts lines that were cut, and the cell is refused for them", () => {
    const cut = parseGeneratorLogs([
      log.map((line, index) => (index === 1 ? line.slice(0, 60) : line)).join("\n"),
    ]);
    expect(cut.damagedLines).toBe(1);
    expect(said(cut.generators)).toEqual(["the records of generator 0:1 hold 1 requests, but k6 counted 2"]);
  });

  test("a log cut short has no end", () => {
    expect(said(parseGeneratorLogs([log.slice(0, -1).join("\n")]).generators)).toEqual([
      "generator 0:1 left no end: it was stopped, or its log is cut short",
    ]);
  });

  test("counts records whose generator is not known, e.g. because the log's beginning is gone", () => {
    expect(parseGeneratorLogs([log.slice(1).join("\n")])).toMatchObject({ generators: [], strayRecords: 2 });
  });
});
