import type { Reporting } from "../model/workload/workload.ts";
import type { ReportPorts } from "../ports/report.ts";
import { checkRunOfNothing } from "../report/forge/check-run.ts";
import { renderNoReport } from "../report/forge/no-report.ts";
import { makeCheckRun } from "./check-run.ts";
import { commentEvent } from "./comment-event.ts";

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
