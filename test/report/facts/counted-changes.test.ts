import { describe, expect, test } from "vitest";

import type { Effect, Row, VerdictKind } from "../../../src/compare/comparison.ts";
import { countedChanges } from "../../../src/report/facts/counted-changes.ts";
import { reasonsOf } from "../../../src/report/facts/reasons.ts";
import { cell } from "../../fixtures/measurement.ts";
import { changed, comparedOf, design, effect, loneArm, row, versus } from "../compared.ts";
import { renderComment, renderTerminalTable } from "../forms.ts";

const at = cell();

/** Of 10,000 requests in each arm. */
const requests = 10_000;
const statements = (base: number, head: number, kind: VerdictKind = "unchanged"): Row =>
  row({
    cell: at,
    arm: { sqlStatements: base * requests },
    headArm: { sqlStatements: head * requests },
    versus: versus({ verdict: { kind } }),
  });
const replies = (base: number, head: number): Row =>
  row({ cell: at, arm: { responseBytes: base }, headArm: { responseBytes: head } });
const cpu = (cpuPerRequest: Effect | undefined, kind: VerdictKind = "unchanged"): Row =>
  row({ cell: at, versus: versus({ verdict: { kind }, effects: { cpuPerRequest } }) });

const mix = {
  mix: [
    { endpoint: { method: "GET", path: "/" }, weight: 9 },
    { endpoint: { method: "GET", path: "/all" }, weight: 1 },
  ],
} satisfies Row["cell"]["endpoint"];
const ofMix = (one: Row): Row => changed(one, { cell: cell({ endpoint: mix }) });
const ofIteration = (one: Row): Row =>
  changed(one, { cell: cell({ endpoint: { steps: [{ method: "GET", path: "/" }] } }) });

describe("countedChanges", () => {
  test.for<readonly [what: string, row: Row, texts: readonly string[]]>([
    ["nothing", row({ cell: at }), []],
    ["an N+1 query", statements(3, 13), ["Each request runs 13 SQL statements instead of 3."]],
    [
      "whatever the verdict is",
      statements(3, 13, "slower"),
      ["Each request runs 13 SQL statements instead of 3."],
    ],
    [
      "also where it is invalid",
      statements(13, 3, "invalid"),
      ["Each request runs 3 SQL statements instead of 13."],
    ],
    ["the first statement", statements(0, 1), ["Each request runs 1 SQL statements instead of 0."]],
    [
      "half a statement, as in a mix",
      statements(2.5, 3),
      ["Each request runs 3 SQL statements instead of 2.5."],
    ],
    ["what new connections send", statements(2.5, 2.99), []],
    [
      "one of many statements",
      statements(100, 101),
      ["Each request runs 101 SQL statements instead of 100."],
    ],
    ["too few of many statements", statements(100, 100.9), []],
    ["replies cut in half", replies(1_870, 935), ["Responses are 50% smaller: 935 B instead of 1,870 B."]],
    ["larger responses", replies(1_000, 1_110), ["Responses are 11% larger: 1,110 B instead of 1,000 B."]],
    ["replies a tenth larger", replies(1_000, 1_100), []],
    ["replies a tenth smaller", replies(1_000, 900), []],
    ["replies where none were", replies(0, 187), ["Responses are larger: 187 B instead of 0 B."]],
    ["empty replies", replies(187, 0), ["Responses are 100% smaller: 0 B instead of 187 B."]],
    ["no replies at all", replies(0, 0), []],
    ["more CPU time", cpu(effect(0.1, 0.01)), ["Each request takes 10% more CPU (95% interval 9 to 11%)."]],
    [
      "less of it",
      cpu(effect(-0.1, 0.01), "inconclusive"),
      ["Each request takes 10% less CPU (95% interval 9 to 11%)."],
    ],
    [
      "as much as matters",
      cpu(effect(0.03, 0.01)),
      ["Each request takes 3.0% more CPU (95% interval 2.0 to 4.0%)."],
    ],
    ["less than matters", cpu(effect(0.029, 0.01)), []],
    ["not surely more", cpu(effect(0.1, 0.1)), []],
    ["of one replicate", cpu({ value: 0.1, interval: undefined }), []],
    ["unknown CPU time", cpu(undefined), []],
    ["CPU time where the verdict says it", cpu(effect(0.1, 0.01), "slower"), []],
    ["CPU time where figures must not be used", cpu(effect(0.1, 0.01), "invalid"), []],
    ["replies of a mix, which are of those that happened to be sampled", ofMix(replies(1_870, 935)), []],
    ["replies of an iteration", ofIteration(replies(1_870, 935)), []],
    [
      "a tenth more statements in a mix",
      ofMix(statements(10, 11)),
      ["Each request runs 11 SQL statements instead of 10."],
    ],
    ["statements by which turns may differ", ofMix(statements(10, 10.9)), []],
    ["a head alone", row({ cell: at, loneArm: loneArm("added") }), []],
    ["arms without figures", changed(statements(3, 13), { arms: {} }), []],
    [
      "counts of one arm only",
      row({ cell: at, headArm: { sqlStatements: 9 }, arm: { responseBytes: undefined } as never }),
      [],
    ],
    ["a cell without figures", changed(statements(3, 13), { status: "missing" }), []],
  ])("%s", ([, one, texts]) => {
    expect(countedChanges(one, { design: design() })).toEqual(texts);
  });

  test("CPU time is judged by what matters, which a design says", () => {
    const more = cpu(effect(0.1, 0.01));
    expect(countedChanges(more, { design: design({ minChange: 0.2 }) })).toEqual([]);
    expect(countedChanges(more, { design: undefined })).toEqual([]);
  });
});

describe("a report", () => {
  const quiet = Array.from({ length: 5 }, (_, index) => row({ cell: cell({ path: `/quiet-${index}` }) }));
  const comparison = comparedOf([...quiet, statements(3, 13)]);
  const said = "Each request runs 13 SQL statements instead of 3.";

  test("says it in the list of reasons, below the verdict's own", () => {
    const texts = (rows: readonly Row[]) => reasonsOf(comparedOf(rows)).shown.map(({ text }) => text);
    expect(texts(comparison.rows)).toEqual([said]);
    const open = changed(statements(3, 13), {
      versus: versus({ verdict: { kind: "inconclusive", reason: "noisy" } }),
    });
    expect(texts([open])).toEqual([`noisy. ${said}`]);
    expect(renderTerminalTable(comparison, { width: undefined, colour: false })).toContain(said);
  });

  test("does not fold its row away with those that say nothing", () => {
    const [shown = "", folded = "", below = ""] = renderComment(comparison, { marker: "" }).split(
      /<details>|<[/]details>/,
    );
    expect(shown).toContain("| `/health` | 1 | none (±");
    expect(below).toContain(`- **unchanged** \`/health\`, 1 worker: ${said}`);
    expect(folded).toContain("5 more cells: unchanged");
    expect(folded).not.toContain("/health");
  });
});
