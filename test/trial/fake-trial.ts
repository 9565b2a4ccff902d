import type { Reply } from "../../src/endpoints/dry-request.ts";
import { EnvironmentError } from "../../src/errors/errors.ts";
import type { App, Workload } from "../../src/model/workload/workload.ts";
import type { SingleRequest } from "../../src/ports/app.ts";
import type { ProgressEvent } from "../../src/ports/progress.ts";
import type { AppTests, TrialPorts } from "../../src/ports/trial.ts";
import { recordingPorts } from "../measure/fake-ports.ts";

/** Behaviour of an app that is started for questions. */
export interface AppOfTrial {
  /** Its document by its variables; a text is its failure. */
  readonly documentFor?: (variables: Readonly<Record<string, string>>) => unknown;
  readonly replyTo?: (request: SingleRequest) => Reply | string;
  /** Of its database's copy. */
  readonly databaseUrl?: string;
  /** Statements of one request; by default nothing counts them. */
  readonly statements?: number;
  /** Rows of a query. */
  readonly rowsOf?: (query: string) => readonly unknown[];
  /** Failure of a command; fine without. */
  readonly commandFails?: (text: string) => string | undefined;
  /** Words of a database that refuses these files, with their number of times before; fine without. */
  readonly seedFails?: (files: readonly string[], time: number) => string | undefined;
  readonly installFails?: string | ((app: App) => string | undefined);
  readonly startFails?: string;
  /** Called at each start, which has a copy of the database of its own. */
  readonly onStart?: () => void;
  /** Time that its start takes; none unless said. */
  readonly startSeconds?: number;
  /** End of the server's log; the app's name unless said. */
  readonly log?: string;
  /** Lines of the recorder of tests. */
  readonly recorded?: string;
  readonly recordingFails?: Error;
  readonly tests?: AppTests;
  /** A store of somebody else that the app has opened; none unless said. */
  readonly otherStore?: () => string | undefined;
  /** End of the server, or of a process beside it. */
  readonly ends?: { readonly text: string; readonly process?: string };
}

/** Ports whose app is this one. `asked`: called with the variables of each question, and of the server's start. */
export function trialPorts(
  { app }: Workload,
  {
    documentFor = () => ({ paths: { "/": { get: {} } } }),
    replyTo = () => ({ status: 200, body: "[]" }),
    databaseUrl = "postgresql://a:b@127.0.0.1:5555/c",
    statements,
    rowsOf = () => [],
    commandFails = () => undefined,
    seedFails = () => undefined,
    keptTexts = [],
    installFails,
    startFails,
    onStart,
    startSeconds = 0,
    otherStore = () => undefined,
    ends,
    log,
    recorded = "",
    recordingFails,
    tests,
    asked = [],
    events = [],
  }: AppOfTrial & {
    readonly asked?: unknown[];
    readonly events?: ProgressEvent[];
    readonly keptTexts?: string[];
  },
): TrialPorts {
  const python = { binFolder: "/bin", interpreter: "/bin/python", version: "3.11", packages: {} };
  let now = 0;
  const none = { [Symbol.asyncDispose]: async () => undefined };
  return {
    ...recordingPorts().ports,
    signal: new AbortController().signal,
    clock: () => now,
    progress: (event) => events.push(event),
    copyApp: async (asked) => ({ ...asked, folder: "/copy" }),
    freePort: async () => 4_000,
    secrets: { read: () => undefined, hide: async () => undefined },
    prepareServices: async () => undefined,
    pause: async () => undefined,
    preparePython: async (wanted) => {
      const failure = typeof installFails === "function" ? installFails(wanted) : installFails;
      if (failure !== undefined) throw new EnvironmentError("install", failure);
      return python;
    },
    runCommand: async ({ input, text }) => {
      const said = commandFails(text);
      if (said !== undefined)
        throw new EnvironmentError("seed", `${input} "${text}" failed`, {
          logTail: said,
          detail: { kind: "command", input },
        });
    },
    openDatabases: async () => ({
      ...none,
      version: "18",
      statementStatistics: statements !== undefined,
      maxConnections: undefined,
      cpuSeconds: () => undefined,
      seed: async ({ seedFiles }, commands) => {
        const refused = seedFails(seedFiles, keptTexts.length);
        if (refused !== undefined) throw new EnvironmentError("seed", refused);
        await commands?.("migrate", databaseUrl);
        await commands?.("seed", databaseUrl);
        return {
          copy: async () => ({
            ...none,
            url: databaseUrl,
            resetStatements: async () => undefined,
            countConnections: async () => undefined,
            countStatements: async () =>
              statements === undefined
                ? undefined
                : { statements, rows: 0, transactionStatements: 0, blocks: 0, totalMs: 0 },
            readColumn: async (query) => {
              if (query.includes("broken")) throw new EnvironmentError("seed", "no such thing");
              return rowsOf(query);
            },
            readTable: async (query) => ({ columns: ["name"], rows: rowsOf(query).map((value) => [value]) }),
            watch: () => Promise.reject(new Error("nobody watches")),
          }),
        };
      },
    }),
    readDocument: async (_, asking, variables) => {
      asked.push([asking.importString, variables]);
      const document = documentFor(variables);
      return typeof document === "string" ? { problem: document } : { document };
    },
    startApp: async (command) => {
      asked.push([command.argv.join(" "), command.variables]);
      now += startSeconds;
      onStart?.();
      if (startFails !== undefined) throw new EnvironmentError("start app", startFails);
      return {
        ...none,
        baseUrl: command.baseUrl,
        failure: new Promise<string>(() => undefined),
        failureNow: async () => ends?.text,
        endedProcess: () => ends?.process,
        otherStore: async () => otherStore(),
        cpuSeconds: () => undefined,
        workerCpuSeconds: () => undefined,
        cpus: () => undefined,
        peakMemoryBytes: () => undefined,
        logTail: () => log ?? app.importString,
      };
    },
    sendRequest: async (request) => {
      const reply = replyTo(request);
      now += typeof reply === "string" ? 0 : (reply.seconds ?? 0);
      return reply;
    },
    findTests: async () => tests,
    recordTests: async () => {
      if (recordingFails !== undefined) throw recordingFails;
      return recorded;
    },
    keepText: async (name, text) => {
      keptTexts.push(text);
      return `/kept/${name}`;
    },
  };
}
