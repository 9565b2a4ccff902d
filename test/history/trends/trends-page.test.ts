import fc from "fast-check";
import { expect, test } from "vitest";
import { shownLines, trendsDataOf } from "../../../src/history/trends/page-data.ts";
import { openTrends, trendsOf } from "../../../src/history/trends/trends.ts";
import { renderTrends } from "../../../src/history/trends/trends-page.ts";
import { policy, policyWith } from "../../../src/report/render/html/document-head.ts";
import { byteLength } from "../../../src/text/length.ts";
import { hostileText } from "../../text/hostile-text.ts";
import { change, machineA, machineB, nights, textOf, trendsWith } from "./lines.ts";

const twoMachines = trendsWith(
  nights(14, (night) => ({ machine: night < 3 ? machineB : machineA })),
  { ...change, index: 4 },
);

test("says at its top what it is not, then the change points with commit, date, size and how sure", () => {
  const page = renderTrends(twoMachines);
  expect(page.slice(page.indexOf("<h1>"), page.indexOf('<p class="small">'))).toMatchInlineSnapshot(`
    "<h1>Load test trends – 1 cell, 14 commits, 1 change point</h1>
    <p>This page is only a record and never decides a pull request: machines differ from run to run, so a pull request compares only what was measured side by side.</p>


    <h2>Change points</h2>
    <div class="scroll"><table>
    <thead><tr><th scope="col">Cell</th><th scope="col">Figure</th><th scope="col" class="number">Change</th><th scope="col">Since commit</th><th scope="col" class="number">Before</th><th scope="col" class="number">After</th><th scope="col" class="number">p</th><th scope="col">Machine</th></tr></thead>
    <tbody>
    <tr><th scope="row"><a href="#cell-1">/orders, 1 worker</a></th><td>Throughput [req/s]</td><td class="number verdict bad" data-sort="-0.1">▼ −10%, slower</td><td><code>0007ffffff</code> <span class="verdict">2026-01-08</span><br>after <code>0006ffffff</code><br><code>fastapi-loadtest bisect --good 0006ffffff --bad 0007ffffff --endpoint /orders</code></td><td class="number" data-sort="100">100 ± 1.00 (4)</td><td class="number" data-sort="90">90.0 ± 2.00 (7)</td><td class="number" data-sort="0.0004">0.0004</td><td>B</td></tr>
    </tbody></table></div>
    "
  `);
});

test("without a change point says so", () => {
  const page = renderTrends(trendsWith(nights(9)));
  expect(page).toContain("<p>None was found. The table of cells shows where there were too few points.</p>");
  expect(page).toContain("<td>none in 9 points</td>");
});

test("a history that is too short is no history without a change", () => {
  const page = renderTrends(trendsOf(openTrends([textOf(nights(5))])));
  expect(page).toContain("<h1>Load test trends – 1 cell, 5 commits, change points not computed</h1>");
  expect(page).toContain("Change points were not computed. It takes 8 commits");
  expect(page).toContain("<td>too few points (5 of 8)</td>");
  expect(page).not.toContain("None was found");
});

test("where nobody looked there is no table of change points, and the reason", () => {
  const trends = trendsOf(openTrends([textOf(nights(9))]), { kind: "no answer", reason: "no <Python>" });
  const page = renderTrends(trends);
  expect(page).toContain('<p class="warning">Change points were not computed. no &lt;Python&gt;</p>');
  expect(page).not.toContain("<h2>Change points</h2>");
  expect(page).toContain("<td>not computed</td>");
});

test("tells what could not be read", () => {
  const open = openTrends([textOf(nights(2)), { name: "x<y.jsonl", text: "{" }]);
  expect(renderTrends(trendsOf(open))).toContain('<p class="warning">x&lt;y.jsonl: its line cannot be read');
});

test("an unknown figure is no zero", () => {
  const unknown = { throughputRequestsPerSecond: null, p50Ms: null, p95Ms: null, p99Ms: null };
  const lines = nights(2, (night) => (night === 1 ? unknown : { throughputLowRequestsPerSecond: null }));
  const trends = trendsWith(lines);
  expect(renderTrends(trends)).toContain(
    '<td class="number">–</td><td class="number">–</td><td class="number">–</td><td class="number">–</td><td class="number">0.900</td>',
  );
  expect(
    trendsDataOf(trends).cells[0]?.points.map(({ throughput, latency }) => [throughput, latency]),
  ).toEqual([
    [[1_000], [4, 8, 20]],
    [[], [null, null, null]],
  ]);
});

test("allows its own script only, and is whole without it", () => {
  const script = { script: "draw()", scriptHash: "aGFzaA==" };
  expect(renderTrends(twoMachines)).toContain(`content="${policy}"`);
  expect(renderTrends(twoMachines)).not.toContain("<script");
  const page = renderTrends(twoMachines, script);
  expect(page).toContain(`content="${policyWith("aGFzaA==")}"`);
  expect(page.match(/<script[^>]*>/g)).toEqual(['<script type="application/json" id="trends">', "<script>"]);
  expect(page).not.toMatch(/<link|<img|@import|url\(|https?:/);
});

test("the script gets points with their machines, and the levels around each change", () => {
  const data = trendsDataOf(twoMachines);
  expect(data.machines).toEqual(["A", "B"]);
  expect(data.cells[0]?.points.map(({ machine }) => machine).join("")).toBe("00011111111111");
  expect(data.cells[0]?.points[0]).toEqual({
    commit: "0000ffffff",
    time: "2026-01-01 03:17",
    machine: 0,
    throughput: [1_000, 990, 1_012],
    latency: [4, 8, 20],
  });
  // The second machine has the cell's points from the fourth on.
  expect(data.cells[0]?.changes).toEqual([
    {
      kind: "throughput",
      machine: 1,
      at: 7,
      text: "▼ −10%, slower",
      isBetter: false,
      before: { from: 3, to: 6, mean: 100 },
      after: { from: 7, to: 13, mean: 90 },
    },
  ]);
});

test("changes of figures that have no chart stand in the table alone", () => {
  const trends = trendsWith(nights(12), { ...change, series: 4 });
  expect(trendsDataOf(trends).cells[0]?.changes).toEqual([]);
  expect(renderTrends(trends)).toContain("<td>SQL statements per request</td>");
});

test("of a long history the newest is drawn, with what is known of before", () => {
  const early = { ...change, index: 50 };
  const late = { ...change, index: 400, meanBefore: 90, meanAfter: 80 };
  const trends = trendsWith(nights(800), early, late);
  const [cell] = trendsDataOf(trends).cells;
  expect(cell?.points).toHaveLength(500);
  expect(cell?.points.at(-1)?.commit).toBe("031fffffff");
  // 300 are left out: the first change, and where the level before the second began.
  expect(cell?.changes.map(({ at, before }) => [at, before.from])).toEqual([[100, 0]]);
  const page = renderTrends(trends);
  expect(page).toContain(
    "Figures of 500 commits, newest first; 300 older ones left out for the page's length",
  );
  expect(page.match(/<td class="number verdict/g)).toHaveLength(2);
});

test("a page of many cells and years stays below 2 MB with 0.3 MB of script", () => {
  const lines = Array.from({ length: 64 }, (_, cell) =>
    nights(300, () => ({ cell: `cell-${cell}`, endpoint: `/api/v1/things/${cell}?with=a&long=query` })),
  ).flat();
  const trends = trendsWith(
    lines,
    ...Array.from({ length: 64 }, (_, cell) => ({ ...change, series: cell * 5 })),
  );
  expect(trends.history.trends.map((trend) => shownLines(trend, trends).length)).toEqual(
    new Array(64).fill(62),
  );
  const page = renderTrends(trends, { script: "x".repeat(300_000), scriptHash: "aGFzaA==" });
  expect(byteLength(page)).toBeLessThan(2_000_000);
});

test("whatever the history holds, no markup of its own comes out", () => {
  const tags = (page: string) => new Set(page.match(/<[/!a-z][^\s>]*/gi));
  const usual = tags(renderTrends(trendsWith(nights(8), { ...change })));
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (endpoint, report, cpuModel) => {
      const lines = nights(8, (night) => ({
        endpoint: endpoint.slice(0, 300),
        report: report.slice(0, 60),
        machine: { ...machineA, cpuModel: night === 0 ? "plain" : cpuModel.slice(0, 300) },
      }));
      const trends = trendsWith([...lines, ...nights(1)], { ...change });
      const page = renderTrends(trends, { script: "draw()", scriptHash: "aGFzaA==" });
      for (const tag of tags(page)) expect([...usual, "<script", "</script"]).toContain(tag);
      expect(page.match(/<script/g)).toHaveLength(2);
    }),
  );
});
