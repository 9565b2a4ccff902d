import fc from "fast-check";
import { expect, test } from "vitest";
import { openTrends, trendsOf } from "../../../src/history/trends/trends.ts";
import { renderTrendsSummary, trendsLines } from "../../../src/history/trends/words.ts";
import { elementsOf, toHtml } from "../../text/gfm.ts";
import { hostileText } from "../../text/hostile-text.ts";
import { isWorkflowCommand } from "../../text/workflow-command.ts";
import { change, nights, textOf, trendsWith } from "./lines.ts";

test("the summary has the change points as a table, and says what it is not", () => {
  expect(renderTrendsSummary(trendsWith(nights(12), change))).toMatchInlineSnapshot(`
    "## Load test trends – 1 cell, 12 commits, 1 change point

    | Cell | Figure | Change | Since | p |
    | --- | --- | --: | --- | --: |
    | \`/orders, 1 worker\` | Throughput [req/s] | ▼ −10%, slower | \`0005ffffff\` 2026-01-06 | 0.0004 |

    This page is only a record and never decides a pull request: machines differ from run to run, so a pull request compares only what was measured side by side.

    "
  `);
  expect(trendsLines(trendsWith(nights(12), change))).toMatchInlineSnapshot(`
    [
      "Load test trends – 1 cell, 12 commits, 1 change point",
      "  /orders, 1 worker: Throughput [req/s] ▼ −10%, slower since 0005ffffff (2026-01-06, p 0.0004)",
      "    fastapi-loadtest bisect --good 0004ffffff --bad 0005ffffff --endpoint /orders",
    ]
  `);
});

test("a summary without change points, and one where nobody looked", () => {
  expect(renderTrendsSummary(trendsWith(nights(12)))).toMatchInlineSnapshot(`
    "## Load test trends – 1 cell, 12 commits, 0 change points

    This page is only a record and never decides a pull request: machines differ from run to run, so a pull request compares only what was measured side by side.

    "
  `);
  const unseen = trendsOf(openTrends([textOf(nights(12))]), { kind: "no answer", reason: "no Python" });
  expect(renderTrendsSummary(unseen)).toContain("Change points were not computed. no Python");
});

test("the summary says what of the history could not be used", () => {
  const texts = [
    textOf([...nights(12), { schemaVersion: 9 }]),
    { name: "cells/default/y.jsonl", text: "", problem: "is not a plain file" },
  ];
  const summary = renderTrendsSummary(trendsOf(openTrends(texts)));
  expect(summary).toContain(
    "\n\n`cells/default/x.jsonl`: 1 of 13 lines cannot be read, or is of a later version\n\n",
  );
  expect(summary).toContain("\n\n`cells/default/y.jsonl` is not a plain file\n\n");
});

test("of many change points the newest thirty are named", () => {
  const trends = trendsWith(
    nights(100),
    ...Array.from({ length: 40 }, (_, index) => ({ ...change, index: 2 * index + 2 })),
  );
  const summary = renderTrendsSummary(trends);
  expect(summary.match(/^\| `\/orders/gm)).toHaveLength(30);
  expect(summary).toContain("10 older ones in the page.");
});

test("whatever an endpoint or a file is called, the summary has only our elements and a log no command", () => {
  fc.assert(
    fc.property(hostileText, hostileText, (endpoint, name) => {
      const lines = nights(12, () => ({ endpoint: endpoint.slice(0, 300) }));
      const refused = { name, text: "", problem: `git said ${name}` };
      const answer = {
        kind: "answer",
        text: JSON.stringify({ schemaVersion: 1, changes: [change] }),
      } as const;
      const trends = trendsOf(openTrends([textOf(lines), textOf([{}], name), refused]), answer);
      const summary = renderTrendsSummary(trends);
      const allowed = ["h2", "p", "code", "table", "thead", "tbody", "tr", "th", "td"];
      for (const element of elementsOf(toHtml(summary))) expect(allowed).toContain(element);
      expect(toHtml(summary).match(/<p>/g)?.length).toBeGreaterThanOrEqual(3);
      for (const line of trendsLines(trends)) expect(isWorkflowCommand(line)).toBe(false);
    }),
  );
});
