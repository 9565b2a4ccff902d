import { describe, expect, test } from "vitest";

import { figuresOf } from "../../../src/report/figures/figures.ts";
import { resultLine, resultOf } from "../../../src/report/progress/cell-progress.ts";
import { cell, failure, measurement } from "../../fixtures/measurement.ts";
import { comparedOf, design, effect, loneArm, mixed, row, versus } from "../compared.ts";
import { renderHtml, renderTerminalTable } from "../forms.ts";

const at = cell();
const between = (text: string, start: string, end: string) =>
  text.slice(text.indexOf(start), text.indexOf(end, text.indexOf(start)));

describe("the page", () => {
  test("heads the drawings with an axis that is as wide as they are", () => {
    const [, axis = ""] = /<th scope="col" class="drawn">([^<]*)<\/th>/.exec(renderHtml(mixed())) ?? [];
    expect([...axis]).toHaveLength(15);
    expect([...axis][7]).toBe("0");
  });

  test("says what changed and how sure that is", () => {
    const page = renderHtml(mixed());
    expect(between(page, "<h1>", '<div class="scroll">')).toMatchInlineSnapshot(`
      "<h1>1 endpoint got slower (<code>/users/{id}</code>, −9.8%); 2 could not be compared; 1 got faster; 1 is new; 1 was removed</h1>
      <p><a href="https://github.com/org/fastapi-loadtest-action/blob/v1/docs/red.md">The check failed: what to do now</a></p>
      <p><code>/users/{id}</code> <strong>is 9.8% slower</strong> (99% interval 9.2 to 10.4%, 1 worker). Each request runs 3 SQL statements instead of 2. Each request takes 0.097 ms more CPU (0.900 → 0.997 ms). Look at what this pull request adds to this endpoint&#39;s code path.</p>
      <details><summary>Measure it again</summary><p class="small">After a fix, committed or not, run this in a checkout of the pull request. It takes about a minute and shows whether the slowdown is gone.</p><pre class="command" tabindex="0">npx --yes https://github.com/org/fastapi-loadtest-action/releases/download/v1.0.0/fastapi-loadtest.tgz again get-users-id-w1-9f6dd4ac --reported-slowdown 9.2% --base-ref abc1234567</pre></details>
      <p><code>/orders?limit=50</code> <strong>is 25% faster</strong> (99% interval 24 to 26%, 1 worker).</p>
      "
    `);
    expect(between(page, "</table></div>\n<ul>", '<p class="small">')).toMatchInlineSnapshot(`""`);
  });

  test("marks verdicts with shapes, and holds the values to sort by", () => {
    const page = renderHtml(mixed());
    expect(page).toContain(
      '<td class="verdict bad" data-sort="-0.098"><span aria-hidden="true">▼</span> <strong>−9.8%</strong></td>',
    );
    expect(page).toContain(
      '<td class="verdict plain" data-sort="-0.0155"><strong>−1.6%</strong>, small</td>',
    );
    expect(page).toContain('<td class="number" data-sort="16.6934">15.0 → 16.7</td>');
    // Nothing to sort by: no effect that counts.
    expect(page).toContain(
      '<td class="verdict doubt"><span aria-hidden="true">?</span> <strong>invalid</strong></td>',
    );
  });

  test("shows no interval that says nothing", () => {
    const wide = { value: 0, interval: { low: -0.7, high: 2.7 } };
    const rows = (["byCpu", "byStalls", "throughput"] as const).map((by) =>
      row({
        cell: at,
        versus: versus({
          verdict: {
            kind: "inconclusive",
            reason: "",
            isByCpu: by === "byCpu",
            isByStalls: by === "byStalls",
          },
          effects: { throughput: wide },
        }),
      }),
    );
    const page = renderHtml(comparedOf(rows));
    expect(page).toContain("inconclusive");
    expect(page).not.toMatch(/\(–|– (?:by|in)/);
  });

  test("shows each gate with its evidence", () => {
    expect(renderHtml(mixed())).toContain(
      "<li><strong>failed:</strong> statuses: 100% of the base&#39;s responses and 96% of the head&#39;s had status 200.</li>",
    );
  });

  test("counts what it does not name", () => {
    const rows = Array.from({ length: 22 }, () =>
      row({
        cell: at,
        versus: versus({
          verdict: { kind: "slower", reason: "x" },
          effects: { throughput: effect(-0.1, 0.01) },
        }),
      }),
    );
    const page = renderHtml(comparedOf(rows));
    expect(page).toContain(
      "(99% interval 9 to 11%, 1 worker; 9 to 11%, 1 worker; 9 to 11%, 1 worker; and 19 more).",
    );
    expect(page).toContain("<li>and 2 more</li>");
  });

  test("says why there is no base, with the end of its log", () => {
    const page = renderHtml(
      comparedOf([row({ cell: at, loneArm: loneArm("no base", { reason: "no <pip>", logTail: "ERROR" }) })]),
    );
    expect(page).toContain("</h1>\n<p>No comparison: no &lt;pip&gt;</p>");
    expect(page).toContain('<p class="problem"><strong>no base</strong>: no &lt;pip&gt;</p><pre>ERROR</pre>');
    expect(page).not.toContain("<h2>Further comparisons");
    expect(page).not.toContain('<th scope="col">Change');
  });
});

describe("the terminal", () => {
  test("shows the same", () => {
    expect(
      renderTerminalTable(mixed(), { width: undefined, colour: false }).replaceAll(/ +$/gm, ""),
    ).toMatchInlineSnapshot(`
      "1 endpoint got slower (/users/{id}, −9.8%); 2 could not be compared; 1 got faster; 1 is new; 1 was removed
      /users/{id} is 9.8% slower (99% interval 9.2 to 10.4%, 1 worker). Each request runs 3 SQL statements instead of 2. Each request takes 0.097 ms more CPU (0.900 → 0.997 ms). Look at what this pull request adds to this endpoint's code path.
      Measure it again:
      npx --yes https://github.com/org/fastapi-loadtest-action/releases/download/v1.0.0/fastapi-loadtest.tgz again get-users-id-w1-9f6dd4ac --reported-slowdown 9.2% --base-ref abc1234567
      /orders?limit=50 is 25% faster (99% interval 24 to 26%, 1 worker).

      Endpoint          Workers  Change                      Interval          Req/s     p95 [ms]   Failed
      /users/{id}             1  −9.8%                       ± 0.6       1,000 → 902  15.0 → 16.7       0%
      /users/{id}             2  −1.6%, small                ± 0.8     1,804 → 1,776  15.0 → 15.3       0%
      /orders?limit=50        1  +25%                        ± 1           410 → 512  15.0 → 12.0       0%
      /orders?limit=50        2  none (±0.8%)                              801 → 803         15.0       0%
      /search?q=a             1  inconclusive (−3.1% ± 4.2)                120 → 116  15.0 → 15.6       0%
      /search?q=a             2  invalid                               1,000 → 1,000         15.0  0% → 4%
      /new                    1  new                                           1,000         15.0       0%
      /old                    1  removed                                       1,000         15.0       0%
      /broken                 1  failed while starting the app: the server exited with code 3 before it was ready

      How many workers?
        /users/{id}        2 workers · 1,776 req/s · 84.2 MB · 1.97 times as fast as 1 worker; more workers may help
        /orders?limit=50   2 workers · 803 req/s   · 84.2 MB · 1.57 times as fast as 1 worker; more workers may help; the CPU was only 36% busy, so with more than 8 virtual users, a different count may be best
        /search?q=a        no recommendation, because only one of the 2 worker counts has usable figures
      invalid: /search?q=a, 2 workers: statuses: 100% of the base's responses and 96% of the head's had status 200.
      inconclusive: /search?q=a, 1 worker: the change may be anything from −7.3% to +1.1%. About 3 more minutes should settle it: set max-minutes to 23. This cell does not fail the check.
      Base abc1234 and head 0123456 took turns on one machine. If nothing differs, the chance that this report shows a change of any kind is at most 1%.
      "
    `);
  });

  test("keeps verdict and effect when it is narrow", () => {
    const lines = renderTerminalTable(mixed(), { width: 58, colour: false }).split("\n");
    const titles = lines.find((line) => line.startsWith("Endpoint")) ?? "";
    expect(titles.trim()).toMatch(/^Endpoint +Workers +Change$/);
  });

  test("colours what the words say", () => {
    const lines = renderTerminalTable(mixed(), { width: undefined, colour: true }).split("\n");
    const colours = lines.slice(7, 16).map((line) => (line.startsWith("\u001b[") ? line.slice(2, 4) : ""));
    expect(colours).toEqual(["31", "", "32", "", "33", "33", "", "", "31"]);
    expect(lines[0]).toContain("\u001b[31m1 endpoint got slower");
  });

  test("says why there is no base, and counts reasons beyond twenty", () => {
    const alone = comparedOf([row({ cell: at, loneArm: loneArm("no base") })]);
    expect(renderTerminalTable(alone, { width: undefined, colour: false })).toContain(
      "1 cell measured\nNo comparison: the base's environment could not be set up\n\n",
    );
    const rows = Array.from({ length: 21 }, () =>
      row({ cell: at, versus: versus({ verdict: { kind: "invalid", reason: "x" } }) }),
    );
    expect(renderTerminalTable(comparedOf(rows), { width: undefined, colour: false })).toContain(
      "\nand 1 more\n",
    );
  });
});

describe("the line of one cell", () => {
  test.for([
    [row({ cell: at }), "unchanged, +0.2% ± 0.6; 1,000 → 1,000 req/s, p95 15.0 → 15.0 ms"],
    [
      row({ cell: at, versus: versus({ verdict: { kind: "invalid" } }) }),
      "invalid; 1,000 → 1,000 req/s, p95 15.0 → 15.0 ms",
    ],
    [row({ cell: at, loneArm: loneArm("removed") }), "removed; 1,000 req/s, p95 15.0 ms"],
    [
      row({ cell: at, arm: { statuses: { "200": 9_999, "503": 1 } }, loneArm: loneArm("no base") }),
      "1,000 ± 11 req/s, p95 15.0 ms, failed: 1 of 10,000 (1 × 503)",
    ],
  ] as const)("case %#: %s", ([one, expected]) => {
    expect(resultOf(one)).toBe(expected);
  });

  test("takes the design that the verdict needs", () => {
    const failed = measurement({ status: "failed", failure: failure({ reason: "x" }) });
    expect(resultLine(failed, design())).toBe("/health, 1 worker: failed while starting the app: x");
  });
});

describe("the figures", () => {
  const cells = figuresOf(mixed()).cells;

  test("have the verdict with all effects as shares", () => {
    expect(cells[0]).toMatchInlineSnapshot(`
      {
        "base": {
          "bytesPerSecond": 187000,
          "cpuPerRequestMs": 0.9,
          "failures": 0,
          "p50Ms": 6.99366,
          "p95Ms": 14.9545,
          "p99Ms": 31.0319,
          "peakMemoryBytes": 84200000,
          "requests": 10000,
          "statementsPerRequest": 2,
          "throughputHighRequestsPerSecond": 1010.66,
          "throughputLowRequestsPerSecond": 989.336,
          "throughputRequestsPerSecond": 1000,
        },
        "bytesPerSecond": 168674,
        "confidence": 0.99,
        "cpuEffect": 0.108,
        "cpuEffectHigh": 0.112,
        "cpuEffectLow": 0.104,
        "cpuPerRequestMs": 0.996674,
        "endpoint": "/users/{id}",
        "failures": 0,
        "gatesNotMet": [],
        "id": "get-users-id-w1-9f6dd4ac",
        "isByCpu": false,
        "isByStalls": false,
        "isSmall": false,
        "longerLatencies": [],
        "minutesToPlace": null,
        "minutesToSettle": null,
        "moreOf": [],
        "open": {
          "base": {
            "p50Ms": 5,
            "p95Ms": 9,
            "p99Ms": 20,
            "rateRequestsPerSecond": 600,
          },
          "head": {
            "p50Ms": 5.5,
            "p95Ms": 9.9,
            "p99Ms": 22,
            "rateRequestsPerSecond": 600,
          },
        },
        "openP50Effect": 0.1,
        "openP50EffectHigh": 0.13,
        "openP50EffectLow": 0.07,
        "openP95Effect": 0.11,
        "openP95EffectHigh": 0.15,
        "openP95EffectLow": 0.07,
        "openP99Effect": null,
        "openP99EffectHigh": null,
        "openP99EffectLow": null,
        "p50Effect": 0.101,
        "p50EffectHigh": 0.11,
        "p50EffectLow": 0.092,
        "p50Ms": 7.72919,
        "p95Effect": 0.12,
        "p95EffectHigh": 0.14,
        "p95EffectLow": 0.1,
        "p95Ms": 16.6934,
        "p99Effect": null,
        "p99EffectHigh": null,
        "p99EffectLow": null,
        "p99Ms": 34.2956,
        "peakMemoryBytes": 86100000,
        "reason": "",
        "replicates": 8,
        "requests": 9020,
        "statementsPerRequest": 3,
        "status": "measured",
        "throughputByCpuEffect": null,
        "throughputByCpuEffectHigh": null,
        "throughputByCpuEffectLow": null,
        "throughputEffect": -0.098,
        "throughputEffectHigh": -0.092,
        "throughputEffectLow": -0.104,
        "throughputHighRequestsPerSecond": 911.598,
        "throughputLowRequestsPerSecond": 892.402,
        "throughputRequestsPerSecond": 902,
        "totalThroughputEffect": null,
        "totalThroughputEffectHigh": null,
        "totalThroughputEffectLow": null,
        "verdict": "slower",
        "workers": 1,
      }
    `);
  });

  test.for([
    [1, { verdict: "slower", isSmall: true }],
    [4, { verdict: "inconclusive", minutesToSettle: 2.4, gatesNotMet: [] }],
    [5, { verdict: "invalid", gatesNotMet: [expect.objectContaining({ name: "statuses" })] }],
    [6, { verdict: "new", reason: "the base returns 404", throughputEffect: null, replicates: null }],
    [
      7,
      {
        verdict: "removed",
        throughputRequestsPerSecond: null,
        base: expect.objectContaining({ requests: 10_000 }),
      },
    ],
    [8, { verdict: null, status: "failed", reason: null }],
  ] as const)("of cell %i", ([index, expected]) => {
    expect(cells[index]).toMatchObject(expected);
  });

  test("have no verdict where a cell was not compared", () => {
    expect(figuresOf(comparedOf([row({ cell: at, versus: undefined })])).cells[0]?.verdict).toBeNull();
  });
});
