/** What is between parts in order, as with `.*` but in linear time; `least` characters each. */
export function betweenParts(
  text: string,
  parts: readonly string[],
  least: 0 | 1 = 0,
): readonly string[] | undefined {
  const [first = "", ...others] = parts;
  const last = others.pop();
  if (last === undefined) return text === first ? [] : undefined;
  let end = text.length - last.length;
  const found: string[] = [];
  if (!text.endsWith(last)) return undefined;
  for (const part of others.toReversed()) {
    const latest = end - least - part.length;
    const start = latest < first.length ? -1 : text.lastIndexOf(part, latest);
    if (start < 0) return undefined;
    found.unshift(text.slice(start + part.length, end));
    end = start;
  }
  if (end < first.length + least || !text.startsWith(first)) return undefined;
  return [text.slice(first.length, end), ...found];
}
