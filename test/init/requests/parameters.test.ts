import { expect, test } from "vitest";

import {
  accountQueries,
  isEmptyList,
  listPaths,
  ownQueriesFor,
  queriesFor,
  valuesInList,
} from "../../../src/init/requests/parameters.ts";

const column = (table: string, name: string, schema = "public") => ({ schema, table, column: name });
const columns = [
  column("notes", "id"),
  column("notes", "slug"),
  column("user", "id"),
  column("user", "username"),
  column("app_categories", "category_id"),
  column("Odd", "id", "shop"),
  column("shop", "name", "core"),
  column("shop", "id", "core"),
  column("shop", "slug", "core"),
  column("tags", "id"),
  column("tags", "tag_id"),
];
const query = (name: string, from: string) => `SELECT ${name} FROM ${from} ORDER BY 1 LIMIT 1000`;

test.for<readonly [path: string, name: string, queries: readonly string[]]>([
  ["/notes/{note_id}", "note_id", [query("id", "notes")]],
  ["/api/v1/notes/{id}", "id", [query("id", "notes")]],
  ["/notes/{slug}", "slug", [query("slug", "notes")]],
  ["/users/{username}", "username", [query("username", '"user"')]],
  ["/categories/{category_id}", "category_id", [query("category_id", "app_categories")]],
  ["/odd/{id}", "id", [query("id", 'shop."Odd"')]],
  ["/{note_id}", "note_id", [query("id", "notes")]],
  ["/notes/{note}", "note", [query("id", "notes"), query("slug", "notes")]],
  [
    "/api/{shop}/notes",
    "shop",
    [query("slug", "core.shop"), query("id", "core.shop"), query("name", "core.shop")],
  ],
  ["/notes/{note_id}/{user}", "user", [query("id", '"user"')]],
  ["/tags/{tag_id}", "tag_id", [query("tag_id", "tags"), query("id", "tags")]],
  ["/notes/{noteId}", "noteId", [query("id", "notes")]],
  ["/users/username/{username}", "username", [query("username", '"user"')]],
  ["/notes/by-slug/{slug}", "slug", [query("slug", "notes")]],
  ["/others/{id}", "id", []],
  ["/notes/{title}", "title", []],
])("queries for %s", ([path, name, queries]) => {
  expect(queriesFor(path, name, columns)).toEqual(queries);
});

test.for<readonly [what: string, name: string, reply: unknown, values: readonly (string | number)[]]>([
  ["keys", "note_id", [{ id: 3 }, { id: 3 }, { id: 5 }], [3, 5]],
  ["keys in another spelling", "noteId", [{ id: 3 }], [3]],
  ["their own spelling", "noteId", [{ id: 3, noteid: 4 }], [4]],
  ["their own name first", "note_id", [{ id: 3, note_id: 9 }], [9]],
  ["rows below a name", "slug", { count: 1, results: [{ slug: "a" }] }, ["a"]],
  ["rows in envelopes", "note_id", { status: 200, result: { notes: [{ id: 7 }] } }, [7]],
  ["plain values", "note_id", ["a", "b/c", ""], ["a"]],
  ["no list", "note_id", { id: 3 }, []],
  ["nothing", "note_id", undefined, []],
])("values in a list: %s", ([, name, reply, values]) => {
  expect(valuesInList("/notes/{x}".replace("x", name), name, reply)).toEqual(values);
});

test("the list beside an element", () => {
  expect(listPaths("/api/notes/{id}")).toEqual(["/api/notes", "/api/notes/", "/api/notes"]);
  expect(listPaths("/category/{id}")).toEqual(["/category", "/category/", "/categories"]);
  expect(listPaths("/{id}")).toEqual([]);
});

test.for<readonly [reply: unknown, isEmpty: boolean]>([
  [[], true],
  [{ count: 0, results: [] }, true],
  [{ status: 200, result: { books: [] } }, true],
  [{ status: 200, result: { books: [1] } }, false],
  [{ a: { b: { c: [] } } }, false],
  [[1], false],
  [{ results: [1] }, false],
  [{ count: 0 }, false],
  [null, false],
  ["", false],
])("%o is an empty list: %s", ([reply, isEmpty]) => {
  expect(isEmptyList(reply)).toBe(isEmpty);
});

const shared = [
  ...["id", "email", "full_name"].map((name) => column("users", name)),
  ...["id", "owner_id", "title"].map((name) => column("notes", name)),
  ...["group_id", "name"].map((name) => column("groups", name)),
  ...["group_id", "user_id"].map((name) => column("users_groups", name)),
  ...["id", "text"].map((name) => column("tags", name)),
];

test.for<readonly [path: string, name: string, queries: readonly string[]]>([
  ["/notes/{id}", "id", ["SELECT id FROM notes WHERE owner_id = (KEY) ORDER BY 1 LIMIT 1000"]],
  [
    "/groups/{group_id}",
    "group_id",
    ["SELECT group_id FROM users_groups WHERE user_id = (KEY) ORDER BY 1 LIMIT 1000"],
  ],
  ["/groups/{id}", "id", ["SELECT group_id FROM users_groups WHERE user_id = (KEY) ORDER BY 1 LIMIT 1000"]],
  ["/tags/{id}", "id", []],
])("queries for what the account owns: %s", ([path, name, queries]) => {
  expect(ownQueriesFor(path, name, shared, "KEY")).toEqual(queries);
});

test.for<readonly [name: string, queries: readonly string[]]>([
  ["ada@example.com", ["SELECT id FROM users WHERE email = 'ada@example.com'"]],
  ["it's", []],
  ["", []],
])("queries for the account %s", ([name, queries]) => {
  expect(accountQueries(name, shared)).toEqual(queries);
  expect(accountQueries(name, [column("users", "email")])).toEqual([]);
});
