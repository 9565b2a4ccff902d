import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foundCause } from "../../../test/diagnosis/samples.ts";
import { elementsOf, liveInProse, proseOf, toHtml, unseen } from "../../../test/text/gfm.ts";
import { hostileText } from "../../../test/text/hostile-text.ts";
import { judgeClaims } from "../../judgement/claim-judgement.ts";
import { renderReportPage } from "../../page/report-page.ts";
import type { ReportPageInput } from "../../page/report-page-input.ts";
import { claim, measured, results } from "../published.ts";
import { mermaidBlocks } from "./mermaid.ts";
import { occasion, pageInput } from "./pages.ts";

const cases = [
  measured(
    "junge/async_concurrent",
    { rps: 97, med_ms: 5_010, p95_ms: 5_020, failed_rate: 0, reqs: 2_900 },
    { intervals: { rps: { low: 96, high: 98 } } },
  ),
  measured("junge/sync_baseline", { rps: 5.3, med_ms: 76_000, failed_rate: 0.01, reqs: 150 }),
  measured("junge/async_as_completed", {}),
  { kind: "not measured", id: "junge/async_independent", reason: "the server exited with code 3" } as const,
];
const claims = ["J01", "J04", "J05"].map(claim);
const small: ReportPageInput = {
  ...occasion,
  name: "three-waits",
  title: "Three waits",
  prose: "An introduction.\n\n## What to take from it\n\n- A lesson.\n",
  results: results.filter(({ id }) => id.startsWith("junge/")),
  cases,
  caseNotes: { "junge/sync_baseline": "uvicorn with 2 workers, 500 users" },
  judgements: judgeClaims(claims, cases),
  claimsOfReport: 3,
  diagnosed: [],
};

test("a whole page", () => {
  expect(renderReportPage(small)).toMatchInlineSnapshot(`
    "# Three waits

    An introduction.

    The report makes 3 claims: 2 were confirmed and 1 could not be measured here. We had predicted 2 of these outcomes. The run measured 2 of the report's 4 published results on \`2026-02-03\` at quick size on 2 cores.

    ## Claims

    A ratio compares two figures from one machine, so published and measured ratios are comparable. A single published figure comes from another machine and usually another load: it only shows what was claimed, and ours is checked against bounds for the load that ran here. A claim is not settled when the 95% interval of its figure crosses such a bound.

    | Claim | Statement | Figure | Published | Measured (95% interval) | Model predicts here | Outcome | Why |
    | :--- | :--- | :--- | ---: | ---: | ---: | :--- | :--- |
    | J01 | Plain async serves about six times the sync baseline | ratio of \`rps\` | 6.09 | – | 6.25 | **not measurable here** | \`junge/async_independent\` was not measured: the server exited with code 3 |
    | J04 | gather against sync | ratio of \`rps\` | 18.4 | 18.3 | 18.75 | **confirmed** | the ratio 18.302 is between 15 and 20; \`junge/sync_baseline\` failed 1% of its requests |
    | J05 | The sync rate in absolute terms | \`rps\` | rps 5.29 (not comparable) | rps 5.30 | 5.33 | **confirmed** | rps 5.3 is between 5 and 5.4; \`junge/sync_baseline\` failed 1% of its requests |

    ## Charts

    Measured on this machine. Throughput counts only requests that did not fail. Latency covers all requests and means little where some failed. In the latency charts, the longer bar is the p95 and the shorter one in front of it the p50.

    ### Three waits in one request

    \`\`\`mermaid
    ---
    config:
      xyChart:
        width: 900
        height: 220
        showDataLabel: true
      themeVariables:
        xyChart:
          plotColorPalette: "#8fb8de, #2f6fb0"
    ---
    xychart-beta horizontal
      title "Throughput"
      x-axis ["sync_baseline (with failures)", "async_concurrent"]
      y-axis "requests per second" 0 --> 102
      bar [5.25, 97]
    \`\`\`

    \`\`\`mermaid
    ---
    config:
      xyChart:
        width: 900
        height: 220
      themeVariables:
        xyChart:
          plotColorPalette: "#8fb8de, #2f6fb0"
    ---
    xychart-beta horizontal
      title "Latency"
      x-axis ["async_concurrent"]
      y-axis "milliseconds" 0 --> 5271
      bar [5020]
      bar [5010]
    \`\`\`

    Not measured: \`junge/async_independent\`, \`junge/async_dependent\`.

    ## Published and measured

    Published figures come from other machines and loads, so their absolute values cannot be compared with ours. Each figure here is divided by that of a reference case: published by published, measured by measured. Requests per second count only those that did not fail. Shares of failed requests are absolute.

    ### Three waits in one request, relative to \`junge/sync_baseline\`

    | Result | Published req/s | Measured req/s | Published p50 | Measured p50 | Published p95 | Measured p95 | Published failed | Measured failed |
    | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | \`junge/sync_baseline\` | 1.00 | 1.00 | 1.00 | 1.00 | – | – | 0% | 1% |
    | \`junge/async_independent\` | 6.09 | the server exited with code 3 | 0.197 | – | – | – | 0% | – |
    | \`junge/async_dependent\` | 6.10 | not run | 0.197 | – | – | – | 0% | – |
    | \`junge/async_concurrent\` | 18.4 | 18.5 | 0.066 | 0.066 | – | – | 0% | 0% |

    ## What to take from it

    - A lesson.

    ## What was run

    Absolute figures from this machine and these loads. \`±\` is half of the 95% interval, from the swings under full load or from the differences between turns, whichever is wider. It is missing where full load was too short. The server has its own CPUs unless the row says otherwise.

    | Case | What was run | req/s | p50 [ms] | p95 [ms] | Failed | Requests |
    | :--- | :--- | ---: | ---: | ---: | ---: | ---: |
    | \`junge/sync_baseline\` | uvicorn with 2 workers, 500 users | 5.30 | 76,000 | – | 1% | 150 |
    | \`junge/async_independent\` | – | not measured: the server exited with code 3 | – | – | – | – |
    | \`junge/async_dependent\` | – | not measured: not run | – | – | – | – |
    | \`junge/async_concurrent\` | – | 97.0 ± 1.0 | 5,010 | 5,020 | 0% | 2,900 |
    | \`junge/async_as_completed\` | – | – | – | – | – | – |

    ## Machine

    - Date: \`2026-02-03\`
    - Size: quick (loads and data scaled down)
    - CPU: Some CPU @ 2.50GHz, 2 cores
    - Memory: 24.0 GB
    - Kernel: 6.1.0
    - k6: v2.2.0

    ## Run it again

    \`\`\`text
    node reproduce/dist/reproduce.js three-waits --size quick
    \`\`\`

    \`--size full\` uses the published loads, durations and data.

    Generated by \`reproduce three-waits\`; do not edit.
    "
  `);
});

describe("parts", () => {
  const page = (more: Partial<ReportPageInput>) => renderReportPage({ ...small, ...more });

  test.for([
    {
      what: "no claims",
      more: { judgements: [], claimsOfReport: 0 },
      has: "The report makes 0 claims: none was judged.",
    },
    {
      what: "some claims of a report",
      more: { claimsOfReport: 8 },
      has: "This run checked 3 of the report's 8 claims: 2 were confirmed and 1",
    },
    { what: "no prose", more: { prose: "" }, has: "# Three waits\n\nThe report makes 3 claims" },
    {
      what: "prose without sections",
      more: { prose: "Only this." },
      has: "# Three waits\n\nOnly this.\n\nThe report makes 3",
    },
    { what: "full size", more: { size: "full" }, has: "- Size: full (loads and data as published)" },
    {
      what: "one outcome",
      more: { judgements: judgeClaims([claim("J05")], cases), claimsOfReport: 1 },
      has: "The report makes 1 claim: 1 was confirmed.",
    },
    {
      what: "several of one outcome",
      more: { judgements: judgeClaims([claim("J05"), claim("J04")], cases), claimsOfReport: 2 },
      has: "The report makes 2 claims: 2 were confirmed.",
    },
    {
      what: "what was not expected",
      more: { judgements: judgeClaims([claim("J05")], [measured("junge/sync_baseline", { rps: 4 })]) },
      has: "but not J05",
    },
    {
      what: "an outcome that was not expected",
      more: { judgements: judgeClaims([claim("J05")], [measured("junge/sync_baseline", { rps: 4 })]) },
      has: "| **refuted**, not expected |",
    },
    {
      what: "a single side",
      more: { judgements: judgeClaims([claim("J05")], []) },
      has: "| `rps` | rps 5.29 (not comparable) |",
    },
    {
      what: "a series",
      more: { judgements: judgeClaims([claim("P20")], []) },
      has: "order of ratios of `rps`",
    },
    { what: "a spread", more: { judgements: judgeClaims([claim("D04")], []) }, has: "maximum minus mean" },
    {
      what: "a case of no known family",
      more: { cases: [measured("other", { rps: 3 })] },
      has: "### Other cases\n\n```mermaid",
    },
    {
      what: "versions of what serves, in one line",
      more: {
        machine: {
          ...occasion.machine,
          packages: {
            uvloop: "0.23.0",
            click: "8.1",
            FastAPI: "0.165.0",
            uvicorn: "0.54.0 or 0.53.0",
            uvicorn_worker: "0.4",
          },
        },
      },
      has: "- Packages: uvicorn 0.54.0 or 0.53.0, uvloop 0.23.0, fastapi 0.165.0, uvicorn-worker 0.4\n",
    },
    {
      what: "the event loop of a case",
      more: {
        results: [],
        cases: [
          measured("a", { rps: 3 }, { facts: { loop: "asyncio" } }),
          measured("b", { rps: 3 }, { facts: { loop: "unknown" } }),
        ],
        caseNotes: { a: "uvicorn", b: "gunicorn" },
      },
      has: "| `a` | uvicorn; event loop asyncio | 3.00 | – | – | – | – |\n| `b` | gunicorn | 3.00 |",
    },
    {
      what: "throughput without failures, and a mark where there were some",
      more: { results: [], cases: [measured("pena/async-mix", { rps: 80, failed_rate: 0.75 })] },
      has: 'x-axis ["async-mix (with failures)"]\n  y-axis "requests per second" 0 --> 21\n  bar [20]',
    },
    { what: "nothing at all", more: { results: [], cases: [], judgements: [] }, has: "## What was run" },
  ] satisfies { what: string; more: Partial<ReportPageInput>; has: string }[])("$what", ({ more, has }) => {
    expect(page(more)).toContain(has);
  });

  test("more than twelve bars make several charts", () => {
    const many = Array.from({ length: 13 }, (_, index) => measured(`junge/${index}`, { rps: index }));
    const blocks = mermaidBlocks(page({ results: [], cases: many }));
    expect(blocks.map((block) => block.match(/title .*/)?.[0])).toEqual([
      'title "Throughput (1 of 2)"',
      'title "Throughput (2 of 2)"',
    ]);
    expect(blocks.map((block) => block.match(/bar \[.*/)?.[0])).toEqual([
      "bar [0, 1, 2, 3, 4, 5, 6]",
      "bar [7, 8, 9, 10, 11, 12]",
    ]);
  });
});

describe("what diagnosis found", () => {
  const page = (diagnosed: ReportPageInput["diagnosed"]) => renderReportPage({ ...small, diagnosed });
  const rowsOf = (markdown: string) => {
    const [, section = ""] = markdown.split("## Findings of diagnosis\n\n");
    return (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| `"));
  };

  test("has a row for each finding, with its line and evidence, before the prose", () => {
    const note = foundCause({ severity: "note", endpoint: undefined, place: undefined });
    const markdown = page([
      { id: "junge/sync_baseline", diagnosis: { findings: [foundCause(), note], unseen: [] } },
    ]);
    expect(markdown).toMatch(/\n## Findings of diagnosis\n\nAfter measuring, .*\n\n\| Case \| Endpoint \|/);
    expect(markdown.indexOf("## Findings of diagnosis")).toBeLessThan(markdown.indexOf("## What to take"));
    const evidence = "mean: 480 ms; predicted requests per second: 2.08, measured: 2.10 (high confidence)";
    const held = "blocks the event loop for 480 ms at `app/orders.py:37` (`time.sleep(0.48)`).";
    expect(rowsOf(markdown)).toEqual([
      `| \`junge/sync_baseline\` | \`/orders\` | \`/orders\` ${held} | \`app/orders.py:37\` | ${evidence} |`,
      `| \`junge/sync_baseline\` | – | Note: A request ${held} | – | ${evidence} |`,
    ]);
  });

  test("says where nothing was found, and what was not seen", () => {
    const markdown = page([
      { id: "a", diagnosis: { findings: [], unseen: ["hottest lines: no clocks"] } },
      { id: "b", diagnosis: { unseen: ["start app: it exited"] } },
    ]);
    expect(rowsOf(markdown)).toEqual([
      "| `a` | – | none | – | – |",
      "| `a` | – | not seen: hottest lines: no clocks | – | – |",
      "| `b` | – | not seen: start app: it exited | – | – |",
    ]);
  });

  test("is no section where nobody looked", () => {
    expect(page([])).not.toContain("Findings of diagnosis");
  });
});

test.for(["000", "001", "002", "003", "004"] as const)(
  "report %s shows every result and every claim",
  (report) => {
    const input = pageInput(report);
    const page = renderReportPage(input);
    for (const { id } of input.results) expect(page.split(`\n| \`${id}\` |`)).toHaveLength(3); // relative and absolute
    for (const { id } of input.judgements) expect(page).toContain(`\n| ${id} |`);
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
  },
);

test("whatever the foreign texts, the page keeps its shape, and nothing in it is live", () => {
  const shape = (html: string) => elementsOf(html).filter((name) => name !== "code");
  const withText = (text: string): ReportPageInput => ({
    ...small,
    title: `Waits ${text}`,
    cases: [
      ...cases.slice(0, 2),
      measured("junge/async_as_completed", {}, { facts: { loop: text } }),
      { kind: "not measured", id: "junge/async_independent", reason: text },
    ],
    caseNotes: { "junge/sync_baseline": text, [text]: text },
    judgements: small.judgements.map((each) => ({ ...each, text, reason: text })),
    machine: {
      ...occasion.machine,
      ...{ cpuModel: text, kernel: text, python: text, packages: { uvicorn: text, [text]: text } },
    },
    diagnosed: [
      {
        id: "junge/sync_baseline",
        diagnosis: {
          findings: [
            foundCause({
              endpoint: text,
              place: { file: text || "x", line: 1, function: text, code: text },
              summary: `${text} blocks at \`${text.replaceAll("`", "'")}\`.`,
              figures: [{ what: text, value: 1 }],
            }),
          ],
          unseen: [text],
        },
      },
    ],
  });
  const expected = shape(toHtml(renderReportPage(withText("plain"))));
  fc.assert(
    fc.property(hostileText, (text) => {
      const page = renderReportPage(withText(text));
      const html = toHtml(page);
      expect(shape(html)).toEqual(expected);
      expect(proseOf(html)).not.toMatch(liveInProse);
      expect(page).not.toMatch(unseen);
    }),
    { numRuns: 200 },
  );
});
