import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { armRecordOf, LoadRecordError, parseLoadRecords } from "../../../src/core/load/load-records.ts";

const line = (slice: number, requests: number, extra: { arm?: string; failures?: number } = {}) =>
  JSON.stringify([
    slice,
    extra.arm ?? "head",
    requests,
    extra.failures ?? 0,
    requests * 2,
    3,
    17,
    { "200": requests },
    Array(requests).fill(5),
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

  test("passes over k6's own words", () => {
    expect(parseLoadRecords(`Request Failed error="dial"\n${line(0, 1)}\n\n`)).toHaveLength(1);
  });

  test.for([
    { name: "cut short", text: line(0, 1).slice(0, 20) },
    { name: "too few fields", text: "[1,2]" },
    { name: "a negative count", text: line(0, 1).replace('"head",1', '"head",-1') },
    { name: "another arm", text: line(0, 1, { arm: "other" }) },
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
