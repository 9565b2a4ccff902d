/** The value of a JSON text; `undefined`, which no schema accepts, for any other text. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
