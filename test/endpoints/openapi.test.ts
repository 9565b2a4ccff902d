import { describe, expect, test } from "vitest";

import { discover, formFromOpenApi, operationsOf } from "../../src/endpoints/openapi.ts";
import { valueOfSchema } from "../../src/endpoints/openapi-schema.ts";

const integer = { type: "integer" };
const at = (place: string, name: string, rest: object = {}) => ({
  in: place,
  name,
  required: true,
  schema: integer,
  ...rest,
});
const posting = (schema: object, rest: object = {}) => ({
  requestBody: { required: true, content: { "application/json": { schema, ...rest } } },
});
const document = {
  paths: {
    "/": { get: {} },
    "/items/{id}": {
      parameters: [at("path", "id")],
      get: { parameters: [at("query", "q", { example: "a b" }), at("query", "page", { required: false })] },
      delete: {},
    },
    "/orders": { post: posting({ $ref: "#/components/schemas/Order" }), get: {} },
    "/me": { get: { security: [{ bearer: [] }], parameters: [at("header", "authorization")] } },
    "/shops/{name}": { get: { parameters: [at("path", "name", { schema: { type: "string" } })] } },
    "not a path": { get: {} },
  },
  components: {
    schemas: {
      Order: {
        type: "object",
        required: ["item", "note"],
        properties: { item: integer, note: { type: "string", examples: ["hi"] }, more: integer },
      },
    },
  },
};
const all = { include: [], exclude: [] };
const names = (patterns: { include: readonly string[]; exclude: readonly string[] }) =>
  discover(document, patterns, false).forms.map(({ endpoint: { method, path } }) => `${method} ${path}`);

describe("discovery", () => {
  test("takes every GET that can be filled in, and says what it leaves out", () => {
    const { forms, left } = discover(document, all, false);
    expect(forms.map(({ endpoint }) => endpoint.path)).toEqual(["/", "/items/{id}?q=a%20b", "/orders"]);
    expect(forms[1]).toMatchObject({
      endpoint: { method: "GET", form: expect.stringMatching(/^[0-9a-f]{8}$/) },
      params: { id: { kind: "list", values: [1] } },
    });
    expect(left).toEqual([
      { name: "GET /me", reason: "needs a login; set up `login`" },
      { name: "GET /shops/{name}", reason: "has no example value for its parameter name" },
    ]);
    expect(discover(document, all, true).forms.map(({ endpoint }) => endpoint.path)).toContain("/me");
  });

  test.for<readonly [include: readonly string[], exclude: readonly string[], found: readonly string[]]>([
    [["/items/*"], [], ["GET /items/{id}?q=a%20b"]],
    [
      ["*", "POST /orders"],
      ["/items*", "get /"],
      ["GET /orders", "POST /orders"],
    ],
    [["DELETE *"], [], ["DELETE /items/{id}"]],
    [["/items/{id}"], [], ["GET /items/{id}?q=a%20b"]],
    [["/nothing", "(", "a b c"], [], []],
  ])("includes %j, excludes %j", ([include, exclude, found]) => {
    expect(names({ include, exclude }).toSorted()).toEqual([...found].toSorted());
  });

  test.for([undefined, null, [], "x", { paths: 3 }, { paths: { "/a": null } }])(
    "%j has nothing",
    (strange) => {
      expect(operationsOf(strange)).toEqual([]);
    },
  );

  test("fills a body in from its schema, or its example", () => {
    const form = formFromOpenApi(document, { method: "POST", path: "/orders" }, false);
    expect(form).toMatchObject({ body: { kind: "json", value: { item: 1, note: "hi" } } });
    const given = { paths: { "/a": { post: posting({}, { example: { x: 1 } }) } } };
    expect(formFromOpenApi(given, { method: "POST", path: "/a" }, false)).toMatchObject({
      body: { kind: "json", value: { x: 1 } },
    });
  });

  test.for<readonly [operation: object, problem: string]>([
    [posting({ type: "string", pattern: "^never$x" }), "has no example body"],
    [
      posting({
        type: "object",
        properties: {
          boat: { required: ["name"], properties: { name: { type: "string", pattern: "^never$x" } } },
        },
        required: ["boat"],
      }),
      "has no example body: no value is known for boat.name",
    ],
    [{ parameters: [at("path", "名", { example: 7 })] }, "has a parameter whose name cannot be used: 名"],
    [{ requestBody: { required: true, content: { "text/csv": {} } } }, "needs a body that is not JSON"],
    [{ parameters: [at("cookie", "c")] }, "needs its cookie c"],
    [{ parameters: [at("header", "a b")] }, "needs a header that cannot be sent"],
    [{ parameters: [at("header", "a", { example: "1\r\nb: 2" })] }, "needs a header that cannot be sent"],
    [{ parameters: [at("query", "q", { example: "x".repeat(2_000) })] }, "has a query that is too long"],
    [
      { parameters: [at("path", "p", { schema: { type: "object" } })] },
      "has no example value for its parameter p",
    ],
  ])("%j cannot be filled in", ([operation, problem]) => {
    const own = { paths: { "/a": { post: operation } } };
    expect(formFromOpenApi(own, { method: "POST", path: "/a" }, false)).toBe(problem);
  });

  test.for([
    ["a megabyte", "x".repeat(1_000_001)],
    ["lists in lists, deeper than can be written", JSON.parse("[".repeat(100_000) + "]".repeat(100_000))],
  ])("T17: an example of %s is none", ([, example]) => {
    const own = { paths: { "/a": { post: posting({}, { example }) } } };
    expect(formFromOpenApi(own, { method: "POST", path: "/a" }, false)).toBe("has no example body");
  });

  test("half a surrogate pair is sent as what is no character", () => {
    const own = { paths: { "/a": { get: { parameters: [at("query", "\ud800", { example: "\udc00" })] } } } };
    expect(formFromOpenApi(own, { method: "GET", path: "/a" }, false)).toMatchObject({
      endpoint: { path: "/a?%EF%BF%BD=%EF%BF%BD" },
    });
  });

  test("of an operation that is not there, or needs little", () => {
    expect(formFromOpenApi(document, { method: "PUT", path: "/" }, false)).toBe(
      "is not among the app's endpoints",
    );
    const own = {
      security: [{ key: [] }],
      paths: {
        "/a": {
          post: {
            security: [{}, { key: [] }],
            requestBody: { content: { "text/csv": {} } },
            parameters: [
              at("header", "x", { example: true }),
              at("path", "p", { schema: { enum: ["a"] } }),
              7,
            ],
          },
          get: {},
        },
      },
    };
    expect(formFromOpenApi(own, { method: "POST", path: "/a" }, false)).toMatchObject({
      headers: { x: "true" },
      params: { p: { values: ["a"] } },
      body: undefined,
    });
    expect(formFromOpenApi(own, { method: "GET", path: "/a" }, false)).toMatch(/needs a login/);
  });
});

describe("a value of a schema", () => {
  const loop = {
    components: { a: { type: "object", required: ["a"], properties: { a: { $ref: "#/components/a" } } } },
  };
  test.for<readonly [schema: unknown, value: unknown]>([
    [{ example: 5, type: "string" }, 5],
    [{ examples: ["x"] }, "x"],
    [{ examples: { first: { value: "y" } } }, "y"],
    [{ default: false }, false],
    [{ const: "c" }, "c"],
    [{ enum: ["e", "f"] }, "e"],
    [{ type: "integer", minimum: 10 }, 10],
    [{ type: "number", exclusiveMinimum: 4 }, 5],
    [{ type: "integer", maximum: -3 }, -3],
    [{ type: "boolean" }, true],
    [{ type: "null" }, null],
    [{ type: "string" }, "text"],
    [{ type: "string", minLength: 6 }, "textxx"],
    [{ type: "string", maxLength: 2 }, "te"],
    [{ type: "string", format: "uuid" }, "3fa85f64-5717-4562-b3fc-2c963f66afa6"],
    [{ type: "string", format: "strange" }, "text"],
    [{ type: "string", pattern: "^never$a" }, undefined],
    [{ type: "array", items: { type: "integer" } }, []],
    [{ type: "array", minItems: 2, items: { type: "integer" } }, [1, 1]],
    [{ type: "array", minItems: 1, items: {} }, undefined],
    [{ anyOf: [{ type: "null" }, { type: "integer" }] }, 1],
    [{ oneOf: [{}, { type: "string" }] }, "text"],
    [{ allOf: [{ type: "integer" }] }, 1],
    [{ allOf: [{ example: { a: 1 } }, { example: { b: 2 } }] }, { a: 1, b: 2 }],
    [{ allOf: [{ type: "integer" }, { example: { b: 2 } }] }, undefined],
    [{ type: "object" }, {}],
    [{ properties: { a: { type: "integer" } }, required: ["a", 3] }, { a: 1 }],
    [{ required: ["a"], properties: { a: {} } }, undefined],
    [{}, undefined],
    [undefined, undefined],
    [{ $ref: "#/components/a" }, undefined],
    [{ $ref: "#/components/~0a~1%" }, undefined],
    [{ $ref: "https://elsewhere/" }, undefined],
    [{ $ref: 3, type: "boolean" }, true],
  ])("%j is %j", ([schema, value]) => {
    expect(valueOfSchema(loop, schema)).toEqual(value);
  });

  test.for<readonly [what: string, schema: object]>([
    ["twenty of itself", { type: "object", required: [..."abcdefghijklmnopqrst"] }],
    ["lists of a hundred of itself", { type: "array", minItems: 100 }],
    ["a thousand choices of itself", { anyOf: Array(1_000).fill({ $ref: "#/bomb" }) }],
    ["a thousand parts that are itself", { allOf: Array(1_000).fill({ $ref: "#/bomb" }) }],
  ])("T29: of a schema that holds %s is none, at once", ([, schema]) => {
    const self = { $ref: "#/bomb" };
    const properties = Object.fromEntries([..."abcdefghijklmnopqrst"].map((name) => [name, self]));
    // The last of them can be told, so it is not for want of one that there is none.
    const bomb = { properties, items: self, ...schema };
    const start = performance.now();
    expect(valueOfSchema({ bomb }, self)).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  test("T29: of lists of lists is as long as it may be, or none", () => {
    const nested = (depth: number): object =>
      depth === 0 ? { type: "integer" } : { type: "array", minItems: 100, items: nested(depth - 1) };
    expect(valueOfSchema({}, nested(2))).toHaveLength(100);
    expect(valueOfSchema({}, nested(3))).toBeUndefined();
    expect(
      valueOfSchema({}, { type: "array", minItems: 3, items: { example: "x".repeat(400_000) } }),
    ).toBeUndefined();
  });

  test("T18: names that are more than names in a plain object are names here", () => {
    const named = { required: ["__proto__"], properties: Object.fromEntries([["__proto__", { const: 1 }]]) };
    const value = valueOfSchema({}, { allOf: [named, named] });
    expect(JSON.stringify(value)).toBe('{"__proto__":1}');
    const paths = {
      "/{__proto__}": { get: { parameters: [at("path", "__proto__"), at("header", "__proto__")] } },
    };
    const form = formFromOpenApi({ paths }, { method: "GET", path: "/{__proto__}" }, false);
    expect(JSON.stringify(form)).toContain('"params":{"__proto__":{"kind":"list","values":[1]}}');
    expect(JSON.stringify(form)).toContain('"headers":{"__proto__":"1"}');
  });

  test("of references in a circle is none", () => {
    const circle = { a: { $ref: "#/b" }, b: { $ref: "#/a" } };
    expect(valueOfSchema(circle, circle.a)).toBeUndefined();
  });
});
