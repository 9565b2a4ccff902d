import * as z from "zod";
import { nearest } from "../../text/nearest.ts";

/** Kinds of values in the configuration file. Each refuses a wrong value with a right one. */

const line = /^[^\r\n]*$/;

export const text = (example: string) =>
  z.string({
    error: ({ input }) =>
      typeof input === "number" || typeof input === "boolean"
        ? "must be text: put it in quotes"
        : `must be text, e.g. ${example}`,
  });

export const number = (example: string) =>
  z.union([z.number(), z.string()], `must be a number, e.g. ${example}`);

/** YAML 1.2 reads it as text, with quotes or without. */
export const day = text("2024-01-26");

export const flag = z.boolean("must be true or false");

export const choice = (values: readonly string[]) => z.enum(values, `must be one of ${values.join(", ")}`);

/** A number needs a unit. */
export const duration = (example: string) => z.string(`must be a duration, e.g. ${example}`);

export const percentage = (example: string) => z.string(`must be a percentage, e.g. ${example}`);

export const lines = (example: string) =>
  z.union(
    [z.string(), z.array(z.string("must be text").regex(line, "must be one line")).min(1, "is empty")],
    { error: `must be text or a list, e.g. ${example}` },
  );

const count = z.int("must be a whole number");

export const counts = z.union([count, z.array(count).min(1, "is empty"), z.string()], {
  error: "must be a whole number or a list of them, e.g. [1, 2, 4]",
});

export const variables = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/),
  z.union([z.string().regex(line, "must be one line"), z.number(), z.boolean()]),
  { error: "must be a mapping, e.g. { LOG_LEVEL: warning }" },
);

/** A mapping whose secrets are typed as `{secret: NAME}`. */
export function typedSecrets(value: Value): Value {
  const typed = (each: unknown) =>
    typeof each === "object" ? `{secret: ${String(Object(each)["secret"])}}` : String(each);
  return Object.fromEntries(Object.entries(Object(value)).map(([name, each]) => [name, typed(each)]));
}

const condition = z.string("must be text, e.g. p(95)<300").regex(line, "must be one line");
const conditions = z.union([condition, z.array(condition).min(1, "is empty")], {
  error: "must be text or a list, e.g. p(95)<300",
});
const mapping = z.record(z.string(), z.union([conditions, z.record(z.string(), conditions)]), {
  error: "must be a mapping, e.g. { http_req_duration: p(95)<300 }",
});

/** Lines, or k6's form: each metric with one or several conditions. An endpoint may have metrics below it. */
export const thresholds = z.union(
  [z.string(), z.array(z.union([condition, mapping])).min(1, "is empty"), mapping],
  { error: "must be text, a list or a mapping, e.g. { http_req_duration: p(95)<300 }" },
);

export function thresholdLines(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(thresholdLines);
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).flatMap(([name, inner]) =>
    thresholdLines(inner).map((text) => `${name}: ${text}`),
  );
}

/** Joins the known keys in the message about unknown ones; no key has it. */
const separator = ", ";

/** An object that refuses unknown keys. The message is only for `unknownKeys`. */
export function strictObject<S extends z.ZodRawShape>(shape: S) {
  const known = Object.keys(shape).join(separator);
  return z.strictObject(shape, {
    error: ({ code }) => {
      if (code === "unrecognized_keys") return known;
      return code === "invalid_type" ? `must be a mapping of ${known}` : undefined;
    },
  });
}

const ownVariable = /^LOADTEST_(?!PACKAGE_INDEX$)[A-Z0-9_]{1,60}$/;

/** The file comes with the pull request: it may not send any variable of the job to the app. */
export const secret = strictObject({
  secret: z
    .string()
    .regex(
      ownVariable,
      "must be the name of a variable that begins with LOADTEST_, e.g. LOADTEST_PASSWORD; LOADTEST_PACKAGE_INDEX is for the installation alone",
    ),
});

export const scriptVariables = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/),
  z.union([z.string().regex(line, "must be one line"), z.number(), z.boolean(), secret]),
  { error: "must be a mapping, e.g. { API_KEY: { secret: LOADTEST_API_KEY } }" },
);

export function unknownKeys(
  keys: readonly string[],
  message: string,
): readonly (readonly [string, string])[] {
  const known = message.split(separator);
  return keys.map((key) => {
    const meant = nearest(key, known);
    const hint = meant === undefined ? `choose from ${message}` : `did you mean ${meant}?`;
    return [key, `is not a key here; ${hint}`] as const;
  });
}

export type Value =
  | string
  | number
  | boolean
  | readonly (string | number)[]
  | Readonly<Record<string, string | number>>;

type Values = Readonly<Record<string, Value>>;

/** Inputs of a YAML file as they would be typed: a list as one line for each item, a mapping as `NAME=value` lines. */
export function textsOf(values: Values): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: Value): string {
  if (isMapping(value))
    return Object.entries(value)
      .map(([name, text]) => `${name}=${text}`)
      .join("\n");
  return typeof value === "object" ? value.join("\n") : String(value);
}

function isMapping(value: Value | undefined): value is Readonly<Record<string, string | number>> {
  return typeof value === "object" && !Array.isArray(value);
}
