import { InputError } from "../errors/errors.ts";
import { nearest } from "../text/nearest.ts";
import { undeclaredInput, undeclaredInputs } from "./input-checks.ts";
import type { InputVerb } from "./inputs/row.ts";
import { type Input, inputs, type RawInputs } from "./inputs.ts";

export interface Usage {
  readonly verb: string;
  readonly options: readonly Option[];
  /** Set when words without dashes have a meaning. */
  readonly takesWords?: true;
}

export interface Option {
  readonly name: string;
  /** True for an option without a value. */
  readonly isSwitch?: boolean;
  /** True for an option without a value that `--no-NAME` turns off. */
  readonly isFlag?: boolean;
  readonly fallback?: string;
}

/** Reads `--name value` and `--name=value`. Throws one `InputError` for all that is wrong. */
export function readCommandLine(usage: Usage, argv: readonly string[]) {
  return withoutProblems(scanCommandLine(usage, argv));
}

function withoutProblems<T extends { readonly problems: readonly string[] }>({ problems, ...read }: T) {
  if (problems.length > 0) throw new InputError(problems);
  return read;
}

/** The same, with one sentence for each unknown option, which names a similar one, and for each wrong or missing value. */
function scanCommandLine(usage: Usage, argv: readonly string[]) {
  const words: string[] = [];
  /** In their order. A switch or flag that is set has `true`. */
  const values = new Map<string, string[]>();
  const problems: string[] = [];
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    const [, name, attached] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) {
      if (usage.takesWords && !word.startsWith("-")) words.push(word);
      else problems.push(`${JSON.stringify(word)} is not an option of ${usage.verb}; ${choices(usage)}`);
      continue;
    }
    const next = argv[index + 1];
    const { option, isOn } = optionNamed(usage, name);
    const takesValue = option !== undefined && !option.isSwitch && !option.isFlag;
    const isWord = usage.takesWords && option !== undefined && !takesValue;
    const isNextValue = attached === undefined && next !== undefined && !/^--\w/.test(next) && !isWord;
    const value = attached ?? (isNextValue ? next : undefined);
    if (isNextValue) index += 1; // also after an unknown option and after a flag, where the value is no second problem
    if (option === undefined) problems.push(unknownOption(usage, name));
    else if (!takesValue && value !== undefined) problems.push(valueOfFlag(name, value, option, isOn));
    else if (takesValue && value === undefined) problems.push(`--${name} needs a value`);
    else values.set(option.name, [...(values.get(option.name) ?? []), value ?? String(isOn)]);
  }
  return { words, values, problems };
}

function optionNamed({ options }: Usage, written: string) {
  const option = options.find(({ name }) => name === written);
  return option === undefined
    ? { option: options.find(({ name, isFlag }) => isFlag && `no-${name}` === written), isOn: false }
    : { option, isOn: true };
}

/** Names the form without a value that means the same. */
function valueOfFlag(name: string, value: string, option: Option, isOn: boolean): string {
  const got = `(got ${JSON.stringify(value)})`;
  const isOff = isOn && /^(?:false|no|off|0)$/i.test(value);
  if (isOff && !option.isFlag) return `--${name} takes no value; leave it out ${got}`;
  return `--${name} takes no value; use --${isOff ? "no-" : ""}${name} ${got}`;
}

function unknownOption(usage: Usage, name: string): string {
  const names = usage.options.flatMap((option) =>
    option.isFlag ? [option.name, `no-${option.name}`] : [option.name],
  );
  const { verbs: others, noOption } = inputs.find((input) => input.name === name) ?? {};
  if (noOption !== undefined) return `--${name} is not an option: ${noOption}`;
  if (others !== undefined)
    return `--${name} is not an option of ${usage.verb}; it belongs to ${others.join(", ")}`;
  const meant = nearest(name, names);
  const hint = meant === undefined ? choices(usage) : `did you mean --${meant}?`;
  return `--${name} is not an option of ${usage.verb}; ${hint}`;
}

function choices({ verb, options }: Usage): string {
  return options.length > 12
    ? `\`help ${verb}\` lists them`
    : `choose from ${options.map(optionWord).join(", ")}`;
}

/** An option as it is useful to write it: a flag that is on by default is for turning it off. */
export function optionWord({ name, isFlag, fallback }: Option): string {
  return isFlag && fallback === "true" ? `--no-${name}` : `--${name}`;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Variable in which the action passes an input. */
export function variableOf(name: string): string {
  return `INPUT_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** The inputs of a verb: options over variables. Throws an `InputError` for unknown ones. */
export function readRawInputs(...given: Parameters<typeof scanRawInputs>) {
  return withoutProblems(scanRawInputs(...given));
}

/** The same, where problems are reported together with the values of the other inputs. */
export function scanRawInputs(
  verb: InputVerb,
  argv: readonly string[],
  environment: Environment,
  switches: readonly string[] = [],
  texts: readonly string[] = [],
) {
  const taken = inputsOf(verb);
  const own = texts.map((name) => ({ name }));
  const options = [...taken.filter(isOption), ...own, ...switches.map((name) => ({ name, isSwitch: true }))];
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
    texts: Object.fromEntries(texts.map((name) => [name, values.get(name)?.at(-1)])),
    problems: [
      ...problems,
      ...misplaced.map(({ name }) => undeclaredInput(name)),
      ...((verb === "run" || verb === "plan") && environment[variableOf("plan")]
        ? [`plan: cannot be set for ${verb}, only for measure and report`]
        : []),
    ],
  };
}

export function isOption({ noOption }: Input): boolean {
  return noOption === undefined;
}

export function inputsOf(verb: InputVerb): readonly Input[] {
  return inputs.filter(({ verbs }) => verbs.includes(verb));
}
