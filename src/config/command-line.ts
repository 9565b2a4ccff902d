import { InputError } from "../errors/errors.ts";
import { nearest } from "../text/nearest.ts";
import { undeclaredInput, undeclaredInputs } from "./input-checks.ts";
import type { InputVerb } from "./inputs/row.ts";
import { type Input, inputs, type RawInputs } from "./inputs.ts";

/** Options and words that a verb takes. */
export interface Usage {
  readonly verb: string;
  readonly options: readonly Option[];
  /** Set when words without dashes have a meaning. */
  readonly takesWords?: true;
}

export interface Option {
  readonly name: string;
  readonly alias?: string;
  /** Set for an option without a value: its presence says everything. */
  readonly isSwitch?: true;
}

/** Reads `--name value` and `--name=value`. Throws one `InputError` for all that is wrong. */
export function readCommandLine(usage: Usage, argv: readonly string[]) {
  return withoutProblems(scanCommandLine(usage, argv));
}

function withoutProblems<T extends { readonly problems: readonly string[] }>({ problems, ...read }: T) {
  if (problems.length > 0) throw new InputError(problems);
  return read;
}

/** The same, with one sentence for each unknown option, with the one that was probably meant, and each lacking value. */
function scanCommandLine(usage: Usage, argv: readonly string[]) {
  const words: string[] = [];
  /** By their full names, in their order. A switch has an empty one. */
  const values = new Map<string, string[]>();
  const problems: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    const [, name, attached] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) {
      if (usage.takesWords && !word.startsWith("-")) words.push(word);
      else problems.push(`${JSON.stringify(word)} is not an option of ${usage.verb}; ${known(usage)}`);
      continue;
    }
    const option = usage.options.find((each) => each.name === name || each.alias === name);
    const next = argv[index + 1];
    const isNextValue =
      attached === undefined && !option?.isSwitch && next !== undefined && !/^--\w/.test(next);
    const value = attached ?? (isNextValue ? next : undefined);
    if (isNextValue) index += 1; // an unknown option takes its value along: the value is no problem of its own
    if (option === undefined) problems.push(unknownOption(usage, name));
    else if (option.isSwitch && value !== undefined)
      problems.push(`--${name} takes no value (got ${JSON.stringify(value)})`);
    else if (!option.isSwitch && value === undefined) problems.push(`--${name} needs a value`);
    else values.set(option.name, [...(values.get(option.name) ?? []), value ?? ""]);
  }
  return { words, values, problems };
}

function unknownOption(usage: Usage, name: string): string {
  const meant = nearest(
    name,
    usage.options.map((option) => option.name),
  );
  const hint = meant === undefined ? known(usage) : `did you mean --${meant}?`;
  return `--${name} is not an option of ${usage.verb}; ${hint}`;
}

function known({ options }: Usage): string {
  return options.length > 12
    ? "`--help` lists them"
    : `known are ${options.map(({ name }) => `--${name}`).join(", ")}`;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Variable in which the action passes an input. */
export function variableOf(name: string): string {
  return `INPUT_${name.toUpperCase().replaceAll("-", "_")}`;
}

/**
 * The inputs that a verb takes: its options, over the variables in which the action passes them. Throws an `InputError`
 * for unknown options, and for a variable of an input that the action does not declare. Values are not checked.
 */
export function readRawInputs(...given: Parameters<typeof scanRawInputs>) {
  return withoutProblems(scanRawInputs(...given));
}

/** The same, where problems are reported together with the values of the other inputs. */
export function scanRawInputs(
  verb: InputVerb,
  argv: readonly string[],
  environment: Environment,
  switches: readonly string[] = [],
) {
  const taken = inputsOf(verb);
  const options = [...taken, ...switches.map((name) => ({ name, isSwitch: true as const }))];
  const { values, problems } = scanCommandLine({ verb, options }, argv);
  const misplaced = undeclaredInputs.filter(({ name }) => environment[variableOf(name)]);
  const raw: RawInputs = Object.fromEntries(
    taken.map(({ name, isList }) => {
      const written = values.get(name);
      return [name, (isList ? written?.join("\n") : written?.at(-1)) || environment[variableOf(name)]];
    }),
  );
  return {
    raw,
    switches: new Set(switches.filter((name) => values.has(name))),
    problems: [...problems, ...misplaced.map(({ name }) => undeclaredInput(name))],
  };
}

/** The inputs that a verb takes as options. */
export function inputsOf(verb: InputVerb): readonly Input[] {
  return inputs.filter(({ verbs }) => verbs.includes(verb));
}
