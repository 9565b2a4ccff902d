import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { discover, formFromOpenApi } from "../../src/endpoints/openapi.ts";
import { valueOfSchema } from "../../src/endpoints/openapi-schema.ts";
import { isMadeUp, likelier } from "../../src/endpoints/plain-values.ts";

const word = { type: "string" };
const whole = { type: "integer" };

describe("a value", () => {
  test.for<readonly [schema: object, value: unknown]>([
    // numbers
    [{ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
    [{ type: "number", minimum: 0, exclusiveMinimum: true, maximum: 0.5, exclusiveMaximum: true }, 0.25],
    [{ type: "integer", minimum: 1, multipleOf: 5 }, 5],
    [{ type: "integer", maximum: -7, multipleOf: 5 }, -10],
    [{ type: "number", multipleOf: 0.1, minimum: 0.25, maximum: 0.55 }, 0.4],
    [{ type: "integer", exclusiveMaximum: 0 }, -1],
    [{ type: "integer", exclusiveMinimum: 1 }, 2],
    [{ type: "number", minimum: 2.5 }, 3],
    [{ type: "number", minimum: 2.5, maximum: 2.5 }, 2.5],
    [{ type: "integer", minimum: 2.1, maximum: 2.9 }, undefined],
    [{ type: "integer", minimum: 1e300 }, 1e300],
    [{ type: "number", multipleOf: 0 }, 1],
    // lists
    [{ type: "array", prefixItems: [whole, word], minItems: 2, maxItems: 2 }, [1, "text"]],
    [{ type: "array", prefixItems: [word], items: whole, minItems: 2 }, ["text", 1]],
    [{ type: "array", prefixItems: [word], minItems: 2 }, undefined],
    [{ type: "array", items: whole, minItems: 2, uniqueItems: true }, [1, 2]],
    [{ type: "array", items: word, minItems: 3, uniqueItems: true }, ["text", "textx", "textxx"]],
    [
      { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 2, uniqueItems: true },
      ["a", "b"],
    ],
    [{ type: "array", items: { type: "string", enum: ["a"] }, minItems: 2, uniqueItems: true }, undefined],
    [{ type: "array", items: { type: "boolean" }, minItems: 2, uniqueItems: true }, undefined],
    [
      { type: "object", minProperties: 2, additionalProperties: whole },
      { key1: 1, key2: 1 },
    ],
    [
      {
        type: "object",
        minProperties: 2,
        additionalProperties: whole,
        properties: { a: word },
        required: ["a"],
      },
      { a: "text", key1: 1 },
    ],
    [{ type: "object", minProperties: 1, additionalProperties: false }, undefined],
    [{ type: "object", minProperties: 1 }, undefined],
    [{ type: "array", items: whole, minItems: 1, uniqueItems: true }, [1]],
    [{ type: "array", items: whole, minItems: 101 }, undefined],
    // texts
    [{ type: "string", minLength: 10_001 }, undefined],
    [{ type: "string", minLength: 3, maxLength: 2 }, undefined],
    [{ type: "string", format: "date", maxLength: 5 }, undefined],
    [{ type: "string", format: "uri", minLength: 1, maxLength: 2083 }, "https://example.com/"],
    [{ type: "string", format: "ipv6" }, "2001:db8::1"],
    [{ type: "string", pattern: "^[a-z]+$", minLength: 9 }, "loadtestl"],
    [{ type: "string", pattern: "^[a-z]+$", format: "uuid" }, undefined],
    [{ type: "string", pattern: "^[A-Z]{3}$" }, "EUR"],
    // nothing, and choices
    [{ const: null }, null],
    [{ const: 0 }, 0],
    [{ enum: [null, "a"] }, null],
    [{ type: ["null", "integer"] }, 1],
    [{ type: ["null"] }, null],
    [{ anyOf: [{ type: "string", pattern: "^never$a" }, { type: "null" }] }, null],
    [{ type: "string", pattern: "^never$a", nullable: true }, null],
    [
      { oneOf: [{ type: "object", required: ["kind"], properties: { kind: { const: "sail" } } }] },
      { kind: "sail" },
    ],
    // objects
    [
      {
        type: "object",
        required: ["id", "name"],
        properties: { id: { ...whole, readOnly: true }, name: word },
      },
      { name: "text" },
    ],
  ])("of %j is %j", ([schema, value]) => {
    expect(valueOfSchema({}, schema)).toEqual(value);
  });

  const limit = fc.option(
    fc.oneof(fc.integer({ min: -50, max: 50 }), fc.double({ min: -5, max: 5, noNaN: true })),
    {
      nil: undefined,
    },
  );
  const numbers = fc.record({
    type: fc.constantFrom("integer", "number"),
    minimum: limit,
    maximum: limit,
    exclusiveMinimum: limit,
    exclusiveMaximum: limit,
    multipleOf: fc.option(fc.constantFrom(1, 2, 5, 0.5, 0.1, 0.01), { nil: undefined }),
  });
  const length = fc.option(fc.nat({ max: 20 }), { nil: undefined });
  const texts = fc.record({
    type: fc.constant("string"),
    minLength: length,
    maxLength: length,
    format: fc.option(
      fc.constantFrom(
        "uuid",
        "date",
        "date-time",
        "email",
        "uri",
        "ipv4",
        "ipv6",
        "hostname",
        "duration",
        "byte",
      ),
      { nil: undefined },
    ),
    pattern: fc.option(fc.constantFrom("^[a-z]+$", "^\\d{2,5}$", "^(asc|desc)$", "^[A-Z]{2}$"), {
      nil: undefined,
    }),
  });
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      numbers,
      texts,
      fc.constantFrom(
        { type: "boolean" },
        { type: "null" },
        { const: null },
        { const: "c" },
        { enum: [3, "e"] },
      ),
      fc.record({
        type: fc.constant("array"),
        items: tie("schema"),
        prefixItems: fc.option(fc.array(tie("schema"), { minLength: 1, maxLength: 3 }), { nil: undefined }),
        minItems: fc.option(fc.nat({ max: 4 }), { nil: undefined }),
        uniqueItems: fc.option(fc.boolean(), { nil: undefined }),
      }),
      fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
      fc
        .dictionary(fc.constantFrom("a", "b", "c"), tie("schema"))
        .map((properties) => ({ type: "object", properties, required: Object.keys(properties).slice(1) })),
    ),
  }));

  test("is valid, whatever the schema is made of", () => {
    const validator = new Ajv2020({ strict: false, logger: false });
    addFormats.default(validator);
    let given = 0;
    fc.assert(
      fc.property(schema, (random) => {
        const plain = JSON.parse(JSON.stringify(random));
        const value = valueOfSchema({}, plain);
        if (value === undefined) return;
        given += 1;
        const isValid = validator.compile(plain);
        expect(isValid(value), JSON.stringify([plain, value, isValid.errors])).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(given).toBeGreaterThan(150);
  });
});

describe("an operation", () => {
  const get = (path: string, ...parameters: readonly object[]) => ({
    paths: { [path]: { get: { parameters } } },
  });
  const all = { include: [], exclude: [] };
  const required = { in: "query", name: "q", required: true };

  test.for<readonly [parameter: object, found: string]>([
    [{ ...required, schema: { type: "string", minLength: 5 } }, "has no example value for its parameter q"],
    [{ ...required, schema: { type: "string", maxLength: 3 } }, "has no example value for its parameter q"],
    [{ ...required, schema: { type: "string", format: "date" } }, "/a?q=2026-01-31"],
    [{ ...required, schema: { default: "text" } }, "/a?q=text"],
    [{ ...required, content: { "application/json": { schema: { type: "array" } } } }, "/a?q=%5B%5D"],
    [{ ...required, content: { "application/json": { example: { b: 1 } } } }, "/a?q=%7B%22b%22%3A1%7D"],
    [
      { ...required, content: { "application/json": { schema: {} } } },
      "has no example value for its parameter q",
    ],
  ])("with the parameter %j: %s", ([parameter, found]) => {
    const form = formFromOpenApi(get("/a", parameter), { method: "GET", path: "/a" }, false);
    expect(typeof form === "string" ? form : form.endpoint.path).toBe(found);
  });

  test("whose path is not ASCII is requested percent-encoded", () => {
    const document = get("/häfen/{id}", { in: "path", name: "id", required: true, schema: whole });
    const [form] = discover(document, all, false).forms;
    expect(form).toMatchObject({ endpoint: { path: "/h%C3%A4fen/{id}" }, params: { id: { values: [1] } } });
    expect(discover(document, { include: ["/häfen/*"], exclude: [] }, false).forms).toHaveLength(1);
    expect(discover(get("/a\ud800b c"), all, false).forms[0]?.endpoint.path).toBe("/a%EF%BF%BDb%20c");
  });
});

test.for([
  ["text", true],
  ["te", true],
  ["", true],
  ["textx", true],
  ["texts", false],
  ["en", false],
  [3, false],
] as const)("%j is made up: %s", ([text, made]) => {
  expect(isMadeUp(text)).toBe(made);
});

const date = { type: "string", format: "date" };
test.for<readonly [name: string, schema: object, value: unknown]>([
  ["end_date", date, "2099-12-31"],
  ["expiresAt", { type: "string", format: "date-time" }, "2099-12-31T12:00:00Z"],
  ["check_in", date, "2099-12-30"],
  ["birth_date", date, "2026-01-31"],
  ["username", word, "loadtest"],
  ["userName", { ...word, maxLength: 5 }, "text"],
  ["username", { ...word, minLength: 20 }, "textxxxxxxxxxxxxxxxx"],
  ["work_email", word, "user@example.com"],
  ["website", word, "https://example.com/"],
  ["age", whole, 30],
  ["age", { ...whole, maximum: 20 }, 1],
  ["age", { ...whole, minimum: 18 }, 18],
  ["year", { ...whole, multipleOf: 5 }, 5],
  ["username", { ...word, pattern: "^a$" }, "a"],
  ["username", { ...word, example: "ada" }, "ada"],
  ["usernames", word, "text"],
] as const)("a required member %s of %j is %j", ([name, schema, value]) => {
  const document = { components: { schemas: { a: schema } } };
  const object = { type: "object", required: [name], properties: { [name]: schema } };
  expect(valueOfSchema(document, object)).toEqual({ [name]: value });
});

test("a value of an author stays, whatever its name", () => {
  expect(likelier("age", whole, 7)).toBe(7);
  expect(likelier("username", word, "ada")).toBe("ada");
});
