import { readFileSync } from "node:fs";

import { judgeClaims } from "../../judgement/claim-judgement.ts";
import type { Occasion, ReportPageInput } from "../../page/report-page-input.ts";
import { claims, measured, publishedCases, results } from "../published.ts";

/** Names of the published reports, by the beginning of their ids. */
export const names = {
  "000": "sync-and-async-endpoints",
  "001": "three-waits",
  "002": "orm-drivers",
  "003": "one-keyword",
  "004": "wsgi-and-asgi-servers",
} as const;

export const occasion: Occasion = {
  size: "quick",
  date: "2026-02-03T10:20:30Z",
  machine: { cpuModel: "Some CPU @ 2.50GHz", cores: 2, memoryBytes: 24e9, kernel: "6.1.0", k6: "v2.2.0" },
};

/** The page of a report as if its published figures had been measured, with some cases that the reports lack. */
export function pageInput(report: keyof typeof names): ReportPageInput {
  const name = names[report];
  const isOurs = (each: { readonly report: string }) => each.report.startsWith(report);
  const shown = results.filter(isOurs);
  const ids = new Set(shown.map(({ id }) => id));
  const more =
    report === "000" ? [measured("pena/sync-sleep@W=4", { rps: 160, med_ms: 1_000, p95_ms: 2_000 })] : [];
  const cases = [...publishedCases(), ...more];
  return {
    ...occasion,
    name,
    title: name,
    prose: readFileSync(`reproduce/scenarios/${name}.md`, "utf8"),
    results: shown,
    cases: cases.filter(({ id }) => ids.has(id) || more.some((each) => each.id === id)),
    caseNotes: {},
    diagnosed: [],
    judgements: judgeClaims(claims, cases).filter(isOurs),
    claimsOfReport: claims.filter(isOurs).length,
  };
}
