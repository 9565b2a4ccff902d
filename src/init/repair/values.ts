import { textMatching } from "../../endpoints/pattern-text.ts";
import { isServerVariable } from "../../model/workload/server-command.ts";
import type { AppFailure, Project, ReadVariable } from "../project.ts";
import { madeUpValue, valueFor } from "../read/variables.ts";
import { namesIn, type Repair, variablesOf, withVariables } from "./change.ts";

/** The load test sets these by itself, or another value would make another app of it. */
const notFromExamples =
  /^(?:PORT|HOST|PATH|HOME|PYTHON.*|WEB_CONCURRENCY|WORKERS|(?:.*_)?(?:DEBUG|RELOAD|ECHO|TESTING)|.*_PORT|.*_HOST|.*DATABASE.*|.*POSTGRE.*|DB_.*)$/;

const isNotFromExamples = (name: string) => notFromExamples.test(name) || isServerVariable(name);

/** A value for each variable that the app asks for. */
export function withMissing(project: Project, { log }: AppFailure): Repair | undefined {
  return withValuesFor(project, missingVariables(log, project), "the app requires");
}

/** A value for each variable of the app's that a failure names, as where it refuses its own default for a secret. */
export function withNamed(project: Project, { log }: AppFailure): Repair | undefined {
  const words = new Set(log.split(/\W+/));
  const named = project.variables.filter(({ name }) => !isNotFromExamples(name) && words.has(name));
  return withValuesFor(project, named, "the app's error names");
}

function withValuesFor(
  project: Project,
  variables: readonly ReadVariable[],
  why: string,
): Repair | undefined {
  const has = namesIn(project);
  const added = variables.filter(({ name }) => !has.has(name));
  if (added.length === 0) return undefined;
  const values = Object.fromEntries(added.map((each) => [each.name, valueFor(each, project.examples)]));
  return {
    project: withVariables(project, values),
    message: `${why} ${Object.keys(values).join(", ")}; \`app-env\` sets a value`,
  };
}

/** What the clients of a cloud want to know before they connect to anything, from variables of their own. */
const ofCloud = {
  symptom: /NoRegionError|NoCredentialsError|You must specify a region|Unable to locate credentials/,
  values: {
    AWS_DEFAULT_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "made-up-for-the-load-test",
    AWS_SECRET_ACCESS_KEY: "made-up-for-the-load-test",
  },
};

/** An app that makes such a client when it starts, but needs nothing from it yet. */
export function withCloud(project: Project, { log }: AppFailure): Repair | undefined {
  const has = namesIn(project);
  const added = Object.entries(ofCloud.values).filter(([name]) => !has.has(name));
  if (!ofCloud.symptom.test(log) || added.length === 0) return undefined;
  const names = added.map(([name]) => name).join(", ");
  return {
    project: withVariables(project, Object.fromEntries(added)),
    message: `the app makes a client of AWS when it starts; \`app-env\` sets ${names} for it`,
  };
}

/** Adds all values that somebody wrote down for a first start; once. */
export function withExamples(project: Project): Repair | undefined {
  const has = namesIn(project);
  const values = project.variables.flatMap(({ name, isNeeded, value: usual }) => {
    const example = project.examples.get(name);
    if (example === undefined || example.value === usual) return [];
    return isNeeded || has.has(name) || isNotFromExamples(name) ? [] : [[name, example] as const];
  });
  if (values.length === 0) return undefined;
  const files = [...new Set(values.map(([, { path }]) => path))].join(", ");
  const variables = Object.fromEntries(values.map(([name, { value }]) => [name, value]));
  return {
    project: withVariables(project, variables),
    message: `the app did not start, so it is tried with ${Object.keys(variables).join(", ")} as ${files} has them`,
    otherwise: { ...project, examples: new Map() },
  };
}

/** Phrases by which libraries say that a variable is not set. */
const phrases: readonly RegExp[] = [
  /KeyError: ['"]([A-Z][A-Z0-9_]+)['"]/g,
  /Config ['"](\w+)['"] is missing/g, // Starlette
  /UndefinedValueError: (\w+) not found/g, // decouple
  /[Ee]nvironment variable ["'`]?(\w+)["'`]? (?:is )?(?:not set|missing|required|not found|must be set)/g, // environs and people
  /[Ss]et the ([A-Z][A-Z0-9_]+) environment variable/g, // Django
  /[Ss]et (?:the )?[`'"]?([A-Z][A-Z0-9_]{2,100})[`'"]?(?: or (?:the )?[`'"]?[A-Z0-9_]{3,100}[`'"]?){0,3} environment variable/g, // clients of other services
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

/** Libraries read the keys of the services that they are for by themselves. */
const keyOfOthers = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:API_KEY|ACCESS_KEY|AUTH_TOKEN|API_TOKEN|SECRET_KEY)$/;

/** Read by a library, or by the app through a function or a constant of its own, which has the name as a text. */
function readElsewhere(
  name: string,
  text: string,
  { files, examples }: Pick<Project, "files" | "examples">,
): ReadVariable | undefined {
  const found = { name, path: "", isNeeded: true, type: undefined, value: undefined, isField: false };
  const inCode = (quoted: string) =>
    files.some(({ path, text: code }) => path.endsWith(".py") && code.includes(quoted));
  // The key of any dictionary is no variable.
  const isVariable = examples.has(name) || !text.includes(`KeyError: '${name}'`);
  const isNamed = isVariable && (inCode(`"${name}"`) || inCode(`'${name}'`));
  return keyOfOthers.test(name) || isNamed ? found : undefined;
}

/**
 * Variables without which an app did not start, by its own words: foreign text. Only those that its code names count, and
 * keys of other services.
 */
export function missingVariables(
  log: string,
  { variables, ...project }: Pick<Project, "variables" | "files" | "examples">,
): readonly ReadVariable[] {
  const text = log.slice(-20_000);
  const named = phrases.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = ""]) => name));
  const ofFields = fields.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = ""]) => name));
  const found = [
    ...named.map(
      (name) => variables.find((each) => each.name === name) ?? readElsewhere(name, text, project),
    ),
    ...ofFields.map((field) => variableOf(field, variables)),
  ].flatMap((each) => each ?? []);
  return [...new Map(found.map((each) => [each.name, each])).values()];
}

/** The variable of a field of settings, which may have a prefix, and parts that pydantic divides by dots. */
function variableOf(field: string, variables: readonly ReadVariable[]): ReadVariable | undefined {
  const name = field.toUpperCase();
  const last = name.split(".").at(-1) ?? name;
  const ends = (wanted: string) =>
    variables.find((each) => each.isField && (each.name === wanted || each.name.endsWith(`_${wanted}`)));
  return variables.find((each) => each.name === name) ?? ends(name.replaceAll(".", "__")) ?? ends(last);
}

/** pydantic's words about a value, after the field: both may have become one line. */
const refusals =
  /(?:^|\s)([\w.]{1,200})\s{1,20}((?:Input|String|Value) [^\n]{1,500}?) \[type=\w{1,60}, input_value=/g;

type Accept = (matched: readonly string[], before: string) => string | undefined;

const acceptances: readonly (readonly [phrase: RegExp, accept: Accept])[] = [
  [/^Input should be '([^']+)'/, ([choice]) => choice],
  [/^String should match pattern '(.+)'$/, ([pattern = ""]) => textMatching(pattern)],
  [
    /^String should have at least (\d{1,3}) character/,
    ([least], before) => before.padEnd(Number(least), "x"),
  ],
  [/^String should have at most (\d{1,3}) character/, ([most], before) => before.slice(0, Number(most))],
  [/^Input should be greater than or equal to (\d{1,15})/, ([least]) => least],
  [/^Input should be greater than (\d{1,15})/, ([below]) => String(Number(below) + 1)],
  [/^Input should be less than or equal to (\d{1,15})/, ([most]) => most],
  [/^Input should be a valid (?:integer|number|decimal)/, () => "1"],
  [/^Input should be a valid boolean/, () => "false"],
  [/^Input should be a valid URL/, () => "http://127.0.0.1:1"],
  [/^Input should be a valid UUID/, () => "3fa85f64-5717-4562-b3fc-2c963f66afa6"],
];

/** What was made up and the app refuses gets a value that it accepts, by its own words: foreign text. */
export function withAccepted(project: Project, { log }: AppFailure): Repair | undefined {
  const given = variablesOf(project);
  const found = [...log.slice(-20_000).matchAll(refusals)].flatMap(([, field = "", words = ""]) => {
    const variable = variableOf(field, project.variables);
    const { name = "" } = variable ?? {};
    const before = given[name];
    if (variable === undefined || before === undefined) return [];
    // What somebody wrote down is theirs.
    if (before !== madeUpValue(variable) && project.fitted?.has(name) !== true) return [];
    const value = accepted(words, before);
    return value === undefined || value === before ? [] : [{ name, value, words }];
  });
  if (found.length === 0) return undefined;
  const values = Object.fromEntries(found.map(({ name, value }) => [name, value]));
  const refused = found.map(({ name, words }) => `${name} (${words})`).join(", ");
  return {
    project: {
      ...withVariables(project, values),
      fitted: new Set([...(project.fitted ?? []), ...Object.keys(values)]),
    },
    message: `the app rejects the invented value of ${refused}; \`app-env\` sets another`,
  };
}

function accepted(words: string, before: string): string | undefined {
  for (const [phrase, accept] of acceptances) {
    const matched = phrase.exec(words);
    if (matched !== null) return accept(matched.slice(1), before);
  }
  return undefined;
}
