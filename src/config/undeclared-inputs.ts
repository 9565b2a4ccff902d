import { configurationPaths } from "./file/paths.ts";
import { inputNamed, inputs } from "./inputs.ts";

/** Inputs that the action does not take under `with:`. */
export const undeclaredInputs = inputs.filter(({ door }) => door === undefined);

/** Says where a workflow sets an input that has no door. */
export function undeclaredInput(name: string): string {
  const { form, isOfCaller, instead } = inputNamed(name) ?? {};
  const place = isOfCaller
    ? "the input `settings`"
    : `${configurationPaths[0]}, or in the input \`settings\``;
  const way = form === undefined ? `\`${instead}\` takes its place` : `say it in ${place}`;
  return `${name}: is no input of the action; ${way} (docs/inputs.md)`;
}

/** Says where to set an input that the file may not set; `undefined`: the key is no input. */
export function notOfFile(name: string): string | undefined {
  const input = inputNamed(name);
  if (input === undefined) return undefined;
  if (input.isOfCaller)
    return "is not up to the file; say it in the input `settings` of the workflow, or as an option";
  const way = input.instead === undefined ? "" : `: \`${input.instead}\``;
  return `is not a key here, but an input of its own; say it in the workflow${way}, or as an option`;
}
