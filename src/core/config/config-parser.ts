import * as z from "zod";
import { InputError } from "../errors.ts";
import type { Load } from "../measurement/cell.ts";
import type { PullRequestOfRun } from "../run/run-pull-request.ts";
import { type Base, type Config, type Database, failChoices, type Verb } from "./config.ts";
import { conflicts, type Files, missingPaths, type RawInputs, unknownInput } from "./input-checks.ts";
import * as values from "./input-values.ts";
import { inputs } from "./inputs.ts";
import { checkServerTemplate } from "./server-command.ts";

export type { Files, RawInputs } from "./input-checks.ts";

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
  "base-ref": values.baseRef,
  control: values.flag,
  "smallest-effect": values.percentage(50),
  "false-alarm-rate": values.percentage(20),
  "max-minutes": values.positiveNumber(1_440),
  "separate-cpus": values.flag,
  database: z.enum(["postgres", "none"], "must be postgres or none"),
  "database-url": values.postgresUrl.optional(),
  "database-variable": z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of a variable"),
  seed: values.lines.optional(),
  scale: values.positiveNumber(1_000),
  "results-folder": z.string(),
  "report-id": z.string().regex(/^[\w. -]{1,60}$/, "must be 1 to 60 letters, digits, spaces, dots, dashes"),
  comment: values.flag,
  "fail-on": z.enum(failChoices, `must be one of ${failChoices.join(", ")}`),
  "fail-threshold": values.percentage(100),
  plan: z.string().optional(),
});
type Inputs = z.infer<typeof schema>;

const noPullRequest: PullRequestOfRun = { kind: "none", reason: "nobody said what this run is for" };

/**
 * Turns raw inputs into a `Config`. Throws one `InputError` that names every bad input, its value and what would
 * be right. Reads nothing but `raw` and asks `files` only whether paths exist. `pullRequest`: what `base-ref: auto`
 * goes by.
 */
export function parseConfig(
  verb: Verb,
  raw: RawInputs,
  files: Files,
  pullRequest: PullRequestOfRun = noPullRequest,
): Config {
  const unknown = Object.keys(raw).filter((name) => !inputs.some((input) => input.name === name));
  const given = Object.fromEntries(
    inputs.map(({ name, fallback }) => [name, raw[name] || fallback || undefined] as const),
  );
  const result = schema.safeParse(given);
  const problems = [
    ...unknown.map(unknownInput),
    ...(result.error?.issues.map((issue) => describe(issue, given)) ?? []),
    ...conflicts(verb, given),
    ...(verb === "report" ? [] : missingPaths(given, files)),
  ];
  if (verb !== "report" && given["app"] === undefined) problems.unshift("app: is needed, e.g. app.main:app");
  if (!result.success || problems.length > 0) throw new InputError([...new Set(problems)]);
  return configOf(verb, result.data, files, pullRequest);
}

function configOf(verb: Verb, parsed: Inputs, files: Files, pullRequest: PullRequestOfRun): Config {
  const { app, workers, endpoints } = parsed;
  const reporting = {
    resultsFolder: files.resolve(parsed["results-folder"]),
    reportId: parsed["report-id"],
    comment: parsed.comment,
    planText: parsed.plan,
    failOn: parsed["fail-on"],
    failThreshold: parsed["fail-threshold"],
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
      comparing: {
        base: baseOf(parsed, pullRequest),
        smallestEffect: parsed["smallest-effect"],
        falseAlarmRate: parsed["false-alarm-rate"],
        maxMinutes: parsed["max-minutes"],
      },
      separateCpus: parsed["separate-cpus"],
      planText: parsed.plan,
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

/** Loads that cannot be compared are refused before this when a base was asked for by name. */
function baseOf({ control, "base-ref": ref, stages, requests }: Inputs, run: PullRequestOfRun): Base {
  if (control) return { kind: "control" };
  if (ref === "none" || stages !== undefined || requests !== undefined) return { kind: "none" };
  if (ref !== "auto") return { kind: "ref", ref };
  return run.kind === "none"
    ? { kind: "none" }
    : { kind: "pull request", headSha: run.headSha, baseSha: run.baseSha };
}

function describe({ path, message }: z.core.$ZodIssue, given: RawInputs): string {
  const name = String(path[0]);
  const value = secretInputs.has(name) ? "" : ` (got ${JSON.stringify(given[name])})`;
  return `${name}: ${message}${value}`;
}
