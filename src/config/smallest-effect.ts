import { percentage } from "./input-values.ts";
import { inputs } from "./inputs.ts";
import type { RawInputs } from "./raw-inputs.ts";

const name = "smallest-effect";

export const smallestEffect = percentage(50);

/**
 * A smallest effect of 0, 0 % or 300 % makes a comparison impossible and nothing else: it is replaced by the usual one, and
 * the sentence that says what is wrong comes back, for the comparison's place. What is no percentage stays as it is.
 */
export function withUsableEffect(texts: RawInputs): {
  readonly texts: RawInputs;
  readonly problem: string | undefined;
} {
  const text = texts[name] ?? "";
  const { error } = smallestEffect.safeParse(text);
  if (error === undefined || !/^(?:0|\d{1,9}(?:\.\d{1,9})? ?%)$/.test(text))
    return { texts, problem: undefined };
  const usual = inputs.find((input) => input.name === name)?.fallback;
  const [message] = error.issues.map((issue) => issue.message);
  return { texts: { ...texts, [name]: usual }, problem: `${name}: ${message} (got "${text}")` };
}
