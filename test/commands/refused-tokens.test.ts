import { expect, test } from "vitest";
import { refuseTokens } from "../../src/commands/request.ts";

test.for([
  ["nothing of the kind", { GITHUB_EVENT_NAME: "pull_request" }, undefined],
  [
    "a privileged event",
    { GITHUB_EVENT_NAME: "pull_request_target" },
    /event: pull_request_target runs code/,
  ],
  ["a token", { GITHUB_ACTIONS: "true", GITHUB_TOKEN: "x" }, /environment: GITHUB_TOKEN holds a token/],
] as const)("T1, T11: what measures is started with %s", ([, environment, message]) => {
  if (message === undefined) expect(() => refuseTokens(environment)).not.toThrow();
  else expect(() => refuseTokens(environment)).toThrow(message);
});
