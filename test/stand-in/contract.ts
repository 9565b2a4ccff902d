import {
  description,
  isObject,
  type Json,
  type JsonObject,
  type Operation,
  type Parameter,
  parametersOf,
  replyOf,
} from "./description.ts";
import { problemsOfBody, problemsOfParameters } from "./schema.ts";

/** Holds each request and each reply against GitHub's description. */

export interface Request {
  readonly method: string;
  /** Below the API's own prefix. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined`: no body. A string is no JSON, but a page of some proxy. */
  readonly body: Json | undefined;
}

export interface Match {
  readonly operation: Operation;
  /** Values from the path. */
  readonly path: Readonly<Record<string, string>>;
}

/** Statuses that GitHub returns everywhere without describing them everywhere. */
const commonStatuses: readonly number[] = [401, 403, 404, 410, 429, 500, 502, 503, 504];
const basicError = { $ref: "#/components/schemas/basic-error" };

export function findOperation({ method, path }: Pick<Request, "method" | "path">): Match | undefined {
  for (const [template, methods] of Object.entries(description.paths)) {
    const operation = methods[method.toLowerCase()];
    const pattern = template.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)");
    const match = new RegExp(`^${pattern}$`).exec(path);
    if (operation !== undefined && match !== null) return { operation, path: { ...match.groups } };
  }
  return undefined;
}

export function problemsOfRequest({ operation, path }: Match, request: Request): readonly string[] {
  const parameters = parametersOf(operation);
  return [
    ...problemsOfParameters(objectOf(parameters, "path"), path).map((problem) => `path: ${problem}`),
    ...problemsOfParameters(objectOf(parameters, "query"), request.query).map(
      (problem) => `query: ${problem}`,
    ),
    ...problemsOfHeaders(request),
    ...problemsOfRequestBody(operation, request).map((problem) => `body: ${problem}`),
  ];
}

export function problemsOfReply(operation: Operation, { status, headers, body }: Reply): readonly string[] {
  const described = replyOf(operation, status);
  if (described === undefined) {
    if (!commonStatuses.includes(status)) return [`status ${status} is not described`];
    return typeof body === "string" ? [] : problemsOfBody(basicError, body);
  }
  const undescribed = ["link", "location"].filter((name) => {
    const names = Object.keys(described.headers).map((each) => each.toLowerCase());
    return headers[name] !== undefined && !names.includes(name);
  });
  const headerProblems = undescribed.map((name) => `header ${name} is not described`);
  const schema = described.content?.["application/json"].schema;
  if (schema === undefined)
    return body === undefined ? headerProblems : [...headerProblems, "a body is not described"];
  return [...headerProblems, ...problemsOfBody(schema, body)];
}

/** All parameters of one kind together; others are not allowed. */
function objectOf(parameters: readonly Parameter[], place: Parameter["in"]): JsonObject {
  const ours = parameters.filter((parameter) => parameter.in === place);
  return {
    type: "object",
    properties: Object.fromEntries(ours.map(({ name, schema }) => [name, schema])),
    required: ours.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function problemsOfHeaders({ headers, body }: Request): readonly string[] {
  const { accept, "user-agent": agent, "content-type": type } = headers;
  return [
    ...(agent ? [] : ["header user-agent is missing"]),
    ...(/\bapplication\/(vnd\.github(\.[\w-]+)*\+)?json\b/.test(String(accept))
      ? []
      : [`header accept is ${accept}`]),
    ...(body === "" || String(type).startsWith("application/json") ? [] : [`header content-type is ${type}`]),
  ];
}

function problemsOfRequestBody({ requestBody }: Operation, { body }: Request): readonly string[] {
  if (requestBody === undefined) return body === "" ? [] : ["is not described"];
  const { schema } = requestBody.content["application/json"];
  // GitHub ignores unknown parameters; we want to know that we sent one.
  const strict =
    isObject(schema) && schema["properties"] ? { additionalProperties: false, ...schema } : schema;
  try {
    return problemsOfBody(strict, JSON.parse(body));
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
