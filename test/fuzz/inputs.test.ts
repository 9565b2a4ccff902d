import fc from "fast-check";
import { expect, test } from "vitest";
import { parseConfig } from "../../src/config/config-parser.ts";
import { inputs } from "../../src/config/inputs.ts";
import { InputError } from "../../src/errors/errors.ts";
import { readRunContext } from "../../src/forge/forges.ts";
import { readRunEvent } from "../../src/forge/posting/measured-run.ts";
import { verbs } from "../../src/model/choices.ts";
import { hostileText } from "../text/hostile-text.ts";
import { isPolluted, mutationsOf, numbersIn, numRuns, timeout } from "./mutation.ts";

const files = {
  resolve: (path: string) => `/work/${path}`,
  isFile: () => true,
  findApps: () => [],
  isFolder: () => true,
};
const secret = "hunter2-hunter2";

/** Values that are nearly right, and some that are not. */
const value = fc.oneof(
  fc.constantFrom(
    "1",
    "1,2,4",
    "10s",
    "1s:5,2s:0",
    "5%",
    "true",
    "/a\nPOST /b",
    "auto",
    "none",
    "app:app",
    "0.01",
  ),
  fc.constantFrom(
    "NaN",
    "Infinity",
    "1e999",
    "-1",
    "0",
    "1e308%",
    "9".repeat(400),
    "0x10",
    "1_000",
    "١",
    " 1 ",
  ),
  // What every object has.
  fc.constantFrom("__proto__", "constructor", "toString", "hasOwnProperty"),
  fc.constantFrom(
    `A=${secret}`,
    `postgresql://u:${secret}@h/d`,
    `postgresql://u:${secret}@h:99999/d`,
    secret,
  ),
  hostileText,
);
const names = inputs.map(({ name }) => name);

test("configuration is a configuration or a list of what is wrong with it", { timeout }, () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...verbs),
      fc.dictionary(fc.constantFrom(...names, "workres", "__proto__", "constructor"), value, { maxKeys: 6 }),
      (verb, given) => {
        try {
          const config = parseConfig(verb, { app: "app:app", ...given }, files);
          for (const number of numbersIn(config)) expect(Number.isFinite(number)).toBe(true);
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          expect(error.problems.length).toBeGreaterThan(0);
          const hidden = [given["app-env"], given["database-env"], given["database-url"]].filter((each) =>
            each?.includes(secret),
          );
          const shown = Object.entries(given).filter(
            ([name, text]) => !/^(app-env|database-env|database-url)$/.test(name) && text.includes(secret),
          );
          if (hidden.length > 0 && shown.length === 0) expect(error.message).not.toContain(secret);
        }
        expect(isPolluted()).toBe(false);
      },
    ),
    { numRuns },
  );
});

const sha = (letter: string) => letter.repeat(40);
const repo = { full_name: "octo/app" };
const pullEvent = {
  action: "opened",
  number: 7,
  pull_request: { number: 7, state: "open", head: { sha: sha("a"), repo }, base: { sha: sha("b"), repo } },
};
const runEvent = {
  action: "completed",
  repository: repo,
  workflow_run: { id: 12, run_attempt: 1, event: "pull_request", head_sha: sha("a") },
};
const variables = {
  GITHUB_ACTIONS: "true",
  GITHUB_REPOSITORY: "octo/app",
  GITHUB_RUN_ID: "1",
  GITHUB_RUN_NUMBER: "1",
  GITHUB_SHA: sha("c"),
  GITHUB_EVENT_NAME: "pull_request",
};

test("an event's payload names a pull request, or a reason why there is none", { timeout }, () => {
  fc.assert(
    fc.property(mutationsOf(pullEvent), (text) => {
      const context = readRunContext(variables, { kind: "text", text });
      if (context.kind === "local") throw new Error(context.reason);
      const { pullRequest } = context;
      if (pullRequest.kind === "none") expect(pullRequest.reason.length).toBeLessThan(400);
      else {
        expect(JSON.parse(text).pull_request.number).toBe(pullRequest.number);
        expect(Number.isSafeInteger(pullRequest.number) && pullRequest.number > 0).toBe(true);
        expect(pullRequest.headSha).toMatch(/^[0-9a-f]{40,64}$/);
      }
      expect(isPolluted()).toBe(false);
    }),
    { numRuns },
  );
});

test("an event's payload names the finished run of a pull request, or a reason", { timeout }, () => {
  fc.assert(
    fc.property(mutationsOf(runEvent), (text) => {
      const found = readRunEvent("workflow_run", { kind: "text", text }, "octo/app");
      if (found.kind === "none") expect(found.reason.length).toBeLessThan(400);
      else {
        expect(JSON.parse(text).workflow_run.id).toBe(found.run.runId);
        expect(found.run.headSha).toMatch(/^[0-9a-f]{40,64}$/);
      }
      expect(isPolluted()).toBe(false);
    }),
    { numRuns },
  );
});
