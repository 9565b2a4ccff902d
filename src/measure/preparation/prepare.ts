import { EnvironmentError, InputError } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import { noBase } from "../../model/measurement/lone-arm.ts";
import type { LoneArm, Measurement } from "../../model/measurement/measurement.ts";
import { openFilesProblem } from "../../model/plan/cell.ts";
import { isReachWanted } from "../../model/plan/plan.ts";
import { isFilledByStart, isSameData, seedOf } from "../../model/workload/seed.ts";
import type { App, Workload } from "../../model/workload/workload.ts";
import type { DatabaseServer } from "../../ports/database.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import type { ImportedApp, PythonEnvironment } from "../../ports/python.ts";
import type { BaseOutcome, BaseSource } from "../../ports/repository.ts";
import { lackedWords, missingPath } from "../../repository/install-failure.ts";
import { exceptionIn } from "../../text/telling-line.ts";
import { readSecrets } from "./log-in.ts";
import { type MadeMaterials, prepareMaterials } from "./materials.ts";
import { type Prepared, type PreparedArm, prepareTargets, topFolderOf } from "./prepared.ts";
import { haveSameShape } from "./same-shape.ts";
import {
  type SeedWatch,
  type SingleServerPorts,
  seedCommands,
  seedTemplate,
  watchSeeding,
} from "./seed-commands.ts";
import { variablesFor } from "./server.ts";
import { withUsers, withUsersOfBoth } from "./users.ts";

/** Placeholder for the database, which does not exist yet when the import is tried; nothing listens on port 1. */
export const placeholderUrl = "postgresql://loadtest:no-password-yet@127.0.0.1:1/loadtest";

type PythonPorts = Pick<
  MeasurePorts,
  "openFilesLimit" | "portProblem" | "preparePython" | "prepareServices" | "tryImport"
>;
type ArmPorts = SingleServerPorts &
  PythonPorts &
  Pick<MeasurePorts, "copyApp" | "isLacking" | "runCommand" | "signal">;
type Ports = ArmPorts &
  Pick<
    MeasurePorts,
    | "changesSince"
    | "cpuSets"
    | "diskProblem"
    | "openProbe"
    | "findGenerator"
    | "findLocust"
    | "openBase"
    | "openDatabases"
  >;

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
  ports: Ports,
  shared?: Promise<void>[],
): Promise<Prepared> {
  const login = readSecrets(workload.login, ports);
  if (workload.targets !== undefined) return prepareTargets(workload, login, ports);
  const full = await ports.diskProblem(workload.database, workload.comparing.base.kind === "none" ? 1 : 2);
  if (full !== undefined) throw new InputError([full]);
  const base = await openedBase(workload, ports);
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
    const k6Version = await ports.findGenerator();
    const app = await inOwnFolder(workload.app, workload, ports);
    const { python, replaced } = await preparePython(workload, app, ports);
    const seed = seedOf(workload.database);
    if (workload.database.kind !== "none")
      databases = await ports.openDatabases(workload.database, ports.cpuSets?.others);
    const watchOf = await seedWatches(workload, source, ports);
    const watch = watchOf(app);
    const fill = seedCommands("head", { app, python, workload }, ports, watch);
    const template = seed && (await seedTemplate(databases, seed, fill, app.folder));
    const seen = defined({ seeded: watch?.seen(), replaced });
    const head = await withUsers(login, { app, python, template, ...seen }, ports);
    // Before the base is prepared, which takes long.
    const ofHead = await prepareMaterials(workload, head.template);
    const baseArm = source && (await prepareBase(source, head, { workload, databases, watchOf }, ports));
    const requested = await withSharedKeys(workload, { head, baseArm, ofHead }, ports);
    const both = await withUsersOfBoth(login, head, requested.baseArm, ports);
    const { found } = both;
    const isFound = found !== undefined && "app" in found;
    const noneFound = base?.kind === "none" ? noBase(base.reason, base.logTail) : undefined;
    return {
      ...{ workload, k6Version, databases, login, leaving },
      ...{ materials: requested.materials, ofHeadOnly: requested.ofHeadOnly },
      commits: { ...commits, ...defined({ base: source?.commit }) },
      arms: { head: both.head, base: isFound ? found : undefined },
      loneArm: isFound ? undefined : (found ?? noneFound),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The app, in a copy of its repository where a database or an environment file is made there. */
export async function inOwnFolder(
  app: App,
  { database }: Pick<Workload, "database">,
  ports: Pick<MeasurePorts, "copyApp">,
): Promise<App> {
  return database.kind === "file" || app.environmentFile !== undefined ? await ports.copyApp(app) : app;
}

/** The base, or the reason why it is not opened; `undefined` when none was wanted. */
async function openedBase(
  workload: Workload,
  ports: Pick<MeasurePorts, "openBase">,
): Promise<BaseOutcome | undefined> {
  const { base } = workload.comparing;
  if (base.kind !== "none") return await ports.openBase(workload);
  return base.reason === undefined ? undefined : { kind: "none", reason: base.reason, logTail: "" };
}

/** The head's environment, after checks that its app can be imported and its port is free; and what it replaces. */
async function preparePython(
  workload: Workload,
  app: App,
  ports: PythonPorts,
): Promise<Pick<PreparedArm, "python" | "replaced">> {
  const { server } = workload;
  const taken = server.port === undefined ? undefined : await ports.portProblem(server.port);
  // By its own folder, not a copy's: the next run finds the same environment.
  const python = await ports.preparePython(workload.app);
  if (workload.services !== undefined) await ports.prepareServices(workload.services, python, app.folder);
  const { problem: unimportable, replaced } = await tryImport(app, python, workload, ports);
  const problems = [
    taken && `port: ${taken}`,
    unimportable && `app: ${unimportable}`,
    openFilesProblem(workload.load, ports.openFilesLimit),
    locustProblem(workload, python),
  ].filter((each) => each);
  if (problems.length > 0) throw new InputError(problems.map(String));
  return { python, ...defined({ replaced }) };
}

/** A Locust file runs with the Locust that its team has chosen. */
function locustProblem(
  { load, scriptPath = "" }: Workload,
  { packages }: PythonEnvironment,
): string | undefined {
  if (load.kind !== "script" || load.locust === undefined || packages["locust"] !== undefined)
    return undefined;
  return `script: ${JSON.stringify(scriptPath)} needs Locust, which the app's environment lacks; install it there, e.g. with install: requirements-dev.txt`;
}

async function prepareBase(
  source: BaseSource,
  head: PreparedArm,
  {
    workload,
    databases,
    watchOf,
  }: Pick<Prepared, "workload" | "databases"> & Record<"watchOf", (app: App) => SeedWatch | undefined>,
  ports: ArmPorts,
): Promise<PreparedArm | LoneArm> {
  const { seed } = source;
  if (source.app === head.app) return head; // a control
  try {
    const isControl = source.app === workload.app;
    const app = isControl ? await inOwnFolder(source.app, workload, ports) : source.app;
    const python = await ports.preparePython(source.app);
    const { problem } = await tryImport(app, python, workload, ports);
    if (problem !== undefined)
      return noBase(`the base's app: ${problem}${await lackOf(problem, { head, app }, ports)}`);
    const isShared = seed === undefined || isSameData(seed, seedOf(workload.database));
    if (seed === undefined || (isShared && !isFilledByStart(workload.database)))
      return { app, python, template: head.template };
    const watch = watchOf(app);
    const fill = seedCommands("base", { app, python, workload }, ports, watch);
    const template = await seedTemplate(databases, seed, fill, app.folder);
    return { app, python, template, ...defined({ seeded: watch?.seen() }) };
  } catch (error) {
    if (ports.signal.aborted || !(error instanceof EnvironmentError)) throw error;
    const reason = withException(error);
    const lack = await lackOf(reason, { head, app: source.app }, ports);
    return noBase(`the base could not be prepared (${error.phase}): ${reason}${lack}`, error.logTail);
  }
}

/** The end of a sentence when a base misses a file or folder that the head has, and Git does not. Empty otherwise. */
export async function lackOf(
  reason: string,
  { head, app }: { readonly head: Pick<PreparedArm, "app">; readonly app: App },
  { isLacking }: Pick<MeasurePorts, "isLacking">,
): Promise<string> {
  const path = missingPath(reason, app.folder);
  const isHere = path !== undefined && (await isLacking(path, head.app.folder, app.folder));
  return isHere ? lackedWords(path) : "";
}

/** Watches the commands that fill a database: if nothing of the change ran, the arms' data are equal. */
async function seedWatches(
  workload: Workload,
  source: BaseSource | undefined,
  ports: Pick<MeasurePorts, "changesSince" | "openProbe">,
): Promise<(app: App) => SeedWatch | undefined> {
  const isWanted = isReachWanted(workload) && seedOf(workload.database)?.commands !== undefined;
  if (!isWanted || source?.commit === undefined) return () => undefined;
  const changes = await ports.changesSince(workload.app.folder, source.commit).catch(() => undefined);
  return (app) => changes && watchSeeding(topFolderOf({ app }, changes, { workload }), ports);
}

/** The exception first: a report may cut what follows it. */
function withException({ message, logTail }: EnvironmentError): string {
  const exception = exceptionIn(logTail);
  return exception === undefined || message.includes(exception) ? message : `${exception} (${message})`;
}

interface Arms {
  readonly head: PreparedArm;
  readonly baseArm: PreparedArm | LoneArm | undefined;
  readonly ofHead: MadeMaterials;
}

/**
 * Makes the requests again from keys that both arms have. Arms that each filled a database of their own may have
 * different keys, and a request for a key of one would fail in the other. Where both made the same but for the keys, both
 * get copies of the head's.
 */
async function withSharedKeys(
  workload: Workload,
  { head, baseArm, ofHead }: Arms,
  ports: Pick<MeasurePorts, "progress" | "signal">,
): Promise<MadeMaterials & Pick<Arms, "baseArm">> {
  const asMade = { baseArm, ...ofHead };
  const hasKeys = workload.forms.some(({ params }) =>
    Object.values(params).some(({ kind }) => kind === "sql"),
  );
  if (baseArm === undefined || !("app" in baseArm) || !hasKeys) return asMade;
  const { template } = baseArm;
  if (head.template === undefined || template === undefined || template === head.template) return asMade;
  try {
    const made = await prepareMaterials(workload, head.template, template);
    ports.signal.throwIfAborted();
    if (made.ofHeadOnly.size === 0 || !(await haveSameShape(head.template, template)))
      return { baseArm, ...made };
    const text =
      "both versions get the head's data, because only their random keys differ, not the tables or the numbers of rows";
    ports.progress({ kind: "step", text });
    return { ...ofHead, baseArm: { ...baseArm, template: head.template } };
  } catch (error) {
    if (ports.signal.aborted || !(error instanceof EnvironmentError)) throw error;
    const reason = `the base's keys could not be queried: ${error.message}`;
    return { ...ofHead, baseArm: noBase(reason, error.logTail) };
  }
}

async function tryImport(
  app: App,
  python: PythonEnvironment,
  workload: Workload,
  ports: Pick<MeasurePorts, "tryImport">,
): Promise<ImportedApp> {
  const variables = variablesFor(workload, app, placeholderUrl);
  return ports.tryImport(python, app, variables, workload.server.readyWithinSeconds);
}
