import { expect, test } from "vitest";

import { linksTo } from "../../src/init/links.ts";

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
  expect(linksTo(document, "/users/{id}", "id")).toEqual(expected);
});
