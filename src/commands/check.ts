import { stringify } from "yaml";
import type { RawInputs } from "../config/inputs.ts";
import { EnvironmentError, exitStatus, explain, InputError } from "../errors/errors.ts";
import { defined } from "../lists/defined.ts";
import { type Prepared, prepareMaterials } from "../measure/preparation/index.ts";
import { makePlan } from "../model/plan/plan.ts";
import type { Reporting, Workload } from "../model/workload/workload.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import type { RunPorts } from "../ports/run.ts";
import { printable, printableLines } from "../text/visible.ts";
import { columnsOf, pad } from "../text/width.ts";
import { type CheckedEndpoint, checkEndpoints, headAlone, prepareForRequests } from "../trial/check.ts";
import type { Checking } from "./arguments.ts";
import { fillInEndpoints, readRequest, refuseTokens } from "./request.ts";

export type CheckPorts = Pick<
  RunPorts,
  "environment" | "request" | "endpointPorts" | "measurePorts" | "print"
> & {
  /** Resolves to true once a configuration file has changed, and to false when the run is cancelled. */
  configurationChanged(): Promise<boolean>;
};

interface CheckedApp {
  readonly app?: string;
  readonly endpoints: readonly CheckedEndpoint[];
}

/** Requests every endpoint of each app, and prints what is missing. Returns the exit status. */
export async function check({ raw, isJson, isWatching }: Checking, ports: CheckPorts): Promise<number> {
  refuseTokens(ports.environment);
  await using kept = keepPreparations();
  for (;;) {
    const status = await round(raw, isJson, kept, ports).catch((error: unknown) => {
      if (!isWatching || !(error instanceof InputError || error instanceof EnvironmentError)) throw error;
      ports.print(explain(error).text);
      return exitStatus.badInput;
    });
    if (!isWatching || !(await ports.configurationChanged())) return status;
  }
}

async function round(
  raw: RawInputs,
  isJson: boolean,
  kept: Preparations,
  ports: CheckPorts,
): Promise<number> {
  const request = await readRequest("measure", raw, ports.request);
  const apps: CheckedApp[] = [];
  for (const { workload } of await fillInEndpoints(request, ports)) {
    const alone = headAlone(workload);
    const measurePorts = await ports.measurePorts(request.reporting, alone);
    const prepared = await kept.prepared(alone, request.reporting, measurePorts);
    const endpoints = await checkEndpoints(makePlan(alone).cells, prepared, measurePorts);
    apps.push({ ...(workload.name !== undefined && { app: workload.name }), endpoints });
  }
  ports.print(isJson ? `${JSON.stringify({ schemaVersion: 1, apps })}\n` : textOf(apps));
  const isComplete = apps.every(({ endpoints }) => endpoints.every(({ problem }) => problem === undefined));
  return isComplete ? exitStatus.fine : exitStatus.badInput;
}

interface Preparations extends AsyncDisposable {
  prepared(workload: Workload, reporting: Reporting, ports: MeasurePorts): Promise<Prepared>;
}

/** Keeps environments and seeded databases from round to round, as long as the configuration of them is the same. */
function keepPreparations(): Preparations {
  const all = new Map<string, { readonly key: string; readonly prepared: Prepared }>();
  return {
    prepared: async (workload, reporting, ports) => {
      const name = workload.name ?? "";
      const key = JSON.stringify([
        workload.app,
        workload.database,
        workload.services,
        workload.login,
        reporting,
      ]);
      const known = all.get(name);
      if (known?.key === key) {
        const { materials } = await prepareMaterials(workload, known.prepared.arms.head.template);
        return { ...known.prepared, workload, materials };
      }
      await known?.prepared[Symbol.asyncDispose]();
      all.delete(name);
      const prepared = await prepareForRequests(workload, ports);
      all.set(name, { key, prepared });
      return prepared;
    },
    [Symbol.asyncDispose]: async () => {
      for (const { prepared } of all.values()) await prepared[Symbol.asyncDispose]();
    },
  };
}

/** A table of all endpoints, the problems in `run`'s words, and the keys to write. */
function textOf(apps: readonly CheckedApp[]): string {
  return apps
    .map(({ app, endpoints }) => {
      const title = app === undefined ? [] : [printable(app)];
      const width = Math.max(...endpoints.map(({ endpoint }) => columnsOf(printable(endpoint))), 0);
      const rows = endpoints.map(({ endpoint, status, problem }) => {
        const outcome =
          problem !== undefined ? "missing" : status === undefined ? "not requested" : "can be measured";
        return `  ${pad(printable(endpoint), width, "left")}  ${String(status ?? "–").padEnd(3)}  ${outcome}`;
      });
      const problems = endpoints.flatMap(({ problem }) =>
        problem === undefined ? [] : [printable(problem)],
      );
      return [...title, ...rows, ...listed(problems), ...written(endpoints)].join("\n");
    })
    .join("\n\n")
    .concat("\n");
}

function listed(problems: readonly string[]): readonly string[] {
  return problems.length === 0 ? [] : ["", ...problems.map((problem) => `- ${problem}`)];
}

function written(endpoints: readonly CheckedEndpoint[]): readonly string[] {
  const remedies = endpoints.flatMap(({ remedy }) => remedy ?? []);
  const login = remedies.find((each) => each.login !== undefined)?.login;
  const replaced = remedies.flatMap(({ endpoint }) => (endpoint === undefined ? [] : [endpoint]));
  const keys = {
    ...defined({ login }),
    ...(replaced.length > 0 && { endpoints: replaced }),
  };
  if (Object.keys(keys).length === 0) return [];
  const yaml = printableLines(stringify(keys, { lineWidth: 0 }).trimEnd());
  return ["", "Add this to the configuration file:", "", yaml];
}
