const encoder = new TextEncoder();

/** Length in UTF-8, in bytes: never less than the length in characters, so a limit in either unit is kept. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/** The first `most` UTF-16 units, one less where that would split a character. */
export function startOf(text: string, most: number): string {
  if (text.length <= most) return text;
  return text.slice(0, isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most);
}

/** The last `most` UTF-16 units, one less where that would split a character. */
export function endOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.length - most;
  return text.slice(isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start);
}

/** Shortens to `most` UTF-16 units, leaving out the middle: both ends of a path tell it apart. */
export function shortenMiddle(text: string, most: number, mark = "…"): string {
  if (text.length <= most) return text;
  const kept = Math.max(0, most - mark.length);
  return startOf(text, Math.ceil(kept / 2)) + mark + (kept > 1 ? endOf(text, Math.floor(kept / 2)) : "");
}

/** Shortens to `most` UTF-16 units, leaving out the end. */
export function shortenEnd(text: string, most: number, mark = "…"): string {
  return text.length <= most ? text : startOf(text, Math.max(0, most - mark.length)) + mark;
}

/** The last lines of a log, whole, in at most `most` UTF-16 units; part of the last line when that alone is longer. */
export function lastLines(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = endOf(text, most);
  const lineEnd = end.indexOf("\n");
  return lineEnd < 0 || lineEnd === end.length - 1 ? end : end.slice(lineEnd + 1);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
