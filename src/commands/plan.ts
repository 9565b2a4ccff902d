import type { RawInputs } from "../config/inputs.ts";
import type { Request } from "../config/several-apps.ts";
import { exitStatus } from "../errors/exit-status.ts";
import type { RunPorts } from "../ports/run.ts";
import { cellName } from "../report/progress/result-line.ts";
import { fillInEndpoints } from "./filled-in-endpoints.ts";
import { planCells } from "./planned-cells.ts";
import { readRequest } from "./request.ts";

type Ports = Pick<RunPorts, "request" | "environment" | "endpointPorts" | "planPorts" | "print">;

/** Lists the cells. Returns the exit status. */
export async function plan(raw: RawInputs, ports: Ports): Promise<number> {
  return await planRequest(await readRequest("plan", raw, ports.request), ports);
}

export async function planRequest(request: Request, ports: Omit<Ports, "request">): Promise<number> {
  const apps = await fillInEndpoints(request, ports);
  const { cells } = await planCells(apps, ports.planPorts({ forMatrix: true }));
  ports.print(cells.map((cell) => `  ${cellName(cell)}\n`).join(""));
  return exitStatus.fine;
}
