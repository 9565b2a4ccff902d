import { expect, test } from "vitest";
import { toHtml } from "../../../test/text/gfm.ts";
import { renderReportIndex } from "../../page/report-index.ts";
import { names, occasion, pageInput } from "./pages.ts";

const reports = (["000", "001", "002", "003", "004"] as const).map((report) => ({
  ...pageInput(report),
  title: `Report ${report}`,
}));

test("a row for each report and the totals over all claims", () => {
  expect(renderReportIndex({ ...occasion, reports })).toMatchInlineSnapshot(`
    "# Published reports, run again

    5 published reports on synchronous and asynchronous Python servers, run again. Of 75 claims, 64 were confirmed, 3 were refuted and 8 could not be measured here. As expected beforehand came out 65 of them; not as expected: W11, W13.

    | Report | Claims | confirmed | refuted | needs more cores | not measurable here | as expected |
    | :--- | ---: | ---: | ---: | ---: | ---: | ---: |
    | [Report 000](sync-and-async-endpoints.md) | 32 | 30 | 0 | 0 | 2 | 30 |
    | [Report 001](three-waits.md) | 10 | 8 | 1 | 0 | 1 | 9 |
    | [Report 002](orm-drivers.md) | 8 | 3 | 1 | 0 | 4 | 4 |
    | [Report 003](one-keyword.md) | 8 | 6 | 1 | 0 | 1 | 7 |
    | [Report 004](wsgi-and-asgi-servers.md) | 17 | 17 | 0 | 0 | 0 | 15 |
    | **All** | 75 | 64 | 3 | 0 | 8 | 65 |

    A claim that needs more cores could not show here. Its page lists what it needs.

    ## Machine

    - Date: \`2026-02-03\`
    - Size: quick, loads and data scaled down so that the ratios survive
    - CPU: Some CPU @ 2.50GHz, 2 cores
    - Memory: 24.0 GB
    - Kernel: 6.1.0
    - k6: v2.2.0

    ## Run them again

    \`\`\`text
    node dist/reproduce.js all --size quick
    \`\`\`

    Written by \`reproduce\`. Manual changes are lost.
    "
  `);
});

test("links to the pages", () => {
  const html = toHtml(renderReportIndex({ ...occasion, reports }));
  for (const name of Object.values(names)) expect(html).toContain(`<a href="${name}.md">`);
});
