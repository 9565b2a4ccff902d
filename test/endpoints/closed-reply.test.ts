import { expect, test } from "vitest";

import { isClosed } from "../../src/endpoints/closed-reply.ts";

test.for<readonly [what: string, status: number, body: string, closed: boolean]>([
  ["a refusal", 401, "", true],
  ["a right that is missing", 403, "", true],
  ["a token that is missing", 400, '{"detail":"Invalid token"}', true],
  ["a wrong value", 400, '{"detail":"no such page"}', false],
  ["FastAPI's word for a header", 422, '{"detail":[{"type":"missing","loc":["header","x-token"]}]}', true],
  [
    "a handler's print of it",
    422,
    `{"msg":"RequestValidationError, [{'type': 'missing', 'loc': ('header', 'token')}]"}`,
    true,
  ],
  ["a missing query", 422, '{"detail":[{"type":"missing","loc":["query","q"]}]}', false],
  ["a good reply that tells of headers", 200, '{"loc":["header"]}', false],
])("%s: %i", ([, status, body, closed]) => {
  expect(isClosed({ status, body })).toBe(closed);
});
