import type { ReadVariable } from "./variables.ts";

/** Phrases by which libraries say that a variable is not set. */
const sayings: readonly RegExp[] = [
  /KeyError: ['"]([A-Z][A-Z0-9_]+)['"]/g,
  /Config ['"](\w+)['"] is missing/g, // Starlette
  /UndefinedValueError: (\w+) not found/g, // decouple
  /[Ee]nvironment variable ["'`]?(\w+)["'`]? (?:is )?(?:not set|missing|required|not found|must be set)/g, // environs and people
  /[Ss]et the ([A-Z][A-Z0-9_]+) environment variable/g, // Django
  /["'`]?\b([A-Z][A-Z0-9_]{2,100})["'`]? (?:environment variable )?(?:is not set|is missing|is required|not set|must be set)/g,
];

/**
 * pydantic 2 and 1: a line with the field, then one that says that it is missing. Here both may have become one line.
 */
const fields = [
  /(?:^|\s)([\w.]{1,200})\s{1,20}Field required \[type=missing/g,
  /(?:^|\s)([\w.]{1,200})\s{1,20}field required \(type=value_error\.missing\)/g,
  // A default that is none, of a type that must be one.
  /(?:^|\s)([\w.]{1,200})\s{1,20}Input should be a valid \w{1,20} \[type=\w{1,30}, input_value=None/g,
];

/**
 * Variables without which an app did not start, by its own words: foreign text. Only those that its code reads count.
 */
export function missingVariables(said: string, variables: readonly ReadVariable[]): readonly ReadVariable[] {
  const text = said.slice(-20_000);
  const named = sayings.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = ""]) => name));
  const ofFields = fields.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = ""]) => name));
  const found = [
    ...named.map((name) => variables.find((each) => each.name === name)),
    ...ofFields.map((field) => variableOf(field, variables)),
  ].flatMap((each) => each ?? []);
  return [...new Map(found.map((each) => [each.name, each])).values()];
}

/** The variable of a field of settings, which may have a prefix, and parts that pydantic divides by dots. */
export function variableOf(field: string, variables: readonly ReadVariable[]): ReadVariable | undefined {
  const name = field.toUpperCase();
  const last = name.split(".").at(-1) ?? name;
  const ends = (wanted: string) =>
    variables.find((each) => each.isField && (each.name === wanted || each.name.endsWith(`_${wanted}`)));
  return variables.find((each) => each.name === name) ?? ends(name.replaceAll(".", "__")) ?? ends(last);
}
