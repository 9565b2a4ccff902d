import type { LinkedReplies } from "../endpoints/linked-value.ts";
import { EnvironmentError, InputError } from "../errors/errors.ts";
import type { Login } from "../model/endpoint/login.ts";
import { noBase } from "../model/measurement/lone-arm.ts";
import type { LoneArm, Measurement } from "../model/measurement/measurement.ts";
import { openFilesProblem } from "../model/measurement/open-files.ts";
import { isFilledByStart, isSameData, seedOf } from "../model/workload/seed.ts";
import type { App, Base, Workload } from "../model/workload/workload.ts";
import type { DatabaseServer } from "../ports/database.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import type { PythonEnvironment } from "../ports/python.ts";
import type { BaseOutcome, BaseSource } from "../ports/repository.ts";
import { exceptionIn } from "../text/telling-line.ts";
import { variablesFor } from "./app-variables.ts";
import { askLinks } from "./asked-links.ts";
import { readSecrets } from "./log-in.ts";
import { withUsers, withUsersOfBoth } from "./login-users.ts";
import { type MadeMaterials, prepareMaterials } from "./materials.ts";
import { inOwnFolder } from "./own-folder.ts";
import type { Prepared, PreparedArm } from "./prepared.ts";
import { prepareTargets } from "./running-targets.ts";
import { haveSameShape } from "./same-shape.ts";
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
    const k6Version = await ports.findGenerator();
    const app = await inOwnFolder(workload.app, workload, ports);
    const python = await preparePython(workload, app, ports);
    const seed = seedOf(workload.database);
    if (workload.database.kind !== "none")
      databases = await ports.openDatabases(workload.database, ports.cpuSets?.others);
    const fill = seedCommands("head", { app, python, workload }, ports);
    const template = seed && (await databases?.seed(seed, fill, app.folder));
    const head = await withUsers(login, { app, python, template }, ports);
    const links = await askLinks(workload, "head", { arm: head, login }, ports);
    // Before the base is prepared, which takes long.
    const ofHead = await prepareMaterials(workload, head.template, undefined, { head: links });
    const preparedBase =
      source === undefined ? undefined : await prepareBase(source, head, { workload, databases }, ports);
    const asked = { head, preparedBase, ofHead, links, login };
    const { materials, ofHeadOnly, unlinked, ...same } = await askForTheSame(workload, asked, ports);
    const { head: ofBoth, found } = await withUsersOfBoth(login, head, same.found, ports);
    const isFound = found !== undefined && "app" in found;
    return {
      workload,
      k6Version,
      databases,
      commits: { ...commits, ...(source?.commit !== undefined && { base: source.commit }) },
      arms: { head: ofBoth, base: isFound ? found : undefined },
      materials,
      ofHeadOnly,
      unlinked,
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
async function preparePython(workload: Workload, app: App, ports: MeasurePorts): Promise<PythonEnvironment> {
  const { server } = workload;
  const taken = server.port === undefined ? undefined : await ports.portProblem(server.port);
  // By its own folder, not a copy's: the next run finds the same environment.
  const python = await ports.preparePython(workload.app);
  if (workload.services !== undefined) await ports.prepareServices(workload.services, python);
  const unimportable = await importProblem(app, python, workload, ports);
  const problems = [
    taken && `port: ${taken}`,
    unimportable && `app: ${unimportable}`,
    openFilesProblem(workload.load, ports.openFilesLimit),
    locustProblem(workload, python),
  ].filter((each) => each);
  if (problems.length > 0) throw new InputError(problems.map(String));
  return python;
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
  { workload, databases }: Pick<Prepared, "workload" | "databases">,
  ports: MeasurePorts,
): Promise<PreparedArm | LoneArm> {
  const { seed } = source;
  if (source.app === head.app) return head; // a control
  try {
    const isControl = source.app === workload.app;
    const app = isControl ? await inOwnFolder(source.app, workload, ports) : source.app;
    const python = await ports.preparePython(source.app);
    const problem = await importProblem(app, python, workload, ports);
    if (problem !== undefined) return noBase(`the base's app: ${problem}`);
    const isShared = seed === undefined || isSameData(seed, seedOf(workload.database));
    const fill = seedCommands("base", { app, python, workload }, ports);
    const isOwn = seed !== undefined && (!isShared || isFilledByStart(workload.database));
    const template = isOwn ? await databases?.seed(seed, fill, app.folder) : head.template;
    return { app, python, template };
  } catch (error) {
    if (ports.signal.aborted || !(error instanceof EnvironmentError)) throw error;
    return noBase(`the base could not be prepared (${error.phase}): ${withException(error)}`, error.logTail);
  }
}

/** The exception first: a report may cut what stands behind it. */
function withException({ message, logTail }: EnvironmentError): string {
  const exception = exceptionIn(logTail);
  return exception === undefined || message.includes(exception) ? message : `${exception} (${message})`;
}

/**
 * Makes the requests again from keys that both arms have. Arms that each filled a database of their own may have
 * different keys, and a request for a key of one would fail in the other. Where both made the same but for the keys, both
 * get copies of the head's.
 */
async function askForTheSame(
  workload: Workload,
  {
    head,
    preparedBase,
    ofHead,
    links,
    login,
  }: {
    readonly head: PreparedArm;
    readonly preparedBase: PreparedArm | LoneArm | undefined;
    readonly ofHead: MadeMaterials;
    readonly links: LinkedReplies;
    readonly login: Login<string> | undefined;
  },
  ports: MeasurePorts,
): Promise<MadeMaterials & { readonly found: PreparedArm | LoneArm | undefined }> {
  const asked = { found: preparedBase, ...ofHead };
  const { progress, signal } = ports;
  const hasKeys = workload.forms.some(({ params }) =>
    Object.values(params).some(({ kind }) => kind === "sql" || kind === "link"),
  );
  if (preparedBase === undefined || !("app" in preparedBase) || !hasKeys) return asked;
  const { template } = preparedBase;
  if (head.template === undefined || template === undefined || template === head.template) return asked;
  try {
    const base = await askLinks(workload, "base", { arm: preparedBase, login }, ports);
    const made = await prepareMaterials(workload, head.template, template, { head: links, base });
    signal.throwIfAborted();
    if (made.ofHeadOnly.size === 0 || !(await haveSameShape(head.template, template)))
      return { ...asked, ...made };
    const text =
      "both arms get the head's data: their keys differ by chance, the tables and the numbers of rows do not";
    progress({ kind: "step", text });
    return { ...asked, found: { ...preparedBase, template: head.template } };
  } catch (error) {
    if (signal.aborted || !(error instanceof EnvironmentError)) throw error;
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
  return ports.importProblem(
    python,
    app,
    variablesFor(workload, app, placeholderUrl),
    workload.server.readyWithinSeconds,
  );
}
