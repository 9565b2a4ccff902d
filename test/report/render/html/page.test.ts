import { createHash } from "node:crypto";
import { expect, test } from "vitest";

import { whatToDoUrl } from "../../../../src/report/links.ts";
import { policy, policyWith, style, styleHash } from "../../../../src/report/render/html/document-head.ts";
import { armRecord, cell, environment, failure, measurement } from "../../../fixtures/measurement.ts";
import { allMeasured, comparisonOf, grid, nothingMeasured, partlyMeasured } from "../../example.ts";
import { renderHtml } from "../../forms.ts";

test("allows its own style only", () => {
  expect(styleHash).toBe(createHash("sha256").update(style).digest("base64"));
  expect(policy).toContain(`style-src 'sha256-${styleHash}'`);
  expect(renderHtml(allMeasured())).toContain(`<style>${style}</style>`);
});

test("answers first: causes, table and advice come before all details", () => {
  const page = renderHtml(allMeasured());
  const at = (text: string) => page.indexOf(text);
  expect(at("<table>")).toBeLessThan(at("<h2>How many workers?"));
  expect(at("<h2>How many workers?")).toBeLessThan(at("<h2>Worker counts"));
  expect(at("<h2>Worker counts")).toBeLessThan(at("<h2>Requests and"));
});

test("loads nothing, runs nothing, and links only to the run and, if the check failed, to help", () => {
  const page = renderHtml(partlyMeasured(), {
    runUrl: "https://github.com/octo/app/actions/runs/7",
    runLabel: "run <12>",
  });
  const addresses = [whatToDoUrl, "https://github.com/octo/app/actions/runs/7"];
  expect(page.match(/(?:href|src)=[^>]*/g)).toEqual(addresses.map((each) => `href="${each}"`));
  expect(page).toContain(">run &lt;12&gt;</a>");
  expect(page).not.toMatch(/<script|<link|<img|@import|url\(/);
  expect(renderHtml(partlyMeasured(), { runUrl: "https://github.com/a" })).toContain(">This run</a>");
  expect(renderHtml(partlyMeasured(), { runUrl: "javascript:alert(1)", headSha: "abc" })).not.toContain(
    '<a href="javascript',
  );
});

test("shows why a cell has no figures, and the end of its log", () => {
  const page = renderHtml(partlyMeasured());
  expect(page).toContain("<h1>Load test – 1 of 4 cells measured: 3 failed</h1>");
  expect(page).toContain(
    '<td class="problem" colspan="5"><strong>failed</strong> while starting the app: the server exited',
  );
  expect(page.slice(page.indexOf("<h2>What failed"), page.indexOf("<h2>Environment"))).toMatchInlineSnapshot(`
    "<h2>What failed</h2>
    <details open><summary><code>/sync_select?user_id=7</code>, 2 workers</summary><p class="problem"><strong>failed</strong> while starting the app: the server exited with code 3 before it was ready</p><pre>INFO: Started
    ModuleNotFoundError: No module named &#39;app&#39;
    </pre></details>
    <details open><summary>2 cells</summary><p class="problem"><strong>failed</strong> while seeding the database: psql: syntax error at line 3</p><pre>ERROR: x</pre></details>
    "
  `);
});

test("has no further figures where nothing was measured", () => {
  const page = renderHtml(nothingMeasured());
  expect(page).not.toContain("<h2>Requests and");
  expect(page).toContain("<strong>cancelled</strong>: stopped before it was complete");
});

test("shows both arms where both were measured", () => {
  const base = armRecord({ requestsPerSecond: 900 });
  const measured = measurement();
  const replicates = measured.replicates.map(({ generator }) => ({
    generator,
    arms: { base, head: armRecord() },
  }));
  const page = renderHtml(comparisonOf([measured.cell], [{ ...measured, replicates }]));
  expect(page).toMatch(/data-sort="1000">900 ± \d+ → 1,000 ± \d+</);
});

test("lists every value that the environment had, and warns when machines differ", () => {
  const cells = [cell(), cell({ workers: 2 })];
  const page = renderHtml(
    comparisonOf(
      cells,
      cells.map((each, index) =>
        measurement({ cell: each, environment: environment({ cpuModel: `CPU ${index}` }) }),
      ),
    ),
  );
  expect(page).toContain('<tr><th scope="row">CPU</th><td>CPU 0 (1 cell)<br>CPU 1 (1 cell)</td></tr>');
  expect(page).toContain('<p class="warning">The cells were measured on 2 machines');
});

test("folds many failures, and leaves out logs beyond two megabytes", () => {
  const comparison = grid(300, undefined, (_, index) => ({
    status: "failed",
    failure: failure({ logTail: `${index}${"x".repeat(19_000)}` }),
  }));
  const page = renderHtml(comparison);
  expect(page.length).toBeLessThan(2_500_000);
  expect(page).not.toContain("<details open>");
  expect(page).toContain("<p>The log is in the results.</p>");
});

test("gives the same bytes for the same results", () => {
  expect(renderHtml(partlyMeasured())).toBe(renderHtml(partlyMeasured()));
});

test("does without commits, environments and intervals", () => {
  const block = {
    startSeconds: 0,
    seconds: 1,
    requests: 10,
    failures: 0,
    latencyTotalMs: 80,
    latencyMaxMs: 9,
  };
  const { environment: _, ...unknown } = measurement({ arm: { blocks: [block] } });
  const page = renderHtml(comparisonOf([unknown.cell], [{ ...unknown, commits: {} }]));
  expect(page).toContain(
    '<p class="small">Load per cell (one endpoint at one worker count): 8 VUs for 10 s.',
  );
  expect(page).not.toContain("Commit");
  expect(page).not.toContain("<h2>Environment");
});

test("with a script, allows that one only, and holds what it draws as data", () => {
  const data = { schemaVersion: 1, minChange: 0.03, cells: [], laws: [], leftOut: 0 } as const;
  const page = renderHtml(allMeasured(), {}, { script: "draw()", scriptHash: "aGFzaA==", data });
  expect(page).toContain(`content="${policyWith("aGFzaA==")}"`);
  expect(policyWith("aGFzaA==")).toMatch(/^default-src 'none'; script-src 'sha256-aGFzaA=='; style-src /);
  expect(page).toContain("<script>draw()</script>");
  expect(page).toContain('<script type="application/json" id="data">{"schemaVersion":1,');
});
