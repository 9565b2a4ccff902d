import { EnvironmentError, type FailurePhase } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import type { ArmName, Replicate } from "../../model/measurement/measurement.ts";
import { clashWords } from "../../model/measurement/shared-things.ts";
import { type Cell, mostVirtualUsers } from "../../model/plan/cell.ts";
import type {
  AppServer,
  InstructionCounter,
  Probe,
  ProbePurpose,
  ServerCommand,
  StartTrial,
} from "../../ports/app.ts";
import type { DatabaseCopy, DatabaseWatch } from "../../ports/database.ts";
import type { LoadTarget } from "../../ports/load.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import {
  BaseFailure,
  logIn,
  logInAll,
  loginIn,
  type Prepared,
  type PreparedArm,
  refuseOtherStore,
  runningServer,
  serverCommand,
} from "../preparation/index.ts";

/** Time that a watched server has to stop: its observations are written already, and the phase must end. */
const stopsWithinSeconds = 0.5;

export type ServerPorts = Pick<
  MeasurePorts,
  | "canShareLayout"
  | "cpuSets"
  | "freePort"
  | "openCounter"
  | "openProbe"
  | "progress"
  | "secrets"
  | "sendRequest"
  | "startApp"
>;

/** The running server of one arm in one replicate, with its database. */
export interface RunningArm {
  readonly app: AppServer;
  readonly database?: DatabaseCopy;
  /** Sent with every request; may hold a secret. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The same for each of several identities, which the virtual users take in turn. */
  readonly users?: readonly Readonly<Record<string, string>>[];
  readonly probe?: Probe;
  readonly counter?: InstructionCounter;
  /** Present when its causes are diagnosed and it has a database. */
  readonly databaseWatch?: DatabaseWatch;
}

export type RunningArms = ReadonlyMap<ArmName, RunningArm>;

export interface RunningArmOptions {
  /**
   * Hash order and address layout of the servers, the same in both arms, 0 to 2³² − 1; absent: each process has its own.
   * Either moves the speed of a process by percents.
   */
  readonly seed?: number;
  /** Watches each server; absent in every measurement. */
  readonly watched?: {
    readonly purpose: ProbePurpose;
    /** A window that is open before the server starts. */
    readonly window?: string;
    /** Folder with all of the user's files; absent: the app's. */
    readonly folderOf?: (arm: PreparedArm) => string;
  };
  /** Counts the instructions of each server. */
  readonly counted?: true;
  /** Set for starts after one that failed next to the other arm. */
  readonly trial?: StartTrial;
}

/**
 * Starts fresh servers of the given arms on fresh databases, in the given order but side by side, and hands them to
 * `use`. Stops them afterwards without waiting: the promises in `prepared.leaving` settle when they are gone.
 */
export async function withRunningArms<T>(
  cell: Cell,
  arms: readonly ArmName[],
  prepared: Prepared,
  options: RunningArmOptions,
  ports: ServerPorts,
  use: (runningArms: RunningArms) => Promise<T>,
): Promise<T> {
  const { workload, leaving } = prepared;
  const clash = clashes.get(prepared);
  if (clash !== undefined && arms.length > 1) throw clash;
  // The port must be free again, and files of a database are those of the server before.
  if (workload.server.port !== undefined || workload.database.kind === "file") await Promise.all(leaving);
  ports.progress({ kind: "step", text: arms.length > 1 ? "starting both versions" : "starting the app" });
  const spares: (Promise<void> | undefined)[] = [];
  const opened: AsyncDisposable[][] = [];
  try {
    const starting = arms.map(async (arm) => {
      const resources: AsyncDisposable[] = [];
      opened.push(resources);
      return await startArm(cell, arm, prepared, options, { resources, spares }, ports);
    });
    const results = await Promise.allSettled(starting);
    let started: Starts = results.map((result, index) => ({ arm: arms[index] ?? "head", result }));
    const isMeasured = options.watched === undefined && options.counted === undefined;
    if (isMeasured && workload.targets === undefined)
      started = await startedInTurn(started, prepared, { opened, spares, leaving }, (arm, trial, resources) =>
        startArm(cell, arm, prepared, { ...options, trial }, { resources, spares }, ports),
      );
    const runningArms = new Map(started.map(({ arm, result }) => [arm, settled(result, arm)]));
    await Promise.all([...leaving, ...spares]); // nothing but this cell's own processes may run under load
    const result = await use(runningArms);
    await refuseOtherStores(runningArms, "load");
    return result;
  } finally {
    const last = Promise.all([...opened.map(dispose), ...spares]).then(() => undefined);
    last.catch(() => undefined); // an awaiting caller still gets the error; this only avoids an unhandled rejection
    leaving.push(last);
  }
}

/** Throws when a server has opened a store of somebody else by now: at its start, by a request, or in the background. */
export async function refuseOtherStores(runningArms: RunningArms, phase: FailurePhase): Promise<void> {
  for (const [arm, { app }] of runningArms)
    await refuseOtherStore(app, phase).catch((error: unknown) => {
      throw armError(error, arm);
    });
}

export function runningArmOf(runningArms: RunningArms, arm: ArmName): RunningArm {
  const runningArm = runningArms.get(arm);
  if (runningArm === undefined) throw new Error(`no server of ${arm} was started`);
  return runningArm;
}

export function targetOf(runningArms: RunningArms, arm: ArmName): LoadTarget {
  const { app, headers, users } = runningArmOf(runningArms, arm);
  const { baseUrl, isElsewhere } = app;
  return { arm, baseUrl, ...defined({ headers, users, isElsewhere }) };
}

/** What the record of a replicate says of how alike its servers were. */
export function likenessOf(runningArms: RunningArms): Pick<Replicate, "isLaidOutAlike"> {
  const isAlike = [...runningArms.values()].every(({ app }) => app.isLaidOut === true);
  return isAlike ? { isLaidOutAlike: true } : {};
}

/** Marks an error of the base, so that the head may still be measured; an error of the head costs the cell. */
export function armError(error: unknown, arm: ArmName): unknown {
  return arm === "base" && error instanceof EnvironmentError ? new BaseFailure(error) : error;
}

function settled<T>(result: PromiseSettledResult<T>, arm: ArmName): T {
  if (result.status === "fulfilled") return result.value;
  throw armError(result.reason, arm);
}

interface Opened {
  readonly opened: AsyncDisposable[][];
  readonly spares: readonly (Promise<void> | undefined)[];
  readonly leaving: readonly Promise<void>[];
}

/** Failures of both arms together that are proven: the next cells need not meet them again. */
const clashes = new WeakMap<Prepared, BaseFailure>();

type Starts = readonly { readonly arm: ArmName; readonly result: PromiseSettledResult<RunningArm> }[];

/**
 * Where an arm's server ended: starts that one when all others are gone, those of earlier cells as well, and then the
 * other one next to it. If now that one ends, though it runs by itself, they want something that only one of them can
 * have, and neither is to blame.
 */
async function startedInTurn(
  started: Starts,
  prepared: Prepared,
  all: Opened,
  start: (arm: ArmName, trial: StartTrial, resources: AsyncDisposable[]) => Promise<RunningArm>,
): Promise<Starts> {
  const { opened, spares, leaving } = all;
  const errors = started.map(({ result }) => (result.status === "rejected" ? result.reason : undefined));
  const ended = started.filter((_, index) => mayClash(errors[index]));
  const [first] = ended;
  const wasAlone = started.length === 1 && leaving.length === 0;
  if (first === undefined || wasAlone || errors.filter(Boolean).length > ended.length) return started;
  const other = started.find(({ arm }) => arm !== first.arm);
  const held = other?.result.status === "fulfilled" ? other.result.value.app.holdings?.() : undefined;
  await Promise.all([...opened.splice(0).map(dispose), ...spares, ...leaving]);
  const startAgain = async (arm: ArmName, trial: StartTrial) => {
    const resources: AsyncDisposable[] = [];
    opened.push(resources);
    const [result] = await Promise.allSettled([start(arm, trial, resources)]);
    return { arm, result };
  };
  const again = [await startAgain(first.arm, "alone")];
  if (other === undefined || again[0]?.result.status === "rejected") return again;
  const next = await startAgain(other.arm, "next to it");
  again.push(next);
  const inOrder = started.flatMap(({ arm }) => again.find((each) => each.arm === arm) ?? []);
  const problem: unknown = next.result.status === "rejected" ? next.result.reason : undefined;
  if (!mayClash(problem)) return inOrder;
  // It must run by itself before anything is proven.
  if (ended.length > 1) return await startedInTurn(inOrder, prepared, all, start);
  const { logTail, message } = problem;
  const clash = new BaseFailure(
    new EnvironmentError("start app", clashWords(message, held), { logTail }),
    true,
  );
  clashes.set(prepared, clash);
  throw clash;
}

/** True for a server that ended: another one may have had what it needs. */
function mayClash(error: unknown): error is EnvironmentError {
  return error instanceof EnvironmentError && error.phase === "start app" && error.detail?.kind === "exit";
}

/** Disposes of all, the last one first, also after one that fails. */
async function dispose(resources: readonly AsyncDisposable[]): Promise<void> {
  try {
    await resources.at(-1)?.[Symbol.asyncDispose]();
  } finally {
    if (resources.length > 1) await dispose(resources.slice(0, -1));
  }
}

/** @param opened gets what is to be disposed of, and the copies that are being made for the next start */
async function startArm(
  cell: Cell,
  arm: ArmName,
  prepared: Prepared,
  { seed, watched, counted, trial }: RunningArmOptions,
  opened: { readonly resources: AsyncDisposable[]; readonly spares: (Promise<void> | undefined)[] },
  ports: ServerPorts,
): Promise<RunningArm> {
  const own = prepared.arms[arm] ?? prepared.arms.head;
  const opening = async <R extends AsyncDisposable | undefined>(resource: R | Promise<R>): Promise<R> => {
    const open = await resource;
    if (open !== undefined) opened.resources.push(open);
    return open;
  };
  const probe = await opening(watched && ports.openProbe(watched.purpose));
  const counter = await opening(counted && ports.openCounter());
  if (watched?.window !== undefined) await probe?.openWindow(watched.window);
  const database = await opening(own.template?.copy(own.app.folder));
  opened.spares.push(own.template?.prepareCopy?.()); // while this start's servers import their code
  // Before the app, which may take every connection that there is.
  const databaseWatch = await opening(watched?.purpose === "causes" ? database?.watch() : undefined);
  const start = async () => {
    const running = prepared.workload.targets?.[arm];
    if (running !== undefined) return runningServer(running);
    const command = {
      ...(await commandOf(cell, arm, prepared, { url: database?.url, seed }, ports)),
      ...defined({ trial }),
    };
    // Its Python was watched in a start before, or else is in this one, in both arms alike.
    const { stores: _, ...unwatched } = command;
    const measured = prepared.outside === undefined ? command : unwatched;
    if (counter !== undefined) {
      const counting = { ...counter.watch(measured), stopsWithinSeconds };
      return await ports.startApp(counting, own.python, `${cell.id}-instructions-${arm}`);
    }
    if (probe === undefined) return await ports.startApp(measured, own.python, `${cell.id}-${arm}`);
    const watching = { ...probe.watch(command, own.python, watched?.folderOf?.(own)), stopsWithinSeconds };
    return await ports.startApp(watching, own.python, `${cell.id}-diagnosis-${arm}`);
  };
  const app = await opening(start());
  const login = loginIn(own, prepared.login);
  const users = await logInAll(login, Math.max(1, mostVirtualUsers(cell.load)), app, ports);
  const headers = users?.[0] ?? (await logIn(login, app, ports));
  return { app, ...defined({ database, databaseWatch, probe, counter, headers, users }) };
}

async function commandOf(
  { workers }: Cell,
  arm: ArmName,
  prepared: Prepared,
  { url, seed }: { readonly url: string | undefined; readonly seed: number | undefined },
  ports: ServerPorts,
): Promise<ServerCommand> {
  const { server } = prepared.workload;
  const { app } = prepared.arms[arm] ?? prepared.arms.head;
  // Two servers cannot share one port: the head gets the one that the user set.
  const port = (arm === "head" ? server.port : undefined) ?? (await ports.freePort());
  return {
    ...serverCommand(prepared.workload, { app, url, port, workers, seed }, ports.cpuSets),
    ...(server.template.includes("{workers}") && { workers }),
    ...(ports.canShareLayout && defined({ layoutSeed: seed })),
  };
}
