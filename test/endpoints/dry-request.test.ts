import { expect, test } from "vitest";

import { dryRequestProblem, usualExpectation } from "../../src/endpoints/dry-request.ts";

const endpoint = { method: "GET", path: "/items/{id}" } as const;
const expecting = (statuses: readonly number[], contains?: string) => ({ statuses, contains });

test.for([
  [200, "", usualExpectation],
  [307, "", usualExpectation],
  [201, "made", expecting([200, 201])],
  [200, 'the "id"', expecting([], '"id"')],
] as const)("%i %j is as expected", ([status, body, expect_]) => {
  expect(dryRequestProblem(endpoint, "/items/1", { status, body }, expect_)).toBeUndefined();
});

test.for([
  [404, '{"detail":"Not Found"}', "correct its path, or set `params` that exist"],
  [401, "who?", "set up `login`"],
  [403, "no", "set up `login`"],
  [405, "no", "correct its method"],
  [422, "bad", "add the `query`, `body` or `headers` that the app requires"],
  [500, "Internal Server Error", "the end of its log shows why"],
  [418, "tea", "the expected status (`expect`)"],
] as const)("%i %j says what to change", ([status, body, remedy]) => {
  const problem = dryRequestProblem(endpoint, "/items/1", { status, body }, usualExpectation);
  expect(problem).toContain(
    `GET /items/{id} (sent as /items/1) answered ${status} to a request before the load`,
  );
  expect(problem).toContain(`not below 400: ${body}; `);
  expect(problem).toContain(remedy);
});

test("a WebSocket is opened, and nothing is said through it yet", () => {
  const chat = { method: "WS", path: "/chat" } as const;
  expect(dryRequestProblem(chat, "/chat", { status: 101, body: "" }, expecting([], "done"))).toBeUndefined();
  expect(dryRequestProblem(chat, "/chat", { status: 403, body: "" }, usualExpectation)).toContain(
    "WS /chat answered 403",
  );
});

test("another status than the expected one, and a body without its text", () => {
  const at = (status: number, body: string) =>
    dryRequestProblem({ method: "POST", path: "/x" }, "/x", { status, body }, expecting([201, 202], "id"));
  expect(at(200, "id")).toMatch(
    /^POST \/x answered 200 .*, not 201 or 202: id; correct the request, or the expected status/,
  );
  expect(at(201, "none")).toBe(
    'POST /x answered 201 without "id" in the body: none; correct the request, or `expect`',
  );
});

test("a body is shown short, as one line that cannot do anything", () => {
  const body = `a\n::error::b\u001b[31m${"x".repeat(10_000)}`;
  const problem = dryRequestProblem(endpoint, "/items/1", { status: 404, body }, usualExpectation) ?? "";
  expect(problem).toContain("400: a ::error::bxxx");
  expect(problem.length).toBeLessThan(500);
  expect(dryRequestProblem(endpoint, "/items/1", { status: 404, body: "" }, usualExpectation)).toContain(
    "not below 400; correct",
  );
});
