import * as z from "zod";

import { type Endpoint, methods } from "../measurement/cell.ts";

/** Readers of single inputs: text in, typed value or a sentence that says what would be right. */

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

/** Reads `3%` or `0.5 %` as a share of 1: above 0 and up to `high` percent. */
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

/** Comma-separated worker counts, each once. */
export const workerCounts = z
  .string()
  .transform((text) => text.split(",").map((part) => part.trim()))
  .pipe(z.tuple([wholeNumber(1, 256)], wholeNumber(1, 256)))
  .refine((counts) => new Set(counts).size === counts.length, "must not repeat a worker count");

/** Lines that are not blank, without the space around them. */
export const lines = z.string().transform((text) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== ""),
);

const endpoint = z.string().transform((line, context): Endpoint => {
  const [first = "", second] = line.split(/\s+/, 2);
  const path = second ?? first;
  const method = methods.find((each) => each === (second === undefined ? "GET" : first.toUpperCase()));
  const problem = (message: string) => context.addIssue({ code: "custom", message: `"${line}" ${message}` });
  if (method === undefined) problem(`has an unknown method; known are ${methods.join(", ")}`);
  else if (!path.startsWith("/")) problem("must start with / (a path, or a method and a path)");
  else if (path.length > 2_000 || !/^[!-~]+$/.test(path) || line.split(/\s+/).length > 2)
    problem("must be a path without spaces, percent-encoded where needed, of at most 2000 characters");
  return { method: method ?? "GET", path };
});

/** One endpoint a line, each once. */
export const endpoints = lines
  .pipe(z.tuple([endpoint], endpoint, "must name at least one endpoint, e.g. /items/1"))
  .refine(
    (all) => new Set(all.map((each) => `${each.method} ${each.path}`)).size === all.length,
    "must not repeat an endpoint",
  );

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

/** `auto`, `none` or a git ref. What starts with a dash would be an option of git's, and no ref has control characters. */
export const baseRef = z
  .string()
  .regex(/^[^-\p{Cc}][^\p{Cc}]{0,249}$/u, "must be auto, none, or a branch, tag or commit, e.g. main");

/** `NAME=value` lines. */
export const variables = lines.transform((all, context) => {
  const pairs: Record<string, string> = {};
  for (const line of all) {
    const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      // The line may hold a secret, so only what comes before the first = is shown.
      context.addIssue({ code: "custom", message: `line "${line.split("=")[0]}..." must be NAME=value` });
    } else pairs[name] = value;
  }
  return pairs;
});

export const importString = z
  .string()
  .regex(/^[A-Za-z_][\w.]*:[A-Za-z_][\w.]*(\(\))?$/, "must be an import string, e.g. app.main:app");

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
