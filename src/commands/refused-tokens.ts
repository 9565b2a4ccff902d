import { InputError } from "../errors/errors.ts";
import { tokenProblem, tokenVariables } from "../github/token-variables.ts";

/** Throws before anything is started: child processes can always read the environment that this process began with. */
export function refuseTokens(environment: Readonly<Record<string, string | undefined>>): void {
  if (environment["GITHUB_EVENT_NAME"] === "pull_request_target")
    throw new InputError([
      "event: pull_request_target runs code of a pull request with the rights of the repository; start what measures from pull_request",
    ]);
  const found = tokenVariables(environment);
  if (found.length > 0) throw new InputError([tokenProblem(found)]);
}
