import type { Request } from "../config/several-apps.ts";
import { namingApp } from "../errors/errors.ts";
import { isNonEmpty, type NonEmptyArray } from "../lists/non-empty.ts";
import { discoverEndpoints, readFiles } from "../measure/preparation/index.ts";
import type { AppOfReport, Workload } from "../model/workload/workload.ts";
import type { RunPorts } from "../ports/run.ts";
import { refuseTokens } from "./request.ts";

/** The apps with all endpoints filled in, and with the services and users that other files name. */
export async function fillInEndpoints(
  { apps, reporting }: Request,
  ports: Pick<RunPorts, "environment" | "endpointPorts">,
): Promise<NonEmptyArray<AppOfReport>> {
  const filledIn = async (workload: Workload): Promise<Workload> => {
    if (workload.discovery !== undefined) refuseTokens(ports.environment); // the app's code runs, whatever the verb
    const endpointPorts = ports.endpointPorts(reporting, workload);
    return await discoverEndpoints(await readFiles(workload, endpointPorts), endpointPorts);
  };
  const filled: AppOfReport[] = [];
  for (const app of apps) {
    try {
      filled.push({ ...app, workload: await filledIn(app.workload) });
    } catch (error) {
      throw apps.length > 1 ? namingApp(error, app.workload.name ?? "") : error;
    }
  }
  if (!isNonEmpty(filled)) throw new Error("only `report` may have no app");
  return filled;
}
