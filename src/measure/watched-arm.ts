import { outsideHosts } from "../diagnosis/outside-hosts.ts";
import type { ProbeFile } from "../diagnosis/probe-documents.ts";
import type { RepositoryChanges } from "../diagnosis/reach/changed-files.ts";
import { parseReachDocuments } from "../diagnosis/reach/reach-documents.ts";
import type { Ran } from "../diagnosis/reach/reached.ts";
import { EnvironmentError } from "../errors/errors.ts";
import type { NonEmptyArray } from "../lists/non-empty.ts";
import { stepsOf } from "../model/endpoint/endpoint.ts";
import type { ArmName } from "../model/measurement/measurement.ts";
import type { Cell } from "../model/plan/cell.ts";
import type { Probe, ProbePurpose } from "../ports/app.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { materialsFor } from "./materials.ts";
import type { OutsideByEndpoint, Prepared, PreparedArm } from "./prepared.ts";
import { type RunningArm, runningArmOf, withRunningArms } from "./running-arms.ts";

/** Requests to each endpoint of each arm: what is remembered after the first ones is met, too. */
const requestsEach = 12;

export interface WatchedArm {
  readonly documents: Ran[ArmName];
  /** Requests by endpoint, where all were answered well. */
  readonly answered: ReadonlyMap<string, number>;
  /** Hosts outside that it tried to reach. */
  readonly outside: OutsideByEndpoint;
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
  const wrap = (probe: Probe) => inRepository(probe, arms[arm], changes, prepared);
  return await withWatchedArm(
    arm,
    cells[0],
    { name: "reach", wrap },
    prepared,
    ports,
    async (runningArm, probe) => {
      const answered = new Map<string, number>();
      for (const [index, cell] of cells.entries()) {
        await probe.openWindow(windowOf(index));
        const count = await ask(cell, runningArm, prepared, ports);
        if (count !== undefined) answered.set(keyOf(cell), count);
      }
      const files = await probe.readFiles();
      const documents = parseReachDocuments(
        files,
        cells.map((_, index) => windowOf(index)),
      );
      if (typeof documents === "string") throw new EnvironmentError("dry request", documents);
      return { documents, answered, outside: outsideOf(files, cells) };
    },
  );
}

/** Starts one arm with one worker and a probe, and hands both to `use`. */
export async function withWatchedArm<T>(
  arm: ArmName,
  cell: Cell,
  { name, wrap }: { readonly name: ProbePurpose; readonly wrap?: (probe: Probe) => Probe },
  prepared: Prepared,
  ports: MeasurePorts,
  use: (runningArm: RunningArm, probe: Probe) => Promise<T>,
): Promise<T> {
  await using probe = await ports.openProbe(name);
  const leaving: Promise<void>[] = [];
  try {
    return await withRunningArms(
      { ...cell, workers: 1 },
      [arm],
      { ...prepared, leaving },
      { probe: wrap?.(probe) ?? probe },
      ports,
      (runningArms) => use(runningArmOf(runningArms, arm), probe),
    );
  } finally {
    await Promise.allSettled(leaving);
  }
}

/** Hosts outside, by endpoint, of documents with a window for each cell. */
export function outsideOf(files: readonly ProbeFile[], cells: readonly Cell[]): OutsideByEndpoint {
  const found = cells.map((cell, index) => [keyOf(cell), outsideHosts(files, windowOf(index))] as const);
  return new Map(found.filter(([, hosts]) => hosts.length > 0));
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
