import type { Reply } from "../endpoints/dry-request.ts";
import { memberOf, resolved } from "../endpoints/openapi-schema.ts";
import { materialOf, type ParameterValues } from "../endpoints/rows.ts";
import {
  type Candidate,
  invented,
  type SuggestedEndpoint,
  type WrittenParameter,
} from "../init/endpoints.ts";
import { listPaths, queriesFor, valuesInList } from "../init/parameter-values.ts";
import { shortenEnd } from "../text/length.ts";
import { visibleLine } from "../text/visible.ts";
import type { RunningTrial } from "./trial.ts";

/** The largest number of endpoints that are tried. */
const mostTried = 150;

/** Sends each endpoint one request and says which can be measured, with parameters that exist. */
export async function tryCandidates(
  candidates: readonly Candidate[],
  running: RunningTrial,
): Promise<readonly SuggestedEndpoint[]> {
  const replies = new Map<string, Reply>();
  const found = new Map<Candidate, SuggestedEndpoint>();
  const tried = candidates.slice(0, mostTried);
  // Lists first: their items give the parameters of the others.
  for (const each of tried.toSorted((a, b) => a.names.length - b.names.length))
    found.set(each, await tryOne(each, running, replies));
  return tried.flatMap((each) => found.get(each) ?? []);
}

async function tryOne(
  { endpoint, form, names }: Candidate,
  running: RunningTrial,
  replies: Map<string, Reply>,
): Promise<SuggestedEndpoint> {
  const line = endpoint.path;
  const filled = await valuesOf({ endpoint, form, names }, running, replies);
  if (typeof filled === "string") return { line, reason: filled };
  const values: ParameterValues = Object.fromEntries(
    Object.entries(form.params).map(([name, source]) => [
      name,
      filled.get(name)?.values ?? (source.kind === "list" ? source.values : []),
    ]),
  );
  const { rows, headers } = materialOf(form, values);
  const [row] = rows;
  const reply = await running.send({ method: "GET", path: row?.path ?? line }, headers);
  if (typeof reply === "string")
    return { line, reason: `gave no answer: ${shortenEnd(visibleLine(reply), 80)}` };
  if (names.length === 0 && reply.status < 300) replies.set(line, reply);
  if (reply.status >= 400) return { line, reason: refusal(reply, filled.size > 0) };
  if (filled.size === 0) return { line, reason: undefined };
  const params = Object.fromEntries([...filled].map(([name, { written }]) => [name, written] as const));
  return { line: form.endpoint.path, params, reason: undefined };
}

interface Filled {
  readonly values: readonly (string | number)[];
  readonly written: WrittenParameter;
}

/** Values of the parameters that have no stated value; the end of a sentence when one cannot be found. */
async function valuesOf(
  { endpoint, form, names }: Candidate,
  running: RunningTrial,
  replies: ReadonlyMap<string, Reply>,
): Promise<ReadonlyMap<string, Filled> | string> {
  const filled = new Map<string, Filled>();
  for (const name of names) {
    const source = form.params[name];
    if (source?.kind !== "list" || source.values[0] !== invented) continue;
    const found =
      (await existing(endpoint.path, name, running, replies)) ??
      firstNumber(running.document, endpoint.path, name);
    if (found === undefined) return `needs a ${name} that exists: seed one, or say \`params\``;
    filled.set(name, found);
  }
  return filled;
}

/**
 * The number 1, when no existing value is known and the parameter is a number. The request then tells whether it
 * exists.
 */
function firstNumber(document: unknown, path: string, name: string): Filled | undefined {
  const item = memberOf(memberOf(document, "paths"), path);
  const parameters = [memberOf(item, "parameters"), memberOf(memberOf(item, "get"), "parameters")].flatMap(
    (each) => (Array.isArray(each) ? each : []),
  );
  const parameter: unknown = parameters.find((each) => memberOf(each, "name") === name);
  const type = memberOf(resolved(document, memberOf(parameter, "schema")), "type");
  return type === "integer" || type === "number" ? { values: [1], written: [1] } : undefined;
}

async function existing(
  path: string,
  name: string,
  running: RunningTrial,
  replies: ReadonlyMap<string, Reply>,
): Promise<Filled | undefined> {
  const upTo = path.slice(0, path.indexOf(`{${name}}`) + name.length + 2);
  for (const query of queriesFor(upTo, name, running.columns)) {
    const values = (await running.ask(query)).map((each) => (typeof each === "number" ? each : String(each)));
    if (values.length > 0) return { values, written: { sql: query } };
  }
  for (const list of listPaths(upTo)) {
    const reply = replies.get(list);
    const values = reply === undefined ? [] : valuesInList(upTo, name, parsed(reply.body));
    if (values.length > 0) return { values, written: values };
  }
  return undefined;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function refusal({ status, body }: Reply, isFilled: boolean): string {
  const said = shortenEnd(visibleLine(body.slice(0, 300)), 80);
  const quoted = said === "" ? "" : `: ${said}`;
  if (status === 401 || status === 403) return `asks for a login (${status}${quoted}); say how (\`login\`)`;
  if (status === 404 && isFilled) return "needs something that exists: seed it, or say `params`";
  return `answered ${status}${quoted}`;
}
