import fc from "fast-check";
import { expect, test } from "vitest";

import type { Case } from "../../../../src/core/published/cases/cases.ts";
import type { Claim } from "../../../../src/core/published/documents/claims.ts";
import { judgeClaims } from "../../../../src/core/published/judgement/judgement.ts";
import { renderPublishedMarkdown } from "../../../../src/core/published/table/published-markdown.ts";
import { publishedTable } from "../../../../src/core/published/table/published-table.ts";
import { elementsOf, liveInProse, proseOf, toHtml, unseen } from "../../text/gfm.ts";
import { hostileText } from "../../text/hostile-text.ts";
import { claim, measured, results } from "../published.ts";

function rendered(claims: readonly Claim[], cases: readonly Case[], shown = results.slice(0, 4)): string {
  return renderPublishedMarkdown(publishedTable(shown, cases, judgeClaims(claims, cases)));
}

test("claims first, then what was published and measured", () => {
  const cases = [
    measured("pena/async-io/2", { rps: 700, avg_ms: 1_100, p95_ms: 1_300, failed_rate: 0.012 }),
    measured("pena/async-io/1", { rps: 690 }),
    { kind: "not measured", id: "pena/sync-sleep", reason: "the server exited with code 3" } as const,
    measured("junge/sync_baseline", { rps: 4 }),
  ];
  const claims = ["P01", "P03", "P04", "P31", "J05"].map(claim);
  expect(rendered(claims, cases)).toMatchInlineSnapshot(`
    "**5 claims: 1 refuted, 1 needs more cores, 3 not measurable here; 1 as expected.**

    Not as expected: J05.

    | Claim | Says | Published | Measured | Predicted | Outcome | Why |
    | :--- | :--- | ---: | ---: | ---: | :--- | :--- |
    | P01 | The async sleeping endpoint serves several times more with more workers | 3.74 | 1.01 | ratio \`min(10000/2044, W)=4.9\` at most | **needs more cores** | the ratio 1.0145 is not at least 1.8; \`pena/async-io/2\` failed 1.2 % of its requests; needs 2 cores, this machine has 1; asks for: cores \`>=\` workers \`+\` driver cores, \`VUs*1/S >\` one loop capacity |
    | P03 | The blocking endpoint serves far less than the async one for the same 1 s wait | 13.5 | – | \`10000/640=15.6\` | **not measurable here** | \`pena/sync-sleep\` was not measured: the server exited with code 3 |
    | P04 | Blocking throughput is capped by the thread pool: 40 tokens a worker over the wait | reqs 29,200 | – | 29200 (published 29200 exactly, twice) | **not measurable here** | \`pena/sync-sleep\` was not measured: the server exited with code 3 |
    | P31 | Blocking throughput grows with the worker count | – | – | 4.0 | **not measurable here** | \`pena/sync-sleep@W=4\` was not run |
    | J05 | The sync rate in absolute terms | rps 5.29 | rps 4.00 | 5.33 | **refuted**, not expected | rps 4 is not between 5 and 5.4 |

    Published figures come from other machines, and here the loads may be smaller: absolute figures are not comparable. They stand side by side to show what was run. The claims compare figures of one machine with each other.

    | Result | Published req/s | Measured req/s | Published mean [ms] | Measured mean [ms] | Published p95 [ms] | Measured p95 [ms] | Published failed | Measured failed |
    | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | \`pena/async-io/1\` | 2,044 | 690 | 4,670 | – | 5,830 | – | 0 % | – |
    | \`pena/async-io/2\` | 7,638 | 700 | 1,250 | 1,100 | 1,550 | 1,300 | 0 % | 1.2 % |
    | \`pena/sync-sleep\` | 566 | the server exited with code 3 | 13,120 | – | 18,980 | – | 0 % | – |
    | \`pena/sync-anyio\` | 588 | not run | 13,090 | – | 19,020 | – | 0 % | – |"
  `);
});

test("no line says that something is not as expected when everything is", () => {
  expect(rendered([claim("J05")], [measured("junge/sync_baseline", { rps: 5.3 })])).not.toMatch(
    /[Nn]ot (as )?expected/,
  );
});

test("whatever the texts, the tables keep their shape, and nothing in them is live", () => {
  fc.assert(
    fc.property(hostileText, hostileText, (text, reason) => {
      const made: Claim = { ...claim("P04"), text, model: { arithmetic: "", predicted: text } };
      const cases: readonly Case[] = [{ kind: "not measured", id: "pena/sync-sleep", reason }];
      const markdown = rendered(
        [made],
        cases,
        results.slice(2, 3).map((result) => ({ ...result, id: text })),
      );
      const html = toHtml(markdown);
      const elements = elementsOf(html);
      expect(elements.filter((name) => name === "tr")).toHaveLength(4);
      expect(elements.filter((name) => name === "td")).toHaveLength(7 + 9);
      const allowed = ["p", "strong", "table", "thead", "tbody", "tr", "th", "td", "code"];
      expect(elements.filter((name) => !allowed.includes(name))).toEqual([]);
      expect(proseOf(html)).not.toMatch(liveInProse);
      expect(markdown).not.toMatch(unseen);
    }),
    { numRuns: 300 },
  );
});
