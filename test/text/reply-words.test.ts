import { expect, test } from "vitest";

import { replyWords } from "../../src/text/reply-words.ts";

const long = "x".repeat(100);

test.for<readonly [what: string, body: string, expected: string]>([
  ["nothing", "", ""],
  ["a short reply whole", '{"detail":"no"}', '{"detail":"no"}'],
  ["a text on one line", "one\ntwo", "one two"],
  ["the start of a long text", long, `${"x".repeat(79)}…`],
  ["the message of a long object", `{"path":"${long}","detail":"You may not"}`, "You may not"],
  ["the likeliest of several", `{"error":"${long}","message":"Forbidden"}`, "Forbidden"],
  ["one that lies deeper", `{"time":"${long}","error":{"code":1,"message":"Closed"}}`, "Closed"],
  ["a long message shortened", `{"detail":"${long}"}`, `${"x".repeat(79)}…`],
  ["no list", `{"detail":[{"msg":"${long}"}]}`, `{"detail":[{"msg":"${"x".repeat(60)}…`],
  [
    "no empty message",
    `{"detail":" ","error":{},"a":"${long}"}`,
    `{"detail":" ","error":{},"a":"${"x".repeat(49)}…`,
  ],
  [
    "none that lies too deep",
    `{"error":{"error":{"error":{"error":{"error":"${long}"}}}}}`,
    `{"error":{"error":{"error":{"error":{"error":"${"x".repeat(33)}…`,
  ],
  ["a long JSON text as it is", JSON.stringify(long), `"${"x".repeat(78)}…`],
])("of a reply one is shown %s", ([, body, expected]) => {
  expect(replyWords(body)).toBe(expected);
});
