import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Comparison } from "../../src/compare/comparison.ts";
import type { Line } from "../../src/report/document/inline.ts";
import { figuresOf } from "../../src/report/figures/figures.ts";
import { workersSection } from "../../src/report/sections/workers-section.ts";
import { comparisonOf, measured, type Planned } from "../compare/workers/worker-counts.ts";
import { failure } from "../fixtures/measurement.ts";
import { elementsOf, liveInProse, proseOf, toHtml } from "../text/gfm.ts";
import { hostileText } from "../text/hostile-text.ts";
import { comparedAs } from "./compared.ts";
import { renderComment, renderHtml, renderSummary, renderTerminalTable } from "./forms.ts";

const marker = "<!-- marker -->";
const part = (text: string, start: string, end: string) =>
  text.slice(text.indexOf(start), text.indexOf(end, text.indexOf(start)) + end.length);

const wanted = [1_000, 1_700, 2_250, 2_640, 2_900];
/** Five counts of three replicates, half a percent apart. */
const five: readonly Planned[] = wanted.map((rate, index) => ({
  workers: index + 1,
  rates: [rate * 0.995, rate, rate * 1.005],
  arm: { connections: 8 * (index + 1) },
}));
const broken: Planned = {
  workers: 2,
  change: { status: "failed", failure: failure(), replicates: [] },
};

test("the comment answers first, and folds the figures", () => {
  const comment = renderComment(comparisonOf(measured("/items", five)), { marker });
  expect(part(comment, "**How many", "\n")).toMatchInlineSnapshot(`
    "**How many workers?** \`/items\`: 5 workers (2,900 req/s, 2.90 times the throughput of 1 worker). 5 workers need 420 MB of memory (of 16.8 GB) and 40 database connections (of the 97 that Postgres allows by default). There are more workers (5) than cores for the app (2). Over 99% certain.
    "
  `);
  expect(part(comment, "<details><summary>Worker counts", "</details>")).toMatchInlineSnapshot(`
    "<details><summary>Worker counts</summary>

    | Endpoint | Workers | Throughput [req/s] | Speed-up | Efficiency | CPU busy | Peak memory [MB] | Connections |
    | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | \`/items\` | 1 | 1,000 | 1.00 | 100% | 90% | 84.0 | 8 |
    | \`/items\` | 2 | 1,700 | 1.70 (1.68 to 1.72) | 85% (84% to 86%) | 77% | 168 | 16 |
    | \`/items\` | 3 | 2,250 | 2.25 (2.22 to 2.28) | 75% (74% to 76%) | 101% | 252 | 24 |
    | \`/items\` | 4 | 2,640 | 2.64 (2.61 to 2.67) | 66% (65% to 67%) | 119% | 336 | 32 |
    | \`/items\` | 5 | 2,900 | 2.90 (2.87 to 2.93) | 58% (57% to 59%) | 130% | 420 | 40 |

    - Speed-up and efficiency are relative to the smallest worker count that was measured. The 95% intervals over the replicates (fresh server starts) are in parentheses. Speed-up compares geometric means over the replicates, so it may not equal the ratio of the throughputs shown.
    - The load generator ran on the same machine and used different CPUs from the app's (CPU \`0-1\`). The advice applies to that machine only.
    - The app had 2 cores. 3 to 5 workers shared them, which helps only if requests spend time waiting.
    - \`/items\`: the Universal Scalability Law (contention 15%, coherency 0.56%) is off by at most 1% and puts the peak beyond 5 workers (95% interval: beyond 5).

    \`/items\`: the bars show measured throughput; the line shows ideal scaling.

    \`\`\`mermaid
    ---
    config:
      xyChart:
        width: 600
        height: 260
      themeVariables:
        xyChart:
          plotColorPalette: "#2f6fb0, #c2571a"
    ---
    xychart-beta
      x-axis "workers" ["1", "2", "3", "4", "5"]
      y-axis "requests/s" 0 --> 5250
      bar [1000, 1700, 2250, 2640, 2900]
      line [1000, 2000, 3000, 4000, 5000]
    \`\`\`

    </details>"
  `);
});

test("what could not be measured is named among the counts", () => {
  const comparison = comparisonOf([
    ...measured("/a", [{ workers: 1 }, broken]),
    ...measured("/b", [{ workers: 1 }, { workers: 2 }]),
  ]);
  const comment = renderComment(comparison, { marker });
  expect(part(comment, "**How many", "\n\n")).toMatchInlineSnapshot(`
    "**How many workers?**
    - \`/a\`: no recommendation, because only one of the 2 worker counts has usable figures.
    - \`/b\`: 1 worker (1,000 req/s). Going to 2 workers adds less than 2%. 1 worker needs 84.0 MB of memory (of 16.8 GB). There is only one replicate, so it is unknown how reliable this is.

    "
  `);
  expect(part(comment, "<details><summary>Worker counts", "</details>")).toMatchInlineSnapshot(`
    "<details><summary>Worker counts</summary>

    | Endpoint | Workers | Throughput [req/s] | Speed-up | Efficiency | CPU busy | Peak memory [MB] |
    | :--- | ---: | ---: | ---: | ---: | ---: | ---: |
    | \`/a\` | 1 | 1,000 | 1.00 | 100% | 90% | 84.0 |
    | \`/a\` | 2 | failed | – | – | – | – |
    | \`/b\` | 1 | 1,000 | 1.00 | 100% | 90% | 84.0 |
    | \`/b\` | 2 | 1,000 | 1.00 | 50% | 45% | 168 |

    - Speed-up and efficiency are relative to the smallest worker count that was measured. There are no intervals: they need several replicates (fresh server starts) of at least two worker counts.
    - The load generator ran on the same machine and used different CPUs from the app's (CPU \`0-1\`). The advice applies to that machine only.

    </details>"
  `);
});

test("the page shows the same", () => {
  const page = renderHtml(
    comparisonOf([...measured("/a", [{ workers: 1 }, broken]), ...measured("/b", five)]),
  );
  expect(part(page, "<h2>How many", "<thead>")).toMatchInlineSnapshot(`
    "<h2>How many workers?</h2><ul>
    <li><code>/a</code>: no recommendation, because only one of the 2 worker counts has usable figures.</li>
    <li><code>/b</code>: 5 workers (2,900 req/s, 2.90 times the throughput of 1 worker). 5 workers need 420 MB of memory (of 16.8 GB) and 40 database connections (of the 97 that Postgres allows by default). There are more workers (5) than cores for the app (2). Over 99% certain.</li></ul>
    <p class="small">± is the 95% interval within this run; results vary more from run to run. Load per cell (one endpoint at one worker count): 8 VUs for 10 s. Software: k6 2.2.0, Postgres 18.4, Python 3.11.7, uvicorn 0.54.0 with uvloop and httptools. Machine: AMD EPYC 7763 64-Core Processor, 4 cores, GitHub Actions runner &quot;GitHub Actions 7&quot; (ubuntu24 20261101.1.0). Commit <code>0123456789</code>.</p>
    <h2>Worker counts</h2>
    <div class="scroll"><table>
    <thead>"
  `);
  expect(page).toContain('<td class="number">2</td><td class="problem" colspan="6">failed</td>');
  expect(page).toContain("Universal Scalability Law");
});

test("the terminal aligns the advice", () => {
  const slower = [{ workers: 1 }, { workers: 2, rates: [900, 905] }];
  const alike = [{ workers: 1 }, { workers: 2, rates: [1_000, 1_005] }];
  const comparison = comparisonOf([
    ...measured("/a", five),
    ...measured("/slower?with=more", slower),
    ...measured("/alike", alike),
    ...measured("/broken", [{ workers: 1 }, broken]),
  ]);
  const text = renderTerminalTable(comparison, { width: undefined, colour: false });
  expect(part(text, "How many", "\n±")).toMatchInlineSnapshot(`
    "How many workers?
      /a                  5 workers · 2,900 req/s · 420 MB  · 40 connections · 2.90 times as fast as 1 worker; there are more workers (5) than cores for the app (2)
      /slower?with=more   1 worker  · 1,000 req/s · 84.0 MB · 2 workers: 10% slower
      /alike              1 worker  · 1,000 req/s · 84.0 MB · 2 workers: under 2% faster
      /broken             no recommendation, because only one of the 2 worker counts has usable figures
    ±"
  `);
});

test("the figures have it in numbers", () => {
  const comparison = comparisonOf([...measured("/a", [{ workers: 1 }, broken]), ...measured("/b", five)]);
  expect(figuresOf(comparison).workers).toMatchObject([
    {
      endpoint: "/a",
      workers: null,
      obstacle: "only one of the 2 worker counts has usable figures",
      peakWorkers: null,
    },
    { endpoint: "/b", workers: 5, chance: 0.999, obstacle: null, serialShare: expect.closeTo(0.15, 1) },
  ]);
  expect(figuresOf(comparisonOf(measured("/a", [{ workers: 2 }])))).not.toHaveProperty("workers");
});

test("nothing is said of speed-up and CPU where they are not known, beside endpoints where they are", () => {
  const apart = measured("/a", [
    { workers: 1, arm: { cpuSeconds: undefined, peakMemoryBytes: undefined } },
    { workers: 2, environment: { cores: 8 } },
  ]);
  const comment = renderComment(comparisonOf([...apart, ...measured("/b", five)]), { marker });
  const [row] = comment.match(/^\| `\/a` \| 1 \| 1,000 \| –.*$/gm) ?? [];
  expect(row).toBe("| `/a` | 1 | 1,000 | – | – | – | – | – |");
  expect(comment).toContain("`/a`: no recommendation, because its worker counts were measured on 2 machines");
});

describe("there is no such section", () => {
  test.for<[string, Comparison]>([
    ["with one worker count", comparisonOf(measured("/a", [{ workers: 2 }]))],
    ["without any figures", comparisonOf(measured("/a", [{ ...broken, workers: 1 }, broken]))],
  ])("%s", ([, comparison]) => {
    expect(workersSection(comparison.rows)).toBeUndefined();
    expect(renderComment(comparison, { marker })).not.toContain("How many");
    expect(renderHtml(comparison)).not.toContain("How many");
    expect(renderTerminalTable(comparison, { width: undefined, colour: false })).not.toContain("How many");
  });
});

describe("many endpoints", () => {
  const distinct = comparisonOf(
    Array.from({ length: 24 }, (_, index) =>
      measured(`/${index}`, [{ workers: 1 }, { workers: 2 }, { workers: 3 + index, rates: [2_000] }]),
    ).flat(),
  );

  test("have eight sentences, and say how many more there are", () => {
    const comment = renderComment(distinct, { marker });
    expect(part(comment, "**How many", "\n\n").match(/^- `/gm)).toHaveLength(8);
    expect(comment).toContain("- and 16 more. The table lists all endpoints.");
    expect(renderHtml(distinct)).toContain("and 16 more. The table");
    expect(renderTerminalTable(distinct, { width: undefined, colour: false })).toContain("\n  and 12 more\n");
  });

  test("have forty rows in the comment, and all in the summary", () => {
    expect(renderComment(distinct, { marker })).toContain("- 32 more rows in the job summary\n");
    expect(renderSummary(distinct)).not.toContain("more rows");
  });

  const subjectOf = (sentence: Line) =>
    sentence
      .slice(0, -2)
      .map(({ text }) => text)
      .join("");

  test("with the same advice are counted after the third", () => {
    const same = Array.from({ length: 5 }, (_, index) =>
      measured(`/${index}`, [{ workers: 1 }, { workers: 2 }]),
    ).flat();
    const other = measured("/other", [{ workers: 1 }, { workers: 2, rates: [1_500] }]);
    const subjects = workersSection(comparisonOf([...same, ...other]).rows)?.sentences;
    expect(subjects?.map(subjectOf)).toEqual(["/0, /1, /2, and 2 more", "/other"]);
    const [only] = workersSection(comparisonOf(same).rows)?.sentences ?? [];
    expect(only && subjectOf(only)).toBe("all 5 endpoints");
  });
});

describe("notes", () => {
  const notesOf = (planned: readonly Planned[]) =>
    (workersSection(comparisonOf(measured("/a", planned)).rows)?.notes ?? []).flatMap((note) =>
      note.map(({ text }) => text),
    );

  test("say whose cores they were", () => {
    const shared = [1, 2].map((workers) => ({ workers, environment: { appCpus: undefined } }));
    expect(notesOf(shared).join(" ")).toContain("shared its 4 cores with the app");
    expect(notesOf([{ workers: 1 }, { workers: 3 }])).toContain(
      "The app had 2 cores. 3 workers shared them, which helps only if requests spend time waiting.",
    );
    const onOne = [1, 2].map((workers) => ({ workers, environment: { appCpus: "1" } }));
    expect(notesOf(onOne).join(" ")).toContain("The app had 1 core. 2 workers shared it");
    expect(notesOf([{ workers: 1 }, { workers: 2 }]).join(" ")).not.toContain("shared them");
  });

  test("say when the curve does not describe an endpoint, has a peak, or none", () => {
    const lawOf = (rates: readonly number[]) =>
      notesOf(rates.map((rate, index) => ({ workers: index + 1, rates: [rate] }))).at(-1);
    expect(lawOf([1_000, 2_000, 3_000, 4_000, 400])).toMatch(/is off by up to \d+%, so ignore it/);
    expect(lawOf([1_000, 2_000, 3_000, 4_000, 5_000])).toMatch(
      /contention 0%, coherency 0%\) is off by at most 0% and puts the peak beyond 5 workers/,
    );
    expect(lawOf([1_000, 1_600, 1_800, 1_800, 1_700])).toMatch(/peak at 3\.\d workers/);
  });

  test("say nothing of a machine that nobody recorded", () => {
    const unknown = [1, 2].map((workers) => ({ workers, change: { environment: undefined } }));
    expect(notesOf(unknown)).toHaveLength(1);
  });
});

test("whatever endpoints and reasons are called, nothing in the section is live", () => {
  fc.assert(
    fc.property(hostileText, hostileText, (path, reason) => {
      const comparison = comparisonOf(measured(`/${path}`, five));
      const [first, ...others] = comparison.rows;
      const rows = [
        ...(first === undefined ? [] : [first]),
        ...others.map((row) => ({ ...row, failure: failure({ reason }) })),
      ];
      const html = toHtml(renderComment(comparedAs(comparison, { rows }), { marker }));
      expect(elementsOf(html).filter((name) => name === "details")).toHaveLength(2);
      expect(proseOf(html.replace(marker, ""))).not.toMatch(liveInProse);
    }),
    { numRuns: 30 },
  );
});
