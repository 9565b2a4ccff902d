/** Texts that patterns often ask for. They are short, so that no pattern that is tried takes long. */
const usual = [
  "loadtest",
  "load_test",
  "load-test",
  "Loadtest1",
  "1",
  "12",
  "123456",
  "0123456789",
  "+12025550123",
];
const more = [
  "en",
  "EN",
  "eur",
  "EUR",
  "en-US",
  "#a1b2c3",
  "a1b2c3d4",
  "2026-01-31",
  "12:00",
  "v1",
  "1.0.0",
  "/load",
];
const longestText = 12;
const longestPattern = 300;

/** A short text that a pattern accepts; `undefined` when none of those that people usually mean does. */
export function textMatching(
  pattern: string,
  least = 0,
  longest = Number.POSITIVE_INFINITY,
): string | undefined {
  const wanted = readPattern(pattern, longestText);
  if (wanted === undefined) return undefined;
  const words = pattern.match(/\w+/g) ?? []; // of `^(asc|desc)$`
  const texts = [...usual, ...more, ...words].filter((text) => text.length <= longestText);
  return texts
    .flatMap((text) => [text, text.padEnd(Math.min(least, longestText), text)])
    .find((text) => text.length >= least && text.length <= longest && wanted.test(text));
}

/** True for a text that a pattern accepts. False, too, for a pattern that nobody could try, or not in a short time. */
export function accepts(pattern: string, text: string): boolean {
  return readPattern(pattern, text.length)?.test(text) ?? false;
}

/** Parts that are repeated or left out within each other: each divides a text in as many ways. */
const mostNested = 3;
const mostGroups = 8;
const mostSteps = 500_000;

/** True where a text of that length is read in at most some hundred thousand steps. */
function isQuick(pattern: string, length: number): boolean {
  const plain = pattern
    .replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gs, "x")
    .replaceAll(/\(\?(?:P?<\w*>|[:=!]|<[=!])/g, "(");
  const parts = plain.match(/[*+?{|]/g)?.length ?? 0;
  const isNested = /\)[*+{]/.test(plain) || (plain.match(/[(]/g)?.length ?? 0) > mostGroups;
  return isNested ? parts <= mostNested && length <= longestText : divisions(length, parts) <= mostSteps;
}

/** Number of ways to divide a text into that many parts in a row and a rest. */
function divisions(length: number, parts: number): number {
  let ways = 1;
  for (let part = 1; part <= parts && ways <= mostSteps; part++) ways *= (length + part) / part;
  return ways;
}

/** The one reader of foreign patterns; `undefined` for Python's own forms, and for a slow one. */
function readPattern(pattern: string, length: number): RegExp | undefined {
  if (pattern.length > longestPattern || !isQuick(pattern, length)) return undefined;
  try {
    return new RegExp(pattern.replaceAll("(?P<", "(?<").replaceAll("\\A", "^").replaceAll("\\Z", "$"), "u");
  } catch {
    return undefined;
  }
}
