import { defined } from "../lists/defined.ts";
import { isCountable } from "../model/endpoint/endpoint.ts";
import type { Instructions } from "../model/measurement/instructions.ts";
import type { Cell } from "../model/plan/cell.ts";
import { countingSeconds } from "../model/plan/minutes.ts";
import type { Workload } from "../model/workload/workload.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { countCells } from "./causes/index.ts";
import { keyOf, prepare } from "./preparation/index.ts";

type Ports = Parameters<typeof prepare>[2] &
  Parameters<typeof countCells>[2] &
  Pick<MeasurePorts, "clearResults" | "commitOf">;

/**
 * Counts the instructions of one cell's requests in both arms, and measures nothing else. Throws an `InputError` or an
 * `EnvironmentError` when the head cannot be prepared.
 */
export async function countAlone(cell: Cell, workload: Workload, ports: Ports): Promise<Instructions> {
  const unseen = isCountable(cell.endpoint)
    ? await ports.countingProblem()
    : "instructions of such requests are not counted";
  if (unseen !== undefined) return { unseen };
  await ports.clearResults();
  const head = await ports.commitOf(workload.app.folder);
  await using prepared = await prepare(workload, defined({ head }), ports);
  if (prepared.arms.base === undefined) return { unseen: prepared.loneArm?.reason ?? "there is no base" };
  ports.progress({ kind: "phase started", phase: "instructions", seconds: countingSeconds(1) });
  const found = await countCells([cell], prepared, ports);
  return found.get(keyOf(cell)) ?? { unseen: "it was cancelled" };
}
