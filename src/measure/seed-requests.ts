import { EnvironmentError } from "../errors/errors.ts";
import type { ArmName } from "../model/measurement/measurement.ts";
import { eachRequest, type SeedRequest } from "../model/workload/seed-request.ts";
import type { App, Workload } from "../model/workload/workload.ts";
import type { AppServer } from "../ports/app.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import type { PythonEnvironment } from "../ports/python.ts";
import { shortenEnd } from "../text/length.ts";
import { visibleLine } from "../text/visible.ts";
import { logIn, readSecrets } from "./log-in.ts";
import { startSingleServer } from "./single-server.ts";

const withinSeconds = 30;
/** With nothing but errors for so long it will not mend. */
const errorsForSeconds = 10;

/** Ports that start an app and send it requests. */
export type SeedRequestPorts = Pick<
  MeasurePorts,
  "freePort" | "startApp" | "sendRequest" | "secrets" | "progress"
>;

/**
 * Starts an arm's app on the database of that URL and sends it the requests that fill it. One that asks for a login is
 * sent again with one. Throws an `EnvironmentError` for the first that is refused. An endpoint that only the base lacks
 * may be new, so there that is a warning.
 */
export async function sendSeedRequests(
  requests: readonly SeedRequest[],
  url: string,
  {
    arm,
    app,
    python,
    workload,
  }: {
    readonly arm: ArmName;
    readonly app: App;
    readonly python: PythonEnvironment;
    readonly workload: Workload;
  },
  ports: SeedRequestPorts,
): Promise<void> {
  const what = requests.length > 0 ? "filling the database by requests" : "starting the app once";
  ports.progress({ kind: "step", text: `${arm}: ${what}` });
  const start = { app, python, url, name: `seed-${arm}`, errorsForSeconds };
  await using server = await startSingleServer(workload, start, ports);
  let headers: Readonly<Record<string, string>> | undefined;
  for (const request of requests.flatMap(eachRequest)) {
    let refused = await refusalOf(request, server, headers, ports);
    if (isLoginWanted(refused) && headers === undefined && workload.login !== undefined) {
      headers = await logIn(readSecrets(workload.login, ports), server, ports);
      refused = await refusalOf(request, server, headers, ports);
    }
    if (refused === undefined) continue;
    const said = `seed-request: ${request.method} ${request.path} ${refused.why}`;
    if (arm === "head" || !isMissing(refused))
      throw new EnvironmentError("seed", said, { logTail: server.logTail() });
    ports.progress({ kind: "warning", text: `${said}, so the base goes without` });
  }
}

interface Refusal {
  /** `undefined` when no reply came. */
  readonly status: number | undefined;
  /** The end of a sentence. */
  readonly why: string;
}

async function refusalOf(
  { method, path, body }: SeedRequest,
  { baseUrl }: AppServer,
  headers: Readonly<Record<string, string>> | undefined,
  ports: Pick<MeasurePorts, "sendRequest">,
): Promise<Refusal | undefined> {
  const type = body === undefined ? {} : { "Content-Type": "application/json" };
  const reply = await ports.sendRequest({
    url: baseUrl + path,
    method,
    headers: { ...type, ...headers },
    body,
    withinSeconds,
  });
  if (typeof reply === "string") return { status: undefined, why: `failed: ${reply}` };
  if (reply.status < 400) return undefined;
  const said = shortenEnd(visibleLine(reply.body.slice(0, 600)), 160);
  return { status: reply.status, why: `answered ${reply.status}${said && `: ${said}`}` };
}

function isLoginWanted(refused: Refusal | undefined): boolean {
  return refused?.status === 401 || refused?.status === 403;
}

function isMissing({ status }: Refusal): boolean {
  return status === 404 || status === 405;
}
