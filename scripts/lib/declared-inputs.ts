import { variableOf } from "../../src/config/command-line.ts";
import { isKey } from "../../src/config/file/keys.ts";
import { undeclaredInputs } from "../../src/config/input-checks.ts";
import type { InputVerb } from "../../src/config/inputs/row.ts";
import { actionInputs, type Input, inputs, workflowInputs } from "../../src/config/inputs.ts";
import { defined } from "../../src/lists/defined.ts";
import { withRegion } from "./marked-regions.ts";

/** An input as action.yml or a workflow declares it. */
export interface Declared {
  readonly name: string;
  readonly description: string;
  readonly default: string;
  /** More sentences, for the documentation alone. */
  readonly details?: string;
}

const withDoor = inputs.filter(({ door }) => door !== undefined);

/** The inputs under `with:` of the action. */
export const declaredByAction: readonly Declared[] = [
  ...alone(actionInputs, "command"),
  ...withDoor.map(declaredInput),
  ...alone(actionInputs, "github-token"),
];

/** The inputs under `with:` of the reusable workflow. */
export const declaredByWorkflow: readonly Declared[] = [
  ...withDoor.filter(({ door }) => door === "both").map(declaredInput),
  ...Object.keys(workflowInputs).flatMap((name) => alone(workflowInputs, name)),
];

/**
 * An input that the file may set has no default here, because an action cannot tell a default from its caller's value.
 * The program fills it in.
 */
export function declaredInput({
  name,
  description,
  details,
  fallback,
}: Pick<Input, "name" | "description" | "details" | "fallback">): Declared {
  const more = defined({ details });
  return isKey(name) && fallback !== ""
    ? { name, description: `${description} Default: \`${fallback}\`.`, default: "", ...more }
    : { name, description, default: fallback, ...more };
}

function alone(of: typeof actionInputs, name: string): Declared[] {
  const found = of[name];
  if (found === undefined) return [];
  const { description, details, fallback } = found;
  return [{ name, description, default: fallback, ...defined({ details }) }];
}

/** Handwritten inputs of steps and jobs, because they are not handed over unchanged. */
export const byHand: Readonly<Record<string, readonly string[]>> = {
  report: ["results-directory", "settings", "fail-on", "thresholds"],
  "job measure": ["config", "name", "workers", "endpoints", "database-url"],
  "job report": ["settings", "fail-on", "thresholds"],
};

function handedOver(place: string, of: readonly Input[], ...verbs: readonly InputVerb[]): string[] {
  const other = byHand[place] ?? [];
  return of
    .filter((input) => verbs.some((verb) => input.verbs.includes(verb)) && !other.includes(input.name))
    .map(({ name }) => name);
}

/** The name of a report may be made of other inputs: preflight.sh. */
const expressionOf = (name: string) =>
  name === "report-id" ? "steps.preflight.outputs.report-id || inputs.report-id" : `inputs.${name}`;
const variables = (place: string, ...verbs: readonly InputVerb[]) =>
  handedOver(place, withDoor, ...verbs).map((name) => `${variableOf(name)}: \${{ ${expressionOf(name)} }}`);
/** Inputs that a report's name is made of when it has none of its own. */
export const namingInputs = ["config", "name", "app", "working-directory"] as const;
const passedOn = (place: string, verb: InputVerb, ...also: readonly string[]) => [
  ...also.map((name) => `${name}: \${{ inputs.${name} }}`),
  ...handedOver(
    place,
    withDoor.filter(({ door }) => door === "both"),
    verb,
  ).map((name) => `${name}: \${{ inputs.${name} }}`),
];

function declaration({ name, description, default: usual }: Declared, ...more: readonly string[]): string[] {
  return [
    `${name}:`,
    ...[`description: ${JSON.stringify(description)}`, ...more, `default: ${JSON.stringify(usual)}`].map(
      (line) => `  ${line}`,
    ),
  ];
}

/** Undeclared inputs come to a composite action all the same, and GitHub only warns of them. */
const undeclared = folded(undeclaredInputs.map(({ name }) => `\${{ inputs.${name} && '${name}' }}`));

/** Words in lines of at most 110 characters. */
function folded(words: readonly string[]): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 110) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The text of action.yml with its marked regions as the rows have them. */
export function withActionInputs(text: string): string {
  return regions(text, {
    inputs: declaredByAction.flatMap((each) => declaration(each)),
    undeclared: ["UNDECLARED: >-", ...undeclared.map((line) => `  ${line}`)],
    announce: variables("announce", "announce"),
    measure: variables("measure", "measure", "trends"),
    report: variables("report", "report"),
    withdraw: variables("withdraw", "announce"),
  });
}

/** The text of loadtest.yml likewise. */
export function withWorkflowInputs(text: string): string {
  return regions(text, {
    inputs: declaredByWorkflow.flatMap((each) => declaration(each, "type: string")),
    announce: passedOn("job announce", "announce", ...namingInputs),
    plan: passedOn("job plan", "plan"),
    measure: passedOn("job measure", "measure"),
    report: passedOn("job report", "report", ...namingInputs),
    withdraw: passedOn("job withdraw", "announce", ...namingInputs),
  });
}

function regions(text: string, all: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(all).reduce((each, [name, lines]) => withRegion(each, name, lines), text);
}
