import type { Reporting } from "../model/workload/workload.ts";
import type { CommentOutcome } from "../ports/forge.ts";
import type { ProgressEvent } from "../ports/progress.ts";
import type { ReportPorts } from "../ports/report.ts";
import { type CheckRun, checkRunOfNothing, renderNoReport } from "../report/forge/check-run.ts";
import type { Suggestion } from "../report/forge/suggestions.ts";

/** The event of a comment while a command runs: a warning when it was refused. */
export function commentEvent(outcome: CommentOutcome): ProgressEvent {
  const isRefused = "reason" in outcome && outcome.kind !== "none";
  return { kind: isRefused ? "warning" : "step", text: commentWords(outcome) };
}

export function outputsOf(outcome: CommentOutcome): Readonly<Record<string, string>> {
  return { comment: outcome.kind, "comment-url": "url" in outcome ? outcome.url : "" };
}

export function commentWords(outcome: CommentOutcome): string {
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

/** A refusal is a warning, because somebody who named a check run waits for it. */
export async function makeCheckRun(
  { checkRun }: Pick<Reporting, "checkRun">,
  make: (name: string) => CheckRun,
  { checkCommit, progress }: Pick<ReportPorts, "checkCommit" | "progress">,
): Promise<void> {
  if (checkRun === undefined) return;
  const outcome = await checkCommit(make(checkRun));
  const text =
    outcome.kind === "created" ? `check run created: ${outcome.url}` : `no check run: ${outcome.reason}`;
  progress({ kind: outcome.kind === "failed" ? "warning" : "step", text });
}

/** A refusal is a warning, because somebody set the input. Without a certain remedy nothing is requested. */
export async function suggestChanges(
  { reviews }: Pick<Reporting, "reviews">,
  make: () => readonly Suggestion[],
  { suggest, progress }: Pick<ReportPorts, "suggest" | "progress">,
): Promise<void> {
  const suggestions = reviews === true ? make() : [];
  if (suggestions.length === 0) return;
  const outcome = await suggest(suggestions);
  const text =
    outcome.kind === "created"
      ? `posted a suggestion on the line: ${outcome.url}`
      : `no suggestion: ${outcome.reason}`;
  progress({ kind: outcome.kind === "failed" ? "warning" : "step", text });
}

/** Rewrites a comment of an earlier run, which must not pass for a result of this one. Makes no new comment. */
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
  await makeCheckRun(reporting, (name) => checkRunOfNothing(name, ports.links), ports);
}
