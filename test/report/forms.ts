import type { Comparison } from "../../src/compare/comparison.ts";
import { figuresOf } from "../../src/report/figures/figures.ts";
import { type CheckRun, checkRunOf as checkRunOfReport } from "../../src/report/forge/check-run.ts";
import { type Links, whatToDoUrl } from "../../src/report/links.ts";
import { renderCsv as csvOf } from "../../src/report/render/csv.ts";
import { renderHtml as htmlOf, type PageScript } from "../../src/report/render/html/page.ts";
import { renderJunit as junitOf } from "../../src/report/render/junit.ts";
import {
  type CommentOptions,
  renderComment as commentOf,
  renderSummary as summaryOf,
} from "../../src/report/render/markdown/comment.ts";
import {
  type TerminalReportOptions,
  renderTerminalTable as terminalOf,
} from "../../src/report/render/terminal/terminal.ts";
import { reportOf } from "../../src/report/report.ts";

/** Our own link, in a report whose check failed. */
export const failedLink = `[The check failed: what to do now](${whatToDoUrl})`;

/** Each form of the report, from a comparison to text, as the commands make it. */
export function renderComment(comparison: Comparison, { marker, limit, ...links }: CommentOptions & Links) {
  return commentOf(reportOf(comparison, links), { marker, ...(limit !== undefined && { limit }) });
}

export function renderSummary(comparison: Comparison, links: Links = {}): string {
  return summaryOf(reportOf(comparison, links));
}

export function renderHtml(comparison: Comparison, links: Links = {}, page?: PageScript): string {
  return htmlOf(reportOf(comparison, links), page);
}

export function renderTerminalTable(comparison: Comparison, options: TerminalReportOptions): string {
  return terminalOf(reportOf(comparison), options);
}

export function renderCsv(comparison: Comparison): string {
  return csvOf(figuresOf(comparison));
}

export function renderJunit(comparison: Comparison): string {
  return junitOf(reportOf(comparison));
}

export function checkRunOf(name: string, comparison: Comparison, links: Links): CheckRun {
  return checkRunOfReport(name, reportOf(comparison, links));
}
