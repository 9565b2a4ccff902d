import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { findOperation, type Match, problemsOfReply, problemsOfRequest, type Request } from "./contract.ts";
import { description, exampleOf, parametersOf } from "./description.ts";
import { startGitHub } from "./github.ts";

const comments = "/repos/octo/app/issues/7/comments";
const headers = {
  accept: "application/vnd.github.v3+json",
  "user-agent": "test",
  "content-type": "application/json",
};

function requestOf(method: string, path: string, changes: Partial<Request> = {}): Request {
  return { method, path, query: {}, headers, body: "", ...changes };
}

function matchOf(method: string, path: string): Match {
  const match = findOperation({ method, path });
  if (match === undefined) throw new Error("no such operation");
  return match;
}

describe("requests that break the description are told", () => {
  test.for([
    ["a right one", requestOf("GET", comments, { query: { per_page: "100", page: "2" } }), []],
    ["a right one with a body", requestOf("POST", comments, { body: '{"body":"hi"}' }), []],
    [
      "a number that is none",
      requestOf("GET", "/repos/octo/app/issues/seven/comments"),
      ["path: /issue_number must be integer"],
    ],
    [
      "a page that is none",
      requestOf("GET", comments, { query: { page: "x" } }),
      ["query: /page must be integer"],
    ],
    [
      "an unknown parameter",
      requestOf("GET", comments, { query: { perpage: "9" } }),
      ["query: the whole must NOT have additional properties (perpage)"],
    ],
    [
      "a time that is none",
      requestOf("GET", comments, { query: { since: "yesterday" } }),
      ['query: /since must match format "date-time"'],
    ],
    ["no body", requestOf("POST", comments), ["body: Unexpected end of JSON input"]],
    [
      "a missing field",
      requestOf("POST", comments, { body: "{}" }),
      ["body: the whole must have required property 'body'"],
    ],
    ["a wrong type", requestOf("POST", comments, { body: '{"body":7}' }), ["body: /body must be string"]],
    [
      "an unknown field",
      requestOf("POST", comments, { body: '{"body":"hi","event":"COMMENT"}' }),
      ["body: the whole must NOT have additional properties (event)"],
    ],
    ["a body where none belongs", requestOf("GET", comments, { body: "{}" }), ["body: is not described"]],
    [
      "headers",
      requestOf("POST", comments, { headers: {}, body: '{"body":"hi"}' }),
      ["header user-agent is missing", "header accept is undefined", "header content-type is undefined"],
    ],
  ] as const)("%s", ([, request, problems]) => {
    expect(problemsOfRequest(matchOf(request.method, request.path), request)).toEqual(problems);
  });
});

describe("replies that break the description are told", () => {
  const { operation } = matchOf("POST", comments);
  const comment = exampleOf("issue-comment");
  const error = { message: "Not Found", documentation_url: "https://docs.github.com/rest" };
  test.for([
    ["a right one", { status: 201, headers: {}, body: comment }, []],
    ["a right refusal", { status: 404, headers: {}, body: error }, []],
    ["a proxy's page", { status: 502, headers: {}, body: "<html>" }, []],
    ["an undescribed status", { status: 200, headers: {}, body: comment }, ["status 200 is not described"]],
    [
      "a missing field",
      { status: 201, headers: {}, body: { ...comment, id: undefined } },
      ["the whole must have required property 'id'"],
    ],
    [
      "wrong types",
      { status: 201, headers: {}, body: { ...comment, id: "1", user: 7, html_url: "here" } },
      ["/id must be integer", '/html_url must match format "uri"', "/user must be object,null"],
    ],
    ["null where it may be", { status: 201, headers: {}, body: { ...comment, user: null } }, []],
    [
      "null where it may not be",
      { status: 201, headers: {}, body: { ...comment, body: null } },
      ["/body must be string"],
    ],
    ["a page for a comment", { status: 201, headers: {}, body: "<html>" }, ["the whole must be object"]],
    [
      "an error of another form",
      { status: 404, headers: {}, body: { message: 7 } },
      ["/message must be string"],
    ],
    [
      "an undescribed header",
      { status: 201, headers: { link: "x" }, body: comment },
      ["header link is not described"],
    ],
  ] as const)("%s", ([, reply, problems]) => {
    const body = JSON.parse(JSON.stringify(reply.body));
    expect(problemsOfReply(operation, { ...reply, body })).toEqual(problems);
  });
});

test("every operation's parameters and schemas can be used", () => {
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const match = matchOf(method, path.replaceAll(/\{\w+\}/g, "1"));
      expect(match.operation).toBe(operation);
      expect(parametersOf(operation)).toBeDefined();
      for (const status of Object.keys(operation.responses)) {
        expect(() =>
          problemsOfReply(operation, { status: Number(status), headers: {}, body: {} }),
        ).not.toThrow();
      }
    }
  }
});

describe("the stand-in records what it sees", () => {
  const options = {
    owner: "octo",
    name: "app",
    accounts: { right: { login: "octocat", kind: "user", canWrite: true } },
    pulls: [{ number: 7, state: "open", headSha: "a".repeat(40), baseSha: "b".repeat(40) }],
  } as const;
  const authorized = { ...headers, authorization: "token right" };

  test("an unknown path, a wrong prefix and a wrong body are violations", async () => {
    await using standIn = await startGitHub({ ...options, prefix: "/api/v3" });
    const origin = new URL(standIn.apiUrl).origin;
    const statuses = [
      (await fetch(`${standIn.apiUrl}/repos/octo/app/labels`, { headers: authorized })).status,
      (await fetch(`${origin}/user`, { headers: authorized })).status,
      (
        await fetch(`${standIn.apiUrl}${comments}`, {
          method: "POST",
          headers: authorized,
          body: '{"text":"hi"}',
        })
      ).status,
    ];
    expect(statuses).toEqual([404, 404, 400]);
    expect(standIn.violations).toEqual([
      "GET /repos/octo/app/labels: GitHub has no such operation, or we did not cut it out",
      "GET /user: the API begins at /api/v3",
      "POST /repos/octo/app/issues/7/comments: body: the whole must have required property 'body'",
      "POST /repos/octo/app/issues/7/comments: body: the whole must NOT have additional properties (text)",
    ]);
    expect(standIn.state.comments.size).toBe(0);
  });

  test("right requests are not, and each operation answers", async () => {
    await using standIn = await startGitHub(options);
    const ask = async (path: string, init: RequestInit = {}) => {
      const reply = await fetch(`${standIn.apiUrl}${path}`, { headers: authorized, ...init });
      return [reply.status, reply.status === 204 ? undefined : await reply.json()] as const;
    };
    const body = JSON.stringify({ body: "hi" });
    expect(await ask(comments, { method: "POST", body })).toMatchObject([201, { body: "hi" }]);
    const [id] = standIn.state.comments.keys();
    const one = `/repos/octo/app/issues/comments/${id}`;
    expect(await ask("/user")).toMatchObject([200, { login: "octocat" }]);
    expect(await ask("/repos/octo/app/pulls/7")).toMatchObject([
      200,
      { number: 7, head: { sha: "a".repeat(40) } },
    ]);
    expect(await ask(one)).toMatchObject([200, { body: "hi", user: { login: "octocat" } }]);
    expect(await ask(one, { method: "PATCH", body: '{"body":"ho"}' })).toMatchObject([200, { body: "ho" }]);
    expect(await ask(comments, { method: "POST", body: '{"body":" "}' })).toMatchObject([422, {}]);
    expect(await ask(comments)).toMatchObject([200, [{ body: "ho" }]]);
    expect(await ask(one, { method: "DELETE" })).toEqual([204, undefined]);
    expect(await ask(one)).toMatchObject([404, { message: "Not Found" }]);
    expect(await ask("/user", { headers: { ...headers, authorization: "token wrong" } })).toMatchObject([
      401,
      {},
    ]);
    expect(standIn.violations).toEqual([]);
  });
});

describe("the cut of GitHub's description", () => {
  const folder = new URL("description/", import.meta.url);
  const cut = new URL("cut.mjs", folder);
  const hasWhole = existsSync(new URL("node_modules/@octokit/openapi/package.json", folder));

  test("is of the version that is pinned beside it", () => {
    const { dependencies } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
    expect(description.info.version).toBe(dependencies["@octokit/openapi"]);
  });

  // The whole has 385 MB, so it is there only after `npm ci` in that folder.
  test.skipIf(!hasWhole)("is what would be cut today", async () => {
    await expect(promisify(execFile)(process.execPath, [cut.pathname, "--check"])).resolves.toBeDefined();
  });
});
