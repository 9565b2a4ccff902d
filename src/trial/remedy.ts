import type { Reply } from "../endpoints/dry-request.ts";
import { formFromOpenApi, operationsOf } from "../endpoints/openapi.ts";
import { carriersIn, tokenRequestsIn } from "../init/requests/accounts.ts";
import { type DatabaseColumn, queriesFor } from "../init/requests/parameters.ts";
import type { Endpoint } from "../model/endpoint/endpoint.ts";
import { placeholdersIn } from "../model/endpoint/form.ts";
import { nearest } from "../text/nearest.ts";

/** Keys of the configuration file that an endpoint lacks. */
export interface Remedy {
  readonly login?: unknown;
  /** Replaces the endpoint that failed. */
  readonly endpoint?: unknown;
}

/** Facts about a running app from which a remedy can be made. */
export interface AppFacts {
  /** The app's OpenAPI document; `undefined`: it serves none. */
  readonly document: unknown;
  /** Columns of its seeded database; empty without one. */
  readonly columns: readonly DatabaseColumn[];
}

/** The keys to write for an endpoint that failed, by the status of its reply; `undefined` where nobody can know them. */
export function remedyFor(step: Endpoint, { status }: Reply, facts: AppFacts): Remedy | undefined {
  if (status === 401 || status === 403) return { login: loginOf(facts.document) };
  if (status === 404 || status === 405) return withEndpoint(placed(step, status, facts));
  if (status === 400 || status === 415 || status === 422) return withEndpoint(filledIn(step, facts));
  return undefined;
}

function withEndpoint(endpoint: unknown): Remedy | undefined {
  return endpoint === undefined ? undefined : { endpoint };
}

const [username, password] = ["{username}", "{password}"] as const;
const secrets: Readonly<Record<string, unknown>> = {
  [username]: { secret: "LOADTEST_USERNAME" },
  [password]: { secret: "LOADTEST_PASSWORD" },
};

/** The log-in that the document describes, with secrets for its values; else a header with a token. */
function loginOf(document: unknown): unknown {
  const account = { fields: { username, email: username, password } };
  const [request] = tokenRequestsIn(document, account);
  if (request !== undefined) {
    const fields = Object.entries(request.fields).map(([name, value]) => [name, secrets[value] ?? value]);
    return { path: request.path, [request.kind]: Object.fromEntries(fields) };
  }
  const header = carriersIn(document)[0]?.header ?? "Authorization";
  return { headers: { [header]: { secret: "LOADTEST_TOKEN" } } };
}

/** The path without its query. */
function bare({ path }: Endpoint): string {
  return path.split("?")[0] ?? path;
}

/** The operation of the document that answers a request. */
function operationOf(step: Endpoint, document: unknown): Endpoint | undefined {
  return operationsOf(document).find((each) => each.method === step.method && isOf(bare(step), each.path));
}

function isOf(path: string, template: string): boolean {
  const [parts, wanted] = [path.split("/"), template.split("/")];
  return (
    parts.length === wanted.length &&
    wanted.every((part, index) => part === parts[index] || /^\{.*\}$/.test(part))
  );
}

/** An endpoint at the path that was probably meant, or with parameters that exist in the database. */
function placed(step: Endpoint, status: number, { document, columns }: AppFacts): unknown {
  const operation = operationOf(step, document);
  const names = placeholdersIn(operation?.path ?? "");
  if (operation !== undefined && status === 404 && names.length > 0) {
    const sources = names.map((name) => {
      const [query] = queriesFor(operation.path, name, columns);
      return [name, query === undefined ? [1, 2, 3] : { sql: query }] as const;
    });
    return { path: operation.path, ...methodOf(step), params: Object.fromEntries(sources) };
  }
  const others = operationsOf(document);
  const same = others.find(({ path }) => isOf(bare(step), path));
  if (status === 405) return same && lineOf({ ...step, method: same.method });
  const meant = nearest(
    bare(step),
    others.filter(({ method }) => method === step.method).map(({ path }) => path),
  );
  return meant === undefined ? undefined : lineOf({ ...step, path: meant });
}

/** An endpoint with the query, parameters and body that the document asks for. */
function filledIn(step: Endpoint, { document }: AppFacts): unknown {
  const operation = operationOf(step, document);
  const form = operation && formFromOpenApi(document, operation, true);
  if (form === undefined || typeof form === "string") return undefined;
  const params = Object.entries(form.params).flatMap(([name, source]) =>
    source.kind === "list" ? [[name, source.values] as const] : [],
  );
  return {
    path: form.endpoint.path,
    ...methodOf(step),
    ...(params.length > 0 && { params: Object.fromEntries(params) }),
    ...(form.body?.kind === "json" && { body: form.body.value }),
  };
}

function methodOf({ method }: Endpoint) {
  return method === "GET" ? {} : { method };
}

function lineOf({ method, path }: Endpoint): string {
  return method === "GET" ? path : `${method} ${path}`;
}
