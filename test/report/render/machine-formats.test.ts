import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { cell } from "../../fixtures/measurement.ts";
import { hostileText } from "../../text/hostile-text.ts";
import { comparedAs, comparedOf, design, effect, loneArm, mixed, row, versus } from "../compared.ts";
import { allMeasured, nothingMeasured } from "../example.ts";
import { renderCsv, renderJunit } from "../forms.ts";

/** Reads CSV as RFC 4180 says. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [[]];
  for (const [, quoted, plain = "", end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "\r\n") records.push([]);
  }
  return records.slice(0, -1);
}

describe("the CSV", () => {
  test("has a line for each cell, with the figures of figures.json", () => {
    const [titles = [], ...lines] = parseCsv(renderCsv(mixed()));
    expect(lines).toHaveLength(9);
    const first = Object.fromEntries(titles.map((title, index) => [title, lines[0]?.[index]]));
    expect(first).toMatchObject({
      endpoint: "/users/{id}",
      workers: "1",
      status: "measured",
      verdict: "slower",
      isSmall: "false",
      throughputEffect: "-0.098",
      "head.throughputRequestsPerSecond": "902",
      "base.throughputRequestsPerSecond": "1000",
    });
    const broken = Object.fromEntries(titles.map((title, index) => [title, lines[8]?.[index]]));
    expect(broken).toMatchObject({ status: "failed", verdict: "", "base.p50Ms": "", "head.p50Ms": "" });
  });

  test("keeps its columns whatever texts say, and no text is a formula", () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.constantFrom("=1+1", "@x", '","', "-2", "+1")), (text) => {
        const rows = [
          row({ cell: cell(), loneArm: loneArm("no base", { reason: text }) }),
          row({ cell: cell() }),
        ];
        const [titles = [], ...lines] = parseCsv(renderCsv(comparedOf(rows)));
        expect(lines.map((line) => line.length)).toEqual([titles.length, titles.length]);
        expect(lines[0]?.at(-1)).not.toMatch(/^[=+\-@]/);
      }),
    );
  });
});

describe("the JUnit report", () => {
  test("fails what fails the check, errs where there are no figures, and skips what has no answer", () => {
    expect(renderJunit(mixed())).toMatchInlineSnapshot(`
      "<?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="load test" tests="9" failures="1" errors="1" skipped="2">
      <testsuite name="load test" tests="9" failures="1" errors="1" skipped="2">
      <testcase classname="/users/{id}" name="1 worker"><failure type="slower" message="slower, −9.8% ± 0.6"></failure></testcase>
      <testcase classname="/users/{id}" name="2 workers"></testcase>
      <testcase classname="/orders?limit=50" name="1 worker"></testcase>
      <testcase classname="/orders?limit=50" name="2 workers"></testcase>
      <testcase classname="/search?q=a" name="1 worker"><skipped message="inconclusive: the change may be anything from −7.3% to +1.1%"/></testcase>
      <testcase classname="/search?q=a" name="2 workers"><skipped message="invalid: statuses: 100% of the base&#39;s responses and 96% of the head&#39;s had status 200"/></testcase>
      <testcase classname="/new" name="1 worker"></testcase>
      <testcase classname="/old" name="1 worker"></testcase>
      <testcase classname="/broken" name="1 worker"><error type="failed" message="while starting the app the server exited with code 3 before it was ready">INFO: Started
      ModuleNotFoundError: No module named &#39;app&#39;
      </error></testcase>
      </testsuite>
      </testsuites>
      "
    `);
  });

  test("skips what may be slower by as much as fails the check, and says so", () => {
    const versusOfOne = versus({
      verdict: { kind: "slower" },
      effects: { throughput: effect(-0.055, 0.01) },
    });
    const comparison = comparedOf([row({ cell: cell(), versus: versusOfOne })]);
    expect(renderJunit(comparison)).toContain(
      '<skipped message="slower, −5.5% ± 1.0: may be slower by 5% or more"/>',
    );
    expect(renderJunit(comparedAs(comparison, { design: design({ kind: "control" }) }))).not.toContain(
      "skipped message",
    );
  });

  test("a cell that is slower by its stalls has the effect of the totals", () => {
    const stalling = versus({
      verdict: { kind: "slower", isByStalls: true },
      effects: { throughput: effect(0, 0.01), totalThroughput: effect(-0.124, 0.05) },
    });
    const failing = renderJunit(comparedOf([row({ cell: cell(), versus: stalling })]));
    expect(failing).toContain('message="slower, −12% ± 5 in total throughput"');
  });

  test("of a control fails nothing, and of a head alone passes", () => {
    const counts = (text: string) => /tests="\d+" failures="\d+" errors="\d+" skipped="\d+"/.exec(text)?.[0];
    expect(counts(renderJunit(comparedAs(mixed(), { design: design({ kind: "control" }) })))).toContain(
      'failures="0"',
    );
    expect(counts(renderJunit(allMeasured()))).toBe('tests="4" failures="0" errors="0" skipped="0"');
    expect(counts(renderJunit(nothingMeasured()))).toBe('tests="4" failures="0" errors="4" skipped="0"');
    const noBase = row({ cell: cell(), loneArm: loneArm("no base") });
    expect(renderJunit(comparedOf([noBase, row({ cell: cell() })]))).toContain(
      "no base: the base&#39;s environment could not be set up",
    );
  });

  test("has our elements only, and nothing that XML forbids", () => {
    fc.assert(
      fc.property(hostileText, hostileText, (path, reason) => {
        const attacked = cell({ path: `/${path}` });
        const xml = renderJunit(
          comparedOf([
            {
              ...row({ cell: attacked }),
              status: "failed",
              arms: {},
              failure: { phase: "load", reason, logTail: reason },
            },
          ]),
        );
        const names = [...xml.matchAll(/<(\/?[\w?]+)/g)].map(([, name]) => name);
        expect(names).toEqual([
          ...["?xml", "testsuites", "testsuite", "testcase", "error", "/error"],
          ...["/testcase", "/testsuite", "/testsuites"],
        ]);
        expect(xml).not.toMatch(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u);
      }),
    );
  });
});
