import type { App, Seed, Workload } from "../core/config/config.ts";
import { EnvironmentError, InputError } from "../core/errors.ts";
import { noBase } from "../core/measurement/lone-arm.ts";
import type { LoneArm, Measurement } from "../core/measurement/measurement.ts";
import type {
  BaseSource,
  DatabaseServer,
  DatabaseTemplate,
  MeasurePorts,
  PythonEnvironment,
} from "../ports.ts";

/** Stands for the database that is not there yet when the import is tried; nothing listens on port 1. */
const placeholderUrl = "postgresql://loadtest:loadtest@127.0.0.1:1/loadtest";

/** What the servers of one arm are started from. */
export interface ArmGround {
  readonly app: App;
  readonly python: PythonEnvironment;
  /** Absent when the app needs no database of ours. */
  readonly template: DatabaseTemplate | undefined;
}

/** What all cells share. Disposal waits for what is still on its way out. */
export interface Ground extends AsyncDisposable {
  readonly workload: Workload;
  readonly k6Version: string;
  readonly databases: DatabaseServer | undefined;
  readonly commits: Measurement["commits"];
  /** `base` only when there is one to compare with. */
  readonly arms: { readonly head: ArmGround; readonly base: ArmGround | undefined };
  /** Why there is no base although one was wanted. */
  readonly loneArm: LoneArm | undefined;
  /** What earlier cells stood on, on its way out while the next server starts. */
  readonly leaving: Promise<void>[];
}

/**
 * Finds the base's code, k6, the app's environment, and a seeded database; then the same of the base. What goes wrong
 * with the base costs only the comparison. Throws an `InputError` before anything is started when the app cannot be imported.
 */
export async function prepare(
  workload: Workload,
  commits: Measurement["commits"],
  ports: MeasurePorts,
): Promise<Ground> {
  const base = workload.comparing.base.kind === "none" ? undefined : await ports.openBase(workload);
  const source = base?.kind === "found" ? base.source : undefined;
  const leaving: Promise<void>[] = [];
  let databases: DatabaseServer | undefined;
  const close = async () => {
    await Promise.allSettled(leaving);
    try {
      await databases?.[Symbol.asyncDispose]();
    } finally {
      await source?.[Symbol.asyncDispose]();
    }
    await Promise.all(leaving);
  };
  try {
    const { app } = workload;
    const k6Version = await ports.findGenerator();
    const python = await preparePython(workload, ports);
    const seed = seedOf(workload);
    if (workload.database.kind !== "none")
      databases = await ports.openDatabases(workload.database, ports.cpuSets?.others);
    const head = { app, python, template: seed && (await databases?.seed(seed)) };
    const found =
      source === undefined ? undefined : await prepareBase(source, head, { workload, databases }, ports);
    const isFound = found !== undefined && "app" in found;
    return {
      workload,
      k6Version,
      databases,
      commits: { ...commits, ...(source?.commit !== undefined && { base: source.commit }) },
      arms: { head, base: isFound ? found : undefined },
      loneArm: isFound
        ? undefined
        : (found ?? (base?.kind === "none" ? noBase(base.reason, base.logTail) : undefined)),
      leaving,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Variables of an arm's server. */
export function variablesFor(
  { database }: Workload,
  app: App,
  url: string | undefined,
): Record<string, string> {
  if (database.kind === "none" || url === undefined) return { ...app.variables };
  return { [database.variable]: url, ...app.variables };
}

/** The head's environment, once it is known that its app can be imported and its port is free. */
async function preparePython(workload: Workload, ports: MeasurePorts): Promise<PythonEnvironment> {
  const { app, server } = workload;
  const taken = server.port === undefined ? undefined : await ports.portProblem(server.port);
  const python = await ports.preparePython(app);
  const unimportable = await importProblem(app, python, workload, ports);
  const problems = [taken && `port: ${taken}`, unimportable && `app: ${unimportable}`].filter((each) => each);
  if (problems.length > 0) throw new InputError(problems.map(String));
  return python;
}

async function prepareBase(
  source: BaseSource,
  head: ArmGround,
  { workload, databases }: Pick<Ground, "workload" | "databases">,
  ports: MeasurePorts,
): Promise<ArmGround | LoneArm> {
  const { app, seed } = source;
  try {
    const python = await ports.preparePython(app);
    const problem = await importProblem(app, python, workload, ports);
    if (problem !== undefined) return noBase(`the base's app: ${problem}`);
    const isSameSeed = JSON.stringify(seed?.seedFiles) === JSON.stringify(seedOf(workload)?.seedFiles);
    const template = isSameSeed || seed === undefined ? head.template : await databases?.seed(seed);
    return { app, python, template };
  } catch (error) {
    if (ports.signal.aborted || !(error instanceof EnvironmentError)) throw error;
    return noBase(`the base could not be prepared (${error.phase}): ${error.message}`, error.logTail);
  }
}

async function importProblem(
  app: App,
  python: PythonEnvironment,
  workload: Workload,
  ports: MeasurePorts,
): Promise<string | undefined> {
  return ports.importProblem(python, app, variablesFor(workload, app, placeholderUrl));
}

function seedOf({ database }: Workload): Seed | undefined {
  if (database.kind === "none") return undefined;
  const { seedFiles, scale, variable } = database;
  return { seedFiles, scale, variable };
}
