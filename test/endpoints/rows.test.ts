import { describe, expect, test } from "vitest";
import { materialOf, mostRows, valuesInRange } from "../../src/endpoints/rows.ts";
import type { EndpointForm } from "../../src/model/endpoint/form.ts";

const form = (parts: Partial<EndpointForm>): EndpointForm => ({
  endpoint: { method: "GET", path: "/items/{id}", form: "0123abcd" },
  headers: {},
  body: undefined,
  params: {},
  expect: { statuses: [], contains: undefined },
  weight: undefined,
  places: {},
  ...parts,
});
const list = (values: readonly (string | number)[]) => ({ kind: "list", values }) as const;
const column = (file: string, name: string) => ({ kind: "csv", file, column: name, values: [] }) as const;

describe("the requests of an endpoint", () => {
  test("have each value once, mixed, and always in the same order", () => {
    const of = () => materialOf(form({ params: { id: list([]) } }), { id: valuesInRange(1, 100) });
    const paths = of().rows.map(({ path }) => path);
    expect(paths).toHaveLength(100);
    expect(new Set(paths).size).toBe(100);
    expect(paths).not.toEqual(valuesInRange(1, 100).map((id) => `/items/${id}`));
    expect(of()).toEqual(of());
  });

  test("without parameters are one", () => {
    const posted = form({
      endpoint: { method: "POST", path: "/x" },
      body: { kind: "json", value: { a: [1] } },
    });
    expect(materialOf(posted, {})).toEqual({
      headers: { "Content-Type": "application/json" },
      rows: [{ path: "/x", body: '{"a":[1]}' }],
    });
  });

  test("through a WebSocket have the words that answer them", () => {
    const parts = { endpoint: { method: "WS", path: "/chat" }, body: { kind: "text", text: "hi" } } as const;
    const expecting = { expect: { statuses: [], contains: "done" } };
    expect(materialOf(form({ ...parts, ...expecting }), {})).toMatchObject({
      rows: [{ path: "/chat", body: "hi" }],
      answeredBy: "done",
    });
    expect(materialOf(form(parts), {})).not.toHaveProperty("answeredBy");
    expect(
      materialOf(form({ ...parts, endpoint: { method: "POST", path: "/" }, ...expecting }), {}),
    ).not.toHaveProperty("answeredBy");
  });

  test("with several parameters have their combinations, columns of one file their rows", () => {
    const { rows } = materialOf(
      form({
        endpoint: { method: "GET", path: "/{a}/{b}?c={c}" },
        params: { a: column("f", "a"), b: column("f", "b"), c: list([1, 2]) },
      }),
      { a: ["x", "y", "z"], b: ["1", "2", "3"], c: [1, 2] },
    );
    expect(rows).toHaveLength(6);
    for (const { path } of rows) expect(path).toMatch(/^\/(x\/1|y\/2|z\/3)\?c=[12]$/);
    for (const value of ["x", "y", "z"])
      expect(rows.filter(({ path }) => path.startsWith(`/${value}`))).toHaveLength(2);
  });

  test("are so many at most", () => {
    const many = valuesInRange(1, 1_000_000);
    expect(many).toHaveLength(mostRows);
    expect([many[0], many.at(-1)]).toEqual([1, 999_901]);
    const params = { id: list([]), b: list([]) };
    const { rows } = materialOf(form({ params }), { id: many, b: ["x", "y"] });
    expect(rows).toHaveLength(mostRows);
  });

  test("keep a number a number where it is all there is, and encode paths", () => {
    const { rows } = materialOf(
      form({
        endpoint: { method: "PUT", path: "/items/{id}?q={id}&other={other}" },
        body: {
          kind: "json",
          value: { id: "{id}", text: "no. {id} of {other}", list: ["{id}", null, true], "{id}": 1 },
        },
        params: { id: list([7]) },
      }),
      { id: [7] },
    );
    expect(rows[0]?.path).toBe("/items/7?q=7&other={other}");
    expect(JSON.parse(rows[0]?.body ?? "")).toEqual({
      id: 7,
      text: "no. 7 of {other}",
      list: [7, null, true],
      "{id}": 1,
    });
    const strange = materialOf(form({ params: { id: list([]) } }), { id: ["a b/ü?&#"] });
    expect(strange.rows).toEqual([{ path: "/items/a%20b%2F%C3%BC%3F%26%23" }]);
  });

  test("have each row's values in their headers", () => {
    const own = form({ headers: { "X-Item": "no. {id}" }, params: { id: list([]) } });
    const { rows } = materialOf(own, { id: [5] });
    expect(rows).toEqual([{ path: "/items/5", headers: { "X-Item": "no. 5" } }]);
  });

  test("say what their body is, unless the caller does", () => {
    const text = { kind: "text", text: "id={id}&" } as const;
    const of = (headers: Record<string, string>) =>
      materialOf(form({ headers, body: text, params: { id: list([]) } }), { id: [5] });
    expect(of({ "X-A": "b" })).toEqual({
      headers: { "Content-Type": "text/plain", "X-A": "b" },
      rows: [{ path: "/items/5", body: "id=5&" }],
    });
    expect(of({ "content-type": "text/csv" }).headers).toEqual({ "content-type": "text/csv" });
  });
});
