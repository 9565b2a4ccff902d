import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compare } from "../../../src/compare/compare.ts";
import { parseThreshold } from "../../../src/config/threshold-parser.ts";
import { isRepositoryPath } from "../../../src/model/findings/diagnosis.ts";
import { parseMeasurements } from "../../../src/model/measurement/documents.ts";
import type { Measurement } from "../../../src/model/measurement/measurement.ts";
import type { Plan } from "../../../src/model/plan/plan.ts";
import { usualCheck } from "../../../src/model/thresholds/threshold.ts";
import { causesOf } from "../../../src/report/causes/causes.ts";
import { annotationsOf } from "../../../src/report/forge/check-run.ts";
import { whatToDoUrl } from "../../../src/report/links.ts";
import { foundCause } from "../../diagnosis/samples.ts";
import { armRecord, cell, failure, measurement } from "../../fixtures/measurement.ts";
import { elementsOf, liveInProse, proseOf, toHtml, unseen } from "../../text/gfm.ts";
import { hostileText } from "../../text/hostile-text.ts";
import { isWorkflowCommand } from "../../text/workflow-command.ts";
import { failedLink, renderComment, renderHtml, renderSummary, renderTerminalTable } from "../forms.ts";

const marker = "<!-- marker -->";
const located = { path: "api/app/orders.py", isInDiff: true };
const problem = foundCause(located);
/** Of the base alone, so the head has fixed it. */
const fixedProblem = foundCause({ cause: "missing index", subject: "it", summary: "reads all of `orders`" });

const requests = { requests: 1, failures: 0, iterations: 1, droppedIterations: 0, durationSeconds: 10 };
const app = "services/shop";
const overall = parseThreshold("overall: rate<0.9");

/** A document with every text that a document can have, and one of a cell that failed. */
const documents: readonly Measurement[] = [
  measurement({
    cell: cell({ app }),
    diagnosis: {
      base: { findings: [fixedProblem], unseen: ["tables: too many clients"] },
      head: { findings: [problem, foundCause({ cause: "pool too small" })], unseen: ["lines: no clocks"] },
    },
    replicates: [{ arms: { head: armRecord({ cpus: "0-1" }) }, generator: requests }],
  }),
  measurement({
    cell: cell({ path: "/b", workers: 2 }),
    status: "failed",
    failure: failure(),
    loneArm: { kind: "no base", reason: "the branch `main` is nowhere", logTail: "fatal: no such ref\n" },
  }),
];

/** The plan of those cells, whose app and its threshold have a name. */
function planOf(name: string | undefined): Plan {
  const named = name === undefined ? {} : { app: name };
  const thresholds = "problem" in overall ? [] : [{ ...overall.threshold, ...named }];
  const cells = documents.map((each) =>
    each.cell.app === undefined ? each.cell : { ...each.cell, ...named },
  );
  return { schemaVersion: 1, cells, check: { ...usualCheck, thresholds } };
}

type Path = readonly string[];

/** Where all texts are. */
function* textsIn(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value === "string") yield path;
  else if (typeof value === "object" && value !== null)
    for (const [key, child] of Object.entries(value)) yield* textsIn(child, [...path, key]);
}

function withText(value: unknown, [key, ...rest]: Path, text: string): unknown {
  if (key === undefined) return text;
  if (Array.isArray(value))
    return value.map((each, index) => (String(index) === key ? withText(each, rest, text) : each));
  return Object.fromEntries(
    Object.entries(value ?? {}).map(([name, each]) => [
      name,
      name === key ? withText(each, rest, text) : each,
    ]),
  );
}

/** Documents as `report` reads them. A text that no document may have is left out with it. */
function read(values: readonly unknown[]) {
  const texts = values.map((value, index) => ({
    name: `${documents[index]?.cell.id}.json`,
    text: JSON.stringify(value),
  }));
  return parseMeasurements(texts);
}

function comparisonOf(values: readonly unknown[]) {
  const { measurements } = read(values);
  const name = measurements.find(({ cell: { id } }) => id === documents[0]?.cell.id)?.cell.app;
  return compare(planOf(name), [...measurements]);
}

const structural = new Set("h1 h2 table tr td th ul li details summary blockquote svg".split(" "));
const structureOf = (page: string) => elementsOf(page).filter((name) => structural.has(name));
const ours = new Set(
  "h2 table thead tbody tr th td code wbr strong blockquote ul li p sub br details summary pre".split(" "),
);

const plain = comparisonOf(documents);
const plainForms = {
  comment: structureOf(toHtml(renderComment(plain, { marker }))),
  summary: structureOf(toHtml(renderSummary(plain))),
  page: structureOf(renderHtml(plain)),
};

function checkMarkdown(markdown: string, structure: readonly string[]): void {
  const html = toHtml(markdown.replace(failedLink, ""));
  expect(markdown).not.toMatch(unseen);
  expect(markdown.split("<!--")).toHaveLength(markdown.startsWith(marker) ? 2 : 1);
  expect(elementsOf(html).filter((name) => !ours.has(name))).toEqual([]);
  expect(structureOf(html)).toEqual(structure);
  expect(proseOf(html.replace(marker, "")).replaceAll("[!WARNING]", "")).not.toMatch(liveInProse);
}

function checkReport(comparison: ReturnType<typeof comparisonOf>): void {
  checkMarkdown(renderComment(comparison, { marker }), plainForms.comment);
  checkMarkdown(renderSummary(comparison), plainForms.summary);
  const page = renderHtml(comparison);
  expect(structureOf(page)).toEqual(plainForms.page);
  const foreign = page.replaceAll(`href="${whatToDoUrl}"`, "");
  expect(foreign).not.toMatch(/<[^>]*\s(?:on\w+|href|src|style)=/);
  const table = renderTerminalTable(comparison, { width: 80, colour: false });
  expect(table).not.toMatch(unseen);
  expect(table.split("\n").filter(isWorkflowCommand)).toEqual([]);
  for (const annotation of annotationsOf(comparison, causesOf(comparison))) {
    expect(isRepositoryPath(annotation.path)).toBe(true);
    expect(annotation.message).not.toMatch(/[\r\n]/);
  }
}

/** Texts that stand for one of a few words, commits and the like: no other text is a document. */
const fixed =
  /^(?:status|startedAt|id|kind|phase|cause|severity|confidence|unit|method|path|head|base|statuses)$/;
const places = documents.flatMap((each, index) =>
  [...textsIn(each, [String(index)])].filter((path) => !fixed.test(path.at(-1) ?? "")),
);

function groupsOf<Item>(all: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

/** Hardly any attack is the name of an app to the schema, so what of it could be one stands for it. */
function fitting(path: Path, text: string): string {
  return path.at(-1) === "app" ? text.replaceAll(/[^\w./-]/g, "-").slice(-60) : text;
}

describe("T5, T6, T30, T31: no text of a document changes the form of a report, or is live in it", () => {
  test("and all kinds of texts are looked at", () => {
    const names = new Set(places.map((path) => path.at(-1)));
    const wanted = [
      "app",
      "server",
      "cpuModel",
      "runner",
      "kernel",
      "uvicorn",
      "endpoint",
      "file",
      "function",
      "code",
    ];
    for (const name of [...wanted, "summary", "advice", "what", "reason", "logTail", "cpus"])
      expect(names).toContain(name);
  });

  /** The documents with a text at a place of theirs, or as they were where no document may have it. */
  function withTextAt(values: readonly unknown[], path: Path, text: string) {
    // Never nothing at all, which is a shape of its own.
    const fit = fitting(path, `${text}x`);
    const changed = values.map((each, index) =>
      // Of one machine: that there are several is another report.
      String(index) === path[0] || path[1] === "environment" ? withText(each, path.slice(1), fit) : each,
    );
    return read(changed).warnings.length === 0
      ? { values: changed, isUsed: true }
      : { values, isUsed: false };
  }

  // Several places at once: to render and read a report takes much longer than to make one.
  const groups = groupsOf(places, 6).map(
    (group) => [group.map((path) => path.slice(1).join(".")), group] as const,
  );
  test.for(groups)("%j", ([, group]) => {
    const used = group.map(() => 0);
    fc.assert(
      fc.property(fc.tuple(...group.map(() => hostileText)), (texts) => {
        let values: readonly unknown[] = documents;
        for (const [index, path] of group.entries()) {
          const changed = withTextAt(values, path, texts[index] ?? "");
          values = changed.values;
          if (changed.isUsed) used[index] = (used[index] ?? 0) + 1;
        }
        checkReport(comparisonOf(values));
      }),
      { numRuns: 15 },
    );
    for (const [index, times] of used.entries())
      expect([group[index], times > 5]).toEqual([group[index], true]);
  });
});
