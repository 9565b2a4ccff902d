import { jsonOf } from "../../text/json.ts";
import { type Endpoint, methods } from "../endpoint/endpoint.ts";

export interface SeedRequest {
  readonly method: Endpoint["method"];
  /** May hold `{n}`, like the body. */
  readonly path: string;
  /** A JSON text; absent: no body. */
  readonly body?: string;
}

/** Times that a request with `{n}` is sent. */
const times = 20;
const number = "{n}";

/** A line such as `POST /notes {"title": "Note {n}"}`, or the end of a sentence that says why it is none. */
export function seedRequestOf(line: string): SeedRequest | string {
  const [, word = "", path = "", body] = /^(\S+)\s+(\/\S*)(?:\s+(\S.*))?$/.exec(line.trim()) ?? [];
  const method = methods.find((each) => each === word && each !== "WS");
  if (method === undefined)
    return 'must be a method, a path and JSON, e.g. POST /notes {"title": "Note {n}"}';
  if (!/^[!-~]*$/.test(path)) return "must have a path that is percent-encoded where it is not plain ASCII";
  if (body === undefined) return { method, path };
  return jsonOf(body.replaceAll(number, "1")) !== undefined
    ? { method, path, body }
    : "must have a body that is JSON";
}

/** The requests that one line means: with `{n}` there are 20, with the numbers 1 to 20 in its place. */
export function eachRequest({ method, path, body }: SeedRequest): readonly SeedRequest[] {
  const count = `${path}${body}`.includes(number) ? times : 1;
  return Array.from({ length: count }, (_, index) => {
    const filled = (text: string) => text.replaceAll(number, String(index + 1));
    return { method, path: filled(path), ...(body !== undefined && { body: filled(body) }) };
  });
}
