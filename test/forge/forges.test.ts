import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linksOf, programOf, readRunContext } from "../../src/forge/forges.ts";
import type { EventFile } from "../../src/forge/run.ts";

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
  expect(readRunContext(variables, opened)).toEqual({
    kind: "github",
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
    label: "run 12",
    filesUrl: "https://github.com/octo/app/blob/",
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
  const context = readRunContext(pushed, event(payload));
  expect(Object.fromEntries(Object.entries(context).filter(([name]) => /^ref$|Branch/.test(name)))).toEqual(
    expected,
  );
  expect(readRunContext(pushed, noFile)).not.toHaveProperty("defaultBranch");
});

test("an enterprise server and a second attempt", () => {
  const enterprise = {
    ...variables,
    GITHUB_SERVER_URL: "https://ghes.example:8443/",
    GITHUB_API_URL: "https://ghes.example:8443/api/v3/",
    GITHUB_RUN_ATTEMPT: "2",
  };
  expect(readRunContext(enterprise, opened)).toMatchObject({
    apiUrl: "https://ghes.example:8443/api/v3",
    url: "https://ghes.example:8443/octo/app/actions/runs/9876543210/attempts/2",
  });
});

test("a review of a pull request is about it, too", () => {
  const reviewed = { ...variables, GITHUB_EVENT_NAME: "pull_request_review" };
  expect(readRunContext(reviewed, opened)).toMatchObject({ pullRequest: { number: 7, headSha } });
});

test("what may be absent has GitHub's own values", () => {
  const sparse = { ...variables, GITHUB_SERVER_URL: "", GITHUB_API_URL: undefined, GITHUB_RUN_ATTEMPT: "" };
  expect(readRunContext(sparse, opened)).toMatchObject({
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
    expect(readRunContext(variables, payload)).toMatchObject({ pullRequest: { number: 7, isFork } });
  });
});

test.for([
  ["refs/pull/7/merge", { kind: "pull request", number: 7 }],
  ["refs/pull/7/head", { kind: "pull request", number: 7 }],
  ["refs/heads/faster", { kind: "pull request", number: 7 }],
  [
    "refs/pull/8/merge",
    {
      kind: "none",
      reason: "the event file is about pull request 7, but the run is about refs/pull/8/merge",
    },
  ],
  [
    "refs/pull/77/merge",
    {
      kind: "none",
      reason: "the event file is about pull request 7, but the run is about refs/pull/77/merge",
    },
  ],
] as const)("T3: the event's number must be that of %s", ([ref, expected]) => {
  expect(readRunContext({ ...variables, GITHUB_REF: ref }, opened)).toMatchObject({ pullRequest: expected });
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
      "the event `pull_request_target` is not supported: it would run a stranger's code with a write token; use `pull_request`",
    ],
  ] as const)("%s", ([name, file, reason]) => {
    const context = readRunContext({ ...variables, GITHUB_EVENT_NAME: name }, file);
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
      "pull request 7 in the event file belongs to another repository",
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
    expect(readRunContext(variables, file)).toMatchObject({ pullRequest: { kind: "none", reason } });
  });
});

describe("what is no workflow run that can be named", () => {
  test("a terminal", () => {
    const reason = "this is not a workflow run (GITHUB_ACTIONS is not `true`)";
    expect(readRunContext({}, noFile)).toEqual({ kind: "local", reason });
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
    const reason = `this workflow run lacks what identifies it: ${name} missing or invalid`;
    for (const value of values) {
      expect(readRunContext({ ...variables, [name]: value }, opened)).toEqual({ kind: "local", reason });
    }
  });

  test("every variable at fault is named", () => {
    expect(readRunContext({ GITHUB_ACTIONS: "true" }, noFile)).toMatchInlineSnapshot(`
      {
        "kind": "local",
        "reason": "this workflow run lacks what identifies it: GITHUB_REPOSITORY, GITHUB_RUN_ID, GITHUB_RUN_NUMBER, GITHUB_SHA, GITHUB_EVENT_NAME missing or invalid",
      }
    `);
  });
});

test("no event file crashes it", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(readRunContext(variables, { kind: "text", text })).toMatchObject({
        pullRequest: { kind: "none" },
      });
    }),
  );
});

const ofGitLab = {
  GITLAB_CI: "true",
  CI_API_V4_URL: "https://git.example/api/v4/",
  CI_PROJECT_ID: "42",
  CI_PROJECT_URL: "https://git.example/octo/app",
  CI_PIPELINE_ID: "103",
  CI_PIPELINE_IID: "3",
  CI_PIPELINE_URL: "https://git.example/octo/app/-/pipelines/103",
  CI_COMMIT_SHA: mergeSha,
  CI_MERGE_REQUEST_IID: "7",
  CI_MERGE_REQUEST_PROJECT_ID: "42",
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "42",
  CI_MERGE_REQUEST_DIFF_BASE_SHA: baseSha,
  CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: headSha,
};

test.for([
  [{}, "github"],
  [{ GITHUB_API_URL: "https://ghes.example/api/v3" }, "github"],
  [{ GITHUB_API_URL: "https://api.octo.ghe.com" }, "github"],
  [{ GITHUB_API_URL: "https://gitea.example/api/v1" }, "gitea"],
  [{ GITHUB_API_URL: "https://forge.example/git/api/v1/" }, "gitea"],
  [{ GITEA_ACTIONS: "true" }, "gitea"],
  [{ FORGEJO_ACTIONS: "true" }, "gitea"],
  [{ GITEA_ACTIONS: "false" }, "github"],
  [ofGitLab, "gitlab"],
  [{ ...ofGitLab, GITHUB_ACTIONS: undefined }, "gitlab"],
  [{ GITEA_ACTIONS: "true", GITHUB_ACTIONS: undefined }, "local"],
] as const)("which forge it is, by the variables %j", ([changes, kind]) => {
  expect(readRunContext({ ...variables, ...changes }, opened).kind).toBe(kind);
});

test.for<[what: string, kind: "local" | "github", path: string, program: string[] | undefined]>([
  ["a checkout", "local", "/checkout/dist/cli.js", ["node", "/checkout/dist/cli.js"]],
  ["installed on the path", "local", "/usr/local/bin/fastapi-loadtest", ["fastapi-loadtest"]],
  ["installed elsewhere", "local", "/a/.bin/fastapi-loadtest", ["node", "/a/.bin/fastapi-loadtest"]],
  ["npx", "local", "/home/a/.npm/_npx/1f/node_modules/.bin/fastapi-loadtest", undefined],
  ["a runner", "github", "/checkout/dist/cli.js", undefined],
])("the words that start the program again: %s", ([, kind, path, program]) => {
  expect(programOf({ kind }, path, { PATH: "/bin:/usr/local/bin" })).toEqual(program);
  expect(programOf({ kind }, path, {})?.[0]).toBe(program && "node");
});

describe("links of a run", () => {
  const elsewhere = { ...variables, GITHUB_SERVER_URL: "https://git.example" };

  test("at home there are none", () => {
    expect(linksOf(readRunContext({}, noFile))).toEqual({});
  });

  test.for([
    ["GitHub", {}, "https://git.example/octo/app/blob/", { artifactsAnchor: "#artifacts" }],
    ["Gitea and Forgejo", { GITEA_ACTIONS: "true" }, "https://git.example/octo/app/src/commit/", {}],
  ] as const)(
    "to files on %s, at the merge that is checked out or the head",
    ([, changes, beforeCommit, anchor]) => {
      expect(linksOf(readRunContext({ ...elsewhere, ...changes }, opened))).toEqual({
        runUrl: "https://git.example/octo/app/actions/runs/9876543210",
        runLabel: "run 12",
        headSha,
        files: { beforeCommit, commits: [mergeSha, headSha] },
        ...anchor,
        isPullRequest: true,
      });
    },
  );

  test("of a push", () => {
    const pushed = readRunContext({ ...variables, GITHUB_EVENT_NAME: "push" }, noFile);
    expect(linksOf(pushed)).toMatchObject({ headSha: mergeSha, isPullRequest: false });
  });

  test("on GitLab, with its pipeline", () => {
    expect(linksOf(readRunContext(ofGitLab, noFile))).toEqual({
      runUrl: ofGitLab.CI_PIPELINE_URL,
      runLabel: "pipeline 3",
      headSha,
      files: { beforeCommit: "https://git.example/octo/app/-/blob/", commits: [mergeSha, headSha] },
    });
  });
});
