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
  if (pattern.length > longestPattern || !isQuick(pattern)) return undefined;
  const wanted = readPattern(pattern);
  if (wanted === undefined) return undefined;
  const words = pattern.match(/\w+/g) ?? []; // of `^(asc|desc)$`
  const texts = [...usual, ...more, ...words].filter((text) => text.length <= longestText);
  return texts
    .flatMap((text) => [text, text.padEnd(Math.min(least, longestText), text)])
    .find((text) => text.length >= least && text.length <= longest && wanted.test(text));
}

/** Parts that are repeated or left out, in a row or within each other: each divides a text in as many ways. */
const most = { inRow: 8, nested: 3 } as const;

/** True where a text of twelve characters is read in at most some hundred thousand steps. */
function isQuick(pattern: string): boolean {
  const plain = pattern
    .replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gs, "x")
    .replaceAll(/\(\?(?:P?<\w*>|[:=!]|<[=!])/g, "(");
  const parts = plain.match(/[*+?{|]/g)?.length ?? 0;
  const isNested = /\)[*+{]/.test(plain) || (plain.match(/[(]/g)?.length ?? 0) > most.inRow;
  return parts <= (isNested ? most.nested : most.inRow);
}

/** Python's patterns are JavaScript's, but for what few people write. */
function readPattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern.replaceAll("(?P<", "(?<").replaceAll("\\A", "^").replaceAll("\\Z", "$"), "u");
  } catch {
    return undefined;
  }
}
