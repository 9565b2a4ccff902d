import { InputError } from "../errors/errors.ts";
import { scanCommandLine } from "./command-line.ts";
import type { InputVerb } from "./inputs/row.ts";
import { type Input, inputs } from "./inputs.ts";
import type { RawInputs } from "./raw-inputs.ts";
import { undeclaredInput, undeclaredInputs } from "./undeclared-inputs.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Variable in which the action passes an input. */
export function variableOf(name: string): string {
  return `INPUT_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** The values of one command line, over the action's variables. */
export interface Given {
  readonly raw: RawInputs;
  readonly switches: ReadonlySet<string>;
}

/** The same with one sentence for each option that the verb does not take, or that lacks its value. */
export interface Scanned extends Given {
  readonly problems: readonly string[];
}

/**
 * The inputs that a verb takes: its options, over the variables in which the action passes them. Throws an `InputError`
 * for unknown options, and for a variable of an input that the action does not declare. Values are not checked.
 */
export function readRawInputs(
  verb: InputVerb,
  argv: readonly string[],
  environment: Environment,
  switches: readonly string[] = [],
): Given {
  const { problems, ...given } = scanRawInputs(verb, argv, environment, switches);
  if (problems.length > 0) throw new InputError(problems);
  return given;
}

/** The same, where what is wrong is told together with the values of the other inputs. */
export function scanRawInputs(
  verb: InputVerb,
  argv: readonly string[],
  environment: Environment,
  switches: readonly string[] = [],
): Scanned {
  const taken = inputsOf(verb);
  const options = [...taken, ...switches.map((name) => ({ name, isSwitch: true as const }))];
  const { values, problems } = scanCommandLine({ verb, options }, argv);
  const misplaced = undeclaredInputs.filter(({ name }) => environment[variableOf(name)]);
  const raw = Object.fromEntries(
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
