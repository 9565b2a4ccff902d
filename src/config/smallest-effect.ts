import { rows } from "./inputs.ts";
import type { RawInputs } from "./raw-inputs.ts";

const name = "smallest-effect";
const { reader, fallback } = rows[name];

/**
 * A smallest effect of 0, 0 % or 300 % makes only the comparison impossible. The default replaces it, and the sentence
 * about the problem takes the comparison's place. A text that is no percentage stays as it is.
 */
export function withUsableEffect(texts: RawInputs): {
  readonly texts: RawInputs;
  readonly problem: string | undefined;
} {
  const text = texts[name] ?? "";
  const { error } = reader.safeParse(text);
  if (error === undefined || !/^(?:0|\d{1,9}(?:\.\d{1,9})? ?%)$/.test(text))
    return { texts, problem: undefined };
  const [message] = error.issues.map((issue) => issue.message);
  return { texts: { ...texts, [name]: fallback }, problem: `${name}: ${message} (got "${text}")` };
}
