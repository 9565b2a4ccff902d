import { parseReachDocuments, type ReachDocument, startWindow } from "../../diagnosis/reach/reached.ts";
import { isClosed } from "../../endpoints/closed-reply.ts";
import { EnvironmentError } from "../../errors/errors.ts";
import { defined } from "../../lists/defined.ts";
import type { ArmName } from "../../model/measurement/measurement.ts";
import { lackOfExtension } from "../../model/workload/extensions.ts";
import { isFilledByStart } from "../../model/workload/seed.ts";
import { eachRequest, type SeedRequest } from "../../model/workload/seed-request.ts";
import type { App, Workload } from "../../model/workload/workload.ts";
import type { AppPorts, AppServer } from "../../ports/app.ts";
import type { DatabaseServer, DatabaseTemplate, RunSeedCommands } from "../../ports/database.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import type { PythonEnvironment } from "../../ports/python.ts";
import { replyWords } from "../../text/reply-words.ts";
import { logIn, readSecrets } from "./log-in.ts";
import { refuseOtherStore, startSingleServer, storesOf, variablesFor } from "./server.ts";

const inputs = { migrate: "migrate-command", seed: "seed-command" } as const;
const withinSeconds = 30;
/** With nothing but errors for so long it will not recover. */
const errorsForSeconds = 10;

export type SingleServerPorts = Pick<
  MeasurePorts,
  "freePort" | "startApp" | "sendRequest" | "secrets" | "progress"
>;

interface ArmApp {
  readonly app: App;
  readonly python: PythonEnvironment;
  readonly workload: Workload;
}

/** Runs an arm's own commands one after the other, with the variables that its server will get; then sends requests. */
export function seedCommands(
  arm: ArmName,
  own: ArmApp,
  ports: Pick<MeasurePorts, "runCommand"> & SingleServerPorts,
  watch?: SeedWatch,
): RunSeedCommands {
  const { app, python, workload } = own;
  const { database, services } = workload;
  return async (kind, url) => {
    if (database.kind === "none") return;
    const variables = {
      PYTHONUNBUFFERED: "1",
      LOADTEST_SCALE: String(database.scale),
      ...variablesFor(workload, app, url),
    };
    const wanted = services && { services, cpus: undefined };
    for (const text of database.commands?.[kind] ?? []) {
      ports.progress({ kind: "step", text: `${arm}: ${text}` });
      const { named, ...own } = storesOf(workload, app);
      const stores = { ...own, named: { ...named, command: text } };
      const place = { input: inputs[kind], text, folder: app.folder };
      await using step = await watch?.open();
      const command = {
        ...place,
        variables: step?.variables(variables) ?? variables,
        stores,
        ...defined({ wanted }),
      };
      await ports.runCommand(command, python, `seed-${arm}`);
      await step?.read("ended");
    }
    const requests = database.commands?.requests ?? [];
    if (kind === "seed" && (requests.length > 0 || isFilledByStart(database)))
      await sendSeedRequests(requests, url, arm, own, ports, watch);
  };
}

/** Fills a template. Throws an `EnvironmentError`, which says how to get an extension that is missing. */
export async function seedTemplate(
  databases: DatabaseServer | undefined,
  ...[seed, fill, folder]: Parameters<DatabaseServer["seed"]>
): Promise<DatabaseTemplate | undefined> {
  try {
    return await databases?.seed(seed, fill, folder);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    const { phase, message, logTail, detail } = error;
    const lack = lackOfExtension(`${message}\n${logTail}`);
    if (lack === undefined) throw error;
    throw new EnvironmentError(phase, `${message}; ${lack}`, { logTail, ...defined({ detail }) });
  }
}

/**
 * Starts an arm's app on the database of that URL and sends it the requests that fill it. One that wants a login is
 * sent again with one. The first that is refused is an `EnvironmentError`; a warning where only the base lacks the
 * endpoint, which may be new.
 */
async function sendSeedRequests(
  requests: readonly SeedRequest[],
  url: string,
  arm: ArmName,
  { app, python, workload }: ArmApp,
  ports: SingleServerPorts,
  watch?: SeedWatch,
): Promise<void> {
  const what = requests.length > 0 ? "filling the database by requests" : "starting the app once";
  ports.progress({ kind: "step", text: `${arm}: ${what}` });
  await using step = await watch?.open();
  const start = {
    app,
    python,
    url,
    name: `seed-${arm}`,
    errorsForSeconds,
    ...defined({ watched: step?.variables }),
  };
  await using server = await startSingleServer(workload, start, ports);
  let headers: Readonly<Record<string, string>> | undefined;
  for (const request of requests.flatMap(eachRequest)) {
    let refused = await refusalOf(request, server, headers, ports);
    if (refused?.isClosed && headers === undefined && workload.login !== undefined) {
      headers = await logIn(readSecrets(workload.login, ports), server, ports);
      refused = await refusalOf(request, server, headers, ports);
    }
    if (refused === undefined) continue;
    await refuseOtherStore(server, "seed");
    const sentence = `seed-request: ${request.method} ${request.path} ${refused.why}`;
    const isMissing = refused.status === 404 || refused.status === 405;
    if (arm === "head" || !isMissing)
      throw new EnvironmentError("seed", sentence, { logTail: server.logTail() });
    ports.progress({ kind: "warning", text: `${sentence}, so the base is measured without it` });
  }
  await refuseOtherStore(server, "seed");
  await step?.read("running");
}

/** Why a request did not succeed, as the end of a sentence; its status is `undefined` when no reply came. */
interface Refusal {
  readonly status?: number;
  readonly why: string;
  /** True when it wants a login. */
  readonly isClosed?: boolean;
}

async function refusalOf(
  { method, path, body }: SeedRequest,
  { baseUrl }: AppServer,
  loginHeaders: Readonly<Record<string, string>> | undefined,
  ports: Pick<MeasurePorts, "sendRequest">,
): Promise<Refusal | undefined> {
  const headers = { ...(body !== undefined && { "Content-Type": "application/json" }), ...loginHeaders };
  const reply = await ports.sendRequest({ url: baseUrl + path, method, headers, body, withinSeconds });
  if (typeof reply === "string") return { why: `failed: ${reply}` };
  if (reply.status < 400) return undefined;
  const answer = replyWords(reply.body, 160);
  const why = `answered ${reply.status}${answer && `: ${answer}`}`;
  return { status: reply.status, why, isClosed: isClosed(reply) };
}

type Variables = Readonly<Record<string, string>>;

/** A command, or a start of the app, that fills a database. */
interface SeedStep extends AsyncDisposable {
  /** Variables of its processes. */
  variables(own: Variables): Variables;
  /** Takes down what they ran. */
  read(are: "ended" | "running"): Promise<void>;
}

export interface SeedWatch {
  open(): Promise<SeedStep>;
  /** What ran in all steps, or why nobody knows. */
  seen(): readonly ReachDocument[] | string;
}

/** @param topFolder of the arm's repository */
export function watchSeeding(topFolder: string, ports: Pick<AppPorts, "openProbe">): SeedWatch {
  const documents: ReachDocument[] = [];
  let doubt: string | undefined;
  return {
    open: async () => {
      const probe = await ports.openProbe("reach");
      return {
        variables: (own) => probe.variables(own, topFolder),
        read: async (are) => {
          const found = parseReachDocuments(await probe.readFiles(are), [startWindow]);
          if (typeof found === "string") doubt ??= found;
          else if (are === "ended" && !found.every(({ ended }) => ended))
            doubt ??= "a seed ended without a record";
          else documents.push(...found);
        },
        [Symbol.asyncDispose]: () => probe[Symbol.asyncDispose](),
      };
    },
    seen: () => doubt ?? documents,
  };
}
