import { expect, test } from "vitest";

import { judgeClaims } from "../../judgement/claim-judgement.ts";
import { publishedTable } from "../../table/published-table.ts";
import { reproductionJson } from "../../table/reproduction-json.ts";
import { occasion } from "../page/pages.ts";
import { claim, measured, results } from "../published.ts";

test("holds claims with their outcomes, results and the occasion, and is JSON whatever the figures", () => {
  const cases = [
    measured("wsgi/gunicorn-sync-2/db25", { rps: 106, blocked_p95_ms: 0.3 }),
    measured("wsgi/uvicorn-async-2/db25", { rps: 212, blocked_p95_ms: 0 }),
  ];
  const shown = results.filter(({ id }) => id === "wsgi/gunicorn-sync-2/db25");
  const judgements = judgeClaims([claim("W16"), claim("W13")], cases);
  const about = { ...occasion, name: "wsgi-and-asgi-servers", title: "T", claimsOfReport: 17 };
  const text = reproductionJson({ ...about, ...publishedTable(shown, cases, judgements) });
  expect(JSON.parse(text)).toMatchObject({
    version: 1,
    name: "wsgi-and-asgi-servers",
    size: "quick",
    machine: { cores: 2 },
    claimsOfReport: 17,
    totals: { claims: 2 },
    claims: [
      { id: "W16", outcome: "confirmed", measuredRatio: "Infinity", measuredLeft: 0.3, measuredRight: 0 },
      { id: "W13", outcome: "not measurable here" },
    ],
    results: [{ id: "wsgi/gunicorn-sync-2/db25", measured: { rps: 106 } }],
  });
  expect(text.endsWith("}\n")).toBe(true);
});
