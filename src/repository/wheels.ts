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
