import { expect, test } from "vitest";

import { columnsOf } from "../../../../src/text/width.ts";
import { armRecord, cell, measurement } from "../../../fixtures/measurement.ts";
import { allMeasured, comparisonOf, grid, nothingMeasured, partlyMeasured } from "../../example.ts";
import { renderTerminalTable } from "../../forms.ts";

const plain = { colour: false, width: 110 };

test("aligns the comment's table", () => {
  expect(renderTerminalTable(allMeasured(), plain)).toMatchInlineSnapshot(`
    "Load test – 4 cells measured

    Endpoint                 Workers       Req/s  p50 [ms]  p95 [ms]  Failed  CPU/req [ms]
    /sync_select?user_id=7         1  1,000 ± 11      6.99      15.0       0         0.900
    /sync_select?user_id=7         2  1,804 ± 19      6.99      15.0       0         0.900
    /async_select?user_id=7        1  1,204 ± 13      6.99      15.0       0         0.900
    /async_select?user_id=7        2  2,051 ± 22      6.99      15.0       0         0.900

    How many workers?
      /sync_select?user_id=7    2 workers · 1,804 req/s · 84.2 MB · 1.80 times as fast as 1 worker; more workers
        may help
      /async_select?user_id=7   2 workers · 2,051 req/s · 84.2 MB · 1.70 times as fast as 1 worker; more workers
        may help
    ± is the 95% interval within this run; results vary more from run to run.
    Load per cell (one endpoint at one worker count): 8 VUs for 10 s. Software: k6 2.2.0, Postgres 18.4, Python
      3.11.7, uvicorn 0.54.0 with uvloop and httptools.
    Machine: AMD EPYC 7763 64-Core Processor, 4 cores, GitHub Actions runner "GitHub Actions 7" (ubuntu24
      20261101.1.0).
    "
  `);
});

test("says why there are no figures", () => {
  expect(renderTerminalTable(nothingMeasured(), plain)).toMatchInlineSnapshot(`
    "Load test – 0 of 4 cells measured: 1 failed, 1 cancelled, 1 missing, 1 invalid

    Endpoint                 Workers  Req/s  p50 [ms]  p95 [ms]  Failed
    /sync_select?user_id=7         1  failed while starting the app: the server exited with code 3 before it was …
    /sync_select?user_id=7         2  cancelled: stopped before it was complete
    /async_select?user_id=7        1  missing: no result came back
    /async_select?user_id=7        2  invalid while reading the results: 2 results claim to belong to this cell

    Planned load per cell (one endpoint at one worker count): 8 VUs for 10 s. Software: k6 2.2.0, Postgres 18.4,
      Python 3.11.7, uvicorn 0.54.0 with uvloop and httptools.
    Machine: AMD EPYC 7763 64-Core Processor, 4 cores, GitHub Actions runner "GitHub Actions 7" (ubuntu24
      20261101.1.0).
    "
  `);
});

test.for([
  [100, ["Req/s", "p50", "p95", "Failed", "CPU"]],
  [88, ["Req/s", "p50", "p95", "Failed", "CPU"]],
  [76, ["Req/s", "p50", "p95", "Failed"]],
  [64, ["Req/s", "p95", "Failed"]],
  [55, ["Req/s", "Failed"]],
  [30, []],
] as const)("in %i columns shows what matters most", ([width, expected]) => {
  const [, , titles = "", ...rest] = renderTerminalTable(partlyMeasured(), { colour: false, width }).split(
    "\n",
  );
  expect(Math.max(...[titles, ...rest.slice(0, 4)].map(columnsOf))).toBeLessThanOrEqual(width);
  expect(titles.match(/Req\/s|p\d\d|Failed|CPU/g) ?? []).toEqual(expected);
});

test("shortens a path in the middle before it drops the last figures", () => {
  const long = cell({ path: `/a/very/long/path/${"x".repeat(80)}/to/the/end` });
  const table = renderTerminalTable(comparisonOf([long], [measurement({ cell: long })]), plain);
  expect(table.split("\n")[3]).toMatchInlineSnapshot(
    `"/a/very/long/path/xxxxx…xxxxxxxxxxxx/to/the/end        1  1,000 ± 11      6.99      15.0       0         0.900"`,
  );
});

test("aligns characters of two columns", () => {
  const comparison = grid(2, () => "/語彙🎉");
  const [first = "", second = ""] = renderTerminalTable(comparison, plain).split("\n").slice(2, 4);
  expect(columnsOf(first)).toBe(columnsOf(second));
});

test("spells everything in ASCII where a terminal shows nothing else", () => {
  const attacked = cell({ path: "/é\u202e" });
  const text = renderTerminalTable(comparisonOf([attacked], [measurement({ cell: attacked })]), {
    ...plain,
    unicode: false,
  });
  expect(text).toMatch(/^[\n -~]*$/);
  expect(text).toContain("/?<U+202E>");
  expect(text).toContain("1,000 +- 11");
});

test("paints failures, failed requests and warnings", () => {
  const block = {
    startSeconds: 0,
    seconds: 1,
    requests: 10,
    failures: 1,
    latencyTotalMs: 80,
    latencyMaxMs: 9,
  };
  const cells = [cell(), cell({ workers: 2 })] as const;
  const comparison = comparisonOf(cells, [
    measurement({ cell: cells[0], arm: armRecord({ blocks: [block], statuses: { "200": 9, "503": 1 } }) }),
  ]);
  const text = renderTerminalTable({ ...comparison, warnings: ["careful"] }, { colour: true, width: 110 });
  expect(text.replaceAll("\u001b", "^")).toMatchInlineSnapshot(`
    "^[31mLoad test – 1 of 2 cells measured: 1 missing^[0m

    ^[2mEndpoint  Workers  Req/s  p50 [ms]  p95 [ms]             Failed  CPU/req [ms]^[0m
    ^[33m/health         1   10.0      6.99      15.0  1 of 10 (1 × 503)           900^[0m
    ^[31m/health         2  missing: no result came back^[0m

    ^[2mLoad per cell (one endpoint at one worker count): 8 VUs for 10 s. Software: k6 2.2.0, Postgres 18.4, Python^[0m
    ^[2m  3.11.7, uvicorn 0.54.0 with uvloop and httptools.^[0m
    ^[2mMachine: AMD EPYC 7763 64-Core Processor, 4 cores, GitHub Actions runner "GitHub Actions 7" (ubuntu24^[0m
    ^[2m  20261101.1.0).^[0m
    ^[33mWarning: careful^[0m
    "
  `);
  expect(renderTerminalTable(allMeasured(), { colour: true, width: 110 })).toContain("\u001b[1mLoad test");
});

test("names stay different however narrow the terminal is", () => {
  const paths = ["/async_endpoint_async_processing?ms=100", "/async_endpoint_sync_processing?ms=100"];
  const cells = paths.map((path) => cell({ path }));
  const measurements = cells.map((each) => measurement({ cell: each }));
  for (const width of [120, 100, 80, 60]) {
    const [first, second] = renderTerminalTable(comparisonOf(cells, measurements), { colour: false, width })
      .split("\n")
      .filter((line) => line.startsWith("/async"))
      .map((line) => line.split(/\s{2,}/)[0]);
    expect(first).not.toBe(second);
  }
});
