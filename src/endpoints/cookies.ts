import type { Reply } from "./dry-request.ts";

/** A cookie that a reply set, as k6 keeps it for the later steps of an iteration. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  /** Beginning of the paths that get it. */
  readonly path: string;
}

/** The cookies after a reply. `Secure` ones are kept, and those of other domains: this is loopback. */
export function cookiesAfter(
  cookies: readonly Cookie[],
  sentPath: string,
  { headers = {} }: Reply,
): readonly Cookie[] {
  return (headers["set-cookie"] ?? []).reduce<readonly Cookie[]>((kept, text) => {
    const [, name, value = ""] = /^\s*([^=;\s]+)=([^;]*)/.exec(text) ?? [];
    if (name === undefined) return kept;
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

/** A server takes a cookie back by a time in the past. */
function isOver(text: string): boolean {
  const [, seconds] = /;\s*max-age=(-?\d+)/i.exec(text) ?? [];
  if (seconds !== undefined) return Number(seconds) <= 0;
  const [, day] = /;\s*expires=([^;]+)/i.exec(text) ?? [];
  return day !== undefined && /\b(19\d\d|20[01]\d)\b/.test(day);
}
