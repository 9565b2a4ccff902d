/** The value of a JSON text; `undefined`, which no schema accepts, for any other text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON whose texts spell no word, as GitHub drops outputs with a secret's text; `plain` keys are ours. */
export function escapedJson(value: unknown, keys: "escaped" | "plain" = "escaped"): string {
  return JSON.stringify(value).replaceAll(/("(?:[^"\\]|\\.)*")(:?)/g, (_, literal: string, colon: string) =>
    colon === ":" && keys === "plain" ? `${literal}:` : `${escaped(String(JSON.parse(literal)))}${colon}`,
  );
}

function escaped(text: string): string {
  const characters = Array.from({ length: text.length }, (_, index) => {
    const unit = text.charAt(index);
    const isPlain = index % 2 === 0 && /^[\x20-\x7e]$/.test(unit) && unit !== '"' && unit !== "\\";
    return isPlain ? unit : `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`;
  });
  return `"${characters.join("")}"`;
}
