import { describe, expect, test } from "vitest";
import { startFindings } from "../../../src/diagnosis/start/start-findings.ts";
import type { StackDocument } from "../../../src/model/findings/stack-document.ts";
import { foreign, frame, stacks } from "../functions/samples.ts";
import { saying } from "../samples.ts";

const main = frame({ file: "main.py", function: "<module>", first: 1, last: 40, names: [] });
const uvicorn = foreign("uvicorn", "serve");

/** The start of one worker: seconds of CPU by line of `main.py`, and what the server's own imports take. */
function starting(
  lines: Readonly<Record<number, number>>,
  texts: Readonly<Record<number, string>> = {},
): StackDocument {
  const sampled = Object.entries(lines).map(([line, seconds]) => ({
    stack: [[main, Number(line)]] as const,
    microseconds: (seconds * 1e6) / 8, // in each of the samples' turns
  }));
  const document = stacks([{ stack: [[uvicorn, 0]] as const, microseconds: 25_000 }, ...sampled]);
  const at = document.frames.indexOf(main);
  return { ...document, texts: Object.entries(texts).map(([line, text]) => [at, Number(line), text]) };
}
const told = (base: StackDocument, head: StackDocument, value: number) =>
  startFindings({ base: [base], head: [head] }, { value, interval: undefined });
const texts = { 1: "import fastapi", 3: "import polars" };

test("the line that takes more is told with its seconds and what is written there", () => {
  const { findings, unexplained } = told(
    starting({ 1: 0.3 }, texts),
    starting({ 1: 0.3, 3: 0.5 }, texts),
    0.52,
  );
  expect(unexplained).toEqual([]);
  expect(findings).toMatchObject([
    {
      cause: "slower start",
      severity: "problem",
      confidence: "high",
      place: { file: "main.py", line: 3, function: "<module>", code: "import polars" },
      subject: "starting a worker",
      summary: ["takes 0.501 s more CPU at ", { line: "main.py:3" }, " (`import polars`)"],
      prediction: { what: "CPU time of the start", unit: "s", observed: 0.52 },
      weight: 0,
    },
  ]);
});

test("a line that only moved takes no more", () => {
  const moved = starting({ 5: 0.3, 3: 0.5 }, { 3: "import polars", 5: "import fastapi" });
  const { findings } = told(starting({ 1: 0.3 }, texts), moved, 0.5);
  expect(findings.map(({ place }) => place?.line)).toEqual([3]);
});

test("the same line that takes longer is told with the difference", () => {
  const { findings } = told(starting({ 3: 0.2 }, texts), starting({ 3: 0.8 }, texts), 0.6);
  expect(findings[0]?.figures[0]?.value).toBeCloseTo(0.6, 1);
});

test("a line whose text is not known is told without it", () => {
  const { findings } = told(starting({}), starting({ 7: 0.5 }), 0.5);
  expect(saying(findings[0])).toMatch(/ more CPU at `main\.py:7`\.$/);
});

test("at most three lines are told, none that takes less than a tenth", () => {
  const { findings } = told(starting({}), starting({ 1: 0.4, 2: 0.3, 3: 0.2, 4: 0.15, 5: 0.05 }), 1.1);
  expect(findings.map(({ place }) => place?.line)).toEqual([1, 2, 3]);
});

describe("nobody is blamed", () => {
  test("where the samples do not show what was measured", () => {
    const { findings, unexplained } = told(starting({}), starting({ 3: 0.5 }), 2);
    expect(findings).toEqual([]);
    expect(unexplained).toEqual([
      "starting a worker took 0.501 s more CPU time according to the samples but 2.00 s more in the measurement, so no line is blamed",
    ]);
  });

  test("where libraries of the server take it", () => {
    const slower = stacks([{ stack: [[uvicorn, 0]] as const, microseconds: 100_000 }]);
    const { findings, unexplained } = told(starting({}), slower, 0.6);
    expect(findings).toEqual([]);
    expect(unexplained).toEqual([expect.stringMatching(/but no line of the app took a tenth of that$/)]);
  });
});
