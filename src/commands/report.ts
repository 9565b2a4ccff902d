import { compare } from "../compare/compare.ts";
import type { Comparison } from "../compare/comparison.ts";
import { InputError } from "../errors/errors.ts";
import { historyEntry } from "../history/history-files.ts";
import { parseMeasurements, parsePlan, planOf } from "../model/measurement/documents.ts";
import { checkOf } from "../model/plan/check.ts";
import type { Reporting } from "../model/workload/workload.ts";
import type { CommentOutcome } from "../ports/forge.ts";
import type { ReportPorts } from "../ports/report.ts";
import { annotationsOf } from "../report/annotations.ts";
import { supersededNote } from "../report/announcement.ts";
import { type CheckRun, checkRunOf, checkRunOfNothing } from "../report/check-run.ts";
import { reasonForSilence } from "../report/comment-mode.ts";
import { figuresOf } from "../report/figures.ts";
import { renderComment, renderSummary } from "../report/markdown.ts";
import { renderNoReport } from "../report/no-report.ts";
import { outcomeOf } from "../report/outcome.ts";
import { renderTerminalTable } from "../report/terminal.ts";
import { commentEvent } from "./comment-event.ts";
import { gatherCells } from "./gathered-cells.ts";
import { type Results, saveReportFiles } from "./report-files.ts";

/**
 * Reads the results, writes every form of the report, and comments where that is possible. Where the files cannot be
 * written the others still get the report; then the `EnvironmentError` is thrown.
 */
export async function report(reporting: Reporting, ports: ReportPorts): Promise<Comparison> {
  const results = await readResults(reporting, ports).catch(async (error: unknown) => {
    if (error instanceof InputError) await reportNothing(reporting, ports);
    throw error;
  });
  if (results === undefined) {
    await reportNothing(reporting, ports);
    throw new InputError(["results-folder: holds neither a plan nor a result; run `measure` first"]);
  }
  const { comparison } = results;
  const figures = JSON.stringify(figuresOf(comparison));
  const files = await saveReportFiles(results, figures, reporting, ports);
  ports.print(renderTerminalTable(comparison, ports.terminal));
  await ports.annotate(annotationsOf(comparison));
  const silence = reasonForSilence(reporting.comment, comparison);
  const outcome: CommentOutcome =
    reporting.comment === "never"
      ? { kind: "none", reason: silence ?? "" }
      : await ports.comment({
          reportId: reporting.reportId,
          ...(silence !== undefined && { silence }),
          render: (marker) => renderComment(comparison, { ...ports.links, marker }),
        });
  ports.progress(commentEvent(outcome));
  await check(reporting, (name) => checkRunOf(name, comparison, ports.links), ports);
  await keep(reporting, comparison, ports);
  await ports.setOutputs({
    verdict: outcomeOf(comparison),
    "results-folder": reporting.resultsFolder,
    markdown: files.markdown,
    html: files.html,
    comment: outcome.kind,
    "comment-url": "url" in outcome ? outcome.url : "",
    figures,
  });
  // After the comment, which more people read: on a full disk there is no summary.
  const note = outcome.kind === "newer" ? supersededNote : "";
  await ports.addSummary(note + renderSummary(comparison, ports.links));
  if (files.error !== undefined) throw files.error;
  return comparison;
}

/** Whoever asked for a check run waits for it, so that a refusal stands out. */
async function check(
  { checkRun }: Pick<Reporting, "checkRun">,
  make: (name: string) => CheckRun,
  { checkCommit, progress }: Pick<ReportPorts, "checkCommit" | "progress">,
): Promise<void> {
  if (checkRun === undefined) return;
  const outcome = await checkCommit(make(checkRun));
  const text =
    outcome.kind === "created" ? `check run made: ${outcome.url}` : `no check run: ${outcome.reason}`;
  progress({ kind: outcome.kind === "failed" ? "warning" : "step", text });
}

/** As with a check run: whoever named a branch counts on it. */
async function keep(
  { historyBranch, reportId }: Reporting,
  comparison: Comparison,
  { keepHistory, progress }: ReportPorts,
): Promise<void> {
  if (historyBranch === undefined) return;
  const outcome = await keepHistory(historyBranch, (run, mark) =>
    historyEntry(comparison, reportId, run, mark),
  );
  const text = outcome.kind === "kept" ? `history kept on ${historyBranch}` : `no history: ${outcome.reason}`;
  progress({ kind: outcome.kind === "failed" ? "warning" : "step", text });
}

/** A comment of an earlier run must not stand for this one, which has nothing to show; no new one is made of that. */
export async function reportNothing(
  reporting: Pick<Reporting, "comment" | "reportId" | "checkRun">,
  ports: Pick<ReportPorts, "comment" | "links" | "checkCommit" | "progress">,
): Promise<void> {
  const { comment, reportId } = reporting;
  if (comment !== "never") {
    const render = (marker: string) => `${marker}\n${renderNoReport(ports.links)}`;
    const outcome = await ports.comment({ reportId, isCorrection: true, render });
    ports.progress(commentEvent(outcome));
  }
  await check(reporting, (name) => checkRunOfNothing(name, ports.links), ports);
}

/** `undefined`: there is neither a plan nor a result. */
async function readResults({ planText, check }: Reporting, ports: ReportPorts): Promise<Results | undefined> {
  const documents = await ports.readCells();
  const { measurements, warnings } = parseMeasurements(documents);
  if (planText !== undefined) await gatherCells(documents, measurements, ports.save);
  const text = planText ?? (await ports.readPlan());
  const plan = text === undefined ? planOf(measurements) : parsePlan(text);
  if (plan === undefined) return undefined;
  const compared = compare(plan, measurements);
  const comparison = {
    ...compared,
    check: checkOf(compared.check, check),
    warnings: [...warnings, ...compared.warnings],
  };
  return { comparison, measurements };
}
