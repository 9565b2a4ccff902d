import type { Reply } from "../endpoints/dry-request.ts";
import { withOwnStatus } from "../endpoints/own-status.ts";
import { EnvironmentError } from "../errors/errors.ts";
import type { AppFailure } from "../init/project.ts";
import type { DatabaseColumn } from "../init/requests/parameters.ts";
import { defined } from "../lists/defined.ts";
import {
  inOwnFolder,
  logIn,
  placeholderUrl,
  queriedUsers,
  readSecrets,
  refuseOtherStore,
  startSingleServer,
  variablesFor,
} from "../measure/preparation/index.ts";
import type { Endpoint } from "../model/endpoint/endpoint.ts";
import type { Login } from "../model/endpoint/login.ts";
import { dialectOf } from "../model/workload/database-variables.ts";
import type { App, Workload } from "../model/workload/workload.ts";
import type { AppServer } from "../ports/app.ts";
import type { DatabaseCopy } from "../ports/database.ts";
import type { PythonEnvironment } from "../ports/python.ts";
import type { DocumentResult, TrialPorts } from "../ports/trial.ts";
import { jsonOf } from "../text/json.ts";
import { type OpenedDatabase, openDatabase, type SeededDatabases } from "./seeded-databases.ts";
import { type SlowReplies, withoutSlow } from "./slow.ts";

/** Usual path of the document. */
export const openApiPath = "/openapi.json";

const withinSeconds = 10;

/** A first page that fails again and again stays broken; another path may say when the app is ready. */
const errorsForSeconds = 3;

/** Why an app could not be tried. */
export interface TrialProblem extends AppFailure {
  /** The end of a sentence. */
  readonly problem: string;
}

/** Reads an app's OpenAPI document, with a database of ours when the app cannot be imported without one. */
export async function readDocument(workload: Workload, ports: TrialPorts): Promise<DocumentResult> {
  const prepared = await prepare(workload, ports);
  const first = await prepared.read(placeholderUrl);
  if (!lacksDatabase(workload, first)) return first;
  await using opened = await openDatabase(workload, prepared, ports);
  return await prepared.read(opened.copy?.url);
}

interface Prepared {
  readonly app: App;
  readonly python: PythonEnvironment;
  /** Reads the document of an app whose database has this address. */
  read(url: string | undefined): Promise<DocumentResult>;
}

async function prepare(workload: Workload, ports: TrialPorts): Promise<Prepared> {
  const python = await ports.preparePython(workload.app);
  const app = await inOwnFolder(workload.app, workload, ports);
  const { readyWithinSeconds } = workload.server;
  const read = (url: string | undefined) =>
    ports.readDocument(python, app, variablesFor(workload, app, url), readyWithinSeconds);
  return { app, python, read };
}

function lacksDatabase({ database }: Workload, read: DocumentResult): boolean {
  if ("document" in read || read.detail?.kind === "no document") return false;
  return database.kind !== "none" && mayLackDatabase(read.problem);
}

/** True when the import may have failed without a service, which only a server of the app's has. */
function mayLackService(
  { services }: Workload,
  { problem, detail }: Extract<DocumentResult, { readonly problem: string }>,
): boolean {
  return services !== undefined && detail === undefined && isUnreachable.test(problem);
}

/** The document as the running app serves it. */
async function documentOf({ baseUrl }: Pick<AppServer, "baseUrl">, ports: TrialPorts): Promise<unknown> {
  const url = baseUrl + openApiPath;
  const reply = await ports.sendRequest({ url, method: "GET", headers: {}, body: undefined, withinSeconds });
  return typeof reply === "string" || reply.status >= 400 ? undefined : jsonOf(reply.body);
}

const isUnreachable = /OperationalError|OSError|Connect|PoolTimeout|refused|InterfaceError|port 1\b|:1\b/i;

/** True when the import may have failed without a database: an app may say so in any words. */
function mayLackDatabase(problem: string): boolean {
  if (isUnreachable.test(problem)) return true;
  return !/^(?:\w+\.)*(?:ModuleNotFound|Import|Key|Syntax|Indentation|Name|Attribute|Type|UndefinedValue|Validation|Settings)Error\b|not set|missing|required/.test(
    problem,
  );
}

/** A running app that requests are sent to. */
export interface RunningTrial {
  readonly baseUrl: string;
  readonly document: unknown;
  /** Time until the app was ready. */
  readonly startSeconds: number;
  /** Columns of the seeded database; empty without one. */
  readonly columns: readonly DatabaseColumn[];
  /** True when the app has a database of ours, which is gone afterwards. */
  readonly hasDatabase: boolean;
  /** First values of a query's result; empty when the query fails. */
  ask(query: string): Promise<readonly unknown[]>;
  /** The reply, or one sentence when none came. */
  send(request: TrialRequest): Promise<Reply | string>;
  /** Statements that the database executes meanwhile; `undefined` where nothing counts them. */
  countStatements(during: () => Promise<unknown>): Promise<number | undefined>;
  /** The end of its log: foreign text. */
  log(): string;
  /** Logs in from now on. Returns a sentence when that did not work. */
  logIn(login: Login): Promise<string | undefined>;
  /** Nobody is logged in from now on. */
  logOut(): void;
}

/** A request of a trial. */
export interface TrialRequest extends Pick<Endpoint, "method" | "path"> {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Texts that are said through a WebSocket. */
  readonly messages?: readonly string[];
  /** True where the app is busy, so that nothing follows from a slow reply. */
  readonly isWaiting?: true;
}

/** What another start of the app left, or wants of this one. */
export interface TrialCircumstances {
  /** Adds to the database before the app is started. */
  readonly fill?: ((ask: RunningTrial["ask"]) => Promise<void>) | undefined;
  /** The document that an earlier start with the same settings had. */
  readonly known?: unknown;
  /** Replies of earlier starts and of this one. */
  readonly slow?: SlowReplies;
  /** The databases of earlier starts. */
  readonly seeded?: SeededDatabases;
}

/**
 * Starts the app once as `run` would, on a database of ours that is migrated and seeded, and hands it to `use`. A
 * problem is returned as the answer, not thrown.
 */
export async function withTrial<T>(
  workload: Workload,
  ports: TrialPorts,
  use: (running: RunningTrial) => Promise<T>,
  { fill, known, slow = new Map(), seeded }: TrialCircumstances = {},
): Promise<T | TrialProblem> {
  let document = known;
  try {
    const prepared = await prepare(workload, ports);
    const { app, python } = prepared;
    if (workload.services !== undefined) await ports.prepareServices(workload.services, python, app.folder);
    // Without a database first: most missing things show at the import, which is quick.
    const first = known === undefined ? await prepared.read(placeholderUrl) : { document: known };
    if ("document" in first) document = first.document;
    else if (!lacksDatabase(workload, first) && !mayLackService(workload, first))
      return importProblem(first, app);
    await using opened = await openDatabase(workload, prepared, ports, seeded);
    const url = opened.copy?.url;
    await fill?.((query) => queried(opened.copy, query));
    // The app makes further tables when it starts, which `run` has not got when it asks for values.
    const columns = opened.copy === undefined ? [] : await columnsOf(opened.copy);
    const read = "document" in first ? first : await prepared.read(url);
    if ("problem" in read && !mayLackService(workload, read)) return importProblem(read, app);
    if ("document" in read) document = read.document;
    ports.progress({ kind: "step", text: "starting the app to check its endpoints" });
    const startedAt = ports.clock();
    await using server = await startSingleServer(
      workload,
      { app, python, url, name: "init", errorsForSeconds },
      ports,
    );
    const startSeconds = ports.clock() - startedAt;
    document ??= await documentOf(server, ports);
    if ("problem" in read && document === undefined) return importProblem(read, app);
    const isNew = workload.processes !== undefined && known === undefined;
    const isWatched = isNew ? ports.pause(processWatchedSeconds) : undefined;
    let login = await logIn(
      await withKnownUsers(readSecrets(workload.login, ports), opened.copy),
      server,
      ports,
    );
    const used = await use({
      ...{ baseUrl: server.baseUrl, document, startSeconds, columns },
      hasDatabase: opened.copy !== undefined,
      ask: (query) => queried(opened.copy, query),
      countStatements: (during) => counted(opened, during),
      log: () => server.logTail(),
      send: withoutSlow(async ({ method, path, headers, body, messages }) => {
        const sentAt = ports.clock();
        const reply = await ports.sendRequest({
          url: server.baseUrl + path,
          method,
          headers: {
            ...(body !== undefined && { "Content-Type": "application/json" }),
            ...headers,
            ...login,
          },
          body,
          ...defined({ messages }),
          withinSeconds,
          takesEndless: true,
        });
        return typeof reply === "string"
          ? reply
          : { ...withOwnStatus(reply), seconds: ports.clock() - sentAt };
      }, slow),
      logOut: () => {
        login = {};
      },
      logIn: async (wanted) => {
        try {
          login = await logIn(readSecrets(wanted, ports), server, ports);
          return undefined;
        } catch (error) {
          if (!(error instanceof EnvironmentError)) throw error;
          return error.message;
        }
      },
    });
    await isWatched;
    await refuseOtherStore(server, "start app");
    const process = server.endedProcess?.();
    if (process === undefined) return used;
    const problem = (await server.failureNow()) ?? "";
    const detail = { kind: "process", name: process } as const;
    return { phase: "start app", problem, log: `${problem}\n${server.logTail()}`, detail, document };
  } catch (error) {
    if (ports.signal.aborted || !(error instanceof EnvironmentError)) throw error;
    const { phase, message, logTail, detail } = error;
    const problem = `${phase}: ${message}`;
    return { phase, problem, log: `${problem}\n${logTail}`, document, ...defined({ detail }) };
  }
}

/** Without the folder of this machine, which says nothing to others. */
function importProblem(
  { problem: said, detail }: { readonly problem: string } & Pick<AppFailure, "detail">,
  { folder }: App,
) {
  const problem = said.replaceAll(`${folder}/`, "");
  return { phase: "import", problem, log: problem, ...defined({ detail }) } as const;
}

/** The login with the identities that its query finds, if it has one. */
async function withKnownUsers(
  login: Login<string> | undefined,
  copy: DatabaseCopy | undefined,
): Promise<Login<string> | undefined> {
  if (login?.usersFrom?.kind !== "sql") return login;
  const users = await queriedUsers(login, login.usersFrom.query, copy);
  if (typeof users === "string")
    throw new EnvironmentError("log in", `login (${login.place}): users: ${users}`);
  return { ...login, users };
}

/** A worker that cannot reach its queue, or that knows another version of a package, ends within seconds. */
const processWatchedSeconds = 5;

const columnQueries = {
  postgres:
    "SELECT json_build_array(table_schema, table_name, column_name)::text FROM information_schema.columns WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1",
  mysql:
    "SELECT JSON_ARRAY('public', table_name, column_name) FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY 1",
  sqlite:
    "SELECT json_array('public', m.name, c.name) FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type IN ('table', 'view') ORDER BY 1",
} as const;

/** Tables and columns of a copy of the seeded database. */
export async function columnsOf(copy: DatabaseCopy): Promise<readonly DatabaseColumn[]> {
  const query = columnQueries[dialectOf(copy.url)];
  const rows = await queried(copy, query, 5_000);
  return rows.flatMap((row) => {
    const [schema, table, column]: unknown[] = JSON.parse(String(row));
    return typeof schema === "string" && typeof table === "string" && typeof column === "string"
      ? [{ schema, table, column }]
      : [];
  });
}

async function counted(
  { copy, isCounting }: OpenedDatabase,
  during: () => Promise<unknown>,
): Promise<number | undefined> {
  if (copy === undefined || isCounting !== true) return undefined;
  await copy.resetStatements();
  await during();
  return (await copy.countStatements())?.statements;
}

async function queried(copy: DatabaseCopy | undefined, query: string, most = 3): Promise<readonly unknown[]> {
  try {
    return (await copy?.readColumn(query, most))?.filter((each) => each !== null) ?? [];
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return [];
  }
}
