import { existsSync, readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { makePlan } from "../../../src/engine.ts";
import { type MeasuredCase, parametersOf } from "../../cases/cases.ts";
import { readyCases } from "../../commands/cases.ts";
import { type Judgement, judgeClaims } from "../../judgement/claim-judgement.ts";
import { outcomes } from "../../judgement/claim-outcome.ts";
import { renderReportIndex } from "../../page/report-index.ts";
import { renderReportPage } from "../../page/report-page.ts";
import type { Occasion, ReportPageInput } from "../../page/report-page-input.ts";
import { caseNote } from "../../scenario/case-note.ts";
import { idsOf } from "../../scenario/scenario.ts";
import { parseScenario } from "../../scenario/scenario-parser.ts";
import { claims, measured, results } from "../published.ts";
import { names } from "./pages.ts";

const files = {
  resolve: (path: string) => path,
  isFile: (path: string) => existsSync(path) && statSync(path).isFile(),
  isFolder: (path: string) => existsSync(path) && statSync(path).isDirectory(),
  findApps: () => [],
};

const read = (path: string) => readFileSync(path, "utf8");
const occasion: Occasion = {
  size: "quick",
  date: "2026-11-22",
  machine: { cpuModel: "AMD EPYC", cores: 2, memoryBytes: 25.3e9, kernel: "6.18.44-fc-v657" },
};

/** What a page shows of each case; the documents of that run are not in the repository. */
function shownCases(
  page: string,
): ReadonlyMap<string, Pick<MeasuredCase, "figures" | "intervals" | "facts">> {
  const [, table = ""] = page.split("## What was run");
  const rows = table.split("\n").flatMap((line) => {
    const [id, note = "", ...cells] = line.slice(2, -2).split(" | ");
    if (id === undefined || !id.startsWith("`") || cells.length !== 5) return [];
    const [rate, med_ms, p95_ms, failed, reqs] = cells.map((cell) => cell.replaceAll(",", ""));
    const [rps = Number.NaN, half] = (rate ?? "").split(" ± ").map(Number);
    const loop = /event loop (\w+)/.exec(note)?.[1];
    const shown = {
      figures: {
        rps,
        med_ms: Number(med_ms),
        p95_ms: Number(p95_ms),
        failed_rate: Number.parseFloat(failed ?? "") / 100,
        reqs: Number(reqs),
      },
      intervals: half === undefined ? {} : { rps: { low: rps - half, high: rps + half } },
      facts: loop === undefined ? {} : { loop },
    };
    return [[id.replaceAll("`", ""), shown] as const];
  });
  return new Map(rows);
}

/** The page's input as far as the repository has it, with the figures as the page rounds them. */
function inputOf(report: keyof typeof names, page: string): ReportPageInput {
  const name = names[report];
  const scenario = parseScenario(name, read(`reproduce/scenarios/${name}.yml`), "quick", claims);
  const isOurs = (each: { readonly report: string }) => each.report.startsWith(report);
  const shown = shownCases(page);
  const ready = readyCases(scenario, files);
  const cases = ready.flatMap(({ of, workload }) =>
    idsOf(of).flatMap((id) => {
      const row = shown.get(id);
      const [cell] = makePlan(workload).cells;
      if (row === undefined || cell === undefined) return [];
      const { figures, intervals } = row;
      const parameters = { ...parametersOf(cell), ...of.parameters };
      return [measured(id, figures, { intervals, parameters, facts: { ...row.facts, ...of.facts } })];
    }),
  );
  return {
    ...occasion,
    name,
    title: scenario.title,
    prose: read(`reproduce/scenarios/${name}.md`),
    results: results.filter(isOurs),
    cases,
    caseNotes: Object.fromEntries(
      ready.flatMap(({ of, workload }) => idsOf(of).map((id) => [id, caseNote(of, workload)])),
    ),
    diagnosed: [],
    judgements: judgeClaims(claims, cases, scenario.claims, 2)
      .filter(isOurs)
      .map((judgement) => asWritten(judgement, page)),
    claimsOfReport: claims.filter(isOurs).length,
  };
}

/** Claims about figures that no page shows: their outcomes are taken from the page. */
const unshown = ["P08", "P09", "P16", "P17", "P21", "P22", "D02", "D03", "D04", "W16"];

function asWritten(judgement: Judgement, page: string): Judgement {
  if (!unshown.includes(judgement.id)) return judgement;
  const row = page.split("\n").find((line) => line.startsWith(`| ${judgement.id} |`)) ?? "";
  const outcome = outcomes.find((each) => row.includes(`**${each}**`)) ?? judgement.outcome;
  return { ...judgement, outcome, isExpected: outcome !== "not settled" && !row.includes("not expected") };
}

/** The lines without measured numbers, charts and findings of diagnosis. */
function wordsOf(page: string): readonly string[] {
  return page
    .replace(/## Findings of diagnosis[\s\S]*?\n(?=## )/, "")
    .replaceAll(/```mermaid[\s\S]*?```/g, "")
    .replaceAll(/^- (?:CPU|Memory|Kernel|Python|k6|Postgres|Packages): .*\n/gm, "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (line.startsWith("| ") ? maskedRow(line) : line));
}

function maskedRow(row: string): string {
  const id = row.split(" | ")[0]?.slice(2) ?? "";
  const shown = unshown.includes(id) ? row.split(" | ").slice(0, 4).join(" | ") : row;
  return shown.replaceAll(/`?(?<!\w)[−-]?\d[\d,.]*`?|`?∞`?/g, "#");
}

describe("the written pages are what the program writes", () => {
  test.for(Object.keys(names) as (keyof typeof names)[])("%s", (report) => {
    const page = read(`docs/reports/${names[report]}.md`);
    expect(wordsOf(page)).toEqual(wordsOf(renderReportPage(inputOf(report, page))));
  });

  test("and their index", () => {
    const reports = (Object.keys(names) as (keyof typeof names)[]).map((report) => {
      const { name, title, judgements } = inputOf(report, read(`docs/reports/${names[report]}.md`));
      return { name, title, judgements };
    });
    const index = read("docs/reports/README.md");
    const made = renderReportIndex({ ...occasion, reports });
    expect(wordsOf(index).toSorted()).toEqual(wordsOf(made).toSorted());
  });
});
