import * as z from "zod";
import {
  type Endpoint,
  type Iteration,
  longestPauseSeconds,
  methods,
  mostSteps,
  type Step,
} from "../model/endpoint/endpoint.ts";
import type { SecretText } from "../model/endpoint/login.ts";
import { mostThresholds } from "../model/thresholds/threshold.ts";
import { type SeedRequest, seedRequestOf } from "../model/workload/seed-request.ts";
import { hasOpenQuote } from "../model/workload/server-command.ts";
import { parseThreshold } from "./threshold-parser.ts";

export const wholeNumber = (low: number, high: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(low, `must be at least ${low}`).max(high, `must be at most ${high}`));

export const positiveNumber = (high: number) =>
  z
    .string()
    .regex(/^\d{1,15}(\.\d{1,15})?$/, "must be a number, e.g. 0.01 or 250")
    .transform(Number)
    .pipe(z.number().gt(0, "must be above 0").max(high, `must be at most ${high}`));

/** Reads a day that the calendar has, e.g. `2024-01-26`. */
export const day = z.iso.date("must be a day, e.g. 2024-01-26");

/** Reads `3%` or `0.5%` as a share of 1: above 0 and up to `high` percent. */
export const percentage = (high: number) => {
  const message = `must be a percentage above 0% and up to ${high}%, e.g. 3%`;
  return z
    .string()
    .regex(/^\d{1,3}(\.\d{1,6})? ?%$/, message)
    .transform((text) => Number.parseFloat(text))
    .pipe(z.number().gt(0, message).max(high, message))
    .transform((percent) => percent / 100);
};

const durationPattern = /^(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,6}(?:\.\d{1,3})?)s)?(?:(\d{1,8})ms)?$/;

/** Reads `10s`, `1m30s`, `500ms` or `1h` as seconds. */
export const duration = (low: number, high: number) =>
  z
    .string()
    .refine(
      (text) => text !== "" && durationPattern.test(text),
      "must be a duration, e.g. 10s, 1m30s or 500ms",
    )
    .transform(secondsOf)
    .pipe(z.number().min(low, `must be at least ${low}s`).max(high, `must be at most ${high}s`));

function secondsOf(text: string): number {
  const [, hours, minutes, seconds, milliseconds] = durationPattern.exec(text) ?? [];
  return (
    Number(hours ?? 0) * 3_600 +
    Number(minutes ?? 0) * 60 +
    Number(seconds ?? 0) +
    Number(milliseconds ?? 0) / 1_000
  );
}

export const flag = z.enum(["true", "false"], "must be true or false").transform((text) => text === "true");

export const reportId = z
  .string()
  .regex(/^[\w. -]{1,60}$/, "must be 1 to 60 letters, digits, spaces, dots, dashes");

export const checkRun = z
  .string()
  .regex(/^[\w. /()-]{1,100}$/, "must be 1 to 100 letters, digits, spaces, dots, dashes, slashes, brackets")
  .optional();

/** Name of a branch, in ASCII: git's own rules for other letters are not copied here. */
export const branch = z
  .string()
  .regex(
    /^(?!.*(?:\.\.|\/\/|\/\.|\.lock(?:\/|$)))\w[\w./-]{0,99}(?<![./])$/,
    "must be the name of a branch, e.g. loadtest-history",
  )
  .optional();

export const workerCounts = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim()))
  .pipe(z.tuple([wholeNumber(1, 256)], wholeNumber(1, 256)))
  .refine((counts) => new Set(counts).size === counts.length, "must not repeat a worker count");

/** Lines that are not blank, without surrounding space. */
export const lines = z.string().transform((text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== ""),
);

export const extensions = lines.pipe(
  z.array(
    z.string().regex(/^[a-z][a-z0-9_-]{0,62}$/, "must be names of extensions, one per line, e.g. uuid-ossp"),
  ),
);

/** As pip's specifiers, but no options, files or addresses. */
export const packages = lines.pipe(
  z.array(
    z
      .string()
      .regex(
        /^[A-Za-z0-9][\w.-]*(?:\[[\w.,-]+\])?(?: ?(?:[<>]=?|[=!~]=) ?[\w.*+!-]+,?)*$/,
        "must be names of packages, one per line, e.g. email-validator or bcrypt<5",
      ),
  ),
);

/** Commands, one per line. They stay texts here and are split into words when they run. */
export const commands = lines.pipe(
  z.tuple(
    [command()],
    command(),
    "must name at least one command, e.g. pip install --requirement requirements.txt",
  ),
);

function command() {
  return z.string().refine((text) => !hasOpenQuote(text), "has an unclosed quote");
}

export const seedRequests = lines.pipe(
  z.array(
    z.string().transform((line, context): SeedRequest => {
      const request = seedRequestOf(line);
      if (typeof request !== "string") return request;
      context.addIssue({ code: "custom", message: request, input: line });
      return z.NEVER;
    }),
  ),
);

const endpoint = z.string().transform((line, context): Endpoint => {
  const [first = "", second] = line.split(/\s+/, 2);
  const path = second ?? first;
  const method = methods.find((each) => each === (second === undefined ? "GET" : first.toUpperCase()));
  const problem = (message: string) => context.addIssue({ code: "custom", message: `"${line}" ${message}` });
  if (method === undefined) problem(`has an unknown method; choose from ${methods.join(", ")}`);
  else if (!path.startsWith("/")) problem("must start with / (a path, or a method and a path)");
  else if (path.length > 2_000 || !/^[!-~]+$/.test(path) || line.split(/\s+/).length > 2)
    problem("must be a path without spaces, percent-encoded where needed, of at most 2000 characters");
  return { method: method ?? "GET", path };
});

export const endpoints = lines
  .pipe(z.tuple([endpoint], endpoint, "must name at least one endpoint, e.g. /items/1"))
  .refine(
    (all) => new Set(all.map((each) => `${each.method} ${each.path}`)).size === all.length,
    "must not repeat an endpoint",
  );

const pause = duration(0.001, longestPauseSeconds);

const step = z.string().transform((line, context): Step => {
  const problem = (message: string) => context.addIssue({ code: "custom", message });
  const [, text] = /^sleep\b\s*(.*)$/i.exec(line) ?? [];
  if (text === undefined) {
    const request = endpoint.safeParse(line);
    if (request.success) return request.data;
    for (const { message } of request.error.issues) problem(message);
  } else {
    const seconds = pause.safeParse(text);
    if (seconds.success) return { pauseSeconds: seconds.data };
    problem(`"${line}" must be sleep and a duration of at most ${longestPauseSeconds}s, e.g. sleep 100ms`);
  }
  return { method: "GET", path: "/" };
});

/** Steps of an iteration, one per line: a request as in `endpoints`, or `sleep` and a duration. */
export const iteration = lines
  .pipe(z.array(step).max(mostSteps, `must have at most ${mostSteps} steps`))
  .refine((steps) => steps.some((each) => "path" in each), "must have a request, e.g. /items/1")
  .transform((steps): Iteration => ({ steps }));

/** k6 stages: `1s:50,30s:50`. */
export const stages = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim().split(":")))
  .pipe(
    z.array(
      z
        .tuple(
          [duration(0.1, 86_400), wholeNumber(0, 100_000)],
          "must be pairs of duration and VUs, e.g. 1s:50,30s:50",
        )
        .transform(([durationSeconds, virtualUsers]) => ({ durationSeconds, virtualUsers })),
    ),
  );

/** `auto`, `none` or a git ref. A dash at its start would make it an option of git. No ref has control characters. */
export const baseRef = z
  .string()
  .regex(/^[^-\p{Cc}][^\p{Cc}]{0,249}$/u, "must be auto, none, or a branch, tag or commit, e.g. main");

/** `NAME=value` lines. */
export const variables = lines.transform((all, context) => {
  const pairs: Record<string, string> = {};
  for (const [index, line] of all.entries()) {
    const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      // The line may hold a secret, wherever its first = is, so no part of it is shown.
      context.addIssue({ code: "custom", message: `line ${index + 1} must be NAME=value` });
    } else pairs[name] = value;
  }
  return pairs;
});

/** The same for a script: `{secret: LOADTEST_NAME}` is the value of that variable. */
export const scriptVariables = variables.transform((pairs): Record<string, SecretText> => {
  const textOf = (text: string) => {
    const [, secret] = /^\{ *secret: *(LOADTEST_[A-Z0-9_]{1,60}) *\}$/.exec(text) ?? [];
    return secret === undefined ? text : { secret };
  };
  return Object.fromEntries(Object.entries(pairs).map(([name, text]) => [name, textOf(text)]));
});

/** Thresholds in k6's words, one per line. */
export const thresholds = lines
  .pipe(z.array(z.string()).max(mostThresholds, `must be at most ${mostThresholds}`))
  .transform((all, context) =>
    all.flatMap((line) => {
      const parsed = parseThreshold(line);
      if ("threshold" in parsed) return [parsed.threshold];
      context.addIssue({ code: "custom", message: parsed.problem });
      return [];
    }),
  )
  .transform((all) => (all.length === 0 ? undefined : all));

/** `NAME=template` lines; `problemOf` finds the problem of a template. */
export const templates = (problemOf: (template: string) => string | undefined) =>
  variables.superRefine((pairs, context) => {
    for (const [name, template] of Object.entries(pairs)) {
      const problem = problemOf(template);
      if (problem !== undefined) context.addIssue({ code: "custom", message: `${name} ${problem}` });
    }
  });

/** A file such as `src/.env`, or a folder such as `static/`: made where it is missing, so it stays below the app's folder. */
export const environmentFile = z
  .string()
  .regex(
    /^(?:(?!\.\.?\/)[^\p{Cc}/\\]+\/)*(?:(?<=\/)|(?:[^\p{Cc}/\\]*\.)?env(?:\.[\w-]+)*)$/u,
    "must be the path of an environment file below the app's folder, e.g. src/.env, or of a folder, e.g. static/",
  );

export const importString = z
  .string()
  .regex(/^[A-Za-z_][\w.-]*:[A-Za-z_][\w.]*(\(\))?$/, "must be an import string, e.g. app.main:app");

export const postgresUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === "") {
    context.addIssue({
      code: "custom",
      message: "must be a Postgres URL, e.g. postgresql://user:password@127.0.0.1:5432/postgres",
    });
  }
  return text;
});
