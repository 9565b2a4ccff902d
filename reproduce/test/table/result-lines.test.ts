import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileText } from "../../../test/text/hostile-text.ts";
import { isWorkflowCommand } from "../../../test/text/workflow-command.ts";
import type { Case } from "../../cases/cases.ts";
import { publishedTable } from "../../table/published-table.ts";
import { resultLines } from "../../table/result-lines.ts";
import { measured, results } from "../published.ts";

const linesOf = (cases: readonly Case[]) => resultLines(publishedTable(results, cases, []).results);

test("has a line for each published result that was run", () => {
  const cases = [
    measured("pena/async-io/1", { rps: 690 }),
    measured("pena/async-mix", { rps: 89.4, med_ms: 5_855, p95_ms: 5_914, failed_rate: 0.8004 }),
    { kind: "not measured", id: "pena/sync-sleep", reason: "the server exited with code 3" } as const,
  ];
  expect(linesOf(cases)).toMatchInlineSnapshot(`
    "Published and measured figures. They come from different machines and loads, so only the claims, which compare figures of one machine, can be checked:
      pena/async-io/1  published 2,044 req/s, p50 4,730 ms, p95 5,830 ms; measured 690 req/s
      pena/sync-sleep  published 566 req/s, p50 14,050 ms, p95 18,980 ms; not measured: the server exited with code 3
      pena/async-mix   published 164 req/s, p50 59,980 ms, p95 60,000 ms, 80.95% failed; measured 89.4 req/s, p50 5,855 ms, p95 5,914 ms, 80.04% failed"
  `);
});

test("is nothing where nothing was run", () => {
  expect(linesOf([])).toBe("");
  expect(linesOf([measured("pena/sync-sleep@W=4", { rps: 160 })])).toBe(""); // not published
});

test("holds no command and no line of the app's own", () => {
  fc.assert(
    fc.property(hostileText, (reason) => {
      const lines = linesOf([{ kind: "not measured", id: "pena/sync-sleep", reason }]).split("\n");
      expect(lines).toHaveLength(reason === "not run" ? 1 : 2);
      expect(lines.filter(isWorkflowCommand)).toEqual([]);
    }),
  );
});
