import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Comparison } from "../../../src/compare/comparison.ts";
import { parseThreshold } from "../../../src/config/threshold-parser.ts";
import { usualCheck } from "../../../src/model/thresholds/threshold.ts";
import { figuresOf } from "../../../src/report/figures/figures.ts";
import { whatToDoUrl } from "../../../src/report/links.ts";
import { cpuMs } from "../../cpu-time.ts";
import { cell, environment, failure, measurement } from "../../fixtures/measurement.ts";
import { elementsOf, liveInProse, proseOf, toHtml, unseen } from "../../text/gfm.ts";
import { hostileText } from "../../text/hostile-text.ts";
import { isWorkflowCommand } from "../../text/workflow-command.ts";
import { comparedOf, loneArm, mixed, row, versus } from "../compared.ts";
import { comparisonOf } from "../example.ts";
import { failedLink, renderComment, renderHtml, renderSummary, renderTerminalTable } from "../forms.ts";

const marker = "<!-- marker -->";

/** A comparison in which every foreign text attacks. */
const hostileComparison = fc
  .tuple(hostileText, hostileText, hostileText, hostileText, hostileText, hostileText)
  .map(([path, server, reason, logTail, name, warning]): Comparison => {
    const cells = [cell({ path: `/${path}` }), cell({ path: `/${path}`, workers: 2, server })] as const;
    const attacked = environment({
      cpuModel: name,
      runner: reason,
      eventLoop: name,
      packages: { [name]: reason, uvicorn: name },
    });
    const comparison = comparisonOf(cells, [
      measurement({ cell: cells[0], environment: attacked }),
      measurement({
        cell: cells[1],
        status: "failed",
        failure: failure({ reason, logTail }),
        environment: environment({ kernel: name }),
      }),
    ]);
    return { ...comparison, warnings: [warning] };
  });

/** Whatever the schema lets pass as one: no document may call an app anything else. */
const appName = fc.stringMatching(/^[\w./-]{1,60}$/);

/** The same of base against head, with a base or without any, of an app with a name and a threshold of its own. */
const hostileVersus = fc
  .tuple(hostileText, hostileText, hostileText, hostileText, fc.boolean(), appName)
  .map(([path, reason, evidence, logTail, hasBase, app]): Comparison => {
    const attacked = cell({ app, path: `/${path}` });
    const judged = versus({
      verdict: { kind: "inconclusive", reason },
      gates: [{ name: "steal", isMet: false, evidence }],
    });
    const bound = parseThreshold("overall: rate<0.9");
    const thresholds = "problem" in bound ? [] : [{ ...bound.threshold, app }];
    return comparedOf(
      [
        row({ cell: attacked, loneArm: loneArm("no base", { reason, logTail }) }),
        ...(hasBase ? [row({ cell: attacked, versus: judged })] : []),
      ],
      { check: { ...usualCheck, thresholds } },
    );
  });

describe("whatever paths, reasons, logs, versions and warnings say", () => {
  test("markdown has our elements and rows only, and nothing live", () => {
    fc.assert(
      fc.property(hostileComparison, (comparison) => {
        for (const markdown of [renderComment(comparison, { marker }), renderSummary(comparison)]) {
          expect(markdown).not.toMatch(unseen);
          expect(markdown.split("<!--")).toHaveLength(markdown.startsWith(marker) ? 2 : 1);
          const html = toHtml(markdown.replace(failedLink, ""));
          const elements = elementsOf(html);
          const count = (name: string) => elements.filter((each) => each === name).length;
          expect(elements.filter((name) => !ours.has(name))).toEqual([]);
          expect(count("h2")).toBe(1);
          expect(count("blockquote")).toBe(1);
          expect(count("li")).toBe(2);
          expect(html.match(/<\/details>/g)).toHaveLength(count("details"));
          expect(proseOf(html.replace(marker, "")).replaceAll("[!WARNING]", "")).not.toMatch(liveInProse);
          const [mainTable = ""] = html.split("</table>");
          expect(elementsOf(mainTable).filter((name) => name === "td")).toHaveLength(2 * 8);
        }
      }),
      { numRuns: 100 },
    );
  });

  test("the page has our elements only", () => {
    const plain = new Set(
      elementsOf(renderHtml(fc.sample(hostileComparison, { seed: 1, numRuns: 1 })[0] ?? empty)),
    );
    fc.assert(
      fc.property(hostileComparison, (comparison) => {
        const page = renderHtml(comparison);
        expect(elementsOf(page).filter((name) => !plain.has(name) && !optional.has(name))).toEqual([]);
        const foreign = page.replaceAll(`href="${whatToDoUrl}"`, "");
        expect(foreign.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\s(?:on\w+|href|src|style)=/);
        expect(page.replace(/<style>[\s\S]*<\/style>/, "")).not.toMatch(unseen);
      }),
      { numRuns: 100 },
    );
  });

  test("the terminal keeps its lines, and the runner finds no command in them", () => {
    fc.assert(
      fc.property(hostileComparison, fc.integer({ min: 20, max: 200 }), (comparison, width) => {
        const text = renderTerminalTable(comparison, { width, colour: false });
        expect(text).not.toMatch(unseen);
        expect(text.split("\n").filter(isWorkflowCommand)).toEqual([]);
        const log = renderTerminalTable(comparison, { width: undefined, colour: false });
        expect(log.split("\n").filter(isWorkflowCommand)).toEqual([]);
        expect(log.split("\n")).toHaveLength(12);
      }),
      { numRuns: 100 },
    );
  });

  test("a comparison has our elements only, and nothing live", () => {
    const page = new Set([...elementsOf(renderHtml(mixed())), ...optional]);
    fc.assert(
      fc.property(hostileVersus, (comparison) => {
        for (const markdown of [renderComment(comparison, { marker }), renderSummary(comparison)]) {
          const html = toHtml(markdown);
          expect(markdown).not.toMatch(unseen);
          expect(elementsOf(html).filter((name) => !ours.has(name) && !["h3", "a"].includes(name))).toEqual(
            [],
          );
          expect(elementsOf(html).filter((name) => name === "a").length).toBeLessThanOrEqual(1); // how it works
          const sections = elementsOf(html).filter((name) => name === "h3");
          expect(sections).toHaveLength(1);
          expect(html.match(/<\/details>/g)).toHaveLength(
            elementsOf(html).filter((name) => name === "details").length,
          );
          expect(proseOf(html.replace(marker, ""))).not.toMatch(liveInProse);
        }
        expect(elementsOf(renderHtml(comparison)).filter((name) => !page.has(name))).toEqual([]);
        const [lines = [], ...others] = [undefined, 80].map((width) =>
          renderTerminalTable(comparison, { width, colour: false }).split("\n"),
        );
        expect([...lines, ...others.flat()].filter(isWorkflowCommand)).toEqual([]);
        expect(lines.length).toBeLessThanOrEqual(17); // a threshold's among them
      }),
      { numRuns: 100 },
    );
  });

  test("the figures are JSON", () => {
    fc.assert(
      fc.property(hostileComparison, (comparison) => {
        const figures = figuresOf(comparison);
        expect(JSON.parse(JSON.stringify(figures))).toEqual(figures);
      }),
      { numRuns: 100 },
    );
  });
});

const empty = comparedOf([], { design: undefined, commits: {} });
const optional = new Set(["pre", "br"]);
const ours = new Set(
  "h2 table thead tbody tr th td code wbr strong blockquote ul li p sub br details summary pre".split(" "),
);

test("a megabyte in each text renders within a second", () => {
  for (const piece of ["a", "<", "`", "\\", "|", "\u202e", "a\u0301\u0316", "@a "]) {
    const text = piece.repeat(1_000_000 / piece.length);
    const attacked = cell();
    const comparison = comparisonOf(
      [attacked],
      [measurement({ cell: attacked, status: "failed", failure: failure({ reason: text, logTail: text }) })],
    );
    const start = cpuMs();
    renderComment(comparison, { marker });
    renderHtml(comparison);
    renderTerminalTable(comparison, { width: 80, colour: false });
    expect(cpuMs() - start, piece).toBeLessThan(1_000);
  }
});
