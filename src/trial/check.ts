import { EnvironmentError, InputError } from "../errors/errors.ts";
import { defined } from "../lists/defined.ts";
import { answersOf, type RunningArm, runningArmOf, withRunningArms } from "../measure/pair/index.ts";
import { type Prepared, prepare } from "../measure/preparation/index.ts";
import { endpointLabel, stepsOf } from "../model/endpoint/endpoint.ts";
import { redirectWords } from "../model/measurement/redirects.ts";
import type { Cell } from "../model/plan/cell.ts";
import { makePlan } from "../model/plan/plan.ts";
import type { Workload } from "../model/workload/workload.ts";
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

/** One worker, and no base: a request is sent to one server. */
export function headAlone(workload: Workload): Workload {
  const comparing = { ...workload.comparing, base: { kind: "none" } } as const;
  return { ...workload, workerCounts: [1], comparing };
}

/** Prepares as `run` does, but no load is sent, so nothing that sends one is needed. */
export async function prepareForRequests(workload: Workload, ports: MeasurePorts): Promise<Prepared> {
  return await prepare(workload, {}, { ...ports, findGenerator: async () => "" });
}

/**
 * Prepares a configuration as `run` does, and requests its endpoints, which worked in their order before. `undefined`,
 * with a warning, when it cannot be prepared.
 */
export async function checkConfiguration(
  workload: Workload,
  ports: MeasurePorts,
): Promise<readonly CheckedEndpoint[] | undefined> {
  const alone = headAlone(workload);
  try {
    await using prepared = await prepareForRequests(alone, ports);
    const { cells } = makePlan(alone);
    // Each worked before those that follow it, so none needs what they wrote.
    const inReverse = [...cells.filter((cell) => !writes(cell)), ...cells.filter(writes).toReversed()];
    const checked = await checkTogether(inReverse, prepared, ports);
    for (const cell of inReverse)
      if (writes(cell) && checked.get(cell)?.problem !== undefined)
        for (const [, own] of await checkTogether([cell], prepared, ports)) checked.set(cell, own);
    return cells.flatMap((cell) => checked.get(cell) ?? []);
  } catch (error) {
    if (ports.signal.aborted || !(error instanceof EnvironmentError || error instanceof InputError))
      throw error;
    const text = `the configuration does not work on a fresh copy of the database yet: ${error.message}`;
    return void ports.progress({ kind: "warning", text });
  }
}

/**
 * Starts the app and requests the endpoint of each cell. Those that read share one start; each that writes has another,
 * because `run` gives it a database in which none of the others wrote. Throws an `EnvironmentError` when the app does
 * not start or nobody can log in.
 */
export async function checkEndpoints(
  cells: readonly Cell[],
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<readonly CheckedEndpoint[]> {
  const writing = cells.filter(writes);
  const reading = cells.filter((cell) => !writing.includes(cell));
  const starts = [[...reading, ...writing.slice(0, 1)], ...writing.slice(1).map((cell) => [cell])];
  const checked = new Map<Cell, CheckedEndpoint>();
  for (const shared of starts)
    for (const [cell, own] of await checkTogether(shared, prepared, ports)) checked.set(cell, own);
  return cells.flatMap((cell) => checked.get(cell) ?? []);
}

/** Requests the endpoint of each cell, after one start of the app. */
async function checkTogether(
  cells: readonly Cell[],
  prepared: Prepared,
  ports: MeasurePorts,
): Promise<Map<Cell, CheckedEndpoint>> {
  const checked = new Map<Cell, CheckedEndpoint>();
  const [first] = cells;
  if (first === undefined) return checked;
  await withRunningArms(first, ["head"], prepared, {}, ports, async (arms) => {
    const running = runningArmOf(arms, "head");
    const { database } = running;
    const facts = {
      document: await documentOf(running, ports),
      columns: database === undefined ? [] : await columnsOf(database),
    };
    ports.progress({ kind: "step", text: "requesting each endpoint once" });
    for (const cell of cells) checked.set(cell, await check(cell, running, facts, prepared, ports));
  });
  return checked;
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
