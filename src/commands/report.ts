import { type Comparison, compare } from "../core/comparison/comparison.ts";
import type { Reporting } from "../core/config/config.ts";
import { InputError } from "../core/errors.ts";
import { parseMeasurements, parsePlan, planOf } from "../core/measurement/documents.ts";
import { figuresOf } from "../core/report/figures.ts";
import { renderHtml } from "../core/report/html.ts";
import { renderComment, renderMarkdownFile, renderSummary } from "../core/report/markdown.ts";
import { outcomeOf } from "../core/report/outcome.ts";
import { renderTerminalTable } from "../core/report/terminal.ts";
import type { CommentOutcome, ReportPorts } from "../ports.ts";

/** Reads the results, writes every form of the report, and comments where that is possible. */
export async function report(reporting: Reporting, ports: ReportPorts): Promise<Comparison> {
  const comparison = await readComparison(reporting, ports);
  const figures = JSON.stringify(figuresOf(comparison));
  const markdownPath = await ports.save("report.md", renderMarkdownFile(comparison, ports.links));
  const htmlPath = await ports.save("report.html", renderHtml(comparison, ports.links));
  await ports.save("figures.json", `${figures}\n`);
  ports.print(renderTerminalTable(comparison, ports.terminal));
  await ports.addSummary(renderSummary(comparison, ports.links));
  const outcome: CommentOutcome = reporting.comment
    ? await ports.comment({
        reportId: reporting.reportId,
        render: (marker) => renderComment(comparison, { ...ports.links, marker }),
      })
    : { kind: "none", reason: "the input `comment` is false" };
  tell(outcome, ports);
  await ports.setOutputs({
    verdict: outcomeOf(comparison),
    "results-folder": reporting.resultsFolder,
    markdown: markdownPath,
    html: htmlPath,
    comment: outcome.kind,
    "comment-url": "url" in outcome ? outcome.url : "",
    figures,
  });
  return comparison;
}

async function readComparison({ planText }: Reporting, ports: ReportPorts): Promise<Comparison> {
  const { measurements, warnings } = parseMeasurements(await ports.readCells());
  const text = planText ?? (await ports.readPlan());
  const plan = text === undefined ? planOf(measurements) : parsePlan(text);
  if (plan === undefined) {
    throw new InputError(["results-folder: holds neither a plan nor a result; run `measure` first"]);
  }
  const comparison = compare(plan, measurements);
  return { ...comparison, warnings: [...warnings, ...comparison.warnings] };
}

function tell(outcome: CommentOutcome, { progress }: ReportPorts): void {
  const isRefused = outcome.kind === "forbidden" || outcome.kind === "failed";
  progress({ kind: isRefused ? "warning" : "step", text: wordsOf(outcome) });
}

function wordsOf(outcome: CommentOutcome): string {
  switch (outcome.kind) {
    case "created":
    case "updated":
      return `comment ${outcome.kind}: ${outcome.url}`;
    case "newer":
      return `a newer run has already commented: ${outcome.url}`;
    default:
      return `no comment: ${outcome.reason}`;
  }
}
