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

/** A text that a pattern accepts, one that people usually mean if possible; `undefined` when none was found. */
export function textMatching(
  pattern: string,
  least = 0,
  longest = Number.POSITIVE_INFINITY,
): string | undefined {
  const wanted = readPattern(pattern, longestText);
  if (wanted === undefined) return undefined;
  const words = pattern.match(/\w+/g) ?? []; // of `^(asc|desc)$`
  const texts = [...usual, ...more, ...words].filter((text) => text.length <= longestText);
  const fits = (text: string) => text.length >= least && text.length <= longest;
  const common = texts
    .flatMap((text) => [text, text.padEnd(Math.min(least, longestText), text)])
    .find((text) => fits(text) && wanted.test(text));
  if (common !== undefined) return common;
  return Array.from({ length: mostRepeated }, (_, extra) => writtenFrom(pattern, extra)).find(
    (text) => text !== undefined && fits(text) && accepts(pattern, text),
  );
}

/** How often a part is repeated that may be repeated at will. */
const mostRepeated = 64;
const longestWritten = 200;
const characters = [
  ..."aA0_- .",
  ...Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)),
];

/**
 * What a pattern says, read part by part: its first alternatives, and each part as seldom as it may be, or more often by
 * `extra`. It may still not be accepted. `undefined` for what looks around or back, and for what is too long.
 */
function writtenFrom(pattern: string, extra: number): string | undefined {
  let rest = pattern;
  const take = (form: RegExp) => {
    const [found] = form.exec(rest) ?? [];
    rest = rest.slice(found?.length ?? 0);
    return found;
  };
  const characterOf = (form: string) => characters.find((each) => accepts(`^${form}$`, each));
  const partOf = (): string | undefined => {
    if (take(/^\((?:\?:|\?P?<\w+>)?(?!\?)/) !== undefined) {
      const inner = choice();
      return take(/^\)/) === undefined ? undefined : inner;
    }
    if (take(/^(?:[\^$]|\\[AZbB])/) !== undefined) return "";
    const several = take(/^(?:\[\^?\]?(?:\\.|[^\]\\])*\]|\\[dDsSwW]|\.)/);
    if (several !== undefined) return characterOf(several);
    return take(/^\\[^a-zA-Z0-9]/)?.slice(1) ?? take(/^[^\\()|?*+{]/u);
  };
  const timesOf = () => {
    const mark = take(/^(?:[?*+]|\{\d+(?:,\d*)?\})/);
    if (mark !== undefined) take(/^\?/); // as few as may be, which changes nothing
    if (mark === undefined) return 1;
    const [least = 0, most = least] =
      mark === "?" ? [0, 1] : mark === "*" ? [0, 99] : mark === "+" ? [1, 99] : limitsIn(mark);
    return Math.min(most, least + extra);
  };
  const sequence = (): string | undefined => {
    let text = "";
    while (rest !== "" && !/^[|)]/.test(rest)) {
      const part = partOf();
      const times = timesOf();
      if (part === undefined || text.length + part.length * times > longestWritten) return undefined;
      text += part.repeat(times);
    }
    return text;
  };
  const choice = (): string | undefined => {
    const first = sequence();
    while (first !== undefined && take(/^\|/) !== undefined) if (sequence() === undefined) return undefined;
    return first;
  };
  const whole = choice();
  return rest === "" ? whole : undefined;
}

/** `{2}`, `{2,}`, `{2,5}` */
function limitsIn(mark: string): readonly number[] {
  const [least = 0, most] = mark.slice(1, -1).split(",");
  return [Number(least), most === "" ? 999 : Number(most ?? least)];
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
    .replaceAll(/(?<!\))\{\d+\}/g, "") // an exact number of one character divides nothing
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
