import { expect, test } from "vitest";

import { tokenProblem, tokenVariables } from "../../src/forge/credentials.ts";

test.for<[string, Record<string, string>, readonly string[]]>([
  ["none", { PATH: "/bin", INPUT_APP: "app:app" }, []],
  ["an empty one", { GITHUB_TOKEN: "" }, []],
  ["the workflow's", { GITHUB_TOKEN: "x" }, ["GITHUB_TOKEN"]],
  [
    "the input",
    { INPUT_GITHUB_TOKEN: "x", "INPUT_GITHUB-TOKEN": "y" },
    ["INPUT_GITHUB_TOKEN", "INPUT_GITHUB-TOKEN"],
  ],
  ["for caches and artifacts", { ACTIONS_RUNTIME_TOKEN: "x" }, ["ACTIONS_RUNTIME_TOKEN"]],
  ["of other servers", { GITEA_TOKEN: "x", FORGEJO_TOKEN: "y" }, ["GITEA_TOKEN", "FORGEJO_TOKEN"]],
  ["for other clouds", { ACTIONS_ID_TOKEN_REQUEST_TOKEN: "x" }, ["ACTIONS_ID_TOKEN_REQUEST_TOKEN"]],
  [
    "for a receiver of metrics",
    { OTEL_EXPORTER_OTLP_HEADERS: "a=b", OTEL_EXPORTER_OTLP_ENDPOINT: "http://a" },
    ["OTEL_EXPORTER_OTLP_HEADERS"],
  ],
  ["under another name", { DEPLOY: "ghp_0123456789abcdef", OTHER: "github_pat_11A" }, ["DEPLOY", "OTHER"]],
  ["in lower case", { github_token: "x", gh_token: "y" }, ["github_token", "gh_token"]],
  ["in an address", { REMOTE: "https://x:ghs_0123@github.com/o/a" }, ["REMOTE"]],
  [
    "as git's credential",
    { GIT_CONFIG_VALUE_0: "AUTHORIZATION: basic eC1hY2Nlc3MtdG9rZW46Z2hzXzAxMjM0NTY3ODk=" },
    ["GIT_CONFIG_VALUE_0"],
  ],
  ["a basic thought", { TEXT: "basic understanding", OTHER: "basic dXNlcjpwYXNz" }, []],
  [
    "of registries and clouds",
    {
      A: `npm_${"a".repeat(36)}`,
      B: "AKIAIOSFODNN7EXAMPLE",
      C: "pypi-AgEIcHlwaS5vcmc",
      D: "https://x:glpat-abc@gitlab.example/a",
      E: "glcbt-64_x",
      AWS_SESSION_TOKEN: "x",
    },
    ["A", "B", "C", "D", "E", "AWS_SESSION_TOKEN"],
  ],
  [
    "as a private key",
    {
      APP_KEY: "-----BEGIN RSA PRIVATE KEY-----\nMII",
      PUBLIC: "-----BEGIN PUBLIC KEY-----",
      INPUT_SETTINGS: "app-env: |\n  KEY=-----BEGIN PRIVATE KEY-----",
    },
    ["APP_KEY"],
  ],
  ["a package's name", { A: "npm_config_cache", AWS_REGION: "eu-1" }, []],
  ["a word that begins alike", { NAME: "ghost", TEXT: "ghx_1" }, []],
])("T11: tokens in a workflow's environment: %s", ([, variables, expected]) => {
  expect(tokenVariables({ GITHUB_ACTIONS: "true", ...variables })).toEqual(expected);
});

test("T11: at home tokens are the user's own", () => {
  expect(tokenVariables({ GITHUB_TOKEN: "x" })).toEqual([]);
});

test("T11: GitLab's own variables hold the job's token whatever its author does", () => {
  const variables = { GITLAB_CI: "true", CI_JOB_TOKEN: "glcbt-64_x", MINE: "glpat-x" };
  expect(tokenVariables(variables)).toEqual(["MINE"]);
});

test.for([
  [["A"], "environment: A holds a token that"],
  [["A", "B"], "environment: A, B hold tokens that"],
] as const)("the refusal names %s", ([names, start]) => {
  expect(tokenProblem(names)).toContain(start);
});
