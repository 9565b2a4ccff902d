import { isNonEmpty } from "../non-empty.ts";
import type { Verb } from "./config.ts";
import * as values from "./input-values.ts";
import { inputs } from "./inputs.ts";
import { nearest } from "./nearest.ts";

/** Raw inputs by their public names, from the action or the command line. Empty text means not given. */
export type RawInputs = Readonly<Record<string, string | undefined>>;

/** What parsing must ask of the file system. */
export interface Files {
  /** Makes a path absolute. */
  resolve(path: string): string;
  isFile(path: string): boolean;
  isFolder(path: string): boolean;
}

/** Inputs that are fine alone, but not together. One sentence each. */
export function conflicts(verb: Verb, given: RawInputs): string[] {
  const loads = ["stages", "requests", "rate"].filter((name) => given[name] !== undefined);
  const problems: string[] = [];
  if (isNonEmpty(loads) && loads.length > 1)
    problems.push(`${loads.join(", ")}: only one of these may be given`);
  if (given["database"] === "none") {
    for (const name of ["database-url", "seed"]) {
      if (given[name] !== undefined) problems.push(`${name}: has no use with database none`);
    }
  }
  if (given["plan"] !== undefined && (verb === "plan" || verb === "run"))
    problems.push(`plan: has no use with ${verb}; it is for measure and report`);
  return [...problems, ...conflictsWithBase(given)];
}

function conflictsWithBase(given: RawInputs): string[] {
  const ref = given["base-ref"] ?? "auto";
  const isNamed = ref !== "auto" && ref !== "none";
  const isControl = given["control"] === "true";
  const problems =
    isControl && isNamed
      ? [`control, base-ref: only one of these may be given (got ${JSON.stringify(ref)})`]
      : [];
  if (!isControl && !isNamed) return problems;
  for (const name of ["stages", "requests"]) {
    if (given[name] === undefined) continue;
    const way = isControl ? "control false" : "base-ref none";
    problems.push(`${name}: cannot be compared with a base; use vus and duration, or rate, or ${way}`);
  }
  return problems;
}

/** Paths that the inputs name and that are not there. One sentence each. */
export function missingPaths(given: RawInputs, files: Files): string[] {
  const folders = [
    "app-folder",
    ...(given["install"] === "auto" || given["install"] === "none" ? [] : ["install"]),
  ];
  const seedFiles = values.lines.parse(given["seed"] ?? "");
  return [
    ...folders
      .filter((name) => !files.isFolder(files.resolve(given[name] ?? "")))
      .map((name) => `${name}: must be an existing folder (got ${JSON.stringify(given[name])})`),
    ...seedFiles
      .filter((path) => !files.isFile(files.resolve(path)))
      .map((path) => `seed: must name existing files (got ${JSON.stringify(path)})`),
  ];
}

/** Says that there is no such input, and which may have been meant. */
export function unknownInput(name: string): string {
  const names = inputs.map((input) => input.name);
  const meant = nearest(name, names);
  return meant === undefined
    ? `${name}: is not an input; known are ${names.join(", ")}`
    : `${name}: is not an input; did you mean ${meant}?`;
}
