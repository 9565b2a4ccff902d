/** A version's numbers, e.g. `[3, 12]`. */
type Version = readonly number[];

export interface PythonWish {
  /** `3.12`, `>=3.10,<3.13`, `^3.11`: as written. */
  readonly text: string;
  readonly file: string;
}

/** True when `3.12.4` fits a wish: `3.12`, `>=3.10,<3.13`, `~=3.11`, `==3.11.*`, `^3.11`, `||`. */
export function fitsPython(version: string, wish: string): boolean {
  const numbers = versionOf(version);
  return wish.split("||").some((way) => way.split(",").every((condition) => fits(numbers, condition.trim())));
}

/** The wish of a `.python-version` file: its first line that is no comment; `undefined` when it names no version. */
export function wishOfVersionFile(text: string): string | undefined {
  const [line] = text
    .split("\n")
    .map((each) => each.trim())
    .filter((each) => each !== "" && !each.startsWith("#"));
  const [, version] = /^(?:cpython-|python-)?(\d+(?:\.\d+){0,2})(?:-.*)?$/.exec(line ?? "") ?? [];
  return version;
}

/** The version of the first image of Python in a Dockerfile: `3.12`; `undefined` without one. */
export function wishOfImage(text: string): string | undefined {
  const usual = new Map(
    [...text.matchAll(/^[ \t]*ARG[ \t]+(\w+)=["']?([\w.-]+)/gm)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
  for (const [, image = ""] of text.matchAll(/^[ \t]*FROM[ \t]+(?:--\S+[ \t]+)?(\S+)/gim)) {
    const filled = image.replaceAll(/\$\{?(\w+)(?::-[^}]*)?\}?/g, (_, name: string) => usual.get(name) ?? "");
    const [, version] = /(?:^|\/)python:(3\.\d+)/.exec(filled) ?? /\bpython-?(3\.\d+)/.exec(filled) ?? [];
    if (version !== undefined) return version;
  }
  return undefined;
}

/** The version that a Pipfile names, without its patch: `3.11`. */
export function wishOfPipfile(text: string): string | undefined {
  return /^\[requires\][ \t\r]*$(?:\n(?!\[).*)*?\npython_(?:full_)?version\s*=\s*["'](3\.\d+)(?:\.\d+)?["']/m.exec(
    text,
  )?.[1];
}

/** Tables with the wish, and their keys. */
const wishKeys: Readonly<Record<string, RegExp>> = {
  "[project]": /^requires-python\s*=\s*["']([^"']+)["']/,
  "[tool.poetry.dependencies]": /^python\s*=\s*["']([^"']+)["']/,
};

/** A pyproject.toml's wish, line by line: a reader of TOML would need the Python that it should find. */
export function wishOfProject(text: string): string | undefined {
  let key: RegExp | undefined;
  for (const line of text.split("\n")) {
    if (line.startsWith("[")) key = wishKeys[line.replace(/#.*/, "").trim()];
    const [, wish] = key?.exec(line) ?? [];
    if (wish !== undefined) return wish;
  }
  return undefined;
}

function fits(version: Version, condition: string): boolean {
  const [, sign = "", text, star] =
    /^(\^|~=|~|===?|!=|<=|>=|<|>)?\s*v?(\d+(?:\.\d+)*)(\.\*)?$/.exec(condition) ?? [];
  if (text === undefined) return condition === "*" || condition === "";
  const wanted = versionOf(text);
  const order = compare(version, wanted);
  switch (sign) {
    case ">=":
      return order >= 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case "<":
      return order < 0;
    case "!=":
      return !(star === undefined ? order === 0 : startsWith(version, wanted));
    case "^":
      return order >= 0 && startsWith(version, wanted.slice(0, 1));
    case "~":
      return order >= 0 && startsWith(version, wanted.slice(0, Math.min(2, wanted.length)));
    case "~=":
      return order >= 0 && startsWith(version, wanted.slice(0, -1));
    default:
      return startsWith(version, wanted); // 3.12 means any 3.12.x
  }
}

function versionOf(text: string): Version {
  return text.split(".").map((part) => Number.parseInt(part, 10));
}

function startsWith(version: Version, start: Version): boolean {
  return start.every((number, index) => version[index] === number);
}

/** Missing numbers are 0. */
function compare(a: Version, b: Version): number {
  const length = Math.max(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
