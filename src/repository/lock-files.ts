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
