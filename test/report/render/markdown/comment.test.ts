import { describe, expect, test } from "vitest";

import { armRecord, cell, environment, failure, measurement } from "../../../fixtures/measurement.ts";
import { allMeasured, comparisonOf, nothingMeasured, partlyMeasured } from "../../example.ts";
import { renderComment, renderSummary as renderMarkdownFile, renderSummary } from "../../forms.ts";

const marker = "<!-- marker -->";
const links = {
  ...{ marker, runUrl: "https://github.com/octo/app/actions/runs/7", runLabel: "run 12" },
  artifactsAnchor: "#artifacts",
} as const;

describe("the comment", () => {
  test("of cells that were all measured", () => {
    expect(renderComment(allMeasured(), links)).toMatchInlineSnapshot(`
      "<!-- marker -->
      ## Load test – 4 cells measured

      | Endpoint | Workers | Req/s | p50 [ms] | p95 [ms] | Failed | CPU/req [ms] |
      | :--- | ---: | ---: | ---: | ---: | ---: | ---: |
      | <code>/sync&#95;select?<wbr>user&#95;id=7</code> | 1 | 1,000 ± 11 | 6.99 | 15.0 | 0 | 0.900 |
      | <code>/sync&#95;select?<wbr>user&#95;id=7</code> | 2 | 1,804 ± 19 | 6.99 | 15.0 | 0 | 0.900 |
      | <code>/async&#95;select?<wbr>user&#95;id=7</code> | 1 | 1,204 ± 13 | 6.99 | 15.0 | 0 | 0.900 |
      | <code>/async&#95;select?<wbr>user&#95;id=7</code> | 2 | 2,051 ± 22 | 6.99 | 15.0 | 0 | 0.900 |

      **How many workers?** both endpoints: 2 workers (1,804 to 2,051 req/s, 1.70 to 1.80 times the throughput of 1 worker). Higher counts were not measured. 2 workers need 84.2 MB of memory (of 16.8 GB). There is only one replicate, so it is unknown how reliable this is.

      <sub>± is the 95% interval within this run; results vary more from run to run. Load per cell (one endpoint at one worker count): 8 VUs for 10 s. Software: k6 2.2.0, Postgres 18.4, Python 3.11.7, uvicorn 0.54.0 with uvloop and httptools. Machine: AMD EPYC 7763 64-Core Processor, 4 cores, GitHub Actions runner "GitHub Actions 7" (ubuntu24 \`20261101.1.0\`). Commit \`0123456789\` · [Charts and data](https://github.com/octo/app/actions/runs/7#artifacts)</sub>

      <details><summary>Worker counts</summary>

      | Endpoint | Workers | Throughput [req/s] | Speed-up | Efficiency | CPU busy | Peak memory [MB] |
      | :--- | ---: | ---: | ---: | ---: | ---: | ---: |
      | <code>/sync&#95;select?<wbr>user&#95;id=7</code> | 1 | 1,000 | 1.00 | 100% | 90% | 84.2 |
      | <code>/sync&#95;select?<wbr>user&#95;id=7</code> | 2 | 1,804 | 1.80 | 90% | 81% | 84.2 |
      | <code>/async&#95;select?<wbr>user&#95;id=7</code> | 1 | 1,204 | 1.00 | 100% | 108% | 84.2 |
      | <code>/async&#95;select?<wbr>user&#95;id=7</code> | 2 | 2,051 | 1.70 | 85% | 92% | 84.2 |

      - Speed-up and efficiency are relative to the smallest worker count that was measured. There are no intervals: they need several replicates (fresh server starts) of at least two worker counts.
      - The load generator ran on the same machine and shared its 4 cores with the app. The advice applies to that machine only.

      </details>

      <details><summary>More figures</summary>

      | Endpoint | Workers | p99 [ms] | Mean [ms] | p90 [ms] | Max [ms] | Requests | Statuses | Response [B] | Peak memory [MB] |
      | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | <code>/sync&#95;select?<wbr>user&#95;id=7</code> | 1 | 31.0 | 9.08 | 8.98 | 49.0 | 10,000 | 10,000 × 200 | 187 | 84.2 |
      | <code>/sync&#95;select?<wbr>user&#95;id=7</code> | 2 | 31.0 | 9.08 | 8.98 | 49.0 | 18,040 | 18,040 × 200 | 187 | 84.2 |
      | <code>/async&#95;select?<wbr>user&#95;id=7</code> | 1 | 31.0 | 9.08 | 8.98 | 49.0 | 12,040 | 12,040 × 200 | 187 | 84.2 |
      | <code>/async&#95;select?<wbr>user&#95;id=7</code> | 2 | 31.0 | 9.08 | 8.98 | 49.0 | 20,510 | 20,510 × 200 | 187 | 84.2 |

      </details>
      "
    `);
  });

  test("of cells of which some failed says so first, and never looks complete", () => {
    expect(renderComment(partlyMeasured(), { marker })).toMatchInlineSnapshot(`
      "<!-- marker -->
      ## Load test – 1 of 4 cells measured: 3 failed

      | Endpoint | Workers | Req/s | p50 [ms] | p95 [ms] | Failed | CPU/req [ms] |
      | :--- | ---: | ---: | ---: | ---: | ---: | ---: |
      | <code>/sync&#95;select?<wbr>user&#95;id=7</code> | 1 | 1,000 ± 11 | 6.99 | 15.0 | 0 | 0.900 |
      | <code>/sync&#95;select?<wbr>user&#95;id=7</code> | 2 | **failed** while starting the app: the server exited with code 3 before it was ready | – | – | – | – |
      | <code>/async&#95;select?<wbr>user&#95;id=7</code> | 1 | **failed** while seeding the database: psql: syntax error at line 3 | – | – | – | – |
      | <code>/async&#95;select?<wbr>user&#95;id=7</code> | 2 | **failed** while seeding the database: psql: syntax error at line 3 | – | – | – | – |

      **How many workers?**
      - \`/sync_select?user_id=7\`: no recommendation, because only one of the 2 worker counts has usable figures.
      - \`/async_select?user_id=7\`: no recommendation, because none of the 2 worker counts has usable figures.

      <sub>± is the 95% interval within this run; results vary more from run to run. Load per cell (one endpoint at one worker count): 8 VUs for 10 s. Software: k6 2.2.0, Postgres 18.4, Python 3.11.7, uvicorn 0.54.0 with uvloop and httptools. Machine: AMD EPYC 7763 64-Core Processor, 4 cores, GitHub Actions runner "GitHub Actions 7" (ubuntu24 \`20261101.1.0\`). [The check failed: what to do now](https://github.com/org/fastapi-loadtest-action/blob/v1/docs/red.md) · Commit \`0123456789\`</sub>

      <details><summary>Worker counts</summary>

      | Endpoint | Workers | Throughput [req/s] | Speed-up | Efficiency | CPU busy | Peak memory [MB] |
      | :--- | ---: | ---: | ---: | ---: | ---: | ---: |
      | <code>/sync&#95;select?<wbr>user&#95;id=7</code> | 1 | 1,000 | 1.00 | 100% | 90% | 84.2 |
      | <code>/sync&#95;select?<wbr>user&#95;id=7</code> | 2 | failed | – | – | – | – |
      | <code>/async&#95;select?<wbr>user&#95;id=7</code> | 1 | failed | – | – | – | – |
      | <code>/async&#95;select?<wbr>user&#95;id=7</code> | 2 | failed | – | – | – | – |

      - Speed-up and efficiency are relative to the smallest worker count that was measured. There are no intervals: they need several replicates (fresh server starts) of at least two worker counts.
      - The load generator ran on the same machine and shared its 4 cores with the app. The advice applies to that machine only.

      </details>

      <details><summary>More figures</summary>

      | Endpoint | Workers | p99 [ms] | Mean [ms] | p90 [ms] | Max [ms] | Requests | Statuses | Response [B] | Peak memory [MB] |
      | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | <code>/sync&#95;select?<wbr>user&#95;id=7</code> | 1 | 31.0 | 9.08 | 8.98 | 49.0 | 10,000 | 10,000 × 200 | 187 | 84.2 |

      </details>

      <details><summary>failed: <code>/sync_select?user_id=7</code>, 2 workers</summary>

      **failed** while starting the app: the server exited with code 3 before it was ready

      \`\`\`text
      INFO: Started
      ModuleNotFoundError: No module named 'app'
      \`\`\`

      </details>

      <details><summary>failed: 2 cells</summary>

      **failed** while seeding the database: psql: syntax error at line 3

      \`\`\`text
      ERROR: x
      \`\`\`

      </details>
      "
    `);
  });

  test("of cells that all failed, were cancelled, are missing or invalid", () => {
    expect(renderComment(nothingMeasured(), { marker })).toMatchInlineSnapshot(`
      "<!-- marker -->
      ## Load test – 0 of 4 cells measured: 1 failed, 1 cancelled, 1 missing, 1 invalid

      | Endpoint | Workers | Req/s | p50 [ms] | p95 [ms] | Failed |
      | :--- | ---: | ---: | ---: | ---: | ---: |
      | <code>/sync&#95;select?<wbr>user&#95;id=7</code> | 1 | **failed** while starting the app: the server exited with code 3 before it was ready | – | – | – |
      | <code>/sync&#95;select?<wbr>user&#95;id=7</code> | 2 | **cancelled**: stopped before it was complete | – | – | – |
      | <code>/async&#95;select?<wbr>user&#95;id=7</code> | 1 | **missing**: no result came back | – | – | – |
      | <code>/async&#95;select?<wbr>user&#95;id=7</code> | 2 | **invalid** while reading the results: 2 results claim to belong to this cell | – | – | – |

      <sub>Planned load per cell (one endpoint at one worker count): 8 VUs for 10 s. Software: k6 2.2.0, Postgres 18.4, Python 3.11.7, uvicorn 0.54.0 with uvloop and httptools. Machine: AMD EPYC 7763 64-Core Processor, 4 cores, GitHub Actions runner "GitHub Actions 7" (ubuntu24 \`20261101.1.0\`). [The check failed: what to do now](https://github.com/org/fastapi-loadtest-action/blob/v1/docs/red.md) · Commit \`0123456789\`</sub>

      <details><summary>failed: <code>/sync_select?user_id=7</code>, 1 worker</summary>

      **failed** while starting the app: the server exited with code 3 before it was ready

      \`\`\`text
      INFO: Started
      ModuleNotFoundError: No module named 'app'
      \`\`\`

      </details>
      "
    `);
  });

  test("counts failed requests by status, and dropped iterations", () => {
    const open = cell({
      load: { kind: "rate", requestsPerSecond: 900, durationSeconds: 10, virtualUsers: 8 },
    });
    const statuses = { "200": 9_970, "503": 20, "error 1050": 10 };
    const measured = measurement({ cell: open, arm: { statuses } });
    const [replicate] = measured.replicates;
    const head = replicate?.arms.head;
    if (replicate === undefined || head === undefined) throw new Error("the example has a head");
    const blocks = head.blocks.map((block) => ({ ...block, failures: 3 }));
    const generator = { ...replicate.generator, droppedIterations: 40 };
    const comparison = comparisonOf(
      [open],
      [
        {
          ...measured,
          replicates: [{ generator, arms: { head: { ...head, blocks, sqlStatements: 20_000 } } }],
        },
      ],
    );
    expect(renderComment(comparison, { marker })).toMatchInlineSnapshot(`
      "<!-- marker -->
      ## Load test – 1 cell measured, 1 with failed requests

      | Endpoint | Workers | Req/s | p50 [ms] | p95 [ms] | Failed | CPU/req [ms] |
      | :--- | ---: | ---: | ---: | ---: | ---: | ---: |
      | \`/health\` | 1 | 1,000 ± 11 | 6.99 | 15.0 | 30 of 10,000 (20 × 503, 10 × timed out) | 0.900 |

      > [!WARNING]
      > - In 1 cell k6 could not send all requests in time, so the load was lower than requested.

      <sub>± is the 95% interval within this run; results vary more from run to run. Load per cell (one endpoint at one worker count): 900 req/s for 10 s. Software: k6 2.2.0, Postgres 18.4, Python 3.11.7, uvicorn 0.54.0 with uvloop and httptools. Machine: AMD EPYC 7763 64-Core Processor, 4 cores, GitHub Actions runner "GitHub Actions 7" (ubuntu24 \`20261101.1.0\`). Commit \`0123456789\`</sub>

      <details><summary>More figures</summary>

      | Endpoint | Workers | p99 [ms] | SQL/req | Mean [ms] | p90 [ms] | Max [ms] | Requests | Statuses | Dropped iterations | Response [B] | Peak memory [MB] |
      | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | \`/health\` | 1 | 31.0 | 2 | 9.08 | 8.98 | 49.0 | 10,000 | 9,970 × 200, 20 × 503, 10 × timed out | 40 | 187 | 84.2 |

      </details>
      "
    `);
  });

  test("shows base and head side by side where both were measured", () => {
    const measured = measurement();
    const replicates = measured.replicates.map((replicate) => ({
      ...replicate,
      arms: { head: armRecord(), base: armRecord() },
    }));
    const text = renderComment(comparisonOf([measured.cell], [{ ...measured, replicates }]), { marker });
    expect(text).toContain("| `/health` | 1 | 1,000 ± 11 → 1,000 ± 11 |");
  });

  test("names server and load only when cells differ in them", () => {
    const cells = [
      cell(),
      cell({ server: "hypercorn {app}" }),
      cell({ load: { kind: "requests", virtualUsers: 4, requests: 100 } }),
    ];
    const text = renderComment(
      comparisonOf(
        cells,
        cells.map((each) => measurement({ cell: each })),
      ),
      { marker },
    );
    expect(text).toContain("| Endpoint | Workers | Server | Load | Req/s |");
    expect(text).toContain("| `/health` | 1 | `hypercorn {app}` | `8 VUs for 10 s` |");
    expect(text).toContain(
      "Load per cell (one endpoint at one worker count): 8 VUs for 10 s, 100 requests by 4 VUs.",
    );
  });

  test("warns when cells ran on different machines, and of results left out", () => {
    const cells = [cell(), cell({ workers: 2 }), cell({ workers: 4 })];
    const xeon = environment({ cpuModel: "Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz", runner: "other" });
    const comparison = comparisonOf(cells, [
      ...cells.map((each, index) =>
        measurement({
          cell: each,
          ...(index === 1 && { environment: xeon }),
          ...(index === 2 && { environment: environment({ runner: "third" }) }),
        }),
      ),
      measurement({ cell: cell({ path: "/stranger" }) }),
    ]);
    const alert = renderComment(comparison, { marker })
      .split("\n")
      .filter((line) => line.startsWith(">"));
    expect(alert.join("\n")).toMatchInlineSnapshot(`
      "> [!WARNING]
      > - The cells were measured on 3 machines (2 with AMD EPYC 7763 64-Core Processor, 4 cores; 1 with Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz, 4 cores): throughput, latency and CPU time are not comparable between rows.
      > - Ignored a result for \`get-stranger-w1-20f5941c\`, which is not in the plan."
    `);
  });

  test("keeps a flood of warnings short", () => {
    const warnings = Array.from({ length: 30 }, (_, index) => `warning ${index}`);
    const text = renderComment({ ...allMeasured(), warnings }, { marker });
    expect(text).toContain("> - warning 18\n> - And 11 more warnings.\n\n");
  });

  test("links only to what can be nothing but an address", () => {
    const text = renderComment(allMeasured(), { marker, runUrl: "javascript:alert(1)", headSha: "abcdef0" });
    expect(text).not.toContain("](");
    expect(text).toContain("Commit `abcdef0`");
  });

  test("does without what nobody recorded", () => {
    const measured = measurement({ arm: { blocks: [{ ...oneBlock }] } });
    const { environment: _, ...unknown } = measured;
    const text = renderComment(comparisonOf([measured.cell], [{ ...unknown, commits: {} }]), { marker });
    expect(text).toContain("<sub>Load per cell (one endpoint at one worker count): 8 VUs for 10 s.</sub>");
    expect(renderSummary(comparisonOf([measured.cell], [{ ...unknown, commits: {} }]))).not.toContain(
      "Environment",
    );
  });
});

test("shows what was counted of a cell that failed, and marks it there too", () => {
  const cells = [cell(), cell({ workers: 2 })] as const;
  const counted = measurement({
    cell: cells[0],
    arm: { statuses: { "500": 10_000 }, peakMemoryBytes: undefined },
  });
  const why = failure({ phase: "load", reason: "every request failed (500)", logTail: "" });
  const comparison = comparisonOf(cells, [
    { ...counted, status: "failed", failure: why },
    measurement({ cell: cells[1] }),
  ]);
  const text = renderComment(comparison, { marker });
  expect(text).toContain("| `/health` | 1 | **failed** under load: every request failed (500) | – |");
  expect(text).toContain("| Endpoint | Workers | Result | p99 [ms] | Mean [ms] |");
  expect(text).toMatch(/\| `\/health` \| 1 \| `failed` \| 31\.0 \| 9\.08 \|.* 10,000 × 500 \| 187 \| – \|/);
  expect(text).toMatch(/\| `\/health` \| 2 \| `measured` \| 31\.0 \| 9\.08 \|/);
  expect(text).not.toContain("<summary>failed");
});

test("names three loads and counts the others", () => {
  const cells = [1, 2, 3, 4, 5].map((virtualUsers) =>
    cell({ load: { kind: "constant", virtualUsers, durationSeconds: 1 } }),
  );
  const text = renderComment(comparisonOf(cells, []), { marker });
  expect(text).toContain(
    "<sub>Planned load per cell (one endpoint at one worker count): 1 VU for 1 s, 2 VUs for 1 s, 3 VUs for 1 s, and 2 more. [The check failed",
  );
});

const oneBlock = {
  startSeconds: 0,
  seconds: 1,
  requests: 10,
  failures: 0,
  latencyTotalMs: 80,
  latencyMaxMs: 9,
};

describe("the job summary", () => {
  test("has the environment too", () => {
    const summary = renderSummary(allMeasured());
    const section = summary.slice(summary.indexOf("<details><summary>Environment"));
    expect(section).toMatchInlineSnapshot(`
      "<details><summary>Environment</summary>

      | What | Value |
      | :--- | :--- |
      | CPU | \`AMD EPYC 7763 64-Core Processor\` |
      | Cores | \`4 cores\` |
      | Memory | \`16.8 GB\` |
      | Runner | \`GitHub Actions runner "GitHub Actions 7" (ubuntu24 20261101.1.0)\` |
      | Platform | \`linux x64\` |
      | Kernel | \`6.11.0-1018-azure\` |
      | k6 | \`2.2.0\` |
      | Postgres | \`18.4\` |
      | Python | \`3.11.7\` |
      | uvicorn | \`0.54.0\` |
      | Event loop | \`uvloop\` |
      | HTTP parser | \`httptools\` |
      | FastAPI | \`0.165.0\` |
      | Node | \`20.20.0\` |
      | package fastapi | \`0.165.0\` |
      | package uvicorn | \`0.54.0\` |

      </details>
      "
    `);
  });

  test("shows where cells differ", () => {
    const cells = [cell(), cell({ workers: 2 }), cell({ workers: 4 })];
    const newer = environment({ packages: { uvicorn: "0.55.0" } });
    const summary = renderSummary(
      comparisonOf(
        cells,
        cells.map((each, index) => measurement({ cell: each, ...(index === 0 && { environment: newer }) })),
      ),
    );
    expect(summary).toContain("| uvicorn | `0.54.0` (2 cells), `0.55.0` (1 cell) |");
    expect(summary).toContain("| package fastapi | `0.165.0` |");
  });

  test("is what stands in report.md", () => {
    expect(renderMarkdownFile(allMeasured(), links)).toBe(renderSummary(allMeasured(), links));
  });

  test("has whole logs, of which the comment has the end", () => {
    const logTail = `first line\n${"x".repeat(5_000)}\nlast line`;
    const comparison = comparisonOf(
      [cell()],
      [measurement({ status: "failed", failure: { phase: "load", reason: "y".repeat(300), logTail } })],
    );
    expect(renderSummary(comparison)).toContain("first line");
    const comment = renderComment(comparison, { marker });
    expect(comment).not.toContain("first line");
    expect(comment).toContain("```text\nlast line\n```");
    expect(comment).toContain(`| **failed** under load: \`${"y".repeat(99)}…\` |`);
    expect(comment).toContain("y".repeat(300));
    const long = failure({ reason: "y".repeat(300), logTail: " \n" });
    const withoutLog = renderComment(
      comparisonOf([cell()], [measurement({ status: "failed", failure: long })]),
      { marker },
    );
    expect(withoutLog).toContain("y".repeat(300));
    expect(withoutLog).not.toContain("```");
  });
});
