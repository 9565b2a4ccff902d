import type { RunPorts } from "../ports/run.ts";
import { endpointPorts } from "./endpoints.ts";
import { measurePorts } from "./measure.ts";
import { planPorts } from "./plan.ts";
import { reportPorts } from "./report.ts";
import { requestPorts } from "./request.ts";
import type { Shared } from "./shared.ts";

export function runPorts(shared: Shared): RunPorts {
  return {
    environment: shared.environment,
    request: requestPorts(shared),
    endpointPorts: (reporting, workload) => endpointPorts(reporting, workload, shared),
    planPorts: (options) => planPorts(options, shared),
    measurePorts: (reporting, workload) => measurePorts(reporting, workload, shared),
    reportPorts: (reporting) => reportPorts(reporting, shared),
    print: (text) => shared.terminal.finish(text),
    answer: shared.answer,
  };
}
