import { shortenEnd } from "../text/length.ts";
import { visibleLine } from "../text/visible.ts";
import type { Reply } from "./dry-request.ts";

/** Where a reply sends on to, in words: `307 to /plain`; `undefined`: nowhere. */
export function redirectIn({ status, headers = {} }: Reply, baseUrl: string): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined;
  const [place] = headers["location"] ?? [];
  if (place === undefined) return `${status}`;
  const path = place.startsWith(baseUrl) ? place.slice(baseUrl.length) || "/" : place;
  return `${status} to ${shortenEnd(visibleLine(path), 150)}`;
}
