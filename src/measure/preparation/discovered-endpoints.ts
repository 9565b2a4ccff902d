import { discover, formFromOpenApi, operationsOf } from "../../endpoints/openapi.ts";
import { InputError } from "../../errors/errors.ts";
import { isNonEmpty } from "../../lists/non-empty.ts";
import { type Step, stepsOf } from "../../model/endpoint/endpoint.ts";
import type { EndpointForm } from "../../model/endpoint/form.ts";
import type { Discovery, Workload } from "../../model/workload/workload.ts";
import type { EndpointPorts } from "../../ports/run.ts";

/** More would take hours, and nobody reads such a table. */
const mostFound = 100;

/** Fills in endpoints from OpenAPI. Throws an `InputError` for a named one; others cost a warning. */
export async function discoverEndpoints(workload: Workload, ports: EndpointPorts): Promise<Workload> {
  const { discovery, login } = workload;
  if (discovery === undefined) return workload;
  ports.progress({ kind: "step", text: "reading the app's endpoints" });
  const read = await ports.readOpenApi(workload);
  if ("problem" in read)
    throw new InputError([
      read.detail?.kind === "no document"
        ? `${discovery.label} ${read.problem}; list the endpoints with their parameters (docs/endpoints.md)`
        : `${discovery.label} the app cannot be imported: ${read.problem}`,
    ]);
  const { document } = read;
  const hasLogin = login !== undefined;
  const problems: string[] = [];
  const forms: EndpointForm[] = [];
  const lines = new Map(discovery.lines.map((line) => [bareName(line), line]));
  for (const { method, path } of lines.values()) {
    const form = formFromOpenApi(document, { method, path: path.split("?")[0] ?? path }, hasLogin);
    if (typeof form !== "string") forms.push(form);
    else
      problems.push(
        `${discovery.label} ${method} ${path} ${form}; write it in the configuration file with what it needs (docs/endpoints.md)`,
      );
  }
  if (problems.length > 0) throw new InputError(problems);
  const own = discovery.isOnly ? [] : workload.endpoints;
  const named = [...own.flatMap(stepsOf), ...forms.map(({ endpoint }) => endpoint)].map(bareName);
  if (discovery.isAll) {
    const others = found(document, workload, discovery, ports);
    forms.push(...others.filter(({ endpoint }) => !named.includes(bareName(endpoint))));
  }
  const endpoints = [...own, ...forms.map(({ endpoint }) => endpoint)];
  if (!isNonEmpty(endpoints)) throw new InputError([`${discovery.label} ${nothingFound(document)}`]);
  return { ...workload, endpoints, forms: [...workload.forms, ...forms] };
}

function found(
  document: unknown,
  { login }: Workload,
  { patterns, label }: Discovery,
  ports: EndpointPorts,
): readonly EndpointForm[] {
  const { forms, left } = discover(document, patterns, login !== undefined);
  for (const { name, reason } of left)
    ports.progress({ kind: "warning", text: `${name} is not measured: it ${reason}` });
  if (forms.length > mostFound)
    throw new InputError([
      `${label} auto finds ${forms.length} endpoints, and a report has at most ${mostFound}; choose with include and exclude (docs/endpoints.md)`,
    ]);
  return forms;
}

/** The name without its query: two queries of one path are still one endpoint of the app. */
function bareName(step: Step): string {
  return "path" in step ? `${step.method} ${step.path.split("?")[0]}` : "";
}

function nothingFound(document: unknown): string {
  const all = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
  const named = all.length === 0 ? "has none" : `has ${all.slice(0, 20).join(", ")}`;
  return `auto finds no endpoint that can be requested (the app ${named}); list endpoints with what they need (docs/endpoints.md)`;
}
