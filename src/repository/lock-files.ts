import * as z from "zod";
import { jsonOf } from "../text/json.ts";

/** Lock files next to a pyproject.toml, the most specific first, and the tool that writes each. */
export const toolOfLockFile = { "uv.lock": "uv", "poetry.lock": "Poetry", "pdm.lock": "PDM" } as const;

export type LockFile = keyof typeof toolOfLockFile;

export const lockFiles: readonly LockFile[] = ["uv.lock", "poetry.lock", "pdm.lock"];

const packageSchema = z.object({
  version: z.string().optional(),
  hashes: z.array(z.string()).default([]),
  markers: z.string().optional(),
  extras: z.array(z.string()).default([]),
  git: z.string().optional(),
  ref: z.string().optional(),
});

const schema = z.object({ default: z.record(z.string(), packageSchema) });

/** A Pipfile.lock as requirements, with hashes when it has all; `undefined` when unreadable. */
export function requirementsOfPipfileLock(text: string): readonly string[] | undefined {
  const read = schema.safeParse(jsonOf(text));
  if (!read.success) return undefined;
  const packages = Object.entries(read.data.default).filter(([, { version, git }]) => version ?? git);
  const isHashed = packages.every(([, { hashes }]) => hashes.length > 0);
  return packages.map(([name, { version, hashes, markers, extras, git, ref }]) => {
    const called = extras.length === 0 ? name : `${name}[${extras.join(",")}]`;
    const what = git === undefined ? `${called}${version}` : `${called} @ git+${git}${ref ? `@${ref}` : ""}`;
    const where = markers === undefined ? what : `${what} ; ${markers}`;
    return isHashed ? [where, ...hashes.map((each) => `--hash=${each}`)].join(" ") : where;
  });
}

const wheel = /([A-Za-z0-9_.]+-[A-Za-z0-9_.!+]+)(?:-\d[^"/-]*)?-([\w.]+)-([\w.]+)-([\w.]+)\.whl"/g;

/** Packages of a lock file without Linux wheels for CPython 3 of this minor version. */
export function lackingWheels(lock: string, minor: number): number {
  const packages = new Map<string, { has: boolean; couldHave: boolean }>();
  for (const [, name = "", python = "", abi = "", platform = ""] of lock.matchAll(wheel)) {
    const key = name.toLowerCase();
    const found = packages.get(key) ?? { has: false, couldHave: false };
    const isHere = /(?:^|\.)any|manylinux|^linux/.test(platform);
    packages.set(key, {
      has: found.has || (isHere && fits(python, abi, minor)),
      couldHave: found.couldHave || isHere,
    });
  }
  return [...packages.values()].filter(({ has, couldHave }) => couldHave && !has).length;
}

function fits(python: string, abi: string, minor: number): boolean {
  return python.split(".").some((tag) => {
    if (tag === "py3" || tag === `cp3${minor}` || tag === `py3${minor}`) return true;
    const [, least] = /^(?:cp|py)3(\d+)$/.exec(tag) ?? [];
    return abi !== `cp3${least}` && /abi3|none/.test(abi) && least !== undefined && Number(least) <= minor;
  });
}

interface LockedRequirement {
  readonly name: string;
  /** e.g. `>=0.16,<1`; absent: any version. */
  readonly specifier?: string | undefined;
}

/** How a lock file differs from its project, e.g. `it lacks httpx`; `undefined`: by nothing. */
export function lockMismatch(
  required: readonly string[],
  locked: readonly LockedRequirement[],
  sourced: readonly string[] = [],
): string | undefined {
  const wishes = versionsByName(required.flatMap((each) => requirementOf(each) ?? []));
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
