import { textMatching } from "../endpoints/pattern-text.ts";
import { type Mended, withVariables } from "./mended.ts";
import { variableOf } from "./missing-variables.ts";
import type { Project } from "./project.ts";
import { madeUpValue } from "./variables.ts";

/** pydantic's words about a value, after the field: both may have become one line. */
const refusals =
  /(?:^|\s)([\w.]{1,200})\s{1,20}((?:Input|String|Value) [^\n]{1,500}?) \[type=\w{1,60}, input_value=/g;

type Accept = (told: readonly string[], before: string) => string | undefined;

const acceptances: readonly (readonly [saying: RegExp, accept: Accept])[] = [
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
export function withAccepted(project: Project, said: string): Mended | undefined {
  const given = Object(project.findings.find(({ key }) => key === "app-env")?.value);
  const found = [...said.slice(-20_000).matchAll(refusals)].flatMap(([, field = "", words = ""]) => {
    const variable = variableOf(field, project.variables);
    if (variable === undefined || !Object.hasOwn(given, variable.name)) return [];
    const { name } = variable;
    const before = String(given[name]);
    if (!before.startsWith("made-up") && before !== madeUpValue(variable)) return [];
    const value = accepted(words, before);
    return value === undefined || value === before ? [] : [{ name, value, words }];
  });
  if (found.length === 0) return undefined;
  const values = Object.fromEntries(found.map(({ name, value }) => [name, value]));
  const told = found.map(({ name, words }) => `${name} (${words})`).join(", ");
  return {
    project: withVariables(project, values),
    told: `the app refuses what was made up for ${told}; another value is in \`app-env\``,
  };
}

function accepted(words: string, before: string): string | undefined {
  for (const [saying, accept] of acceptances) {
    const told = saying.exec(words);
    if (told !== null) return accept(told.slice(1), before);
  }
  return undefined;
}
