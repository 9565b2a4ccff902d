import type { RepositoryChanges } from "../diagnosis/reach/changed-files.ts";
import { parseReachDocuments } from "../diagnosis/reach/reach-documents.ts";
import type { Ran } from "../diagnosis/reach/reached.ts";
import { EnvironmentError } from "../errors/errors.ts";
import type { NonEmptyArray } from "../lists/non-empty.ts";
import { stepsOf } from "../model/endpoint/endpoint.ts";
import type { ArmName } from "../model/measurement/measurement.ts";
import type { Cell } from "../model/plan/cell.ts";
import type { Probe } from "../ports/app.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { materialsFor } from "./materials.ts";
import type { Prepared, PreparedArm } from "./prepared.ts";
import { type RunningArm, runningArmOf, withRunningArms } from "./running-arms.ts";

/** Requests to each endpoint of each arm: what is remembered after the first ones is met, too. */
const requestsEach = 12;

export interface WatchedArm {
  readonly documents: Ran[ArmName];
  /** Requests by endpoint, where all were answered well. */
  readonly answered: ReadonlyMap<string, number>;
}

/** Starts one arm with one worker, watched, and sends each endpoint some requests. */
export async function watchArm(
  arm: ArmName,
  cells: NonEmptyArray<Cell>,
  changes: RepositoryChanges,
  arms: Readonly<Record<ArmName, PreparedArm>>,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<WatchedArm> {
  await using probe = await ports.openProbe("reach");
  const leaving: Promise<void>[] = [];
  try {
    return await withRunningArms(
      { ...cells[0], workers: 1 },
      [arm],
      { ...prepared, leaving },
      { variables: {}, probe: inRepository(probe, arms[arm], changes, prepared) },
      ports,
      async (runningArms) => {
        const answered = new Map<string, number>();
        for (const [index, cell] of cells.entries()) {
          await probe.openWindow(windowOf(index));
          const count = await ask(cell, runningArmOf(runningArms, arm), prepared, ports);
          if (count !== undefined) answered.set(keyOf(cell), count);
        }
        const documents = parseReachDocuments(
          await probe.readFiles(),
          cells.map((_, index) => windowOf(index)),
        );
        if (typeof documents === "string") throw new EnvironmentError("dry request", documents);
        return { documents, answered };
      },
    );
  } finally {
    await Promise.allSettled(leaving);
  }
}

/** The same probe, for all of the user's files in an arm's repository and not only the app's folder. */
export function inRepository(
  probe: Probe,
  { app: { folder } }: PreparedArm,
  { topFolder, prefix }: RepositoryChanges,
  { workload }: Pick<Prepared, "workload">,
): Probe {
  const ownTop = folder.endsWith(`/${prefix}`) ? folder.slice(0, -prefix.length - 1) : folder;
  // The base's is a checkout, and an arm whose database is a file runs in a copy.
  const top = folder === workload.app.folder ? topFolder : ownTop;
  return { ...probe, watch: (command, environment) => probe.watch(command, environment, top) };
}

/** Cells of one endpoint differ in their workers only, and share what they reach. */
export function keyOf({ endpoint }: Cell): string {
  return JSON.stringify(endpoint);
}

export function windowOf(index: number): string {
  return `cell ${index}`;
}

/** Sends the requests of a cell; the number of them, or `undefined` when one failed, or needs what a reply holds. */
async function ask(
  cell: Cell,
  { app, headers }: RunningArm,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<number | undefined> {
  const materials = materialsFor(cell.endpoint, prepared.materials);
  if (materials?.some((each) => each?.captures !== undefined)) return undefined;
  const steps = stepsOf(cell.endpoint).flatMap((step, index) => ("path" in step ? [{ step, index }] : []));
  let count = 0;
  for (let turn = 0; turn < requestsEach; turn += 1) {
    for (const { step, index } of steps) {
      const material = materials?.[index];
      const rows = material?.rows ?? [];
      const { path, body } = rows[turn % Math.max(1, rows.length)] ?? { path: step.path };
      const reply = await ports.sendRequest({
        url: app.baseUrl + path,
        method: step.method,
        headers: { ...material?.headers, ...headers },
        body,
        withinSeconds: 10,
      });
      if (typeof reply === "string" || reply.status >= 400) return undefined;
      count += 1;
    }
  }
  return count;
}
