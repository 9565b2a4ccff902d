import { describe, expect, test } from "vitest";

import { cell } from "../../../fixtures/measurement.ts";
import { commits, comparedOf, design, effect, loneArm, mixed, open, row, versus } from "../../compared.ts";
import { renderComment, renderSummary } from "../../forms.ts";

const marker = "<!-- marker -->";
const at = cell();

test("a comment on base against head", () => {
  expect(renderComment(mixed(), { marker })).toMatchInlineSnapshot(`
    "<!-- marker -->
    ## 1 endpoint got slower (\`/users/{id}\`, −9.8%); 2 could not be compared; 1 got faster; 1 is new; 1 was removed

    \`/users/{id}\` **is 9.8% slower** (99% interval 9.2 to 10.4%, 1 worker). Each request runs 3 SQL statements instead of 2. Each request takes 0.097 ms more CPU (0.900 → 0.997 ms). Look at what this pull request adds to this endpoint's code path.

    <details><summary>Measure it again</summary>

    After a fix, committed or not, run this in a checkout of the pull request. It takes about a minute and shows whether the slowdown is gone.

    \`\`\`text
    npx --yes https://github.com/org/fastapi-loadtest-action/releases/download/v1.0.0/fastapi-loadtest.tgz again get-users-id-w1-9f6dd4ac --reported-slowdown 9.2% --base-ref abc1234567
    \`\`\`

    </details>

    \`/orders?limit=50\` **is 25% faster** (99% interval 24 to 26%, 1 worker).

    | Endpoint | Workers | Change | \`−50%   0   +50%\` | Req/s | p95 [ms] | Failed |
    | :--- | ---: | :--- | :--- | ---: | ---: | ---: |
    | \`/users/{id}\` | 1 | **−9.8%** | \`······●┆·······\` | 1,000 → 902 | 15.0 → 16.7 | 0% |
    | \`/users/{id}\` | 2 | **−1.6%**, small | \`······●┆·······\` | 1,804 → 1,776 | 15.0 → 15.3 | 0% |
    | <code>/orders?<wbr>limit=50</code> | 1 | **+25%** | \`·······┆··●━···\` | 410 → 512 | 15.0 → 12.0 | 0% |
    | <code>/orders?<wbr>limit=50</code> | 2 | none (±0.8%) | \`·······●·······\` | 801 → 803 | 15.0 | 0% |
    | \`/search?q=a\` | 1 | **incon&shy;clusive** (−3.1% ± 4.2) | \`······━●·······\` | 120 → 116 | 15.0 → 15.6 | 0% |
    | \`/search?q=a\` | 2 | **invalid** |  | 1,000 → 1,000 | 15.0 | 0% → 4% |
    | \`/new\` | 1 | **new** |  | 1,000 | 15.0 | 0% |
    | \`/old\` | 1 | **removed** |  | 1,000 | 15.0 | 0% |
    | \`/broken\` | 1 | **failed** | – | – | – | – |

    - **failed** \`/broken\`, 1 worker, while starting the app: the server exited with code 3 before it was ready
    - **invalid** \`/search?q=a\`, 2 workers: statuses: 100% of the base's responses and 96% of the head's had status 200.
    - **inconclusive** \`/search?q=a\`, 1 worker: the change may be anything from −7.3% to +1.1%. About 3 more minutes should settle it: set \`max-minutes\` to 23. This cell does not fail the check.

    **How many workers?**
    - \`/users/{id}\`: 2 workers (1,776 req/s, 1.97 times the throughput of 1 worker). Higher counts were not measured. 2 workers need 84.2 MB of memory (of 16.8 GB). Over 99% certain.
    - \`/orders?limit=50\`: 2 workers (803 req/s, 1.57 times the throughput of 1 worker). Higher counts were not measured. 2 workers need 84.2 MB of memory (of 16.8 GB). The CPU was only 36% busy, so with more than 8 virtual users, a different count may be best. Over 99% certain.
    - \`/search?q=a\`: no recommendation, because only one of the 2 worker counts has usable figures.

    <sub>Base \`abc1234\` and head \`0123456\` took turns on one machine. If nothing differs, the chance that this report shows a change of any kind is at most 1%. [The check failed: what to do now](https://github.com/org/fastapi-loadtest-action/blob/v1/docs/red.md) · [How this works](https://github.com/org/fastapi-loadtest-action/blob/v1/docs/doubt.md)</sub>

    <details><summary>Evidence</summary>

    - **new** \`/new\`, 1 worker: the base returns 404.
    - **removed** \`/old\`, 1 worker: the head returns 404.

    </details>

    <details><summary>Worker counts</summary>

    | Endpoint | Workers | Throughput [req/s] | Speed-up | Efficiency | CPU busy | Peak memory [MB] |
    | :--- | ---: | ---: | ---: | ---: | ---: | ---: |
    | \`/users/{id}\` | 1 | 902 | 1.00 | 100% | 90% | 86.1 |
    | \`/users/{id}\` | 2 | 1,776 | 1.97 (1.96 to 1.98) | 98% (98% to 99%) | 80% | 84.2 |
    | <code>/orders?<wbr>limit=50</code> | 1 | 512 | 1.00 | 100% | 37% | 84.2 |
    | <code>/orders?<wbr>limit=50</code> | 2 | 803 | 1.57 (1.56 to 1.58) | 78% (78% to 79%) | 36% | 84.2 |
    | \`/search?q=a\` | 1 | 116 | 1.00 | 100% | 10% | 84.2 |
    | \`/search?q=a\` | 2 | invalid: statuses: 100% of the base's responses and 96% of the head's had status 200 | – | – | – | – |

    - Speed-up and efficiency are relative to the smallest worker count that was measured. The 95% intervals over the replicates (fresh server starts) are in parentheses. Speed-up compares geometric means over the replicates, so it may not equal the ratio of the throughputs shown.
    - The load generator ran on the same machine and shared its 4 cores with the app. The advice applies to that machine only.

    </details>

    <details><summary>More figures</summary>

    | Endpoint | Workers | Change | p50 [ms] | p95 [ms] | p99 [ms] | CPU/req [ms] | SQL/req | Rate [req/s] | p50 at rate [ms] | p95 at rate [ms] | p99 at rate [ms] | Rows/req | Blocks/req | Response [B] | Data [kB/s] | Peak memory [MB] | Replicates |
    | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | \`/users/{id}\` | 1 | −9.8% ± 0.6 | 6.99 → 7.73 | 15.0 → 16.7 | 31.0 → 34.3 | 0.900 → 0.997 (+10.8% ± 0.4) | 2 → 3 | 600 | 5.00 → 5.50 (+10% ± 3) | 9.00 → 9.90 (+11% ± 4) | 20.0 → 22.0 | 3 → 4 | 9 → 12 | 187 | 187 → 169 | 84.2 → 86.1 | 8 of 12 |
    | \`/users/{id}\` | 2 | −1.6% ± 0.8 | 6.99 → 7.13 | 15.0 → 15.3 | 31.0 → 31.3 | 0.900 → 0.900 (−0.1% ± 0.4) | – | – | – | – | – | – | – | 187 | 337 → 332 | 84.2 → 84.2 | 8 of 12 |
    | <code>/orders?<wbr>limit=50</code> | 1 | +25% ± 1 | 6.99 → 5.61 | 15.0 → 12.0 | 31.0 → 24.9 | 0.900 → 0.729 (−19% ± 1) | – | – | – | – | – | – | – | 187 | 76.7 → 95.7 | 84.2 → 84.2 | 8 of 12 |
    | <code>/orders?<wbr>limit=50</code> | 2 | +0.2% ± 0.6 | 6.99 → 6.99 | 15.0 → 15.0 | 31.0 → 31.0 | 0.900 → 0.900 (−0.1% ± 0.4) | – | – | – | – | – | – | – | 187 | 150 → 150 | 84.2 → 84.2 | 8 of 12 |
    | \`/search?q=a\` | 1 | −3.1% ± 4.2 | 6.99 → 7.21 | 15.0 → 15.6 | 31.0 → 32.0 | 0.900 → 0.900 (−0.1% ± 0.4) | – | – | – | – | – | – | – | 187 | 22.4 → 21.7 | 84.2 → 84.2 | 12 |
    | \`/search?q=a\` | 2 | – | 6.99 → 6.99 | 15.0 → 15.0 | 31.0 → 31.0 | 0.900 → 0.900 (−0.1% ± 0.4) | – | – | – | – | – | – | – | 187 | 187 → 187 | 84.2 → 84.2 | 8 of 12 |

    The confidence level of the intervals is 95% for CPU time per request, first byte and data per second, and at least 99% for everything else. Latencies at a fixed rate are shown for context only: no verdict depends on them.

    | Endpoint | Workers | Mean [ms] | p90 [ms] | Max [ms] | Requests | Statuses |
    | :--- | ---: | ---: | ---: | ---: | ---: | ---: |
    | \`/users/{id}\` | 1 | 9.08 → 10.1 | 8.98 → 10.0 | 49.0 → 54.3 | 10,000 → 9,020 | 10,000 × 200 → 9,020 × 200 |
    | \`/users/{id}\` | 2 | 9.08 → 9.22 | 8.98 → 9.16 | 49.0 → 49.8 | 18,040 → 17,760 | 18,040 × 200 → 17,760 × 200 |
    | <code>/orders?<wbr>limit=50</code> | 1 | 9.08 → 7.27 | 8.98 → 7.21 | 49.0 → 39.2 | 4,100 → 5,120 | 4,100 × 200 → 5,120 × 200 |
    | <code>/orders?<wbr>limit=50</code> | 2 | 9.08 → 9.06 | 8.98 → 8.98 | 49.0 → 48.9 | 8,010 → 8,030 | 8,010 × 200 → 8,030 × 200 |
    | \`/search?q=a\` | 1 | 9.08 → 9.39 | 8.98 → 9.35 | 49.0 → 50.7 | 1,200 → 1,160 | 1,200 × 200 → 1,160 × 200 |
    | \`/search?q=a\` | 2 | 9.08 → 9.08 | 8.98 → 8.98 | 49.0 → 49.0 | 10,000 → 10,000 | 10,000 × 200 → 9,600 × 200, 400 × 500 |
    | \`/new\` | 1 | 9.08 | 8.98 | 49.0 | 10,000 | 10,000 × 200 |
    | \`/old\` | 1 | 9.08 | 8.98 | 49.0 | 10,000 | 10,000 × 200 |

    </details>

    <details><summary>Checks on the measurement</summary>

    Each change is the head's throughput at saturation compared with the base's. Its confidence level is at least 99%, like that of the intervals for latency at saturation, memory, start-up and the soak test. If nothing differs, the chance that this report shows a change of any kind is at most 1%. Changes under 3% count as unchanged or small. 8 to 12 replicates (fresh servers) of each version ran on one machine in alternating slices. Commits: base \`abc1234567\`, head \`0123456789\`.

    Load per cell (one endpoint at one worker count): 8 VUs at saturation, 8 VUs for 10 s. Software: k6 2.2.0, Postgres 18.4, Python 3.11.7, uvicorn 0.54.0 with uvloop and httptools.

    Machine: AMD EPYC 7763 64-Core Processor, 4 cores, GitHub Actions runner "GitHub Actions 7" (ubuntu24 \`20261101.1.0\`).

    - \`/users/{id}\`, 1 worker
      - ✓ generator: k6 used 41% of its CPUs.
    - \`/users/{id}\`, 2 workers
      - ✓ generator: k6 used 41% of its CPUs.
    - \`/orders?limit=50\`, 1 worker
      - ✓ generator: k6 used 41% of its CPUs.
    - \`/orders?limit=50\`, 2 workers
      - ✓ generator: k6 used 41% of its CPUs.
    - \`/search?q=a\`, 1 worker
      - ✓ generator: k6 used 41% of its CPUs.
    - \`/search?q=a\`, 2 workers
      - **failed:** statuses: 100% of the base's responses and 96% of the head's had status 200.

    </details>

    <details><summary>failed: <code>/broken</code>, 1 worker</summary>

    **failed** while starting the app: the server exited with code 3 before it was ready

    \`\`\`text
    INFO: Started
    ModuleNotFoundError: No module named 'app'
    \`\`\`

    </details>
    "
  `);
});

test("names changes before the table, the largest first, and counts the rest", () => {
  const rows = [-0.04, -0.2, -0.1, -0.3, -0.05, -0.06, -0.07].map((change) =>
    row({
      cell: cell({ path: `/${change}` }),
      versus: versus({ verdict: { kind: "slower" }, effects: { throughput: effect(change, 0.01) } }),
    }),
  );
  const named = renderComment(comparedOf(rows), { marker })
    .split("\n")
    .filter((line) => line.includes(" slower"));
  expect(named.slice(1, 7).map((line) => line.split(")")[0])).toEqual([
    "`/-0.3` **is 30% slower** (99% interval 29 to 31%, 1 worker",
    "`/-0.2` **is 20% slower** (99% interval 19 to 21%, 1 worker",
    "`/-0.1` **is 10% slower** (99% interval 9 to 11%, 1 worker",
    "`/-0.07` **is 7.0% slower** (99% interval 6.0 to 8.0%, 1 worker",
    "`/-0.06` **is 6.0% slower** (99% interval 5.0 to 7.0%, 1 worker",
    "2 more endpoints got slower.",
  ]);
});

test("a control says first that it is one", () => {
  const text = renderComment(comparedOf([row({ cell: at })], { design: design({ kind: "control" }) }), {
    marker,
  });
  expect(text).toContain("## Load test – A/A control (the same code twice): No endpoint got slower");
});

describe("without any base", () => {
  const log = loneArm("no base", {
    reason: "pip failed in https://a.example/x: no matching distribution",
    logTail: "ERROR: No matching distribution\n",
  });

  test("says why, and shows the head alone with the log of the base", () => {
    const rows = [row({ cell: at, loneArm: log }), row({ cell: cell({ workers: 2 }), loneArm: log })];
    expect(renderComment(comparedOf(rows), { marker })).toMatchInlineSnapshot(`
      "<!-- marker -->
      ## Load test – 2 cells measured

      No comparison: pip failed in \`https://a.example/x\`: no matching distribution

      | Endpoint | Workers | Req/s | p50 [ms] | p95 [ms] | Failed | CPU/req [ms] |
      | :--- | ---: | ---: | ---: | ---: | ---: | ---: |
      | \`/health\` | 1 | 1,000 ± 11 | 6.99 | 15.0 | 0 | 0.900 |
      | \`/health\` | 2 | 1,000 ± 11 | 6.99 | 15.0 | 0 | 0.900 |

      **How many workers?** \`/health\`: 1 worker (1,000 req/s). Going to 2 workers adds less than 2%. 1 worker needs 84.2 MB of memory (of 16.8 GB). There is only one replicate, so it is unknown how reliable this is.

      <sub>± is the 95% interval within this run; results vary more from run to run. Load per cell (one endpoint at one worker count): 8 VUs for 10 s. Software: k6 2.2.0, Postgres 18.4, Python 3.11.7, uvicorn 0.54.0 with uvloop and httptools. Machine: AMD EPYC 7763 64-Core Processor, 4 cores, GitHub Actions runner "GitHub Actions 7" (ubuntu24 \`20261101.1.0\`). Commit \`0123456789\`</sub>

      <details><summary>Worker counts</summary>

      | Endpoint | Workers | Throughput [req/s] | Speed-up | Efficiency | CPU busy | Peak memory [MB] |
      | :--- | ---: | ---: | ---: | ---: | ---: | ---: |
      | \`/health\` | 1 | 1,000 | 1.00 | 100% | 90% | 84.2 |
      | \`/health\` | 2 | 1,000 | 1.00 | 50% | 45% | 84.2 |

      - Speed-up and efficiency are relative to the smallest worker count that was measured. There are no intervals: they need several replicates (fresh server starts) of at least two worker counts.
      - The load generator ran on the same machine and shared its 4 cores with the app. The advice applies to that machine only.

      </details>

      <details><summary>More figures</summary>

      | Endpoint | Workers | p99 [ms] | Mean [ms] | p90 [ms] | Max [ms] | Requests | Statuses | Response [B] | Peak memory [MB] |
      | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      | \`/health\` | 1 | 31.0 | 9.08 | 8.98 | 49.0 | 10,000 | 10,000 × 200 | 187 | 84.2 |
      | \`/health\` | 2 | 31.0 | 9.08 | 8.98 | 49.0 | 10,000 | 10,000 × 200 | 187 | 84.2 |

      </details>

      <details><summary>no base: 2 cells</summary>

      **no base**: pip failed in \`https://a.example/x\`: no matching distribution

      \`\`\`text
      ERROR: No matching distribution
      \`\`\`

      </details>
      "
    `);
  });

  test("says three different reasons at most", () => {
    const rows = [1, 2, 3, 4, 5].map((index) =>
      row({ cell: at, loneArm: loneArm("no base", { reason: `reason ${index}` }) }),
    );
    const text = renderComment(comparedOf(rows), { marker });
    expect(text).toContain("No comparison: reason 3\n\nAnd 2 more reasons.\n\n| Endpoint");
    expect(text).not.toContain("reason 4");
  });
});

test("names a cell without its base among others", () => {
  const rows = [row({ cell: at }), row({ cell: cell({ workers: 2 }), loneArm: loneArm("no base") })];
  const text = renderComment(comparedOf(rows), { marker });
  expect(text).toContain("| `/health` | 2 | **no base** |  | 1,000 | 15.0 |");
  expect(text).toContain("- **no base** `/health`, 2 workers: the base's environment could not be set up.");
});

test("says below the table why cells failed, those of one reason together", () => {
  const failed = (workers: number, reason: string) =>
    row({
      cell: cell({ workers }),
      status: "failed",
      failure: { phase: "start app", reason, logTail: "" },
      arms: {},
    });
  const rows = [row({ cell: at }), failed(2, "port taken"), failed(4, "exit 3"), failed(8, "exit 3")];
  const text = renderComment(comparedOf(rows), { marker });
  expect(text).toContain("| `/health` | 2 | **failed** | – | – |");
  expect(text).toContain(
    "\n- **failed** `/health`, 2 workers, while starting the app: port taken\n- **failed** 2 cells, while starting the app: exit 3\n",
  );
});

test("shows failed requests of either load, and dashes for what one cell does not know", () => {
  const failing = { statuses: { "200": 9_990, "503": 10 } };
  const rows = [
    row({ cell: at, arm: failing, versus: versus({ open: { head: open(1, { failures: 3 }) } }) }),
    row({ cell: cell({ workers: 2 }), versus: versus({ open: { base: open(), head: open() } }) }),
    row({ cell: cell({ workers: 4 }), versus: versus({ gates: [] }) }),
  ];
  const text = renderSummary(comparedOf(rows));
  expect(text).toContain("| p95 [ms] | Failed |\n");
  expect(text).toContain("| 0.1% |\n");
  expect(text).toContain("| 15.0 | 0% |\n");
  expect(text).toContain("| 600 | 5.00 | 9.00 | 20.0 | 3 of 9,000 |");
  expect(text).toContain("| 600 | 5.00 → 5.00 | 9.00 → 9.00 | 20.0 → 20.0 | 0 |");
  expect(text).toContain("| – | – | – | – | – |");
});

test.for([
  [undefined, false],
  [commits.head, false],
  ["fedcba9876543210", true],
] as const)("names the commit %s beside those compared: %s", ([headSha, isNamed]) => {
  const text = renderComment(mixed(), { marker, ...(headSha !== undefined && { headSha }) });
  expect(text.includes("Pull request at `fedcba9876` · ")).toBe(isNamed);
  expect(text).toContain("Base `abc1234` and head `0123456` took turns");
});

test("more than twenty reasons are counted", () => {
  const rows = Array.from({ length: 22 }, () =>
    row({ cell: at, versus: versus({ verdict: { kind: "inconclusive", reason: "x" } }) }),
  );
  expect(renderComment(comparedOf(rows), { marker })).toContain("\n- and 2 more\n");
});
