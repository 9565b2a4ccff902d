import { InputError } from "../errors/errors.ts";
import { tokenProblem, tokenVariables } from "../github/token-variables.ts";

/** Before anything is started: what has been in the environment of this process stays readable to its children. */
export function refuseTokens(environment: Readonly<Record<string, string | undefined>>): void {
  const found = tokenVariables(environment);
  if (found.length > 0) throw new InputError([tokenProblem(found)]);
}
