import { EnvironmentError } from "../errors/errors.ts";
import type { Reporting } from "../model/workload/workload.ts";
import type { ReportPorts } from "../ports/report.ts";
import { renderCsv } from "../report/csv.ts";
import { renderHtml } from "../report/html.ts";
import { renderJunit } from "../report/junit.ts";
import { renderMarkdownFile } from "../report/markdown.ts";
import { pageDataOf } from "../report/page/page-data.ts";
import type { Results } from "./compared-results.ts";

/** Paths of what was written, empty where that was not possible. */
export interface ReportFiles {
  readonly markdown: string;
  readonly html: string;
  readonly error: EnvironmentError | undefined;
}

/** Writes the report's forms into the results folder. `figures`: text of `figures.json`. */
export async function saveReportFiles(
  { comparison, measurements }: Results,
  figures: string,
  { planText }: Reporting,
  { links, readPageScript, save }: ReportPorts,
): Promise<ReportFiles> {
  try {
    // What was reported on, so that the folder's documents tell the whole story to whoever reads them next.
    if (planText !== undefined) await save("plan.json", planText);
    const markdown = await save("report.md", renderMarkdownFile(comparison, links));
    const page = { ...(await readPageScript()), data: pageDataOf(comparison, measurements) };
    const html = await save("report.html", renderHtml(comparison, links, page));
    await save("figures.json", `${figures}\n`);
    await save("results.csv", renderCsv(comparison));
    await save("junit.xml", renderJunit(comparison));
    return { markdown, html, error: undefined };
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return { markdown: "", html: "", error };
  }
}
