import { describe, expect, test } from "vitest";

import {
  type Found,
  findGitLabOperation,
  type GitLabRequest,
  gitLabOperations,
  problemsOfGitLabReply,
  problemsOfGitLabRequest,
} from "./gitlab-operations.ts";

const notes = "/api/v4/projects/42/merge_requests/7/notes";
const headers = { "user-agent": "test", "content-type": "application/json" };

function foundOf(method: string, path: string): Found {
  const found = findGitLabOperation(method, path);
  if (found === undefined) throw new Error("no such operation");
  return found;
}

function problemsOf(method: string, address: string, changes: Partial<GitLabRequest> = {}): string[] {
  const url = new URL(address, "http://gitlab.example");
  return problemsOfGitLabRequest(foundOf(method, url.pathname), {
    ...{ method, url, body: undefined, headers },
    ...changes,
  });
}

test.for([
  ["GET", "/api/v4/user", "readUser"],
  ["GET", notes, "listNotes"],
  ["POST", notes, "createNote"],
  ["PUT", `${notes}/9`, "updateNote"],
  ["DELETE", `${notes}/9`, "deleteNote"],
  ["DELETE", notes, undefined],
  ["GET", `${notes}/9`, undefined],
  ["GET", "/api/v4/projects/octo/app/merge_requests/7/notes", undefined],
] as const)("%s %s is %s", ([method, path, name]) => {
  expect(findGitLabOperation(method, path)?.name).toBe(name);
});

describe("requests that break the description are told", () => {
  test.for<[string, string, string, Partial<GitLabRequest>, readonly string[]]>([
    ["a list", "GET", `${notes}?sort=asc&order_by=created_at&per_page=100&page=2`, {}, []],
    ["a project by its path", "GET", "/api/v4/projects/octo%2Fapp/merge_requests/7/notes", {}, []],
    ["a word that is none", "GET", `${notes}?sort=up`, {}, ['query: sort is "up"']],
    ["a page that is none", "GET", `${notes}?page=x`, {}, ['query: page is "x"']],
    ["another parameter", "GET", `${notes}?since=1`, {}, ["query: since is not described"]],
    [
      "a parameter that every object has",
      "GET",
      `${notes}?constructor=1`,
      {},
      ["query: constructor is not described"],
    ],
    [
      "a number that is none",
      "GET",
      "/api/v4/projects/42/merge_requests/!7/notes",
      {},
      ['path: noteable_id is "!7"'],
    ],
    ["a body where there is none", "DELETE", `${notes}/9`, { body: {} }, ["a body is not described"]],
    ["a new note", "POST", notes, { body: { body: "hi", internal: false } }, []],
    ["an empty one", "POST", notes, { body: {} }, ["the body lacks body"]],
    ["one without a body", "POST", notes, {}, ["the body is no object"]],
    ["one with a number", "POST", notes, { body: { body: 1 } }, ["body: body is 1"]],
    [
      "one of another form",
      "POST",
      notes,
      { body: { body: "a", internal: "no" } },
      ['body: internal is "no"'],
    ],
    ["a change", "PUT", `${notes}/9`, { body: { body: "hi" } }, []],
    [
      "a change of what only a new one says",
      "PUT",
      `${notes}/9`,
      { body: { internal: true } },
      ["body: internal is not described"],
    ],
    ["nobody", "GET", notes, { headers: {} }, ["there is no user-agent"]],
    [
      "a body of another type",
      "POST",
      notes,
      { body: { body: "a" }, headers: { "user-agent": "t" } },
      ["the body's type is undefined"],
    ],
  ])("%s", ([, method, address, changes, problems]) => {
    expect(problemsOf(method, address, changes)).toEqual(problems);
  });
});

describe("replies that break the description are told", () => {
  const note = { id: 1, body: "hi", system: false, author: { username: "ana" } };
  const { createNote, deleteNote, listNotes, readUser } = gitLabOperations;

  test.for([
    ["a list", listNotes, 200, [note, note], []],
    [
      "an item that is no note",
      listNotes,
      200,
      [note, { id: 1 }],
      ["the reply lacks body", "the reply lacks system", "the reply lacks author"],
    ],
    ["no note", createNote, 201, undefined, expect.arrayContaining(["the reply lacks id"])],
    ["another success", createNote, 200, note, ["status 200 is not described"]],
    ["nothing of what is gone", deleteNote, 204, undefined, []],
    ["something of what is gone", deleteNote, 204, note, ["a body is not described"]],
    ["a refusal", readUser, 401, { message: "401 Unauthorized" }, []],
    ["a refusal that is described elsewhere", listNotes, 429, {}, []],
    ["a refusal that nobody describes", listNotes, 418, {}, ["status 418 is not described"]],
  ] as const)("%s", ([, operation, status, data, problems]) => {
    expect(problemsOfGitLabReply(operation, status, data)).toEqual(problems);
  });
});
