import { expect, test } from "vitest";

import { parseScriptLength } from "../../../src/model/load/script-length.ts";

test.for([
  ["3s", 3],
  ["10m30s", 630],
  ["1h0m2.5s", 3_602.5],
  ["500ms", 0.5],
  ["0s", 0],
] as const)("k6 writes a length of %s", ([totalDuration, seconds]) => {
  expect(parseScriptLength(JSON.stringify({ vus: null, totalDuration, maxVUs: 7 }))).toBe(seconds);
});

test.for(["", "{", "{}", '{"totalDuration":"soon"}', '{"totalDuration":3}'])("%s is no length", (text) => {
  expect(parseScriptLength(text)).toBeUndefined();
});
