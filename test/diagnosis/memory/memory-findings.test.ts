import { describe, expect, test } from "vitest";
import { type ArmMemory, memoryFindings } from "../../../src/diagnosis/memory/memory-findings.ts";
import { textOf } from "../../../src/model/findings/finding.ts";
import type { Estimate } from "../../../src/statistics/estimate.ts";
import { saying } from "../samples.ts";
import { keeping, place } from "./samples.ts";

const measured = (value: number, interval?: Estimate["interval"]) => ({
  endpoint: "/orders",
  measured: { value, interval },
});
const nothing: ArmMemory = { documents: [keeping([])], requests: 500 };
/** 1,000 requests, each of which leaves so many bytes by each line. */
const kept = (...lines: Parameters<typeof keeping>[0][number][]): ArmMemory => ({
  documents: [keeping(lines.map(([at, bytes]) => [at, 1_000 * bytes]))],
  requests: 1_000,
});

test("the line that allocates what stays is told with its bytes per request", () => {
  const arms = { base: nothing, head: kept([place(), 2_358]) };
  expect(memoryFindings(arms, measured(2_500))).toEqual({
    unexplained: [],
    findings: [
      {
        cause: "growing memory",
        severity: "problem",
        confidence: "high",
        endpoint: "/orders",
        place: place(),
        subject: "`remember()`",
        summary: ["keeps 2,358 bytes per request in memory at ", { line: "main.py:8" }],
        advice: "Limit what is kept, or release it when the request ends.",
        figures: [
          { what: "kept in the base", unit: "bytes per request", value: 0 },
          { what: "kept in the head", unit: "bytes per request", value: 2_358 },
          { what: "share of the change", unit: "share", value: 1 },
        ],
        prediction: {
          what: "memory that stays",
          unit: "bytes per request",
          predicted: 2_358,
          observed: 2_500,
        },
        weight: 0,
      },
    ],
  });
});

test("processes are added up, the largest line is first, and small ones are left out", () => {
  const other = place({ line: 12, function: "Shop.`note`", file: "a`b.py" });
  const [one] = kept([place(), 300], [other, 600], [place({ line: 20, function: "little" }), 20]).documents;
  const [two] = kept([place(), 400]).documents;
  if (!one || !two) throw new Error("they are there");
  const head = { documents: [one, two], requests: 1_000 };
  const { findings } = memoryFindings({ base: nothing, head }, measured(1_300));
  expect(findings.map(saying)).toEqual([
    "`remember()` keeps 700 bytes per request in memory at `main.py:8`.",
    "`Shop.'note'()` keeps 600 bytes per request in memory at `a'b.py:12`.",
  ]);
  expect(findings[1]?.figures.at(-1)?.value).toBeCloseTo(0.45, 2);
});

test("what the base's function keeps as well is not the head's, wherever its lines moved", () => {
  const base = kept([place({ line: 3 }), 500]);
  const head = kept([place({ line: 8 }), 800], [place({ line: 9 }), 450]);
  const { findings } = memoryFindings({ base, head }, measured(750));
  expect(findings.map((each) => [each.place?.line, textOf(each.summary).slice(0, 24)])).toEqual([
    [9, "keeps 450 bytes per requ"],
    [8, "keeps 300 more bytes per"],
  ]);
});

test("code outside of functions, and endpoints by turns", () => {
  const head = kept([place({ function: "<module>" }), 200]);
  const { findings } = memoryFindings(
    { base: nothing, head },
    { endpoint: undefined, measured: { value: 260, interval: undefined } },
  );
  expect(findings).toMatchObject([{ confidence: "medium" }]);
  expect(saying(findings[0])).toMatch(/^Code of `main.py` keeps 200 bytes/);
  expect(findings[0]).not.toHaveProperty("endpoint");
});

describe("nobody is blamed", () => {
  test.for<[why: string, head: ArmMemory, facts: ReturnType<typeof measured>, reason: RegExp]>([
    [
      "where the figure does not fit what was measured",
      kept([place(), 500]),
      measured(2_000),
      /^Python keeps 500 more bytes .* grew by 2,000 more bytes per request, so no line/,
    ],
    ["where nothing stays", nothing, measured(2_000), /keeps 0 more bytes .*, so no line is blamed$/],
    ["where memory did not grow", kept([place(), 500]), measured(-5), /so no line is blamed$/],
    [
      "where no line of the app's allocates it",
      { documents: [keeping([[place(), 9_000]], { keptBytes: 100_000 })], requests: 1_000 },
      measured(100),
      /keeps 100 more bytes .* no line of the app allocates a tenth of that$/,
    ],
    ["without requests", { documents: [], requests: 0 }, measured(2_000), /keeps 0 more bytes/],
  ])("%s", ([, head, facts, reason]) => {
    expect(memoryFindings({ base: nothing, head }, facts)).toEqual({
      findings: [],
      unexplained: [expect.stringMatching(reason)],
    });
  });

  test("but where the measurement's interval has the figure", () => {
    const facts = measured(2_000, { low: 400, high: 3_600 });
    expect(memoryFindings({ base: nothing, head: kept([place(), 500]) }, facts).findings).toHaveLength(1);
  });
});
