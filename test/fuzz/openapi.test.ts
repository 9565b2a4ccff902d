import fc from "fast-check";
import { expect, test } from "vitest";

import { discover, operationsOf } from "../../src/endpoints/openapi.ts";
import { materialOf, type ParameterValues } from "../../src/endpoints/rows.ts";
import { cpuMs } from "../cpu-time.ts";
import { isPolluted, mutationsOf, numRuns, timeout } from "./mutation.ts";

const parameter = (place: string, name: string, schema: object) => ({
  in: place,
  name,
  required: true,
  schema,
});
const order = { $ref: "#/components/schemas/Order" };
const body = { required: true, content: { "application/json": { schema: order } } };
/** Small, so that what is changed is often something that is looked at. */
const document = {
  paths: {
    "/items/{id}": {
      parameters: [parameter("path", "id", { type: "integer", minimum: 3 })],
      get: {
        parameters: [parameter("query", "q", { enum: ["a b"] }), parameter("header", "x-a", { const: "1" })],
      },
    },
    "/items": { get: {} },
    "/things/{id}": {
      get: { operationId: "one", parameters: [parameter("path", "id", { type: "string" })] },
    },
    "/orders": { post: { requestBody: body, security: [{}, { key: [] }] } },
  },
  components: {
    schemas: {
      Order: {
        required: ["lines", "note"],
        properties: {
          lines: {
            type: "array",
            minItems: 2,
            items: { anyOf: [{ type: "null" }, order, { type: "number" }] },
          },
          note: { allOf: [{ type: "string", maxLength: 3 }] },
        },
      },
    },
  },
};

test("T18, T29: an app's OpenAPI document gives requests that can be sent, or the reason why not", {
  timeout,
}, () => {
  let used = 0;
  fc.assert(
    fc.property(mutationsOf(document), fc.boolean(), (text, hasLogin) => {
      let given: unknown;
      try {
        given = JSON.parse(text);
      } catch {
        return; // what is no JSON is refused where it is read
      }
      const start = cpuMs();
      const wrong: string[] = [];
      const { forms, left } = discover(given, { include: ["*", "POST *"], exclude: [] }, hasLogin);
      expect(forms.length + left.length).toBeLessThanOrEqual(operationsOf(given).length);
      used += forms.length;
      for (const form of forms) {
        const values: ParameterValues = Object.fromEntries(
          Object.entries(form.params).map(([name, source]) => [
            name,
            source.kind === "list" ? source.values : [],
          ]),
        );
        const { rows, headers } = materialOf(form, values);
        const paths = [form.endpoint.path, ...rows.map(({ path }) => path)];
        wrong.push(...paths.filter((path) => !/^\/[!-~]*$/.test(path)));
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
        wrong.push(...lines.filter((line) => !/^[\w!#$%&'*+.^`|~-]+: [\t -~]*$/.test(line)));
      }
      wrong.push(
        ...left.map(({ reason }) => reason).filter((reason) => !/^(?:has|needs|asks|is) /.test(reason)),
      );
      expect(wrong).toEqual([]);
      expect(cpuMs() - start).toBeLessThan(2_000);
      expect(isPolluted()).toBe(false);
    }),
    { numRuns },
  );
  expect(used).toBeGreaterThan(numRuns / 2);
});
