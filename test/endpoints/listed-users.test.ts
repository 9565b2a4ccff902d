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
  ['{"name":"ada"}', { problem: "is JSON, but not a list" }],
  ["[seed] two users made", { problem: "starts like JSON, but is not valid JSON" }],
  ["name\n", { problem: "has no rows after its header" }],
  ['name\n"ada', { problem: "has an unclosed quote" }],
])("%j lists %j", ([text, users]) => {
  expect(usersIn(text)).toEqual(users);
});

test("names that mean something to JavaScript are columns like any other", () => {
  const [user = {}] = [usersIn('[{"__proto__":"a"}]')].flat();
  expect(Object.entries(user)).toEqual([["__proto__", "a"]]);
});
