import { expect, test } from "vitest";

import { linksIn } from "../../../src/init/requests/parameters.ts";
import { cpuMs } from "../../cpu-time.ts";

const target = { get: { operationId: "one" } };
const linked = (link: unknown, status = "200") => ({
  paths: {
    "/users/{id}": target,
    "/users": { get: { responses: { [status]: { links: { first: link } } } } },
  },
});
const usual = { operationId: "one", parameters: { id: "$response.body#/0/id" } };
const found = [{ source: "/users", pointer: "/0/id" }];

test.for<readonly [what: string, document: unknown, expected: unknown]>([
  ["by the operation's name", linked(usual), found],
  [
    "by its place",
    linked({ operationRef: "#/paths/~1users~1{id}/get", parameters: { "path.id": "$response.body#/0/id" } }),
    found,
  ],
  ["of any good reply", linked(usual, "2XX"), found],
  ["of a reply without a status", linked(usual, "default"), found],
  [
    "by references",
    {
      ...linked({ $ref: "#/components/links/First" }),
      components: { links: { First: usual } },
    },
    found,
  ],
  ["of an error", linked(usual, "404"), []],
  ["to another operation", linked({ ...usual, operationId: "two" }), []],
  ["for another parameter", linked({ ...usual, parameters: { name: "$response.body#/0/id" } }), []],
  ["with a value of the request's", linked({ ...usual, parameters: { id: "$request.query.id" } }), []],
  ["with a fixed value", linked({ ...usual, parameters: { id: 5 } }), []],
  ["without parameters", linked({ operationId: "one" }), []],
  ["that is none", linked(null), []],
  [
    "from an operation that needs a parameter",
    { paths: { "/users/{id}": target, "/a/{b}": { get: { responses: { 200: { links: { a: usual } } } } } } },
    [],
  ],
  ["of nothing", undefined, []],
])("a link %s", ([, document, expected]) => {
  expect(linksIn(document)("/users/{id}", "id")).toEqual(expected);
});

test("a link that names its operation twice counts once, and many are found quickly", () => {
  const twice = {
    operationId: "one",
    operationRef: "#/paths/~1users~1{id}/get",
    parameters: usual.parameters,
  };
  expect(linksIn(linked(twice))("/users/{id}", "id")).toEqual(found);
  const count = 20_000;
  const reply = { links: { a: { operationId: "other", parameters: usual.parameters } } };
  const lists = Array.from({ length: count }, (_, index) => [
    `/l${index}`,
    { get: { responses: { 200: reply } } },
  ]);
  const many = linksIn({ paths: { "/users/{id}": target, ...Object.fromEntries(lists) } });
  const start = cpuMs();
  for (let index = 0; index < count; index += 1) many("/users/{id}", "id");
  expect(cpuMs() - start).toBeLessThan(2_000);
});
