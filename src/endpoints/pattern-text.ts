/** Texts that patterns often ask for. None is longer than this, so that no pattern takes long to try. */
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
  most = Number.POSITIVE_INFINITY,
): string | undefined {
  if (pattern.length > longestPattern) return undefined;
  const wanted = readPattern(pattern);
  if (wanted === undefined) return undefined;
  const words = pattern.match(/\w+/g) ?? []; // of `^(asc|desc)$`
  const texts = [...usual, ...more, ...words].filter((text) => text.length <= longestText);
  return texts
    .flatMap((text) => [text, text.padEnd(Math.min(least, longestText), text)])
    .find((text) => text.length >= least && text.length <= most && wanted.test(text));
}

/** Python's patterns are JavaScript's, but for what few people write. */
function readPattern(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern.replaceAll("(?P<", "(?<").replaceAll("\\A", "^").replaceAll("\\Z", "$"), "u");
  } catch {
    return undefined;
  }
}
