import { expect, test } from "vitest";
import { usersIn } from "../../src/endpoints/csv.ts";

test.for<readonly [text: string, users: unknown]>([
  ["name,key\nada,1\n", [{ name: "ada", key: "1" }]],
  [
    '\uFEFF\n[{"name":"ada","id":7,"is_new":true},{"name":null,"id":[1]}]\n',
    [
      { name: "ada", id: "7", is_new: "true" },
      { name: "", id: "" },
    ],
  ],
  ["[1]", [{}]],
  [" \n", { problem: "is empty" }],
  ["[]", { problem: "is an empty list" }],
  ['{"name":"ada"}', { problem: "is JSON, but no list" }],
  ["[seed] two users made", { problem: "begins like JSON, but is none" }],
  ["name\n", { problem: "has no rows below its first line" }],
  ['name\n"ada', { problem: "has a quote that is not closed" }],
])("%j lists %j", ([text, users]) => {
  expect(usersIn(text)).toEqual(users);
});

test("names that mean something to JavaScript are columns like any other", () => {
  const [user = {}] = [usersIn('[{"__proto__":"a"}]')].flat();
  expect(Object.entries(user)).toEqual([["__proto__", "a"]]);
});
