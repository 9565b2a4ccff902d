import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseRunContext } from "../../src/github/run-context.ts";
import type { EventFile } from "../../src/github/run-pull-request.ts";

const headSha = "1".repeat(40);
const baseSha = "2".repeat(40);
const mergeSha = "3".repeat(40);

const variables = {
  GITHUB_ACTIONS: "true",
  GITHUB_SERVER_URL: "https://github.com",
  GITHUB_API_URL: "https://api.github.com",
  GITHUB_REPOSITORY: "octo/app",
  GITHUB_RUN_ID: "9876543210",
  GITHUB_RUN_NUMBER: "12",
  GITHUB_RUN_ATTEMPT: "1",
  GITHUB_SHA: mergeSha,
  GITHUB_EVENT_NAME: "pull_request",
};

/** What GitHub sends for a pull request, cut to a realistic handful of fields. */
function pullRequest(changes: object = {}) {
  return {
    number: 7,
    state: "open",
    title: "Speed up /items",
    user: { login: "octocat" },
    head: { ref: "faster", sha: headSha, repo: { full_name: "octo/app", fork: false } },
    base: { ref: "main", sha: baseSha, repo: { full_name: "octo/app", fork: false } },
    ...changes,
  };
}

function event(payload: unknown): EventFile {
  return { kind: "text", text: JSON.stringify(payload) };
}

const opened = event({ action: "opened", number: 7, pull_request: pullRequest() });
const noFile: EventFile = { kind: "missing", reason: "there is no event file" };

test("a pull request's run", () => {
  expect(parseRunContext(variables, opened)).toEqual({
    kind: "workflow run",
    serverUrl: "https://github.com",
    apiUrl: "https://api.github.com",
    repository: { owner: "octo", name: "app" },
    runId: 9876543210,
    runNumber: 12,
    attempt: 1,
    sha: mergeSha,
    event: "pull_request",
    pullRequest: { kind: "pull request", number: 7, headSha, baseSha, isFork: false },
    url: "https://github.com/octo/app/actions/runs/9876543210",
  });
});

test.for([
  [
    "refs/heads/main",
    { repository: { default_branch: "main" } },
    { ref: "refs/heads/main", defaultBranch: "main" },
  ],
  ["", { repository: {} }, {}],
  [undefined, "nothing of the kind", {}],
] as const)("of a push, the branch %s and the default one", ([ref, payload, expected]) => {
  const pushed = { ...variables, GITHUB_EVENT_NAME: "push", GITHUB_REF: ref };
  const context = parseRunContext(pushed, event(payload));
  expect(Object.fromEntries(Object.entries(context).filter(([name]) => /^ref$|Branch/.test(name)))).toEqual(
    expected,
  );
  expect(parseRunContext(pushed, noFile)).not.toHaveProperty("defaultBranch");
});

test("an enterprise server and a second attempt", () => {
  const enterprise = {
    ...variables,
    GITHUB_SERVER_URL: "https://ghes.example:8443/",
    GITHUB_API_URL: "https://ghes.example:8443/api/v3/",
    GITHUB_RUN_ATTEMPT: "2",
  };
  expect(parseRunContext(enterprise, opened)).toMatchObject({
    apiUrl: "https://ghes.example:8443/api/v3",
    url: "https://ghes.example:8443/octo/app/actions/runs/9876543210/attempts/2",
  });
});

test("a review of a pull request is about it, too", () => {
  const reviewed = { ...variables, GITHUB_EVENT_NAME: "pull_request_review" };
  expect(parseRunContext(reviewed, opened)).toMatchObject({ pullRequest: { number: 7, headSha } });
});

test("what may be absent has GitHub's own values", () => {
  const sparse = { ...variables, GITHUB_SERVER_URL: "", GITHUB_API_URL: undefined, GITHUB_RUN_ATTEMPT: "" };
  expect(parseRunContext(sparse, opened)).toMatchObject({
    serverUrl: "https://github.com",
    apiUrl: "https://api.github.com",
    attempt: 1,
  });
});

describe("whether the pull request comes from a fork", () => {
  test.for([
    ["another repository", { sha: headSha, repo: { full_name: "stranger/app" } }, true],
    ["a deleted fork", { sha: headSha, repo: null }, true],
    ["the same repository in another case", { sha: headSha, repo: { full_name: "Octo/App" } }, false],
  ] as const)("%s", ([, head, isFork]) => {
    const payload = event({ action: "synchronize", pull_request: pullRequest({ head }) });
    expect(parseRunContext(variables, payload)).toMatchObject({ pullRequest: { number: 7, isFork } });
  });
});

describe("events without a pull request", () => {
  test.for([
    [
      "push",
      event({ ref: "refs/heads/main", after: headSha }),
      "the event `push` is not about a pull request",
    ],
    ["schedule", event({ schedule: "0 3 * * *" }), "the event `schedule` is not about a pull request"],
    [
      "workflow_dispatch",
      event({ inputs: null }),
      "the event `workflow_dispatch` is not about a pull request",
    ],
    ["issue_comment", noFile, "the event `issue_comment` is not about a pull request"],
    ["release", noFile, "the event `release` is not about a pull request"],
    ["toString", noFile, "the event `toString` is not about a pull request"],
    [
      "merge_group",
      event({
        action: "checks_requested",
        merge_group: { head_ref: "refs/heads/gh-readonly-queue/main/pr-7-2" },
      }),
      "a merge queue tests a group of pull requests, not one",
    ],
    ["workflow_run", event({ action: "completed" }), "the event `workflow_run` is about another run"],
    [
      "pull_request_target",
      opened,
      "the event `pull_request_target` is not supported: it would run a stranger's code with a token that can write; use `pull_request`",
    ],
  ] as const)("%s", ([name, file, reason]) => {
    const context = parseRunContext({ ...variables, GITHUB_EVENT_NAME: name }, file);
    expect(context).toMatchObject({ pullRequest: { kind: "none", reason } });
  });
});

describe("pull requests that get no comment", () => {
  const unreadable = "the event file does not describe a pull request: ";
  test.for([
    ["closed", event({ action: "closed", pull_request: pullRequest() }), "pull request 7 is closed"],
    [
      "closed before we ran",
      event({ action: "labeled", pull_request: pullRequest({ state: "closed" }) }),
      "pull request 7 is closed",
    ],
    [
      "another repository's",
      event({ pull_request: pullRequest({ base: { sha: baseSha, repo: { full_name: "other/app" } } }) }),
      "pull request 7 in the event file belongs to another repository than this run",
    ],
    ["no event file", noFile, "there is no event file"],
    ["no JSON", { kind: "text", text: "{" }, `${unreadable}the whole document`],
    ["an empty file", { kind: "text", text: "" }, `${unreadable}the whole document`],
    ["another event's payload", event({ ref: "refs/heads/main" }), `${unreadable}pull_request`],
    ["number 0", event({ pull_request: pullRequest({ number: 0 }) }), `${unreadable}pull_request.number`],
    [
      "commits that are none",
      event({ pull_request: pullRequest({ head: { sha: "--output=x", repo: null }, base: {} }) }),
      `${unreadable}pull_request.head.sha, pull_request.base.sha, pull_request.base.repo`,
    ],
  ] as const satisfies readonly (readonly [string, EventFile, string])[])("%s", ([, file, reason]) => {
    expect(parseRunContext(variables, file)).toMatchObject({ pullRequest: { kind: "none", reason } });
  });
});

describe("what is no workflow run that can be named", () => {
  test("a terminal", () => {
    const reason = "this is not a workflow run (GITHUB_ACTIONS is not `true`)";
    expect(parseRunContext({}, noFile)).toEqual({ kind: "local", reason });
  });

  test.for([
    ["GITHUB_REPOSITORY", [undefined, "app", "a/b/c", "..", "octo/a b", "octo/<img>"]],
    [
      "GITHUB_SERVER_URL",
      ["github.com", "ftp://github.com", "https://u:p@host", "https://host/?q", "https://host/#f"],
    ],
    ["GITHUB_API_URL", ["javascript:alert(1)", "https://token@host/api/v3"]],
    ["GITHUB_RUN_ID", [undefined, "x", "0", "1.5", "1e4", "0x10"]],
    ["GITHUB_RUN_NUMBER", ["", "-1"]],
    ["GITHUB_RUN_ATTEMPT", ["two"]],
    ["GITHUB_SHA", ["main", `${mergeSha}\n`]],
    ["GITHUB_EVENT_NAME", ["", "pull request"]],
  ] as const)("%s", ([name, values]) => {
    const reason = `this workflow run does not say what it is: ${name} missing or broken`;
    for (const value of values) {
      expect(parseRunContext({ ...variables, [name]: value }, opened)).toEqual({ kind: "local", reason });
    }
  });

  test("every variable at fault is named", () => {
    expect(parseRunContext({ GITHUB_ACTIONS: "true" }, noFile)).toMatchInlineSnapshot(`
      {
        "kind": "local",
        "reason": "this workflow run does not say what it is: GITHUB_REPOSITORY, GITHUB_RUN_ID, GITHUB_RUN_NUMBER, GITHUB_SHA, GITHUB_EVENT_NAME missing or broken",
      }
    `);
  });
});

test("no event file crashes it", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(parseRunContext(variables, { kind: "text", text })).toMatchObject({
        pullRequest: { kind: "none" },
      });
    }),
  );
});
