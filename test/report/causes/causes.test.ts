import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Comparison, Row } from "../../../src/compare/comparison.ts";
import type { Requested } from "../../../src/model/endpoint/endpoint.ts";
import {
  armDiagnosis,
  type FoundCause,
  nothingSeen,
  seenSchema,
} from "../../../src/model/findings/diagnosis.ts";
import { sentenceOf, textOf } from "../../../src/model/findings/finding.ts";
import { partNames } from "../../../src/model/findings/probe-document.ts";
import {
  causeLines,
  causeText,
  continuedCause,
  evidenceText,
} from "../../../src/report/causes/cause-text.ts";
import { causesOf } from "../../../src/report/causes/causes.ts";
import { figuresOf } from "../../../src/report/figures/figures.ts";
import { annotationsOf, checkRunOf } from "../../../src/report/forge/check-run.ts";
import { inMarkdown } from "../../../src/report/render/markdown/blocks.ts";
import { inTerminal } from "../../../src/report/render/terminal/terminal.ts";
import { reportOf as wholeReport } from "../../../src/report/report.ts";
import { comparisonOf as comparisonOfCounts, measured } from "../../compare/workers/worker-counts.ts";
import { foundCause, line } from "../../diagnosis/samples.ts";
import { cell, measurement } from "../../fixtures/measurement.ts";
import { elementsOf, liveInProse, proseOf, toHtml, unseen } from "../../text/gfm.ts";
import { hostileText } from "../../text/hostile-text.ts";
import { isWorkflowCommand } from "../../text/workflow-command.ts";
import { comparedOf, effect, row, versus } from "../compared.ts";
import { comparisonOf } from "../example.ts";
import { renderComment, renderHtml, renderSummary, renderTerminalTable } from "../forms.ts";

type Diagnosis = Row["diagnosis"];

/** Nobody knows where the code can be read. */
const nowhere = { links: {}, commit: undefined };

/** A report of as many cells as there are diagnoses. */
function reportOf(...diagnoses: readonly Diagnosis[]): Comparison {
  const cells = diagnoses.map((_, index) => cell({ workers: index + 1 }));
  return comparisonOf(
    cells,
    diagnoses.map((diagnosis, index) => {
      const made = measurement({ cell: cells[index] ?? cell() });
      return diagnosis === undefined ? made : { ...made, diagnosis };
    }),
  );
}

const of = (...findings: readonly FoundCause[]) => armDiagnosis(findings, []);
const located = { path: "api/app/orders.py", isInDiff: true };
const elsewhere = { ...line, line: 99, function: "other" };

/** Connections go to workers as it happens. */
const dealt = "one worker gets most requests";

describe("whether a cause is new", () => {
  test.for<[what: string, diagnosis: Diagnosis, isNew: boolean | undefined]>([
    ["the base has none", { base: of(), head: of(foundCause()) }, true],
    ["the base has the same", { base: of(foundCause()), head: of(foundCause()) }, false],
    [
      "the base has it at another line of the function",
      { base: of(foundCause({ place: { ...line, line: 12 } })), head: of(foundCause()) },
      false,
    ],
    [
      "the base has another cause",
      { base: of(foundCause({ cause: "missing index" })), head: of(foundCause()) },
      true,
    ],
    ["the base could not be seen", { base: nothingSeen("x"), head: of(foundCause()) }, undefined],
    ["there is no base", { head: of(foundCause()) }, undefined],
    ["another start may be without it", { base: of(), head: of(foundCause({ cause: dealt })) }, undefined],
    [
      "both arms have the same workers on the same CPUs",
      { base: of(), head: of(foundCause({ cause: "more workers than CPUs" })) },
      undefined,
    ],
    [
      "the base's start had it, too",
      { base: of(foundCause({ cause: dealt })), head: of(foundCause({ cause: dealt })) },
      false,
    ],
  ])("%s", ([, diagnosis, isNew]) => {
    expect(causesOf(reportOf(diagnosis)).causes).toMatchObject([{ isNew }]);
  });

  test.for<[what: string, faster: number, causes: string[]]>([
    ["as fast as one", 1_010, ["more workers than CPUs"]],
    ["faster", 1_800, []],
  ])("one worker is not enough where two are measured to be %s", ([, rate, causes]) => {
    const finding = foundCause({
      cause: "more workers than CPUs",
      figures: [{ what: "CPUs that they may use", value: 1 }],
    });
    const counts = [
      { workers: 1, rates: [990, 1_000, 1_010] },
      { workers: 2, rates: [rate - 10, rate, rate + 10], change: { diagnosis: { head: of(finding) } } },
    ];
    const comparison = comparisonOfCounts(measured("/a", counts));
    expect(causesOf(comparison).causes.map((each) => each.finding.cause)).toEqual(causes);
  });

  /** A slow statement, and an arm that saw it take so long each time, whether that counts as slow or not. */
  const slow = foundCause({
    cause: "slow query",
    statementMs: 45,
  });
  const sawIt = (timeMs: number, ...findings: readonly FoundCause[]) =>
    armDiagnosis(
      findings,
      [],
      seenSchema.parse({
        ...{ requests: 10, stalls: [] },
        partsMs: Object.fromEntries(partNames.map((name) => [name, 1])),
        statements: [{ place: line, count: 10, totalMs: 10 * timeMs, longestMs: timeMs, text: "SELECT 1" }],
      }),
    );

  test.for<[baseMs: number, isNew: boolean]>([
    [38, false],
    [30, false],
    [20, true],
  ])("a statement that took %s ms in the base, below what is called slow: %s", ([baseMs, isNew]) => {
    const report = reportOf({ base: sawIt(baseMs), head: sawIt(45, slow) });
    expect(causesOf(report).causes).toMatchObject([{ isNew }]);
    const turned = reportOf({ base: sawIt(45, slow), head: sawIt(baseMs) });
    expect(causesOf(turned).fixed).toHaveLength(isNew ? 1 : 0);
  });

  test("is told over all cells, and each cause once", () => {
    const both = { base: of(foundCause()), head: of(foundCause({ weight: 0.8 })) };
    const headAlone = { base: of(), head: of(foundCause({ weight: 0.95 })) };
    expect(causesOf(reportOf(both, headAlone)).causes).toMatchObject([
      { isNew: false, cells: 2, finding: { weight: 0.95 } },
    ]);
  });

  test("work that was seen at two lines of a function is one cause, calls at two lines are two", () => {
    const twice = (cause: FoundCause["cause"]) =>
      [37, 38].map((number) => ({ head: of(foundCause({ cause, place: { ...line, line: number } })) }));
    expect(causesOf(reportOf(...twice("CPU work on the event loop"))).causes).toHaveLength(1);
    expect(causesOf(reportOf(...twice("unpooled connections"))).causes).toHaveLength(2);
  });
});

test("new ones are first, then those in the diff, then the others by weight, notes last", () => {
  const old = foundCause({ cause: "missing index", weight: 0.5 });
  const changed = foundCause({ cause: "pool too small", weight: 0.1, ...located });
  const heavy = foundCause({ cause: "thread pool exhausted", weight: 1 });
  const note = foundCause({ cause: "waiting, not computing", severity: "note", weight: 1 });
  const fresh = foundCause({ weight: 0.2, place: elsewhere });
  const report = reportOf({
    base: of(old, changed, heavy, note),
    head: of(note, heavy, old, changed, fresh),
  });
  const { causes } = causesOf(report);
  expect(causes.map(({ finding }) => finding.cause)).toEqual([
    fresh.cause,
    changed.cause,
    heavy.cause,
    old.cause,
    note.cause,
  ]);
});

describe("one line says what, where, whether it is new, how we know, and what to do", () => {
  test("of a new one in the diff", () => {
    const { causes } = causesOf(reportOf({ base: of(), head: of(foundCause(located)) }));
    expect(causes.map(causeText)).toEqual([
      "`/orders` blocks the event loop for 480 ms at `app/orders.py:37` (`time.sleep(0.48)`) – new in this pull request. Await it.",
    ]);
    expect(causes.map(({ finding }) => evidenceText(finding))).toEqual([
      "mean: 480 ms; predicted requests per second: 2.08, measured: 2.10 (high confidence)",
    ]);
  });

  test("of one that the base has, in two cells", () => {
    const same = { base: of(foundCause()), head: of(foundCause()) };
    const [old] = causesOf(reportOf(same, same)).causes;
    expect(old && causeText(old)).toContain(" – already in the base, in 2 cells. ");
  });

  test("with units where they belong", () => {
    const figures: FoundCause["figures"] = [
      { what: "share of requests", unit: "share", value: 0.5 },
      { what: "held", unit: "ms per request", value: 12.34 },
      { what: "most in one request", value: 10 },
      { what: "left out", value: 1 },
    ];
    const text = evidenceText(foundCause({ figures }));
    expect(text).toContain(
      "share of requests: 50%, held: 12.3 ms per request, most in one request: 10; predicted requests",
    );
  });
});

test("a relative change has its interval, and comes after others", () => {
  const figures = [
    ...["one", "two", "three", "four"].map((what, index) => ({ what, value: index + 1 })),
    { what: "instructions per request", value: 0.123, interval: { low: 0.119, high: 0.127 } },
  ];
  const text = evidenceText(foundCause({ figures }));
  expect(text).toContain(
    "one: 1, two: 2, three: 3, instructions per request: +12.3% ± 0.4; predicted requests",
  );
});

describe("what the head has fixed", () => {
  const old = foundCause({ cause: "pool too small" });
  test.for<[what: string, diagnosis: Diagnosis, fixed: readonly string[]]>([
    ["the head has it no longer", { base: of(foundCause()), head: of() }, [foundCause().cause]],
    [
      "the head has it at another line of the function",
      { base: of(foundCause()), head: of(foundCause({ place: { ...line, line: 12 } })) },
      [],
    ],
    ["the head could not be seen", { base: of(foundCause()), head: nothingSeen("x") }, []],
    ["a note", { base: of(foundCause({ severity: "note" })), head: of() }, []],
    ["another start may have it again", { base: of(foundCause({ cause: dealt })), head: of() }, []],
    ["the generator was full", { base: of(foundCause({ cause: "generator bound" })), head: of() }, []],
    [
      "it may hide behind a larger one",
      { base: of(foundCause({ cause: "thread pool exhausted" })), head: of(old) },
      [],
    ],
    [
      "the weightiest first",
      { base: of({ ...old, weight: 0.1 }, foundCause({ weight: 0.2 })), head: of() },
      [foundCause().cause, old.cause],
    ],
  ])("%s", ([, diagnosis, causes]) => {
    expect(causesOf(reportOf(diagnosis)).fixed.map(({ finding }) => finding.cause)).toEqual(causes);
  });

  test.for([
    { baseRate: 1_000, headRate: 1_400, fixed: 1 },
    { baseRate: 1_000, headRate: 900, fixed: 1 },
    { baseRate: 1_000, headRate: 890, fixed: 0 },
    { baseRate: 429, headRate: 89.8, fixed: 0 },
  ])("needs a head under as much load: $baseRate to $headRate req/s", ({ fixed, ...rates }) => {
    const diagnosis = { base: of(foundCause()), head: of() };
    const only = row({ cell: cell(), diagnosis, ...rates });
    expect(causesOf({ rows: [only] }).fixed).toHaveLength(fixed);
  });

  test("is not what a full generator hid", () => {
    const full = foundCause({ cause: "generator bound" });
    expect(causesOf(reportOf({ base: of(foundCause()), head: of(full) })).fixed).toEqual([]);
  });

  test("is listed once, with the base's line, in every form of the report", () => {
    const diagnosis = { base: of(foundCause()), head: of() };
    const report = reportOf(diagnosis, diagnosis);
    const text =
      "Fixed here (2 cells): in the base, `/orders` blocks the event loop for 480 ms at `app/orders.py:37` (`time.sleep(0.48)`).";
    expect(inMarkdown(causeLines(causesOf(report), nowhere)[0] ?? [])).toContain(text);
    expect(renderComment(report, { marker: "" })).toContain(`- ${text}`);
    expect(renderHtml(report)).toContain("Fixed here (2 cells): in the base, <code>/orders</code> blocks");
    expect(renderTerminalTable(report, { width: undefined, colour: false })).toContain(
      "\nWhy: Fixed here (2 cells): in the base, /orders blocks",
    );
    expect(annotationsOf(report, causesOf(report))).toEqual([]);
  });
});

describe("figures for a later step", () => {
  test("have each cause with its place, whether it is new, and what is fixed", () => {
    const { diagnosis } = figuresOf(
      reportOf({ base: of(foundCause({ place: elsewhere })), head: of(foundCause(located)) }),
    );
    const finding = {
      cause: "blocking call on the event loop",
      severity: "problem",
      confidence: "high",
      endpoint: "/orders",
      file: "app/orders.py",
      summary: `${textOf(sentenceOf(foundCause()))}.`,
      advice: "Await it.",
      prediction: { what: "requests per second", predicted: 2.08, observed: 2.1 },
      weight: 0.9,
      cells: 1,
    };
    const place = { path: "api/app/orders.py", line: 37, function: line.function, isInDiff: true };
    expect(diagnosis).toEqual({
      causes: [{ ...finding, ...place, isNew: true }],
      more: 0,
      fixed: [{ ...finding, path: null, line: 99, function: "other", isInDiff: null }],
      remarks: [],
    });
    expect(JSON.parse(JSON.stringify(diagnosis))).toEqual(diagnosis);
  });

  test("say null where nothing is known, and are absent where nobody looked", () => {
    const bare = foundCause({ endpoint: undefined, place: undefined });
    const { diagnosis } = figuresOf(reportOf({ head: of(bare) }));
    expect(diagnosis?.causes).toMatchObject([
      { endpoint: null, path: null, file: null, line: null, function: null, isInDiff: null, isNew: null },
    ]);
    expect(figuresOf(reportOf({ head: of() })).diagnosis).toEqual({
      causes: [],
      more: 0,
      fixed: [],
      remarks: ["No cause was found for 1 cell."],
    });
    expect(figuresOf(reportOf(undefined))).not.toHaveProperty("diagnosis");
  });
});

describe("remarks", () => {
  test("say that nothing was found", () => {
    expect(causesOf(reportOf({ head: of() }, { head: of() })).remarks).toEqual([
      "No cause was found for 2 cells.",
    ]);
  });

  test("say what could not be seen, of which arm, each once and not too many", () => {
    const blind = nothingSeen("start app: the app was not ready within 6 s.");
    const partly = armDiagnosis([], ["hottest lines: no clocks"]);
    expect(causesOf(reportOf({ base: blind, head: partly }, { base: blind, head: partly })).remarks).toEqual([
      "No cause was found for 2 cells.",
      "The head was only partly diagnosed: hottest lines: no clocks",
      "The base was not diagnosed: start app: the app was not ready within 6 s",
    ]);
    const many = armDiagnosis(
      [foundCause()],
      Array.from({ length: 9 }, (_, index) => `reason ${index}`),
    );
    expect(causesOf(reportOf({ head: many })).remarks.at(-1)).toBe("And 5 more remarks.");
  });

  test("are none where nobody looked", () => {
    const report = reportOf(undefined);
    expect(causesOf(report)).toEqual({ causes: [], more: 0, fixed: [], remarks: [] });
    expect(renderSummary(report)).not.toContain("Why");
    expect(renderHtml(report)).not.toContain("Why");
    expect(renderTerminalTable(report, { width: undefined, colour: false })).not.toContain("Why");
  });
});

describe("annotations", () => {
  const annotated = (head: FoundCause, base?: FoundCause) => {
    const comparison = reportOf({ ...(base && { base: of(base) }), head: of(head) });
    return annotationsOf(comparison, causesOf(comparison));
  };

  test("stand at the line, in words without markup", () => {
    expect(annotated(foundCause(located))).toEqual([
      {
        path: "api/app/orders.py",
        line: 37,
        title: "Load test: blocking call on the event loop",
        message: expect.stringMatching(
          /^\/orders blocks .* at app\/orders\.py:37 \(time\.sleep\(0\.48\)\) – changed in this pull request\./,
        ),
      },
    ]);
  });

  test("have the words of the comment, the check run and the terminal", () => {
    const finding = foundCause({ ...located, subject: "`quote()`" });
    const slower = versus({ verdict: { kind: "slower" }, effects: { throughput: effect(-0.3, 0.02) } });
    const rows = ["/a", "/b"].map((path, index) =>
      row({
        cell: cell({ path }),
        versus: index === 0 ? slower : versus(),
        diagnosis: {
          head: of(index === 0 ? finding : foundCause({ ...located, place: elsewhere })),
          base: of(),
        },
      }),
    );
    const comparison = comparedOf(rows);
    const [first, second] = annotationsOf(comparison, causesOf(comparison)).map(({ message }) => message);
    expect(first).toMatch(
      /^\/a is 30% slower \(99% interval 28 to 32%, 1 worker\): quote\(\) blocks .* Await it\.$/,
    );
    expect(second).toMatch(/^\/orders blocks .* Await it\.$/);
    const words = (text: string) => text.replaceAll(/[`*]/g, "");
    const report = wholeReport(comparison);
    for (const text of [
      renderComment(comparison, { marker: "" }),
      checkRunOf("Load test", report).summary,
      renderTerminalTable(comparison, { width: undefined, colour: false }),
    ]) {
      expect(words(text)).toContain(first);
      expect(words(text)).toContain(second);
    }
  });

  test.for<[what: string, head: FoundCause, base: FoundCause | undefined, count: number]>([
    ["no file of the repository", foundCause(), undefined, 0],
    ["a note", foundCause({ ...located, severity: "note" }), undefined, 0],
    ["no place", foundCause({ ...located, place: undefined }), undefined, 0],
    ["an old one outside of the diff", foundCause({ ...located, isInDiff: false }), foundCause(), 0],
    ["an old one in the diff", foundCause(located), foundCause(), 1],
    ["a new one outside of the diff", foundCause({ ...located, isInDiff: false }), undefined, 1],
  ])("of %s", ([, head, base, count]) => {
    expect(annotated(head, base)).toHaveLength(count);
  });

  test("are ten at most; the list says how many causes there are besides", () => {
    const many = Array.from({ length: 15 }, (_, index) =>
      foundCause({ ...located, cause: "unpooled connections", place: { ...line, line: index + 1 } }),
    );
    const report = reportOf({ head: of(...many) });
    expect(annotationsOf(report, causesOf(report))).toHaveLength(10);
    for (const text of [
      renderSummary(report),
      renderHtml(report),
      renderTerminalTable(report, { width: undefined, colour: false }),
    ])
      expect(text).toContain("and 5 more");
  });
});

test.for<[what: string, subject: string | undefined, requested: Requested, text: RegExp]>([
  ["the endpoint", undefined, cell().endpoint, /^it blocks .* – new in this pull request\. Await it\.$/],
  ["a function", "`quote()`", cell().endpoint, /^quote\(\) blocks /],
  ["an endpoint of a script", undefined, { script: "load.js" }, /^\/orders blocks /],
])("a cause that follows on what got slower begins with %s", ([, subject, requested, text]) => {
  const [cause] = causesOf(reportOf({ base: of(), head: of(foundCause({ ...located, subject })) })).causes;
  const continued =
    cause && continuedCause({ ...cause, app: "shop", cells: 3 }, nowhere, { endpoint: requested });
  expect(inTerminal(continued ?? [])).toMatch(text);
});

test("every form of the report has the line", () => {
  const report = reportOf({ base: of(), head: of(foundCause(located)) });
  expect(renderComment(report, { marker: "<!-- m -->" })).toContain(
    "**Bottlenecks**\n\n- `/orders` blocks the event loop for 480 ms at `app/orders.py:37` (`time.sleep(0.48)`) – new in this pull request. Await it.",
  );
  expect(renderHtml(report)).toContain(
    "at <code>app/orders.py:37</code> (<code>time.sleep(0.48)</code>) – new",
  );
  expect(renderTerminalTable(report, { width: undefined, colour: false })).toContain(
    "\nWhy: /orders blocks the event loop for 480 ms at app/orders.py:37 (time.sleep(0.48)) – new in",
  );
});

test("a list that does not fit is left out whole, and the comment says so", () => {
  const long = foundCause({ summary: "word ".repeat(180) });
  const report = reportOf({ head: of(long) });
  const comment = renderComment(report, { marker: "<!-- m -->", limit: 1_500 });
  expect(comment).not.toContain("Why");
  expect(comment).toContain("1 cause list");
});

describe("whatever the app calls its files, functions and routes", () => {
  const hostile = fc.tuple(hostileText, hostileText, hostileText).map(([code, name, reason]) => {
    const finding = foundCause({
      ...located,
      endpoint: name,
      place: { ...line, file: name || "x", function: name, code },
      subject: name,
      summary: `blocks at \`${code.replaceAll("`", "'")}\``,
      advice: reason,
      figures: [{ what: name, value: 1 }],
    });
    return reportOf({ head: { findings: [finding], unseen: [reason] } });
  });

  test("markdown and page have our elements only, and nothing live", () => {
    fc.assert(
      fc.property(hostile, (report) => {
        for (const markdown of [renderComment(report, { marker: "" }), renderSummary(report)]) {
          expect(markdown).not.toMatch(unseen);
          const html = toHtml(markdown);
          expect(elementsOf(html).filter((name) => name === "li")).toHaveLength(3); // and its evidence
          expect(elementsOf(html).filter((name) => ["a", "img", "script"].includes(name))).toEqual([]);
          expect(proseOf(html)).not.toMatch(liveInProse);
        }
        expect(elementsOf(renderHtml(report)).filter((name) => name === "li")).toHaveLength(3);
      }),
      { numRuns: 60 },
    );
  });

  test("terminal and annotations hold no command and no line of their own", () => {
    fc.assert(
      fc.property(hostile, (report) => {
        const lines = renderTerminalTable(report, { width: undefined, colour: false }).split("\n");
        expect(lines.filter(isWorkflowCommand)).toEqual([]);
        for (const { message } of annotationsOf(report, causesOf(report)))
          expect(message).not.toMatch(/[\r\n]/);
      }),
      { numRuns: 60 },
    );
  });
});

describe("equal findings of two apps", () => {
  const both: readonly Diagnosis[] = [
    { base: of(foundCause(located)), head: of() },
    { base: of(), head: of(foundCause(located)) },
    { base: of(), head: of(foundCause({ ...located, weight: 0.1 })) },
  ];
  const cells = ["shop", "till", "post"].map((app) => cell({ app }));
  const report = comparisonOf(
    cells,
    both.map((diagnosis, index) => ({
      ...measurement({ cell: cells[index] ?? cell() }),
      ...(diagnosis && { diagnosis }),
    })),
  );

  test("are causes of each: new in one though another's base has it, fixed in a third", () => {
    const { causes, fixed } = causesOf(report);
    expect(causes.map(({ app, isNew, cells: count }) => [app, isNew, count])).toEqual([
      ["till", true, 1],
      ["post", true, 1],
    ]);
    expect(fixed.map(({ app }) => app)).toEqual(["shop"]);
    const mend = { base: of(foundCause({ cause: "thread pool exhausted" })), head: of() };
    const hiding = { base: of(), head: of(foundCause({ cause: "pool too small" })) };
    const apart = comparisonOf(
      cells.slice(0, 2),
      [mend, hiding].map((diagnosis, index) => ({
        ...measurement({ cell: cells[index] ?? cell() }),
        diagnosis,
      })),
    );
    expect(causesOf(apart).fixed.map(({ app }) => app)).toEqual(["shop"]);
  });

  test("are told with their app in every form", () => {
    expect(annotationsOf(report, causesOf(report)).map(({ message }) => message.split(" blocks")[0])).toEqual(
      ["till: /orders", "post: /orders"],
    );
    expect(inMarkdown(causeLines(causesOf(report), nowhere).at(-1) ?? [])).toMatch(
      /^shop: Fixed here: in the base, `\/orders` blocks/,
    );
    expect(figuresOf(report).diagnosis?.causes.map(({ app }) => app)).toEqual(["till", "post"]);
    expect(figuresOf(report).diagnosis?.fixed.map(({ app }) => app)).toEqual(["shop"]);
    expect(renderTerminalTable(report, { width: undefined, colour: false })).toContain(
      "Why: till: /orders blocks",
    );
    expect(renderHtml(report)).toContain("<li>till: <code>/orders</code> blocks");
    expect(renderComment(report, { marker: "<!-- x -->" })).not.toContain("till: /orders blocks");
  });

  test("what was not seen is said of the app", () => {
    const blind = comparisonOf(cells.slice(0, 2), [
      { ...measurement({ cell: cells[0] ?? cell() }), diagnosis: { head: nothingSeen("x") } },
      { ...measurement({ cell: cells[1] ?? cell() }), diagnosis: { head: nothingSeen("x") } },
    ]);
    expect(causesOf(blind).remarks).toEqual([
      "shop: The head was not diagnosed: x",
      "till: The head was not diagnosed: x",
    ]);
  });
});
