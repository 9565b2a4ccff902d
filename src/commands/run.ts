import type { RawInputs } from "../config/inputs.ts";
import { InputError } from "../errors/errors.ts";
import type { NonEmptyArray } from "../lists/non-empty.ts";
import { measureApps } from "../measure/measure.ts";
import type { AppOfReport, Workload } from "../model/workload/workload.ts";
import type { RunPorts } from "../ports/run.ts";
import { explainDocument } from "../report/explain/explain-document.ts";
import { explainText } from "../report/explain/explain-text.ts";
import { exitStatusOf } from "../report/facts/outcome.ts";
import { compareResults, type Results } from "./compared-results.ts";
import { planCells } from "./plan.ts";
import { publish } from "./publication.ts";
import { fillInEndpoints, readRequest, refuseTokens } from "./request.ts";

/** Plans, measures, compares and reports on one machine. Returns the exit status. */
export async function run(raw: RawInputs, ports: RunPorts, { isJson = false } = {}): Promise<number> {
  const { comparison } = await runAll(raw, ports, (apps) => apps);
  if (isJson) ports.answer(explainText(explainDocument(comparison)));
  return exitStatusOf(comparison);
}

/** The five arrows of docs/internals/architecture.md. `choose` leaves out what is not to be measured. */
export async function runAll(
  raw: RawInputs,
  ports: RunPorts,
  choose: (apps: NonEmptyArray<AppOfReport>) => NonEmptyArray<AppOfReport>,
): Promise<Results> {
  const { results, reporting, reportPorts, problems } = await measureAll(raw, ports, choose);
  await publish(results, reporting, reportPorts);

  if (problems.length > 0) throw new InputError(problems); // after the other apps' figures are shown
  return results;
}

/** The same without a report. */
export async function measureAll(
  raw: RawInputs,
  ports: RunPorts,
  choose: (apps: NonEmptyArray<AppOfReport>) => NonEmptyArray<AppOfReport>,
) {
  refuseTokens(ports.environment);
  const request = await readRequest("run", raw, ports.request);
  const apps = choose(await fillInEndpoints(request, ports));
  const workloads = apps.map(({ workload }) => workload);
  const reporting = { ...request.reporting, planText: undefined }; // `run` makes its own plan
  const measurePorts = (workload: Workload) => ports.measurePorts(reporting, workload);
  const reportPorts = ports.reportPorts(reporting);

  const plan = await planCells(apps, ports.planPorts({ forMatrix: false }));
  const { problems } = await measureApps(plan, workloads, measurePorts); // the results are on disk
  const results = await compareResults(reporting, reportPorts);
  return { results, reporting, reportPorts, problems };
}
