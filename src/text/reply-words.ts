import { jsonOf } from "./json.ts";
import { shortenEnd } from "./length.ts";
import { visibleLine } from "./visible.ts";

/** Keys under which apps say what is wrong, likeliest first. */
const messageKeys = ["detail", "message", "msg", "error", "error_description", "title", "reason", "errors"];
const deepest = 3;

/** What a reply says, as one line of at most `most` UTF-16 units: of a longer object its message alone. Foreign text. */
export function replyWords(body: string, most = 80): string {
  const inOneLine = (text: string) => visibleLine(text.slice(0, 4 * most));
  const whole = inOneLine(body);
  const message = whole.length <= most ? undefined : messageIn(jsonOf(body), 0);
  return shortenEnd(message === undefined ? whole : inOneLine(message), most);
}

function messageIn(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return value.trim() === "" || depth === 0 ? undefined : value;
  if (typeof value !== "object" || value === null || Array.isArray(value) || depth > deepest)
    return undefined;
  for (const key of messageKeys) {
    const found = Object.hasOwn(value, key) ? messageIn(Reflect.get(value, key), depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
