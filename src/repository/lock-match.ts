interface LockedRequirement {
  readonly name: string;
  /** e.g. `>=0.16,<1`; absent: any version. */
  readonly specifier?: string | undefined;
}

/** How a lock file differs from its project, e.g. `it lacks httpx`; `undefined`: by nothing. */
export function lockMismatch(
  asked: readonly string[],
  locked: readonly LockedRequirement[],
  sourced: readonly string[] = [],
): string | undefined {
  const wishes = versionsByName(asked.flatMap((each) => requirementOf(each) ?? []));
  const held = versionsByName(locked);
  const lacking = [...wishes.keys()].filter((name) => !held.has(name));
  if (lacking.length > 0) return `it lacks ${lacking.join(", ")}`;
  const surplus = [...held.keys()].filter((name) => !wishes.has(name));
  if (surplus.length > 0) return `it still has ${surplus.join(", ")}`;
  const free = new Set(sourced.map(normalised));
  const other = [...wishes].find(([name, versions]) => !free.has(name) && versions !== held.get(name));
  return other && `it expects other versions of ${other[0]}`;
}

/** Requirements that the compiled file lacks or excludes, in words; `undefined`: none. */
export function compiledMismatch(source: string, compiled: string): string | undefined {
  const wishes = linesOf(source).flatMap((line) => requirementOf(line) ?? []);
  const pins = new Map<string, string[]>();
  for (const { name, specifier } of linesOf(compiled).flatMap((line) => requirementOf(line) ?? []))
    pins.set(name, [...(pins.get(name) ?? []), specifier]);
  const lacking = wishes.filter(({ name }) => !pins.has(name)).map(({ name }) => name);
  if (lacking.length > 0) return `it lacks ${[...new Set(lacking)].join(", ")}`;
  const other = wishes.find(({ name, specifier }) => {
    const held = pins.get(name) ?? [];
    return isPin(specifier) && held.every(isPin) && !held.includes(specifier);
  });
  return other && `it pins ${other.name}${pins.get(other.name)?.join(" or ")}, not ${other.specifier}`;
}

/** Options, URLs and paths have no name to look up, so they are left out. */
function linesOf(text: string): string[] {
  return text
    .replaceAll(/\\\r?\n/g, " ")
    .split("\n")
    .map((line) =>
      line
        .replace(/(^|\s)#.*$/, "")
        .replace(/\s--?[a-z].*$/, "")
        .trim(),
    )
    .filter(
      (line) =>
        /^[A-Za-z0-9]/.test(line) && !/^[A-Za-z][\w+.-]*:\/\//.test(line) && !/^[\w.-]*[\\/]/.test(line),
    );
}

function requirementOf(text: string): { readonly name: string; readonly specifier: string } | undefined {
  const [, name, specifier = ""] =
    /^\s*([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*\(?([^;@)]*)/.exec(text) ?? [];
  return name === undefined ? undefined : { name: normalised(name), specifier: plain(specifier) };
}

/** A name may have several entries, for different systems. */
function versionsByName(all: readonly LockedRequirement[]): ReadonlyMap<string, string> {
  const found = new Map<string, Set<string>>();
  for (const { name, specifier = "" } of all) {
    const versions = found.get(normalised(name)) ?? new Set<string>();
    found.set(normalised(name), versions.add(plain(specifier)));
  }
  return new Map([...found].map(([name, versions]) => [name, [...versions].toSorted().join(" or ")]));
}

/** Without spaces, its parts in one order. */
function plain(specifier: string): string {
  return specifier
    .replaceAll(/\s+/g, "")
    .split(",")
    .filter((part) => part !== "")
    .toSorted()
    .join(",");
}

function isPin(specifier: string): boolean {
  return /^==[^*,]+$/.test(specifier);
}

function normalised(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}
