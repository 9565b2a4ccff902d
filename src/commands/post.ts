import { chooseArtifact, idOfReport, isReportName } from "../forge/posting/artifact.ts";
import type { Posting } from "../forge/posting/inputs.ts";
import { type MeasuredRun, pullOfRun, runProblem } from "../forge/posting/measured-run.ts";
import { readStrangersReport } from "../forge/posting/strangers-report.ts";
import type { CommentOutcome } from "../ports/forge.ts";
import type { PostPorts } from "../ports/report.ts";
import { renderComment, renderSummary } from "../report/render/markdown/comment.ts";
import { reportOf } from "../report/report.ts";
import { commentEvent, outputsOf } from "./forge-outcomes.ts";

/**
 * Posts the report that another run left as an artifact. GitHub says where it goes, and the text is rendered here, from
 * figures that passed the schema. Nothing of the other run is executed, written or shown as it is.
 */
export async function post(posting: Posting, ports: PostPorts): Promise<CommentOutcome> {
  const outcome = await postReport(posting, ports);
  ports.progress(commentEvent(outcome));
  await ports.setOutputs(outputsOf(outcome));
  return outcome;
}

async function postReport(
  { reportId }: Posting,
  { addSummary, posting: forge }: PostPorts,
): Promise<CommentOutcome> {
  if (forge.kind === "none") return forge;
  const run = await forge.readRun(forge.run.runId);
  if (run.kind === "no answer") return run.outcome;
  const problem = runProblem(forge.run, run.value);
  if (problem !== undefined) return { kind: "none", reason: problem };

  const pulls = await forge.listPulls(run.value);
  if (pulls.kind === "no answer") return pulls.outcome;
  const pull = pullOfRun(run.value, pulls.value);
  if (pull.kind === "none") return pull;

  const artifacts = await forge.listArtifacts(run.value, (name) => isReportName(name, reportId));
  if (artifacts.kind === "no answer") return artifacts.outcome;
  const chosen = chooseArtifact(reportId, artifacts.value);
  if (chosen.kind !== "artifact") return chosen;
  const documents = await forge.readArtifact(chosen.artifact);
  if (documents.kind === "no answer") return documents.outcome;
  const read = readStrangersReport(documents.value);
  if (read.kind === "refused")
    return { kind: "refused", reason: `the run's report was not produced by this action: ${read.reason}` };

  const report = reportOf(read.comparison, forge.linksOf(run.value));
  const { id: runId, runNumber, attempt, headSha } = run.value;
  await addSummary(renderSummary(report)); // also when the comment fails
  return await forge.comment({
    pullNumber: pull.number,
    state: {
      reportId: calledBy(run.value, reportId, chosen.artifact.name),
      runNumber,
      attempt,
      headSha,
      runId,
    },
    render: (marker) => renderComment(report, { marker }),
  });
}

/** Name of the comment's report: this repository's runs may choose it, a fork's may not. */
function calledBy(run: MeasuredRun, reportId: string, artifact: string): string {
  return run.headRepository?.id === run.repositoryId ? idOfReport(artifact) : reportId;
}
