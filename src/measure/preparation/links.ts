import { type LinkedReplies, linksOfForms } from "../../endpoints/captures.ts";
import type { Reply } from "../../endpoints/dry-request.ts";
import { EnvironmentError } from "../../errors/errors.ts";
import type { Login } from "../../model/endpoint/login.ts";
import type { ArmName } from "../../model/measurement/measurement.ts";
import type { Workload } from "../../model/workload/workload.ts";
import type { MeasurePorts } from "../../ports/measure.ts";
import { logIn } from "./log-in.ts";
import type { PreparedArm } from "./prepared.ts";
import type { SingleServerPorts } from "./seed-commands.ts";
import { startSingleServer } from "./server.ts";
import { loginIn } from "./users.ts";

const withinSeconds = 30;

/** Starts an arm's app once, if an endpoint needs it, and requests what links point at. Never fails for its answers. */
export async function followLinks(
  workload: Workload,
  name: ArmName,
  { arm, login }: { readonly arm: PreparedArm; readonly login: Login<string> | undefined },
  ports: SingleServerPorts & Pick<MeasurePorts, "signal">,
): Promise<LinkedReplies> {
  const sources = [...new Set(linksOfForms(workload.forms).map(({ source }) => source))];
  if (sources.length === 0) return new Map();
  ports.progress({ kind: "step", text: `${name}: reading the targets of the app's links` });
  try {
    await using database = await arm.template?.copy(arm.app.folder);
    const start = { app: arm.app, python: arm.python, url: database?.url, name: `links-${name}` };
    await using server = await startSingleServer(workload, start, ports);
    const headers = (await logIn(loginIn(arm, login), server, ports)) ?? {};
    const replies = new Map<string, Reply | string>();
    for (const path of sources) {
      const url = server.baseUrl + path;
      const reply = await ports.sendRequest({ url, method: "GET", headers, body: undefined, withinSeconds });
      replies.set(path, typeof reply === "string" ? `failed: ${reply}` : reply);
    }
    return replies;
  } catch (error) {
    if (ports.signal.aborted || !(error instanceof EnvironmentError)) throw error;
    return new Map(sources.map((path) => [path, `could not be requested: ${error.message}`]));
  }
}
