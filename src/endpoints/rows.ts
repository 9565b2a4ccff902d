import { defined } from "../lists/defined.ts";
import { isSocket } from "../model/endpoint/endpoint.ts";
import type { Body, Capture, EndpointForm, ParameterValue } from "../model/endpoint/form.ts";
import { fillText, placeholdersIn } from "../model/endpoint/form.ts";
import { urlPart } from "../text/quoting.ts";

/** One request as it is sent: path with its query, and its body where it has one. */
export interface ParameterRow {
  readonly path: string;
  readonly body?: string;
  /** Headers with values of parameters; absent: none has one. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The data from which k6 sends the requests of one endpoint. */
export interface Material {
  readonly headers: Readonly<Record<string, string>>;
  /** At least one. Users go through them in order, each from a place of its own, and start again at the end. */
  readonly rows: readonly ParameterRow[];
  /** Values that its replies hold for later steps; absent: none. */
  readonly captures?: readonly Capture[];
  /** For a WebSocket: words of the message that answers; absent: any does. */
  readonly answeredBy?: string;
}

export const mostRows = 10_000;

export type ParameterValues = Readonly<Record<string, readonly ParameterValue[]>>;

/**
 * The requests of an endpoint, in a mixed order that is always the same. A single parameter has each of its values
 * equally often, up to `mostRows`. Several parameters take their values independently, but columns of one CSV file stay
 * together in their rows.
 */
export function materialOf(form: EndpointForm, values: ParameterValues): Material {
  const names = Object.keys(form.params);
  const groups = groupsOf(form, names);
  const sizes = groups.map(([first = ""]) => values[first]?.length ?? 1);
  const combinations = sizes.reduce((product, size) => product * size, 1);
  const count = Math.max(1, Math.min(mostRows, combinations));
  const orders = sizes.map((size, index) => orderOf(size, count, index));
  const rows = Array.from({ length: count }, (_, row) => {
    const chosen = new Map(
      groups.flatMap((group, index) =>
        group.map((name) => [name, values[name]?.[orders[index]?.[row] ?? 0] ?? ""] as const),
      ),
    );
    return rowOf(form, chosen);
  });
  const { captures, expect, endpoint } = form;
  return {
    headers: headersOf(form),
    rows,
    ...defined({ captures }),
    ...(isSocket(endpoint) && expect.contains !== undefined && { answeredBy: expect.contains }),
  };
}

function groupsOf({ params }: EndpointForm, names: readonly string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const source = params[name];
    const key = source?.kind === "csv" ? `file ${source.file}` : `parameter ${name}`;
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return [...groups.values()];
}

function rowOf(
  { endpoint, body, headers }: EndpointForm,
  chosen: ReadonlyMap<string, ParameterValue>,
): ParameterRow {
  const inPath = (name: string) => {
    const value = chosen.get(name);
    return value === undefined ? undefined : urlPart(value);
  };
  const path = fillText(endpoint.path, inPath);
  const own = Object.entries(headers).filter(([, text]) =>
    placeholdersIn(text).some((name) => chosen.has(name)),
  );
  const filled = own.map(([name, text]) => [name, fillText(text, (each) => chosen.get(each)?.toString())]);
  return {
    path,
    ...(body !== undefined && { body: bodyOf(body, chosen) }),
    ...(own.length > 0 && { headers: Object.fromEntries(filled) }),
  };
}

function bodyOf(body: Body, chosen: ReadonlyMap<string, ParameterValue>): string {
  const inText = (name: string) => chosen.get(name)?.toString();
  return body.kind === "text" ? fillText(body.text, inText) : JSON.stringify(filled(body.value, chosen));
}

/** A text that is nothing but a parameter becomes its value, so that a number stays a number. */
function filled(value: unknown, chosen: ReadonlyMap<string, ParameterValue>): unknown {
  if (typeof value === "string") {
    const [, name = ""] = /^\{(\w+)\}$/.exec(value) ?? [];
    return chosen.get(name) ?? fillText(value, (each) => chosen.get(each)?.toString());
  }
  if (Array.isArray(value)) return value.map((each) => filled(each, chosen));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, chosen)]));
}

function headersOf({ headers: all, body, params }: EndpointForm): Record<string, string> {
  const isSaid = Object.keys(all).some((name) => name.toLowerCase() === "content-type");
  const isFixed = (text: string) => !placeholdersIn(text).some((name) => Object.hasOwn(params, name));
  const headers = Object.fromEntries(Object.entries(all).filter(([, text]) => isFixed(text)));
  if (body === undefined || isSaid) return headers;
  return { "Content-Type": body.kind === "json" ? "application/json" : "text/plain", ...headers };
}

/** The index of a value, below `size`, for each of `count` rows: all indexes in turn, shuffled anew for each turn. */
function orderOf(size: number, count: number, salt: number): number[] {
  const random = randomFrom(0x9e37_79b9 + salt);
  const order: number[] = [];
  while (order.length < count) order.push(...shuffled(size, random));
  return order.slice(0, count);
}

function shuffled(size: number, random: () => number): number[] {
  const all = Array.from({ length: size }, (_, index) => index);
  for (let last = size - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [all[last], all[other]] = [all[other] ?? 0, all[last] ?? 0];
  }
  return all;
}

/** Numbers from 0 up to but not including 1, always the same ones (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The whole numbers of a range. A long range gives as many as there can be rows, evenly spread. */
export function valuesInRange(from: number, to: number): number[] {
  const size = to - from + 1;
  const count = Math.min(size, mostRows);
  return Array.from({ length: count }, (_, index) => from + Math.floor((index * size) / count));
}
