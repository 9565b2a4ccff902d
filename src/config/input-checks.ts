import type * as z from "zod";
import { InputError } from "../errors/errors.ts";
import { isNonEmpty } from "../lists/non-empty.ts";
import { nearest } from "../text/nearest.ts";
import { configurationPaths, secretNames } from "./file/keys.ts";
import * as values from "./input-values.ts";
import { type Files, inputNamed, inputs, type RawInputs, rows } from "./inputs.ts";

/** Inputs that say nothing for some kinds of `database`. */
const uselessWith: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "none",
    [
      ...["database-url", "database-env", "database-extensions", "migrate-command"],
      ...["seed", "seed-command", "seed-request"],
    ],
  ],
  ["sqlite", ["database-url", "database-env", "database-extensions", "seed"]],
  ["mysql", ["database-url", "database-extensions", "seed"]],
]);

/** Inputs that are valid alone but not together. One sentence each. */
export function conflicts(given: RawInputs): string[] {
  const loads = ["stages", "requests", "rate"].filter((name) => given[name] !== undefined);
  const problems: string[] = [];
  if (isNonEmpty(loads) && loads.length > 1) problems.push(`${loads.join(", ")}: set only one of these`);
  const kind = given["database"] ?? "";
  for (const name of uselessWith.get(kind) ?? [])
    if (given[name] !== undefined) problems.push(`${name}: cannot be combined with database: ${kind}`);
  const { "database-url-style": style = "" } = given;
  if (
    style !== defaultOf("database-url-style") &&
    kind !== "none" &&
    style.startsWith("mysql") !== (kind === "mysql")
  )
    problems.push(`database-url-style: ${style} does not fit database: ${kind}`);
  for (const name of ["exclude-newer", "extra-packages"])
    if (given[name] !== undefined && given["install"] === "none")
      problems.push(`${name}: cannot be combined with install none`);
  return [...problems, ...conflictsOfScript(given), ...conflictsOfLoad(given), ...conflictsWithBase(given)];
}

/** A script itself decides on its requests and their number. */
function conflictsOfScript(given: RawInputs): string[] {
  if (given["script"] === undefined) return [];
  const others = ["iteration", "stages", "requests", "rate"].filter((name) => given[name] !== undefined);
  if (given["endpoints"] !== defaultOf("endpoints")) others.unshift("endpoints");
  const problems = others.map((name) => `script, ${name}: set only one of these`);
  if (given["base-url"] !== undefined && given["target-cap"] !== "false")
    problems.push("script: its load cannot be limited; set target-cap: false to allow it");
  return problems;
}

/** An iteration is several requests, so loads that count or time single ones do not fit it. */
function conflictsOfLoad(given: RawInputs): string[] {
  const problems: string[] = [];
  const got = (name: string) => `(got ${JSON.stringify(given[name])})`;
  if (given["first-request-alone"] === "true" && given["requests"] === undefined)
    problems.push(`first-request-alone: needs requests, e.g. 1000 ${got("first-request-alone")}`);
  if (given["iteration"] === undefined) return problems;
  // The action passes the default, too, so a default looks like a given input.
  if (given["endpoints"] !== defaultOf("endpoints"))
    problems.push(`iteration, endpoints: set only one of these ${got("endpoints")}`);
  for (const name of ["requests", "rate"]) {
    if (given[name] === undefined) continue;
    problems.push(
      `${name}: counts single requests, not iterations; use vus and duration, or stages ${got(name)}`,
    );
  }
  return problems;
}

function defaultOf(name: string): string | undefined {
  return inputNamed(name)?.fallback;
}

function conflictsWithBase(given: RawInputs): string[] {
  const ref = given["base-ref"] ?? "auto";
  const isNamed = ref !== "auto" && ref !== "none";
  const isControl = given["control"] === "true";
  const problems =
    isControl && isNamed ? [`control, base-ref: set only one of these (got ${JSON.stringify(ref)})`] : [];
  if (!isControl && !isNamed) return problems;
  for (const name of ["stages", "requests"]) {
    if (given[name] === undefined) continue;
    const way = isControl ? "control false" : "base-ref none";
    problems.push(`${name}: cannot be combined with a base; use vus and duration, or rate, or set ${way}`);
  }
  return problems;
}

/** Paths of inputs that do not exist. One sentence each. `resolve`: a path as the input means it. */
export function missingPaths(
  given: RawInputs,
  files: Files,
  resolve: (input: string, path: string) => string,
): string[] {
  const install = given["install"] ?? "";
  const installPath = resolve("install", install);
  const seedFiles = values.lines.parse(given["seed"] ?? "");
  return [
    ...["working-directory"]
      .filter((name) => !files.isFolder(resolve(name, given[name] ?? "")))
      .map((name) => `${name}: must be an existing folder (got ${JSON.stringify(given[name])})`),
    ...(install === "auto" || install === "none" || files.isFolder(installPath) || files.isFile(installPath)
      ? []
      : [
          `install: must be auto, none, a requirements file or the folder of a virtual environment (got ${JSON.stringify(install)})`,
        ]),
    ...(given["script"] === undefined || files.isFile(resolve("script", given["script"]))
      ? []
      : [`script: must name an existing file (got ${JSON.stringify(given["script"])})`]),
    ...seedFiles
      .filter((path) => !files.isFile(resolve("seed", path)))
      .map((path) => `seed: must name existing files (got ${JSON.stringify(path)})`),
  ];
}

export function unknownInput(name: string): string {
  const names = inputs.map((input) => input.name);
  const meant = nearest(name, names);
  return meant === undefined
    ? `${name}: is not an input; choose from ${names.join(", ")}`
    : `${name}: is not an input; did you mean ${meant}?`;
}

/** Reads some inputs alone, with their defaults. Throws one `InputError` for all their problems. */
export function readInputs<S extends z.ZodObject>(schema: S, raw: RawInputs): z.output<S> {
  const texts = Object.fromEntries(
    Object.keys(schema.shape).map((name) => [name, raw[name] || inputNamed(name)?.fallback || undefined]),
  );
  const result = schema.safeParse(texts);
  if (!result.success) throw new InputError(result.error.issues.map((issue) => problemOf(issue, texts)));
  return result.data;
}

/** One sentence: the input, its problem, and the given value unless that is a secret. */
export function problemOf({ path, message }: z.core.$ZodIssue, given: RawInputs): string {
  const name = String(path[0]);
  const value = secretNames.has(name) ? "" : ` (got ${JSON.stringify(given[name])})`;
  return `${name}: ${message}${value}`;
}

/** The default replaces an impossible smallest effect, whose problem takes the comparison's place. */
export function withUsableEffect(texts: RawInputs): {
  readonly texts: RawInputs;
  readonly problem: string | undefined;
} {
  const name = "min-change";
  const { reader, fallback } = rows[name];
  const text = texts[name] ?? "";
  const { error } = reader.safeParse(text);
  if (error === undefined || !/^(?:0|\d{1,9}(?:\.\d{1,9})? ?%)$/.test(text))
    return { texts, problem: undefined };
  const [message] = error.issues.map((issue) => issue.message);
  return { texts: { ...texts, [name]: fallback }, problem: `${name}: ${message} (got "${text}")` };
}

/** Inputs that the action does not take under `with:`. */
export const undeclaredInputs = inputs.filter(({ door }) => door === undefined);

/** Says where a workflow sets an input that has no door. */
export function undeclaredInput(name: string): string {
  const { form, isOfCaller, instead } = inputNamed(name) ?? {};
  const place = isOfCaller
    ? "the `settings` input"
    : `${configurationPaths[0]}, or in the \`settings\` input`;
  const way = form === undefined ? `set \`${instead}\` instead` : `set it in ${place}`;
  return `${name}: is not an action input; ${way} (docs/configuration.md)`;
}

/** Says where to set an input that the file may not set; `undefined`: the key is no input. */
export function notOfFile(name: string): string | undefined {
  const input = inputNamed(name);
  if (input === undefined) return undefined;
  if (input.isOfCaller)
    return "cannot be set in the file; set it in the workflow's `settings` input, or as an option";
  const way = input.instead === undefined ? "" : `: \`${input.instead}\``;
  return `is an input, not a key; set it in the workflow${way}, or as an option`;
}
