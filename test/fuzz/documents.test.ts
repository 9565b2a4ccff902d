import fc from "fast-check";
import { expect, test } from "vitest";

import { compare } from "../../src/compare/compare.ts";
import { readStrangersReport } from "../../src/forge/posting/strangers-report.ts";
import { K6SummaryError, parseK6Summary } from "../../src/model/load/k6-summary.ts";
import { parseMeasurements } from "../../src/model/measurement/documents.ts";
import { figuresOf } from "../../src/report/figures/figures.ts";
import { blocks, cell, measurement } from "../fixtures/measurement.ts";
import { renderComment, renderTerminalTable } from "../report/forms.ts";
import { isPolluted, mutationsOf, numbersIn, numRuns, timeout } from "./mutation.ts";

const trend = { count: 9, avg: 1, min: 1, med: 1, max: 2, "p(90)": 2, "p(95)": 2 };
const summary = {
  state: { testRunDurationMs: 10_000 },
  metrics: {
    http_reqs: { values: { count: 9, rate: 0.9 } },
    http_req_failed: { values: { passes: 2, fails: 7 } },
    iterations: { values: { count: 9, rate: 0.9 } },
    dropped_iterations: { values: { count: 0 } },
    "http_req_duration{expected_response:true}": { values: trend },
    http_req_blocked: { values: trend },
    http_req_connecting: { values: trend },
    iteration_duration: { values: trend },
  },
};

test("T19: a k6 summary is read, or refused by name", { timeout }, () => {
  let used = 0;
  fc.assert(
    fc.property(mutationsOf(summary), fc.boolean(), (text, detailed) => {
      try {
        const read = parseK6Summary(text, { detailed });
        const given = new Set([0, ...numbersIn(JSON.parse(text))].flatMap((each) => [each, each / 1_000]));
        used += 1;
        expect([...numbersIn(read)].filter((number) => !(number >= 0 && given.has(number)))).toEqual([]);
      } catch (error) {
        if (!(error instanceof K6SummaryError)) throw error;
      }
      expect(isPolluted()).toBe(false);
    }),
    { numRuns },
  );
  expect(used).toBeGreaterThan(numRuns / 10); // to refuse everything would keep all that, too
});

const one = cell();
/** Few blocks and buckets, so that what is changed is seldom one more of the same. */
const few = measurement({ cell: one, arm: { blocks: blocks().slice(0, 3) } });
const plan = { schemaVersion: 1 as const, cells: [one, cell({ workers: 2 })] };

/** What no report may say, whatever it was given. */
const invented = /\bNaN\b|Infinity|undefined|\[object/;

/** Of the rest each counts something, or says how long, how much or which share. */
const mayBeNegative = /^buckets$/;

/** Each number with the last name on the way to it. */
function* placedNumbers(value: unknown, name = ""): Generator<readonly [name: string, number: number]> {
  if (typeof value === "number") yield [name, value];
  else if (Array.isArray(value)) for (const each of value) yield* placedNumbers(each, name);
  else if (typeof value === "object" && value !== null)
    for (const [key, each] of Object.entries(value)) yield* placedNumbers(each, key);
}

const isNegative = ([name, number]: readonly [string, number]) => !(number >= 0) && !mayBeNegative.test(name);

test("T18, T19: a Measurement document is used or left out, and no number is invented", { timeout }, () => {
  let used = 0;
  fc.assert(
    fc.property(mutationsOf(few), (text) => {
      const { measurements, warnings } = parseMeasurements([{ name: `cells/${one.id}.json`, text }]);
      expect(measurements.length + warnings.length).toBe(1);
      expect(isPolluted()).toBe(false);
      if (measurements.length === 0) return;
      used += 1;
      const given = new Set(numbersIn(JSON.parse(text)));
      expect([...numbersIn(measurements)].filter((number) => !given.has(number))).toEqual([]);
      expect([...placedNumbers(measurements)].filter(isNegative)).toEqual([]);
      const comparison = compare(plan, measurements);
      const figures = [...placedNumbers(figuresOf(comparison))];
      expect(figures.filter(([, number]) => !Number.isFinite(number))).toEqual([]);
      expect(figures.filter(isNegative)).toEqual([]);
      expect(renderTerminalTable(comparison, { width: 100, colour: false })).not.toMatch(invented);
      expect(renderComment(comparison, { marker: "<!-- m -->" })).not.toMatch(invented);
    }),
    { numRuns },
  );
  expect(used).toBeGreaterThan(numRuns / 10); // to refuse everything would keep all that, too
});

test("T4, T18, T19: a stranger's document, too", { timeout }, () => {
  let used = 0;
  fc.assert(
    fc.property(mutationsOf(few), mutationsOf(plan), fc.boolean(), (text, planText, isPlanHonest) => {
      const read = readStrangersReport([
        { name: "plan.json", text: isPlanHonest ? JSON.stringify(plan) : planText },
        { name: `cells/${one.id}.json`, text },
      ]);
      expect(isPolluted()).toBe(false);
      if (read.kind === "refused") return;
      used += 1;
      expect(renderComment(read.comparison, { marker: "<!-- m -->" })).not.toMatch(invented);
    }),
    { numRuns },
  );
  expect(used).toBeGreaterThan(numRuns / 10);
});
