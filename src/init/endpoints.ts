import { formFromOpenApi, operationsOf } from "../endpoints/openapi.ts";
import type { ProjectFile } from "./source-file.ts";

/** A line of `endpoints`, to be measured or only shown. */
export interface SuggestedEndpoint {
  readonly line: string;
  /** Why it is not measured, as the end of a sentence; `undefined`: it is. */
  readonly reason: string | undefined;
}

const mostMeasured = 5;
const mostShown = 40;

/**
 * Endpoints of an app's OpenAPI document. Measured are those that read and can be filled in: at most five, health checks
 * last.
 *
 * @param hasData whether the load test fills the tables, so that there may be what paths name
 */
export function suggestEndpoints(document: unknown, hasData: boolean): readonly SuggestedEndpoint[] {
  const all = operationsOf(document).map(({ method, path }) => {
    const line = method === "GET" ? path : `${method} ${path}`;
    const form = formFromOpenApi(document, { method, path }, false);
    if (typeof form === "string") return { line, reason: form };
    if (method !== "GET") return { line, reason: "writes, so say what it is sent: docs/endpoints.md" };
    if (path.includes("{") && !hasData)
      return { line, reason: "needs something that exists: seed it, or say `params`" };
    return { line, reason: undefined };
  });
  return limited(all.toSorted((a, b) => Number(isHealth(a.line)) - Number(isHealth(b.line))));
}

const route =
  /^[ \t]*(?:@\w+\.(?:get|route)\(\s*|(?:Route|path)\(\s*|\w+\.add_api_route\(\s*|@get\(\s*)["'](\/?[\w./-]*)["']/gm;

/** Paths without parameters that the code itself names, where the app cannot be asked. */
export function routesIn(files: readonly ProjectFile[]): readonly SuggestedEndpoint[] {
  const paths = files
    .filter(({ path }) => path.endsWith(".py"))
    .flatMap(({ text }) => [...text.matchAll(route)].map(([, path = ""]) => `/${path.replace(/^\//, "")}`));
  return limited([...new Set(paths)].map((line) => ({ line, reason: undefined })));
}

function limited(all: readonly SuggestedEndpoint[]): readonly SuggestedEndpoint[] {
  let measured = 0;
  return all.slice(0, mostShown).map((each) => {
    if (each.reason !== undefined) return each;
    measured += 1;
    return measured > mostMeasured ? { ...each, reason: "left out to keep it short" } : each;
  });
}

function isHealth(line: string): boolean {
  return /\/(?:health|healthz|livez?|readyz?|ping|status|metrics|version)\/?$/.test(line);
}
