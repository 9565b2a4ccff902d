import type { Workload } from "../model/workload/workload.ts";
import type { ServerCommand } from "../ports/app.ts";

/**
 * What goes with each start of an app's server. It runs on the CPUs of the others: jobs that one arm left would
 * otherwise slow down the other one's slices.
 */
export function besideServer(
  { services, processes }: Pick<Workload, "services" | "processes">,
  variables: Readonly<Record<string, string>>,
  cpus: string | undefined,
): Pick<ServerCommand, "wanted" | "companions"> {
  return {
    ...(services !== undefined && { wanted: { services, cpus } }),
    ...(processes !== undefined && { companions: { companions: processes, variables, cpus } }),
  };
}
