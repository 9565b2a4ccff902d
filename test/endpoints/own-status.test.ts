import { expect, test } from "vitest";

import { withOwnStatus } from "../../src/endpoints/own-status.ts";

test.for<readonly [status: number, body: unknown, own: number]>([
  [200, { code: 401, msg: "log in first", data: null }, 401],
  [200, { status: 404, message: "none" }, 404],
  [200, { success: false, error: "no" }, 400],
  [200, { code: 200, msg: "ok" }, 200],
  [200, { code: 404, name: "a product's" }, 200],
  [200, { success: true, message: "done" }, 200],
  [200, { code: "404", message: "a text" }, 200],
  [200, [{ code: 404, message: "in a list" }], 200],
  [403, { code: 500, message: "no" }, 403],
])("HTTP %d with %j is %d", ([status, body, own]) => {
  expect(withOwnStatus({ status, body: JSON.stringify(body) }).status).toBe(own);
});
