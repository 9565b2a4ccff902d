import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  armRecordOf,
  LoadRecordError,
  parseLoadRecords,
  secondsToLastReply,
  slicesInTime,
} from "../../../src/model/load/load-records.ts";
import { requestFigures } from "../../../src/model/measurement/measurement.ts";

const line = (
  slice: number,
  requests: number,
  extra: {
    arm?: string;
    failures?: number;
    cycles?: number;
    cycleMs?: number;
    bodyBytes?: number;
    printedMs?: number;
    firstByteMs?: number;
  } = {},
) =>
  JSON.stringify([
    slice,
    extra.arm ?? "head",
    requests,
    extra.failures ?? 0,
    requests * 2,
    3,
    extra.bodyBytes ?? 17,
    { "200": requests },
    Array(requests).fill(5),
    extra.cycles ?? requests,
    extra.cycleMs ?? requests * 2.5,
    extra.printedMs ?? 1_000 * slice,
    ...(extra.firstByteMs === undefined ? [] : [extra.firstByteMs]),
  ]);

describe("parseLoadRecords", () => {
  test("adds up the virtual users of a slice, in order of time", () => {
    const slices = parseLoadRecords([line(1, 4), line(0, 1), line(0, 2)].join("\n"));
    expect(
      slices.map(({ index, requests, latencyTotalMs }) => ({ index, requests, latencyTotalMs })),
    ).toEqual([
      { index: 0, requests: 3, latencyTotalMs: 6 },
      { index: 1, requests: 4, latencyTotalMs: 8 },
    ]);
    expect(slices[0]?.statuses).toEqual({ "200": 3 });
    expect(slices[0]?.latency).toEqual({ buckets: [5], counts: [3] });
  });

  test("adds up the cycles, which are fewer than the requests", () => {
    const lines = [
      line(0, 5, { cycles: 3, cycleMs: 7.5 }),
      line(0, 4, { cycles: 0, cycleMs: 0 }),
      line(0, 2, { cycles: 2, cycleMs: 4.25 }),
    ];
    expect(parseLoadRecords(lines.join("\n"))).toMatchObject([{ requests: 11, cycles: 5, cycleMs: 11.75 }]);
  });

  test("keeps the longest latency, the failures and the sampled sizes", () => {
    const lines = [line(0, 1, { failures: 1, bodyBytes: -1 }), line(0, 1), line(0, 1, { bodyBytes: 0 })];
    expect(parseLoadRecords(lines.join("\n"))).toMatchObject([
      { failures: 1, latencyMaxMs: 3, bodyBytes: [17, 0] },
    ]);
  });

  test("keeps the time to the first byte, where all have noted it", () => {
    const of = (...lines: string[]) => parseLoadRecords(lines.join("\n"));
    const noted = of(line(0, 1, { firstByteMs: 2 }), line(0, 3, { firstByteMs: 4 }));
    expect(noted[0]?.firstByteMs).toBe(6);
    const options = { sliceMs: 250, blockMs: 1_000, endMs: 1_000 };
    expect(armRecordOf("head", noted, options).firstByteMs).toBe(1.5);
    expect(armRecordOf("base", noted, options)).not.toHaveProperty("firstByteMs");
    const late = of(line(0, 1, { firstByteMs: 2 }), line(4, 3, { firstByteMs: 900 }));
    expect(armRecordOf("head", late, options).firstByteMs).toBe(2); // as the mean latency, without what came after the end
    const half = of(line(0, 1, { firstByteMs: 2 }), line(1, 3));
    expect(half[1]).not.toHaveProperty("firstByteMs");
    expect(armRecordOf("head", half, options)).not.toHaveProperty("firstByteMs");
  });

  test("knows when the last reply came, not when a cycle was told later", () => {
    const lines = [
      line(0, 1, { printedMs: 150 }),
      line(1, 2, { printedMs: 240 }),
      line(1, 1, { printedMs: 260 }),
      line(2, 0, { printedMs: 900 }),
    ];
    expect(secondsToLastReply(parseLoadRecords(lines.join("\n")))).toBe(0.26);
    expect(secondsToLastReply([])).toBe(0);
  });

  test("leaves out what came after the end, but not the slice that the end cut short", () => {
    const slices = parseLoadRecords([line(0, 1), line(3, 1), line(4, 1), line(9, 1)].join("\n"));
    const kept = (endMs: number) => slicesInTime(slices, 250, endMs).map(({ index }) => index);
    expect(kept(1_000)).toEqual([0, 3]);
    expect(kept(1_000.0000001)).toEqual([0, 3]); // seconds as a fraction
    expect(kept(1_010)).toEqual([0, 3, 4]);
  });

  test("passes over k6's own words", () => {
    expect(parseLoadRecords(`Request Failed error="dial"\n${line(0, 1)}\n\n`)).toHaveLength(1);
  });

  test.for([
    { name: "cut short", text: line(0, 1).slice(0, 20) },
    { name: "too few fields", text: "[1,2]" },
    { name: "a negative count", text: line(0, 1).replace('"head",1', '"head",-1') },
    { name: "another arm", text: line(0, 1, { arm: "other" }) },
    { name: "no cycles, as before there were two arms", text: line(0, 1).replace(/,1,2\.5,0\]$/, "]") },
    { name: "half a cycle", text: line(0, 1, { cycles: 0.5 }) },
    { name: "a negative time of its cycles", text: line(0, 1, { cycleMs: -1 }) },
    {
      name: "a field too many",
      text: line(0, 1).replace(/\]$/, `${",1".repeat(requestFigures.length + 1)}]`),
    },
    { name: "not a number", text: line(0, 1).replace(",17,", ",null,") },
  ])("refuses a record with $name", ({ text }) => {
    expect(() => parseLoadRecords(text)).toThrow(LoadRecordError);
  });

  test("refuses a slice that went to both arms", () => {
    expect(() => parseLoadRecords(`${line(0, 1)}\n${line(0, 1, { arm: "base" })}`)).toThrow(
      "slice 0 has two arms",
    );
  });

  test("never fails in another way", () => {
    const noise = fc.array(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map((text) => `[${text}]`),
      ),
    );
    fc.assert(
      fc.property(noise, (lines) => {
        try {
          parseLoadRecords(lines.join("\n"));
        } catch (error) {
          expect(error).toBeInstanceOf(LoadRecordError);
        }
      }),
    );
  });
});

describe("armRecordOf", () => {
  const options = { sliceMs: 250, blockMs: 1_000, endMs: 2_500 };

  test("cuts the load into blocks and keeps the empty ones", () => {
    const slices = parseLoadRecords([line(0, 5), line(3, 1), line(8, 2)].join("\n"));
    const record = armRecordOf("head", slices, options);
    expect(
      record.blocks.map(({ startSeconds, seconds, requests }) => [startSeconds, seconds, requests]),
    ).toEqual([
      [0, 1, 6],
      [1, 1, 0],
      [2, 0.5, 2],
    ]);
    expect(record.responseBytes).toBe(17);
  });

  test("with two arms a block has whole pairs of slices, and each arm half of its time", () => {
    const lines = [
      line(0, 5, { arm: "base" }),
      line(1, 6, { arm: "head" }),
      line(2, 7, { arm: "head" }),
      line(3, 8, { arm: "base" }),
      line(4, 9, { arm: "base" }),
    ];
    const slices = parseLoadRecords(lines.join("\n"));
    const blocksOf = (arm: "base" | "head") =>
      armRecordOf(arm, slices, { ...options, arms: 2 }).blocks.map(({ startSeconds, seconds, requests }) => [
        startSeconds,
        seconds,
        requests,
      ]);
    expect(blocksOf("base")).toEqual([
      [0, 0.5, 13],
      [1, 0.5, 9],
      [2, 0.25, 0],
    ]);
    expect(blocksOf("head")).toEqual([
      [0, 0.5, 13],
      [1, 0.5, 0],
      [2, 0.25, 0],
    ]);
  });

  test.for([
    { sliceMs: 300, arms: 2, starts: [0, 1.2, 2.4] },
    { sliceMs: 300, arms: 1, starts: [0, 0.9, 1.8] },
    { sliceMs: 1_600, arms: 2, starts: [0] },
    { sliceMs: 1_600, arms: 1, starts: [0, 1.6] },
  ] as const)(
    "blocks of slices of $sliceMs ms for $arms arms begin at $starts s",
    ({ sliceMs, arms, starts }) => {
      const { blocks } = armRecordOf("head", [], { ...options, sliceMs, arms });
      expect(blocks.map(({ startSeconds }) => startSeconds)).toEqual(starts);
      const seconds = blocks.reduce((total, block) => total + block.seconds, 0);
      expect(seconds).toBeCloseTo(2.5 / arms, 9);
    },
  );

  test("says nothing of sizes when the server did not", () => {
    const slices = parseLoadRecords(line(0, 2, { bodyBytes: -1 }));
    expect(armRecordOf("head", slices, options)).not.toHaveProperty("responseBytes");
    expect(armRecordOf("base", slices, options).statuses).toEqual({});
  });

  test("loses no request, whatever the slices", () => {
    const indices = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 });
    fc.assert(
      fc.property(indices, (all) => {
        const slices = parseLoadRecords(all.map((index) => line(index, 1)).join("\n"));
        const { blocks, statuses } = armRecordOf("head", slices, options);
        expect(blocks.reduce((total, block) => total + block.requests, 0)).toBe(all.length);
        expect(statuses["200"] ?? 0).toBe(all.length);
      }),
    );
  });
});
