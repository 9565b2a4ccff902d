import type { RawInputs } from "../config/inputs.ts";
import { InputError } from "../errors/errors.ts";
import { parseCorrecting } from "../forge/posting/inputs.ts";
import type { RunPorts } from "../ports/run.ts";
import { exitStatusOf } from "../report/facts/outcome.ts";
import { compareResults } from "./compared-results.ts";
import { reportNothing } from "./forge-outcomes.ts";
import { publish } from "./publication.ts";
import { readRequest } from "./request.ts";

type Ports = Pick<RunPorts, "request" | "reportPorts">;

/** Compares the results in a folder and publishes the report. Returns the exit status. */
export async function report(raw: RawInputs, ports: Ports): Promise<number> {
  const { reporting } = await readRequest("report", raw, ports.request).catch(async (error: unknown) => {
    if (error instanceof InputError) await correctComment(raw, ports);
    throw error;
  });
  const reportPorts = ports.reportPorts(reporting);
  const results = await compareResults(reporting, reportPorts);
  await publish(results, reporting, reportPorts);
  return exitStatusOf(results.comparison);
}

/** Corrects the comment after wrong inputs: it must not go on announcing a measurement. */
async function correctComment(raw: RawInputs, ports: Ports): Promise<void> {
  const correcting = parseCorrecting(raw);
  if (correcting !== undefined) await reportNothing(correcting, ports.reportPorts({ resultsDirectory: "." }));
}
