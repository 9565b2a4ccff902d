import type { Reply } from "../endpoints/dry-request.ts";
import { EnvironmentError } from "../errors/errors.ts";
import type { DatabaseColumn } from "../init/parameter-values.ts";
import type { Endpoint } from "../model/endpoint/endpoint.ts";
import { seedOf } from "../model/workload/seed.ts";
import { serverArgv } from "../model/workload/server-command.ts";
import type { Workload } from "../model/workload/workload.ts";
import type { AppServer } from "../ports/app.ts";
import type { DatabaseCopy, DatabaseServer } from "../ports/database.ts";
import type { PythonEnvironment } from "../ports/python.ts";
import type { TrialPorts } from "../ports/trial.ts";
import { logIn, readSecrets } from "./log-in.ts";
import { placeholderUrl } from "./preparation.ts";
import { seedCommands, variablesFor } from "./seed-commands.ts";

const withinSeconds = 10;
const mostWaited = 30;

/** A problem of an app, with all that it said about it. */
export interface TrialProblem {
  /** The end of a sentence. */
  readonly problem: string;
  /** Foreign text. */
  readonly said: string;
}

/** Reads an app's OpenAPI document, with a database of ours when the app cannot be imported without one. */
export async function readDocument(
  workload: Workload,
  ports: TrialPorts,
): Promise<{ readonly document: unknown } | { readonly problem: string }> {
  const { app, database } = workload;
  const python = await ports.preparePython(app);
  const read = await ports.readDocument(python, app, variablesFor(workload, app, placeholderUrl));
  if ("document" in read || database.kind === "none" || !isOfConnection(read.problem)) return read;
  await using opened = await openDatabase(workload, python, ports);
  return await ports.readDocument(python, app, variablesFor(workload, app, opened.copy?.url));
}

/** True when the import seems to have failed for want of a database. */
function isOfConnection(problem: string): boolean {
  return /OperationalError|OSError|Connect|PoolTimeout|refused|InterfaceError|port 1\b|:1\b/i.test(problem);
}

/** A running app that requests are sent to. */
export interface RunningTrial {
  readonly document: unknown;
  /** Columns of the seeded database; empty without one. */
  readonly columns: readonly DatabaseColumn[];
  /** First values of a query's result; empty when the query fails. */
  ask(query: string): Promise<readonly unknown[]>;
  /** The reply, or one sentence when none came. */
  send(endpoint: Endpoint, headers: Readonly<Record<string, string>>): Promise<Reply | string>;
}

/**
 * Starts the app once as `run` would, on a database of ours that is migrated and seeded, and hands it to `use`. A
 * problem is returned as the answer, not thrown.
 */
export async function withTrial<T>(
  workload: Workload,
  ports: TrialPorts,
  use: (running: RunningTrial) => Promise<T>,
): Promise<T | (TrialProblem & { readonly document?: unknown })> {
  let document: unknown;
  try {
    const { app, database } = workload;
    const python = await ports.preparePython(app);
    // Without a database first: most missing things show at the import, which is quick.
    const first = await ports.readDocument(python, app, variablesFor(workload, app, placeholderUrl));
    if ("document" in first) document = first.document;
    else if (database.kind === "none" || !isOfConnection(first.problem))
      return { problem: first.problem, said: first.problem };
    await using opened = await openDatabase(workload, python, ports);
    const url = opened.copy?.url;
    const read =
      document === undefined
        ? await ports.readDocument(python, app, variablesFor(workload, app, url))
        : first;
    if ("problem" in read) return { problem: read.problem, said: read.problem };
    document = read.document;
    await using server = await startApp(workload, python, url, ports);
    const login = await logIn(readSecrets(workload.login, ports), server, ports);
    const columns = opened.copy === undefined ? [] : await columnsOf(opened.copy);
    return await use({
      document,
      columns,
      ask: (query) => queried(opened.copy, query),
      send: ({ method, path }, headers) =>
        ports.sendRequest({
          url: server.baseUrl + path,
          method,
          headers: { ...headers, ...login },
          body: undefined,
          withinSeconds,
        }),
    });
  } catch (error) {
    if (ports.signal.aborted || !(error instanceof EnvironmentError)) throw error;
    const problem = `${error.phase}: ${error.message}`;
    return { problem, said: `${problem}\n${error.logTail}`, document };
  }
}

interface OpenedDatabase extends AsyncDisposable {
  /** `undefined`: the app has no database of ours. */
  readonly copy: DatabaseCopy | undefined;
}

async function openDatabase(
  workload: Workload,
  python: PythonEnvironment,
  ports: TrialPorts,
): Promise<OpenedDatabase> {
  const { app, database } = workload;
  const seed = seedOf(database);
  if (database.kind === "none" || seed === undefined)
    return { copy: undefined, [Symbol.asyncDispose]: async () => undefined };
  const databases: DatabaseServer = await ports.openDatabases(database, undefined);
  try {
    const fill = seedCommands("head", { app, python, workload }, ports);
    const copy = await (await databases.seed(seed, fill)).copy();
    return { copy, [Symbol.asyncDispose]: () => databases[Symbol.asyncDispose]() };
  } catch (error) {
    await databases[Symbol.asyncDispose]();
    throw error;
  }
}

async function startApp(
  workload: Workload,
  python: PythonEnvironment,
  url: string | undefined,
  ports: TrialPorts,
): Promise<AppServer> {
  const { app, server } = workload;
  const [host, port] = ["127.0.0.1", server.port ?? (await ports.freePort())] as const;
  ports.progress({ kind: "step", text: "starting the app to try its endpoints" });
  const command = {
    argv: serverArgv(server.template, { app: app.importString, host, port, workers: 1 }),
    folder: app.folder,
    variables: variablesFor(workload, app, url),
    baseUrl: `http://${host}:${port}`,
    readyPath: server.readyPath,
    readyWithinSeconds: Math.max(mostWaited, server.readyWithinSeconds),
    cpus: undefined,
  };
  return await ports.startApp(command, python, "init");
}

async function columnsOf(copy: DatabaseCopy): Promise<readonly DatabaseColumn[]> {
  const rows = await queried(
    copy,
    "SELECT json_build_array(table_schema, table_name, column_name)::text FROM information_schema.columns WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1",
    5_000,
  );
  return rows.flatMap((row) => {
    const [schema, table, column]: unknown[] = JSON.parse(String(row));
    return typeof schema === "string" && typeof table === "string" && typeof column === "string"
      ? [{ schema, table, column }]
      : [];
  });
}

async function queried(copy: DatabaseCopy | undefined, query: string, most = 3): Promise<readonly unknown[]> {
  try {
    return (await copy?.readColumn(query, most))?.filter((each) => each !== null) ?? [];
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return [];
  }
}
