import { EnvironmentError, InputError } from "../errors/errors.ts";
import { noBase } from "../model/measurement/lone-arm.ts";
import type { LoneArm, Measurement } from "../model/measurement/measurement.ts";
import { openFilesProblem } from "../model/measurement/open-files.ts";
import { isSameData, seedOf } from "../model/workload/seed.ts";
import type { App, Base, Workload } from "../model/workload/workload.ts";
import type { DatabaseServer } from "../ports/database.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import type { PythonEnvironment } from "../ports/python.ts";
import type { BaseOutcome, BaseSource } from "../ports/repository.ts";
import { variablesFor } from "./app-variables.ts";
import { readSecrets } from "./log-in.ts";
import { type Materials, prepareMaterials } from "./materials.ts";
import type { Prepared, PreparedArm } from "./prepared.ts";
import { prepareTargets } from "./running-targets.ts";
import { seedCommands } from "./seed-commands.ts";

/** Placeholder for the database, which does not exist yet when the import is tried; nothing listens on port 1. */
export const placeholderUrl = "postgresql://loadtest:loadtest@127.0.0.1:1/loadtest";

/**
 * Prepares the base's code, k6, and each arm's environment and seeded database, the head's first. A problem of the base
 * costs only the comparison. Throws an `InputError` before anything is started when the disk is too small or the app
 * cannot be imported.
 *
 * @param shared servers and databases of earlier measurements that are still stopping, when others come after this one;
 *   the owner of the list waits for them
 */
export async function prepare(
  workload: Workload,
  commits: Measurement["commits"],
  ports: MeasurePorts,
  shared?: Promise<void>[],
): Promise<Prepared> {
  if (workload.targets !== undefined) return prepareTargets(workload, ports);
  const login = readSecrets(workload.login, ports);
  const wanted = workload.comparing.base;
  const wantsBase = wanted.kind !== "none";
  const full = await ports.diskProblem(workload.database, wantsBase ? 2 : 1);
  if (full !== undefined) throw new InputError([full]);
  const base = wantsBase ? await ports.openBase(workload) : unwanted(wanted);
  const source = base?.kind === "found" ? base.source : undefined;
  const leaving = shared ?? [];
  const own = shared === undefined ? leaving : [];
  let databases: DatabaseServer | undefined;
  const close = async () => {
    await Promise.allSettled(own);
    try {
      await databases?.[Symbol.asyncDispose]();
    } finally {
      await source?.[Symbol.asyncDispose]();
    }
    await Promise.all(own);
  };
  try {
    const { app } = workload;
    const k6Version = await ports.findGenerator();
    const python = await preparePython(workload, ports);
    const seed = seedOf(workload.database);
    if (workload.database.kind !== "none")
      databases = await ports.openDatabases(workload.database, ports.cpuSets?.others);
    const fill = seedCommands("head", { app, python, workload }, ports);
    const head = { app, python, template: seed && (await databases?.seed(seed, fill)) };
    const ofHead = await prepareMaterials(workload, head.template); // before the base is prepared, which takes long
    const preparedBase =
      source === undefined ? undefined : await prepareBase(source, head, { workload, databases }, ports);
    const { found, materials } = await askForTheSame(workload, { head, preparedBase, ofHead }, ports);
    const isFound = found !== undefined && "app" in found;
    return {
      workload,
      k6Version,
      databases,
      commits: { ...commits, ...(source?.commit !== undefined && { base: source.commit }) },
      arms: { head, base: isFound ? found : undefined },
      materials,
      login,
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

/** The reason why a wanted base is not looked for; `undefined` when none was wanted. */
function unwanted({ reason }: Extract<Base, { kind: "none" }>): BaseOutcome | undefined {
  return reason === undefined ? undefined : { kind: "none", reason, logTail: "" };
}

/** The head's environment, after checks that its app can be imported and its port is free. */
async function preparePython(workload: Workload, ports: MeasurePorts): Promise<PythonEnvironment> {
  const { app, server } = workload;
  const taken = server.port === undefined ? undefined : await ports.portProblem(server.port);
  const python = await ports.preparePython(app);
  const unimportable = await importProblem(app, python, workload, ports);
  const problems = [
    taken && `port: ${taken}`,
    unimportable && `app: ${unimportable}`,
    openFilesProblem(workload.load, ports.openFilesLimit),
  ].filter((each) => each);
  if (problems.length > 0) throw new InputError(problems.map(String));
  return python;
}

async function prepareBase(
  source: BaseSource,
  head: PreparedArm,
  { workload, databases }: Pick<Prepared, "workload" | "databases">,
  ports: MeasurePorts,
): Promise<PreparedArm | LoneArm> {
  const { app, seed } = source;
  if (app === head.app) return head; // a control
  try {
    const python = await ports.preparePython(app);
    const problem = await importProblem(app, python, workload, ports);
    if (problem !== undefined) return noBase(`the base's app: ${problem}`);
    const isShared = seed === undefined || isSameData(seed, seedOf(workload.database));
    const fill = seedCommands("base", { app, python, workload }, ports);
    const template = isShared ? head.template : await databases?.seed(seed, fill);
    return { app, python, template };
  } catch (error) {
    if (ports.signal.aborted || !(error instanceof EnvironmentError)) throw error;
    return noBase(`the base could not be prepared (${error.phase}): ${error.message}`, error.logTail);
  }
}

/**
 * Makes the requests again from keys that both arms have. Arms that each filled a database of their own may have
 * different keys, and a request for a key of one would fail in the other.
 */
async function askForTheSame(
  workload: Workload,
  {
    head,
    preparedBase,
    ofHead,
  }: {
    readonly head: PreparedArm;
    readonly preparedBase: PreparedArm | LoneArm | undefined;
    readonly ofHead: Materials;
  },
  { signal }: Pick<MeasurePorts, "signal">,
): Promise<{ readonly found: PreparedArm | LoneArm | undefined; readonly materials: Materials }> {
  const asked = { found: preparedBase, materials: ofHead };
  const hasQueries = workload.forms.some(({ params }) =>
    Object.values(params).some(({ kind }) => kind === "sql"),
  );
  if (preparedBase === undefined || !("app" in preparedBase) || !hasQueries) return asked;
  if (preparedBase.template === undefined || preparedBase.template === head.template) return asked;
  try {
    return { ...asked, materials: await prepareMaterials(workload, head.template, preparedBase.template) };
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof InputError) return { ...asked, found: noBase(error.problems.join("; ")) };
    if (!(error instanceof EnvironmentError)) throw error;
    return {
      ...asked,
      found: noBase(`the base's keys could not be asked for: ${error.message}`, error.logTail),
    };
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
