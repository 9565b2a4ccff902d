import { withAccepted } from "../compare/compare.ts";
import type { Comparison } from "../compare/comparison.ts";
import { EnvironmentError } from "../errors/errors.ts";
import { historyEntry } from "../history/history-line.ts";
import { defined } from "../lists/defined.ts";
import type { Reporting } from "../model/workload/workload.ts";
import type { CommentOutcome } from "../ports/forge.ts";
import type { ReportPorts } from "../ports/report.ts";
import { causesOf } from "../report/causes/causes.ts";
import type { Report } from "../report/document/report.ts";
import { figuresOf } from "../report/figures/figures.ts";
import type { Figures } from "../report/figures/figures-schema.ts";
import { reasonForSilence, supersededNote } from "../report/forge/announcement.ts";
import { annotationsOf, checkRunOf } from "../report/forge/check-run.ts";
import { suggestionsOf } from "../report/forge/suggestions.ts";
import { pageDataOf } from "../report/page/page-data.ts";
import { renderCsv } from "../report/render/csv.ts";
import { renderHtml } from "../report/render/html/page.ts";
import { renderJunit } from "../report/render/junit.ts";
import { renderComment, renderSummary } from "../report/render/markdown/comment.ts";
import { renderTerminalTable } from "../report/render/terminal/terminal.ts";
import { reportOf } from "../report/report.ts";
import { escapedJson } from "../text/json.ts";
import type { Results } from "./compared-results.ts";
import { commentEvent, makeCheckRun, outputsOf, suggestChanges } from "./forge-outcomes.ts";

/** Publishes every form of the report, even when files cannot be written: then it throws afterwards. */
export async function publish(results: Results, reporting: Reporting, ports: ReportPorts): Promise<void> {
  const { comparison } = results;
  const causes = causesOf(comparison);
  const report = reportOf(comparison, ports.links, causes);
  const figures = figuresOf(comparison, causes);
  const summary = renderSummary(report);
  const files = await saveFiles(results, { report, figures, summary }, reporting, ports);
  ports.print(renderTerminalTable(report, ports.terminal));
  await ports.annotate(annotationsOf(comparison, causes));
  // Before any request to GitHub: the results must be shown even when GitHub fails.
  const unwritten = await errorsOf(
    () =>
      ports.setOutputs({
        verdict: report.outcome,
        "results-directory": reporting.resultsDirectory,
        ...files.paths,
        figures: figuresOutput(figures, ports),
      }),
    () => ports.addSummary(summary),
  );
  const silence = reasonForSilence(reporting.comment, comparison);
  const outcome: CommentOutcome =
    reporting.comment === "never"
      ? { kind: "none", reason: silence ?? "" }
      : await ports.comment({
          reportId: reporting.reportId,
          ...defined({
            accepted: comparison.accepted && [...new Set(comparison.accepted.map(({ remark }) => remark))],
            silence,
          }),
          render: (marker) => renderComment(report, { marker }),
        });
  const isLocal = ports.links.runUrl === undefined; // nobody expects a comment there
  if (!isLocal || outcome.kind !== "none") ports.progress(commentEvent(outcome));
  await makeCheckRun(reporting, (name) => checkRunOf(name, report), ports);
  await suggestChanges(reporting, () => suggestionsOf(comparison, causes, ports.links), ports);
  await keep(reporting, comparison, ports);
  const notSet = await errorsOf(
    () => ports.setOutputs(outputsOf(outcome)),
    async () => {
      if (outcome.kind === "newer") await ports.addSummary(supersededNote);
    },
  );
  if (files.paths.html !== "") ports.print(`Report: ${files.paths.html}\n`);
  const [error] = [files.error, ...unwritten, ...notSet].filter((each) => each !== undefined);
  if (error !== undefined) throw error;
}

/** All outputs of a job may have 1 MiB for GitHub, which counts two bytes for each character, and drops more in silence. */
const mostFigureCharacters = 450_000;

/** Empty when the figures are too long for an output: a part of them would read as all. */
function figuresOutput(figures: Figures, { progress }: ReportPorts): string {
  const text = escapedJson(figures, "plain");
  if (text.length <= mostFigureCharacters) return text;
  progress({
    kind: "warning",
    text: `the \`figures\` output is empty, because its ${text.length} characters exceed GitHub's limit; use figures.json`,
  });
  return "";
}

/** Runs all writes, even after one has failed, and returns the errors: on a full disk there is still a comment. */
async function errorsOf(...writes: readonly (() => Promise<void>)[]): Promise<unknown[]> {
  const errors: unknown[] = [];
  for (const write of writes) await write().catch((error: unknown) => errors.push(error));
  return errors;
}

/** A refusal is a warning, because somebody who named a branch counts on it. */
async function keep(
  { historyBranch, reportId }: Reporting,
  comparison: Comparison,
  { keepHistory, readMergedAcceptances, progress }: ReportPorts,
): Promise<void> {
  if (historyBranch === undefined) return;
  const merged = await readMergedAcceptances();
  const accepted = merged.kind === "read" ? merged.accepted : [];
  if (merged.kind === "failed")
    progress({ kind: "step", text: `accepted slowdowns are missing from the history: ${merged.reason}` });
  const outcome = await keepHistory(historyBranch, (run, mark) =>
    historyEntry(withAccepted(comparison, accepted), reportId, run, mark),
  );
  const text =
    outcome.kind === "kept" ? `history saved on ${historyBranch}` : `no history: ${outcome.reason}`;
  progress({ kind: outcome.kind === "failed" ? "warning" : "step", text });
}

/** Writes the report's forms into the results folder; the paths are empty when that fails. */
async function saveFiles(
  { comparison, measurements }: Results,
  { report, figures, summary }: { report: Report; figures: Figures; summary: string },
  { planText }: Reporting,
  { readPageScript, save }: ReportPorts,
): Promise<{ paths: { markdown: string; html: string }; error?: EnvironmentError }> {
  try {
    // The plan that was reported on, so that the folder's documents are complete for their next reader.
    if (planText !== undefined) await save("plan.json", planText);
    const markdown = await save("report.md", summary);
    const page = { ...(await readPageScript()), data: pageDataOf(comparison, measurements) };
    const html = await save("report.html", renderHtml(report, page));
    await save("figures.json", `${JSON.stringify(figures)}\n`);
    await save("results.csv", renderCsv(figures));
    await save("junit.xml", renderJunit(report));
    return { paths: { markdown, html } };
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return { paths: { markdown: "", html: "" }, error };
  }
}
