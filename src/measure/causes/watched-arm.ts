import { outsideHosts, type ProbeFile } from "../../diagnosis/probe-documents.ts";
import type { RepositoryChanges } from "../../diagnosis/reach/changed-files.ts";
import { parseReachDocuments, type Ran } from "../../diagnosis/reach/reached.ts";
import { EnvironmentError } from "../../errors/errors.ts";
import type { NonEmptyArray } from "../../lists/non-empty.ts";
import { isSocket, stepsOf } from "../../model/endpoint/endpoint.ts";
import type { ArmName } from "../../model/measurement/measurement.ts";
import type { Cell } from "../../model/plan/cell.ts";
import { type RunningArm, runningArmOf, type ServerPorts } from "../pair/index.ts";
import {
  keyOf,
  materialsFor,
  type OutsideByEndpoint,
  type Prepared,
  type PreparedArm,
  refuseOtherStore,
  topFolderOf,
} from "../preparation/index.ts";
import { probeOf, withWatchedArms } from "./watched-servers.ts";

/** Requests to each endpoint of each arm: what is cached after the first ones is met, too. */
const requestsEach = 12;

interface WatchedArm {
  readonly documents: Ran[ArmName];
  /** Requests by endpoint, where all were answered well. */
  readonly answered: ReadonlyMap<string, number>;
  readonly outside: OutsideByEndpoint;
}

/** Starts one arm with one worker, watched, and sends each endpoint some requests. */
export async function watchArm(
  arm: ArmName,
  cells: NonEmptyArray<Cell>,
  changes: RepositoryChanges,
  prepared: Prepared,
  ports: ServerPorts,
): Promise<WatchedArm> {
  const cell = { ...cells[0], workers: 1 };
  const folderOf = (own: PreparedArm) => topFolderOf(own, changes, prepared);
  const options = { watched: { purpose: "reach", folderOf } } as const;
  return await withWatchedArms(cell, [arm], prepared, options, ports, async (runningArms) => {
    const probe = probeOf(runningArms, arm);
    const answered = new Map<string, number>();
    for (const [index, each] of cells.entries()) {
      await probe.openWindow(windowOf(index));
      const count = await requestAll(each, runningArmOf(runningArms, arm), prepared, ports);
      if (count !== undefined) answered.set(keyOf(each), count);
    }
    await refuseOtherStore(runningArmOf(runningArms, arm).app, "dry request", arm);
    const files = await probe.readFiles();
    const windows = cells.map((_, index) => windowOf(index));
    const documents = parseReachDocuments(files, windows);
    if (typeof documents === "string") throw new EnvironmentError("dry request", documents);
    return { documents, answered, outside: outsideOf(files, cells) };
  });
}

/** A cell of each endpoint that can be requested apart from a load. */
export function oneOfEach(cells: readonly Cell[]): readonly Cell[] {
  const plain = cells.filter(({ endpoint }) => !isSocket(endpoint));
  return [...new Map(plain.map((cell) => [keyOf(cell), cell])).values()];
}

export function outsideOf(files: readonly ProbeFile[], cells: readonly Cell[]): OutsideByEndpoint {
  const found = cells.map((cell, index) => [keyOf(cell), outsideHosts(files, windowOf(index))] as const);
  return new Map(found.filter(([, hosts]) => hosts.length > 0));
}

export function windowOf(index: number): string {
  return `cell ${index}`;
}

/** Sends the requests of a cell; the number of them, or `undefined` when one failed, or needs what a reply holds. */
async function requestAll(
  cell: Cell,
  { app, headers }: RunningArm,
  prepared: Prepared,
  ports: Pick<ServerPorts, "sendRequest">,
): Promise<number | undefined> {
  const materials = materialsFor(cell.endpoint, prepared.materials);
  if (materials?.some((each) => each?.captures !== undefined)) return undefined;
  const steps = stepsOf(cell.endpoint).flatMap((step, index) => ("path" in step ? [{ step, index }] : []));
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
    }
  }
  return requestsEach * steps.length;
}
