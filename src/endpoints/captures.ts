import { type Capture, fillText } from "../model/endpoint/form.ts";
import { jsonOf } from "../text/json.ts";
import { urlPart } from "../text/quoting.ts";
import { replyWords } from "../text/reply-words.ts";
import type { Reply } from "./dry-request.ts";
import type { ParameterRow } from "./rows.ts";

/** Values that the replies of one user's iteration held so far. */
type CapturedValues = Readonly<Record<string, string | number>>;

const longestShown = 200;

/** The value of a capture in a reply; `undefined` when it is not there. `k6/captures.ts` has the same rules. */
export function capturedIn(
  { body, headers = {} }: Reply,
  { kind, place }: Capture,
): string | number | undefined {
  if (kind === "header") return headers[place.toLowerCase()]?.[0] || undefined;
  if (kind === "json") return valueAt(body, place);
  return setCookies(headers).find(([name]) => name === place)?.[1] || undefined;
}

export function cookiesIn({ headers = {} }: Reply): readonly string[] {
  return setCookies(headers).flatMap(([name, value]) => (value === "" ? [] : [name]));
}

function setCookies(headers: NonNullable<Reply["headers"]>): readonly (readonly [string, string])[] {
  return (headers["set-cookie"] ?? []).flatMap((each) => {
    const [, name, value] = /^\s*([^=;\s]+)=([^;]*)/.exec(each) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
}

function valueAt(text: string, pointer: string): string | number | undefined {
  let value = jsonOf(text);
  for (const part of pointer.slice(1).split("/")) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    value =
      typeof value === "object" && value !== null && Object.hasOwn(value, name)
        ? Reflect.get(value, name)
        : undefined;
  }
  return typeof value === "number" || (typeof value === "string" && value !== "") ? value : undefined;
}

export function withCaptured({ path, body }: ParameterRow, captured: CapturedValues): ParameterRow {
  const valueFor = (name: string) => (Object.hasOwn(captured, name) ? captured[name] : undefined);
  const inPath = (name: string) => {
    const value = valueFor(name);
    return value === undefined ? undefined : urlPart(value);
  };
  const filled = fillText(path, inPath);
  return body === undefined ? { path: filled } : { path: filled, body: bodyWith(body, captured, valueFor) };
}

export function headersWith(
  headers: Readonly<Record<string, string>>,
  captured: CapturedValues,
): Readonly<Record<string, string>> {
  const valueFor = (name: string) =>
    Object.hasOwn(captured, name) ? String(captured[name]).replaceAll(/[\r\n]/g, " ") : undefined;
  return Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, fillText(text, valueFor)]));
}

/** In JSON a text that is nothing but a name becomes the value, so that a number stays a number. */
function bodyWith(
  body: string,
  captured: CapturedValues,
  valueFor: (name: string) => string | number | undefined,
): string {
  if (!/^[[{"]/.test(body)) return fillText(body, (name) => valueFor(name)?.toString());
  let text = body;
  for (const [name, value] of Object.entries(captured))
    text = text.replaceAll(`"{${name}}"`, () => JSON.stringify(value));
  return fillText(text, (name) => {
    const value = valueFor(name);
    return value === undefined ? undefined : JSON.stringify(String(value)).slice(1, -1);
  });
}

/** One sentence on a value that a reply should have held: foreign text in it is visible, on one line, and cut. */
export function missingValue(
  request: string,
  { name, kind, place }: Capture,
  { status, body }: Reply,
): string {
  const said = replyWords(body, longestShown);
  const where = kind === "json" ? `${place} in its JSON` : `the ${kind} ${place}`;
  return `${request} answered ${status} without ${where}, which later steps need as {${name}}${said && `: ${said}`}; fix \`capture\``;
}

/** A cookie that a reply set, as k6 keeps it for the later steps of an iteration. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  /** Beginning of the paths that get it. */
  readonly path: string;
}

/** The cookies after a reply of a host, as k6 keeps them: also `Secure` ones, but none that is for another host. */
export function cookiesAfter(
  cookies: readonly Cookie[],
  { path: sentPath, host }: { readonly path: string; readonly host: string },
  { headers = {} }: Reply,
): readonly Cookie[] {
  return (headers["set-cookie"] ?? []).reduce<readonly Cookie[]>((kept, text) => {
    const [, name, value = ""] = /^\s*([^=;\s]+)=([^;]*)/.exec(text) ?? [];
    if (name === undefined || foreignDomain(text, host) !== undefined) return kept;
    const path = /;\s*path=(\/[^;]*)/i.exec(text)?.[1]?.trim() ?? folderOf(sentPath);
    const others = kept.filter((each) => each.name !== name || each.path !== path);
    return isOver(text) ? others : [...others, { name, value: value.trim(), path }];
  }, cookies);
}

/** The headers with the cookies of a path, longest path first, after those that are there. */
export function withCookies(
  headers: Readonly<Record<string, string>>,
  cookies: readonly Cookie[],
  path: string,
): Readonly<Record<string, string>> {
  const mine = cookies
    .filter((cookie) => isBelow(path.split(/[?#]/)[0] ?? "/", cookie.path))
    .toSorted((one, other) => other.path.length - one.path.length)
    .map(({ name, value }) => `${name}=${value}`);
  if (mine.length === 0) return headers;
  const own = Object.keys(headers).find((name) => name.toLowerCase() === "cookie") ?? "Cookie";
  return { ...headers, [own]: [...(headers[own] === undefined ? [] : [headers[own]]), ...mine].join("; ") };
}

function folderOf(path: string): string {
  return /^(\/.*)\/[^/]*$/.exec(path.split(/[?#]/)[0] ?? "")?.[1] ?? "/";
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** The other host that a reply's cookie is for; `undefined` without one. */
export function otherDomain({ headers = {} }: Reply, host: string): string | undefined {
  return (headers["set-cookie"] ?? [])
    .map((text) => foreignDomain(text, host))
    .find((domain) => domain !== undefined);
}

function foreignDomain(text: string, host: string): string | undefined {
  const domain = /;\s*domain=\.?([^;\s]{1,253})/i.exec(text)?.[1]?.toLowerCase(); // no name is longer
  return domain === undefined || host === domain || host.endsWith(`.${domain}`) ? undefined : domain;
}

/** A server takes a cookie back by a time in the past. */
function isOver(text: string): boolean {
  const [, seconds] = /;\s*max-age=(-?\d+)/i.exec(text) ?? [];
  if (seconds !== undefined) return Number(seconds) <= 0;
  const [, day] = /;\s*expires=([^;]+)/i.exec(text) ?? [];
  return day !== undefined && /\b(19\d\d|20[01]\d)\b/.test(day);
}
