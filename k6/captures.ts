// Values that an iteration keeps of its replies for later steps. `src/endpoints/captures.ts` has the same rules.

import type { RefinedResponse, ResponseType } from "k6/http";

export interface ScenarioCapture {
  readonly name: string;
  readonly kind: "json" | "header" | "cookie";
  readonly place: string;
}

/** Values by their names in braces. */
export type Captured = Record<string, string | number>;

/** A path with captured values instead of their names. */
export function pathWith(path: string, captured: Captured): string {
  return path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = captured[name];
    return value === undefined ? whole : encodeURIComponent(value);
  });
}

/** The same of headers. */
export function headersWith(headers: Readonly<Record<string, string>>, captured: Captured) {
  const filled: Record<string, string> = {};
  for (const name of Object.keys(headers))
    filled[name] = (headers[name] as string).replace(/\{(\w+)\}/g, (whole, key: string) =>
      captured[key] === undefined ? whole : `${captured[key]}`.replace(/[\r\n]/g, " "),
    );
  return filled;
}

/** The same of a body. In JSON a text that is nothing but a name becomes the value. */
export function bodyWith(body: string, captured: Captured): string {
  const isJson = /^[[{"]/.test(body);
  return body.replace(/"\{(\w+)\}"|\{(\w+)\}/g, (whole, alone?: string, within?: string) => {
    const value = captured[alone ?? within ?? ""];
    if (value === undefined) return whole;
    if (!isJson) return alone === undefined ? `${value}` : `"${value}"`;
    return alone === undefined ? JSON.stringify(`${value}`).slice(1, -1) : JSON.stringify(value);
  });
}

/** The value at a JSON pointer; `undefined` when there is none, or one that is neither text nor a number. */
export function valueAt(text: string, pointer: string): string | number | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  for (const part of pointer.slice(1).split("/")) {
    const name = part.replace(/~1/g, "/").replace(/~0/g, "~");
    const isThere = typeof value === "object" && value !== null && Object.hasOwn(value, name);
    value = isThere ? Reflect.get(value as object, name) : undefined;
  }
  return typeof value === "number" || (typeof value === "string" && value !== "") ? value : undefined;
}

/** The value of a capture in k6's own form of a reply; `undefined` when it is not there. */
export function capturedIn(
  { body, headers, cookies }: RefinedResponse<ResponseType | undefined>,
  { kind, place }: ScenarioCapture,
): string | number | undefined {
  if (kind === "json") return typeof body === "string" ? valueAt(body, place) : undefined;
  if (kind === "cookie") return cookies[place]?.[0]?.value || undefined;
  const key = Object.keys(headers).find((each) => each.toLowerCase() === place.toLowerCase());
  return (key && headers[key]) || undefined;
}
