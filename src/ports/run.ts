import type { Reporting, Workload } from "../model/workload/workload.ts";
import type { EndpointPorts } from "./endpoints.ts";
import type { MeasurePorts } from "./measure.ts";
import type { PlanPorts } from "./plan.ts";
import type { ReportPorts } from "./report.ts";
import type { RequestPorts } from "./request.ts";

/** Ports of the verbs that take inputs. Those for an app or a folder are made once it is known. */
export interface RunPorts {
  /** Environment variables of this process, which its children can read. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly request: RequestPorts;
  endpointPorts(reporting: Reporting, workload: Workload): EndpointPorts;
  planPorts(options: Pick<PlanPorts, "forMatrix">): PlanPorts;
  measurePorts(reporting: Reporting, workload: Workload): Promise<MeasurePorts>;
  reportPorts(reporting: Pick<Reporting, "resultsFolder">): ReportPorts;
  /** Prints a text as it is. */
  print(text: string): void;
}
