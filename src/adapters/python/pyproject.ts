import * as z from "zod";

import { EnvironmentError } from "../../errors/errors.ts";
import { lockMismatch } from "../../repository/lock-match.ts";
import { runningParts } from "../../repository/running-parts.ts";
import { askPython } from "./interpreter-facts.ts";

const projectScript = `
import json, sys
try:
    import tomllib
except ImportError:
    from pip._vendor import tomli as tomllib
with open(sys.argv[2], "rb") as file:
    data = tomllib.load(file)
tool = data.get("tool", {})
poetry = tool.get("poetry", {})
table = data.get("project", {})
def texts(group):
    group = group.get("dependencies", {}) if isinstance(group, dict) else group
    return [each for each in group if isinstance(each, str)]
always = [*table.get("dependencies", []), *poetry.get("dependencies", {})]
optional = {name for name, each in poetry.get("dependencies", {}).items() if isinstance(each, dict) and each.get("optional")}
is_package = tool.get("uv", {}).get("package", "build-system" in data)
is_package = tool.get("poetry", {}).get("package-mode", is_package)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump({
        "dependencies": data.get("project", {}).get("dependencies", []),
        "isPackage": bool(is_package),
        "isProject": "project" in data or bool(is_package),
        "always": [each for each in always if each not in optional],
        "groups": {name: texts(each) for name, each in [*poetry.get("group", {}).items(), *data.get("dependency-groups", {}).items()]},
        "extras": {name: texts(each) for name, each in [*poetry.get("extras", {}).items(), *table.get("optional-dependencies", {}).items()]},
    }, file)
`;

const projectSchema = z.object({
  dependencies: z.array(z.string()),
  isPackage: z.boolean(),
  isProject: z.boolean(),
  always: z.array(z.string()),
  groups: z.record(z.string(), z.array(z.string())),
  extras: z.record(z.string(), z.array(z.string())),
});

const lockScript = `
import json, re, sys
try:
    import tomllib
except ImportError:
    from pip._vendor import tomli as tomllib
def read(path):
    with open(path, "rb") as file:
        return tomllib.load(file)
def plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()
project, lock = read(sys.argv[2]), read(sys.argv[3])
table = project.get("project", {})
own = [each for each in lock.get("package", []) if plain(each["name"]) == plain(table.get("name", ""))]
locked = own[0].get("metadata", {}).get("requires-dist") if len(own) == 1 else None
if locked is None and own and not own[0].get("dependencies"):
    locked = []
fixed = locked is not None and "dependencies" not in table.get("dynamic", [])
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump({
        "asked": table.get("dependencies", []),
        "locked": [each for each in locked if "extra ==" not in each.get("marker", "")] if fixed else None,
        "sourced": list(project.get("tool", {}).get("uv", {}).get("sources", {})),
    }, file)
`;

const lockSchema = z.object({
  asked: z.array(z.string()),
  locked: z.array(z.object({ name: z.string(), specifier: z.string().optional() })).nullable(),
  sourced: z.array(z.string()),
});

/**
 * Tells where a uv.lock differs from its pyproject.toml; `undefined` when it does not, or when that is unknown. uv
 * itself is not asked: with an index other than the lock file's it takes every lock file for an old one.
 */
export async function uvLockMismatch(
  project: string,
  lock: string,
  python: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const answer = await askPython(python, lockScript, [project, lock], signal);
    const { data } = lockSchema.safeParse(JSON.parse(answer));
    return data?.locked ? lockMismatch(data.asked, data.locked, data.sourced) : undefined;
  } catch (error) {
    if (signal.aborted || !(error instanceof EnvironmentError)) throw error;
    return undefined; // a lock file that cannot be read: uv has better words for it
  }
}

/** Reads a pyproject.toml. Python reads its own format; there is no reader of TOML in Node. */
export async function readProject(path: string, python: string, signal: AbortSignal) {
  try {
    const answer = await askPython(python, projectScript, [path], signal);
    const { always, groups, extras, ...project } = projectSchema.parse(JSON.parse(answer));
    return { ...project, groups: runningParts(always, groups), extras: runningParts(always, extras) };
  } catch (cause) {
    if (!(cause instanceof EnvironmentError)) throw cause;
    const lastLine = cause.logTail.trim().split("\n").at(-1) ?? "";
    throw new EnvironmentError("install", `${path} could not be read: ${lastLine}`, {
      logTail: cause.logTail,
      cause,
    });
  }
}
