import * as z from "zod";

import { EnvironmentError } from "../core/errors.ts";
import { askPython } from "./python-facts.ts";

const projectScript = `
import json, sys
try:
    import tomllib
except ImportError:
    from pip._vendor import tomli as tomllib
with open(sys.argv[2], "rb") as file:
    data = tomllib.load(file)
tool = data.get("tool", {})
is_package = tool.get("uv", {}).get("package", "build-system" in data)
is_package = tool.get("poetry", {}).get("package-mode", is_package)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump({
        "dependencies": data.get("project", {}).get("dependencies", []),
        "isPackage": bool(is_package),
        "isProject": "project" in data or bool(is_package),
    }, file)
`;

const projectSchema = z.object({
  dependencies: z.array(z.string()),
  isPackage: z.boolean(),
  isProject: z.boolean(),
});

/** Reads a pyproject.toml. Python reads its own format; there is no reader of TOML in Node. */
export async function readProject(path: string, python: string, signal: AbortSignal) {
  try {
    return projectSchema.parse(JSON.parse(await askPython(python, projectScript, [path], signal)));
  } catch (cause) {
    if (!(cause instanceof EnvironmentError)) throw cause;
    const lastLine = cause.logTail.trim().split("\n").at(-1) ?? "";
    throw new EnvironmentError("install", `${path} could not be read: ${lastLine}`, {
      logTail: cause.logTail,
      cause,
    });
  }
}
