import type { Reporting } from "../model/workload/workload.ts";
import type { ReportPorts } from "../ports/report.ts";
import type { CheckRun } from "../report/forge/check-run.ts";

/** A refusal is a warning, because somebody who asked for a check run waits for it. */
export async function makeCheckRun(
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
