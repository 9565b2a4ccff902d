import { EnvironmentError } from "../errors/errors.ts";
import { defined } from "../lists/defined.ts";
import { answersOf, type RunningArm, runningArmOf, withRunningArms } from "../measure/pair/index.ts";
import type { Prepared } from "../measure/preparation/index.ts";
import { endpointLabel, stepsOf } from "../model/endpoint/endpoint.ts";
import { redirectWords } from "../model/measurement/redirects.ts";
import type { Cell } from "../model/plan/cell.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { jsonOf } from "../text/json.ts";
import { tellingLine } from "../text/telling-line.ts";
import { type AppFacts, type Remedy, remedyFor } from "./remedy.ts";
import { columnsOf, openApiPath } from "./trial.ts";

/** An endpoint of the configuration, requested once. */
export interface CheckedEndpoint {
  readonly endpoint: string;
  /** Status of its last reply; `undefined`: it was not requested, or gave no reply. */
  readonly status: number | undefined;
  /** One sentence, as `run` reports it; `undefined`: it can be measured, or is a script, which only `run` runs. */
  readonly problem: string | undefined;
  /** Keys to write in the configuration file; `undefined`: nobody can know them. */
  readonly remedy: Remedy | undefined;
}

/**
 * Starts the app once and requests the endpoint of each cell, those that read first. Throws an `EnvironmentError` when
 * the app does not start or nobody can log in.
 */
export async function checkEndpoints(
  cells: readonly Cell[],
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<readonly CheckedEndpoint[]> {
  const ordered = cells.toSorted((a, b) => Number(writes(a)) - Number(writes(b)));
  const [first] = ordered;
  if (first === undefined) return [];
  const checked = new Map<Cell, CheckedEndpoint>();
  await withRunningArms(first, ["head"], prepared, {}, ports, async (arms) => {
    const running = runningArmOf(arms, "head");
    const { database } = running;
    const facts = {
      document: await documentOf(running, ports),
      columns: database === undefined ? [] : await columnsOf(database),
    };
    ports.progress({ kind: "step", text: "requesting each endpoint once" });
    for (const cell of ordered) checked.set(cell, await check(cell, running, facts, prepared, ports));
  });
  return cells.flatMap((cell) => checked.get(cell) ?? []);
}

function writes({ endpoint }: Cell): boolean {
  return stepsOf(endpoint).some((step) => "path" in step && !/^(?:GET|HEAD|WS)$/.test(step.method));
}

async function documentOf({ app, headers }: RunningArm, ports: MeasurePorts): Promise<unknown> {
  const reply = await ports.sendRequest({
    url: app.baseUrl + openApiPath,
    method: "GET",
    headers: { ...headers },
    body: undefined,
    withinSeconds: 10,
  });
  return typeof reply === "string" || reply.status >= 400 ? undefined : jsonOf(reply.body);
}

/** The problem with the exception in the app's log. Servers log it after they have replied, but before the next reply. */
async function withLog(problem: string, running: RunningArm, ports: MeasurePorts): Promise<string> {
  await documentOf(running, ports);
  const line = tellingLine(running.app.logTail());
  return line === undefined ? problem : `${problem}: ${line}`;
}

async function check(
  cell: Cell,
  running: RunningArm,
  facts: AppFacts,
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<CheckedEndpoint> {
  const endpoint = endpointLabel(cell.endpoint);
  const failed = (problem: string) => ({ endpoint, status: undefined, problem, remedy: undefined });
  try {
    const steps = stepsOf(cell.endpoint).flatMap((step) => ("path" in step ? [step] : []));
    const replies = await answersOf(cell, "head", running, prepared, ports);
    const wrong = replies.findIndex(({ problem }) => problem !== undefined);
    const { reply, problem } = replies[wrong] ?? replies.at(-1) ?? {};
    const sentOn = replies.find(({ redirect }) => redirect !== undefined);
    if (problem === undefined && sentOn?.request !== undefined)
      return {
        ...failed(redirectWords({ request: sentOn.request, ...defined({ head: sentOn.redirect }) })),
        status: reply?.status,
      };
    const step = steps[wrong];
    const remedy = step && reply && remedyFor(step, reply, facts);
    const isFailed = problem !== undefined && reply !== undefined && reply.status >= 500;
    const said = isFailed ? await withLog(problem, running, ports) : problem;
    return { endpoint, status: reply?.status, problem: said, remedy };
  } catch (error) {
    if (ports.signal.aborted || !(error instanceof EnvironmentError)) throw error;
    return failed(error.message);
  }
}
