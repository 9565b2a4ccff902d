import { describe, expect, test } from "vitest";

import { judgeClaims } from "../../judgement/claim-judgement.ts";
import { claimRow } from "../../table/claim-row.ts";
import { publishedTable, totalsLine } from "../../table/published-table.ts";
import { claim, claims, measured, results } from "../published.ts";

const cases = [
  measured("pena/async-io/2", { rps: 700, avg_ms: 1_100 }, { intervals: { rps: { low: 690, high: 710 } } }),
  measured("pena/async-io/1", { rps: 680 }, { intervals: { rps: { low: 670, high: 690 } } }),
  measured("junge/sync_baseline", { rps: 5.3, med_ms: 76_123 }),
  measured("wsgi/gunicorn-sync-2/db25", { blocked_p95_ms: 0.3 }),
  measured("wsgi/uvicorn-async-2/db25", { blocked_p95_ms: 0 }),
  { kind: "not measured", id: "pena/sync-sleep", reason: "the server exited with code 3" } as const,
];

describe("publishedTable", () => {
  const table = publishedTable(results, cases, judgeClaims(claims, cases));

  test("has a row for every published result, in order", () => {
    expect(table.results.map(({ id }) => id)).toEqual(results.map(({ id }) => id));
  });

  test.for([
    { id: "pena/async-io/2", measured: { rps: 700, avg_ms: 1_100 }, reason: "" },
    { id: "pena/sync-sleep", measured: undefined, reason: "the server exited with code 3" },
    { id: "pena/sync-anyio", measured: undefined, reason: "not run" },
  ])("$id", ({ id, ...expected }) => {
    const row = table.results.find((each) => each.id === id);
    expect(row).toMatchObject(expected);
    expect(row?.published).toHaveProperty("rps");
  });

  test("counts outcomes", () => {
    expect(table.totals).toEqual({
      claims: 75,
      outcomes: {
        confirmed: 3,
        refuted: 0,
        "not settled": 0,
        "needs more cores": 1,
        "not measurable here": 71,
      },
      expected: 4,
      unexpected: [],
    });
    expect(totalsLine(table.totals)).toBe(
      "75 claims: 3 confirmed, 1 needs more cores, 71 not measurable here; 4 as predicted",
    );
  });

  test("names what came out otherwise", () => {
    const slow = [measured("junge/sync_baseline", { rps: 4 })];
    const { totals } = publishedTable([], slow, judgeClaims([claim("J05")], slow));
    expect(totals).toMatchObject({ claims: 1, expected: 0, unexpected: ["J05"] });
    expect(totalsLine(totals)).toBe("1 claim: 1 refuted; 0 as predicted");
  });

  test("of nothing", () => {
    const { totals } = publishedTable([], [], []);
    expect(totalsLine(totals)).toBe("0 claims: none judged; 0 as predicted");
  });
});

describe("claimRow", () => {
  const spreads = [
    measured("patel/users-async", { max_ms: 300, avg_ms: 200 }),
    measured("patel/users-sync", { max_ms: 500, avg_ms: 300 }),
  ];
  const overrides = { P01: { predicted: { low: 0.9, high: "2 - 0.9" } }, J05: { predicted: 5.333 } };
  const judgements = judgeClaims(claims, [...cases, ...spreads], overrides);
  const row = (id: string) => judgements.filter((each) => each.id === id).map(claimRow)[0];

  test.for([
    { id: "P01", published: "3.74", measured: "1.03 (1.01 to 1.05)", predicted: "0.900 to 1.10" },
    { id: "P02", published: "0.266", measured: "–", predicted: "(1.0..1.6)/5.0=0.2..0.32" },
    { id: "P31", published: "–", measured: "–", predicted: "4.0" },
    { id: "J05", published: "rps 5.29 (not comparable)", measured: "rps 5.30", predicted: "5.33" },
    {
      id: "J06",
      published: "med_ms 76,000 (not comparable)",
      measured: "med_ms 76,123",
      predicted: "76..90 s by split",
    },
    { id: "K04", published: "rps 0.170 (not comparable)", measured: "–", predicted: "0.1667" },
    { id: "P30", published: "failed_rate 0", measured: "–", predicted: "0" },
    { id: "D04", published: "–", measured: "0.500", predicted: "printed numbers say the opposite" },
    { id: "W16", published: "178", measured: "∞", predicted: "> 10" },
  ])("$id: $measured", ({ id, ...expected }) => {
    expect(row(id)).toMatchObject({ id, text: claim(id).text, ...expected });
  });

  test("says an interval without an upper end as such", () => {
    const sides = [
      measured("pena/async-io/2", { rps: 700 }, { intervals: { rps: { low: 650, high: 750 } } }),
      measured("pena/async-io/1", { rps: 100 }, { intervals: { rps: { low: 0, high: 200 } } }),
    ];
    expect(judgeClaims([claim("P01")], sides).map((each) => claimRow(each).measured)).toEqual([
      "7.00 (3.49 to ∞)",
    ]);
  });

  test("says the outcome and why", () => {
    expect(row("P01")).toMatchObject({
      outcome: "needs more cores",
      isExpected: true,
      reason: expect.stringMatching(/^the ratio 1\.0294 is not at least 1\.8; needs 2 cores, /),
    });
  });
});
