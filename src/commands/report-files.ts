import { EnvironmentError } from "../errors/errors.ts";
import type { Reporting } from "../model/workload/workload.ts";
import type { ReportPorts } from "../ports/report.ts";
import type { Report } from "../report/document/report.ts";
import type { Figures } from "../report/figures/figures-schema.ts";
import { pageDataOf } from "../report/page/page-data.ts";
import { renderCsv } from "../report/render/csv.ts";
import { renderHtml } from "../report/render/html/page.ts";
import { renderJunit } from "../report/render/junit.ts";
import type { Results } from "./compared-results.ts";

/** Paths of the written files; empty when they could not be written. */
export interface ReportFiles {
  readonly markdown: string;
  readonly html: string;
  readonly error: EnvironmentError | undefined;
}

/** Results with the report, the figures and the summary, each computed once. */
interface ToldResults extends Results {
  readonly report: Report;
  readonly figures: Figures;
  readonly summary: string;
}

/** Writes the report's forms into the results folder. */
export async function saveReportFiles(
  { comparison, measurements, report, figures, summary }: ToldResults,
  { planText }: Reporting,
  { readPageScript, save }: ReportPorts,
): Promise<ReportFiles> {
  try {
    // The plan that was reported on, so that the folder's documents are complete for their next reader.
    if (planText !== undefined) await save("plan.json", planText);
    const markdown = await save("report.md", summary);
    const page = { ...(await readPageScript()), data: pageDataOf(comparison, measurements) };
    const html = await save("report.html", renderHtml(report, page));
    await save("figures.json", `${JSON.stringify(figures)}\n`);
    await save("results.csv", renderCsv(figures));
    await save("junit.xml", renderJunit(report));
    return { markdown, html, error: undefined };
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return { markdown: "", html: "", error };
  }
}
