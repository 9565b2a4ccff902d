import { type InstructionChange, instructionChange } from "../compare/instruction-change.ts";
import type { RawInputs } from "../config/inputs.ts";
import type { NonEmptyArray } from "../lists/non-empty.ts";
import { countAlone } from "../measure/count.ts";
import { makePlan } from "../model/plan/plan.ts";
import type { AppOfReport } from "../model/workload/workload.ts";
import type { RunPorts } from "../ports/run.ts";
import { fillInEndpoints, readRequest } from "./request.ts";

/**
 * The change of the instructions of one cell's requests from the base, or why it is not known. Throws an `InputError` or
 * an `EnvironmentError` when the app cannot be prepared.
 */
export async function countAll(
  raw: RawInputs,
  ports: RunPorts,
  choose: (apps: NonEmptyArray<AppOfReport>) => NonEmptyArray<AppOfReport>,
): Promise<InstructionChange | string> {
  const request = await readRequest("run", raw, ports.request);
  const [{ workload }] = choose(await fillInEndpoints(request, ports));
  const {
    cells: [cell],
    design,
  } = makePlan(workload);
  if (cell === undefined || design === undefined) return "there is nothing to compare";
  const counted = await countAlone(cell, workload, await ports.measurePorts(request.reporting, workload));
  return instructionChange(counted, design);
}
