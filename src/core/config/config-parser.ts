import * as z from "zod";
import { InputError } from "../errors.ts";
import type { Load } from "../measurement/cell.ts";
import { isNonEmpty } from "../non-empty.ts";
import type { Config, Database, Verb } from "./config.ts";
import * as values from "./input-values.ts";
import { inputs } from "./inputs.ts";
import { checkServerTemplate } from "./server-command.ts";

/** Raw inputs by their public names, from the action or the command line. Empty text means not given. */
export type RawInputs = Readonly<Record<string, string | undefined>>;

/** What parsing must ask of the file system. */
export interface Files {
  /** Makes a path absolute. */
  resolve(path: string): string;
  isFile(path: string): boolean;
  isFolder(path: string): boolean;
}

/** Inputs whose value must never be repeated in a message. */
const secretInputs = new Set(["app-env", "database-url"]);

const serverTemplate = z.string().superRefine((template, context) => {
  for (const message of checkServerTemplate(template)) context.addIssue({ code: "custom", message });
});

const schema = z.strictObject({
  app: values.importString.optional(),
  "app-folder": z.string(),
  "app-env": values.variables.optional(),
  python: z.string(),
  install: z.string(),
  server: serverTemplate,
  port: values.wholeNumber(0, 65_535),
  "ready-path": z.string().startsWith("/", "must start with /"),
  "ready-timeout": values.duration(0.1, 3_600),
  workers: values.workerCounts,
  endpoints: values.endpoints,
  vus: values.wholeNumber(1, 100_000),
  duration: values.duration(1, 86_400),
  stages: values.stages.optional(),
  requests: values.wholeNumber(1, 100_000_000).optional(),
  rate: values.positiveNumber(1_000_000).optional(),
  warmup: values.duration(0, 3_600),
  database: z.enum(["postgres", "none"], "must be postgres or none"),
  "database-url": values.postgresUrl.optional(),
  "database-variable": z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of a variable"),
  seed: values.lines.optional(),
  scale: values.positiveNumber(1_000),
  "results-folder": z.string(),
  "report-id": z.string().regex(/^[\w. -]{1,60}$/, "must be 1 to 60 letters, digits, spaces, dots, dashes"),
  comment: values.flag,
  plan: z.string().optional(),
});
type Inputs = z.infer<typeof schema>;

/**
 * Turns raw inputs into a `Config`. Throws one `InputError` that names every bad input, its value and what would
 * be right. Reads nothing but `raw` and asks `files` only whether paths exist.
 */
export function parseConfig(verb: Verb, raw: RawInputs, files: Files): Config {
  const unknown = Object.keys(raw).filter((name) => !inputs.some((input) => input.name === name));
  const given = Object.fromEntries(
    inputs.map(({ name, fallback }) => [name, raw[name] || fallback || undefined] as const),
  );
  const result = schema.safeParse(given);
  const problems = [
    ...unknown.map(unknownInput),
    ...(result.error?.issues.map((issue) => describe(issue, given)) ?? []),
    ...conflicts(given),
    ...(verb === "report" ? [] : missingPaths(given, files)),
  ];
  if (verb !== "report" && given["app"] === undefined) problems.unshift("app: is needed, e.g. app.main:app");
  if (!result.success || problems.length > 0) throw new InputError([...new Set(problems)]);
  return configOf(verb, result.data, files);
}

function configOf(verb: Verb, parsed: Inputs, files: Files): Config {
  const { app, workers, endpoints } = parsed;
  const reporting = {
    resultsFolder: files.resolve(parsed["results-folder"]),
    reportId: parsed["report-id"],
    comment: parsed.comment,
    planText: parsed.plan,
  };
  if (verb === "report" || app === undefined) return { verb, workload: undefined, reporting };
  const install = parsed.install === "auto" || parsed.install === "none" ? parsed.install : undefined;
  return {
    verb,
    reporting,
    workload: {
      app: {
        importString: app,
        folder: files.resolve(parsed["app-folder"]),
        python: parsed.python,
        install: install ?? { environmentFolder: files.resolve(parsed.install) },
        variables: parsed["app-env"] ?? {},
      },
      server: {
        template: parsed.server,
        readyPath: parsed["ready-path"],
        readyWithinSeconds: parsed["ready-timeout"],
        port: parsed.port === 0 ? undefined : parsed.port,
      },
      database: databaseOf(parsed, files),
      workerCounts: workers,
      endpoints,
      load: loadOf(parsed),
      warmupSeconds: parsed.warmup,
    },
  };
}

function databaseOf(parsed: Inputs, files: Files): Database {
  if (parsed.database === "none") return { kind: "none" };
  const seed = {
    seedFiles: (parsed.seed ?? []).map((path) => files.resolve(path)),
    scale: parsed.scale,
    variable: parsed["database-variable"],
  };
  const url = parsed["database-url"];
  return url === undefined ? { kind: "private", ...seed } : { kind: "existing", url, ...seed };
}

function loadOf({ stages, requests, rate, vus: virtualUsers, duration: durationSeconds }: Inputs): Load {
  if (stages !== undefined) return { kind: "stages", stages };
  if (requests !== undefined) return { kind: "requests", virtualUsers, requests };
  if (rate !== undefined) return { kind: "rate", requestsPerSecond: rate, virtualUsers, durationSeconds };
  return { kind: "constant", virtualUsers, durationSeconds };
}

function conflicts(given: RawInputs): string[] {
  const loads = ["stages", "requests", "rate"].filter((name) => given[name] !== undefined);
  const problems: string[] = [];
  if (isNonEmpty(loads) && loads.length > 1)
    problems.push(`${loads.join(", ")}: only one of these may be given`);
  if (given["database"] === "none") {
    for (const name of ["database-url", "seed"]) {
      if (given[name] !== undefined) problems.push(`${name}: has no use with database none`);
    }
  }
  return problems;
}

function missingPaths(given: RawInputs, files: Files): string[] {
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

function describe({ path, message }: z.core.$ZodIssue, given: RawInputs): string {
  const name = String(path[0]);
  const value = secretInputs.has(name) ? "" : ` (got ${JSON.stringify(given[name])})`;
  return `${name}: ${message}${value}`;
}

function unknownInput(name: string): string {
  const nearest = inputs
    .map((input) => input.name)
    .toSorted((a, b) => distance(name, a) - distance(name, b))[0];
  return nearest !== undefined && distance(name, nearest) <= 3
    ? `${name}: is not an input; did you mean ${nearest}?`
    : `${name}: is not an input; known are ${inputs.map((input) => input.name).join(", ")}`;
}

/** Levenshtein's edit distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      );
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
