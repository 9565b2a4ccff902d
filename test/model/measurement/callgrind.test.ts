import fc from "fast-check";
import { expect, test } from "vitest";

import { instructionsIn } from "../../../src/model/measurement/callgrind.ts";

const head = "# callgrind format\nversion: 1\npid: 30787\ncmd:  uvicorn main:app\npart: 2\n\nevents: Ir\n";

test.each([
  [`${head}summary: 8848640\n\nob=(14) libm.so.6\nfn=(876) round\n30 4\n\ntotals: 8848640\n`, 8_848_640],
  [`${head}summary: 0\n`, 0],
  [`${head}summary: 12 7\n`, undefined],
  [`${head}summary: -1\n`, undefined],
  [`${head}summary: 1234567890123456\n`, undefined],
  [head, undefined],
  ["summary: 7\n", undefined],
  ["", undefined],
])("%j", (text, count) => {
  expect(instructionsIn(text)).toBe(count);
});

test("any text has a count or none, and a count that was written is read", () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(), (text, count) => {
      const seen = instructionsIn(text);
      expect(seen === undefined || Number.isSafeInteger(seen)).toBe(true);
      const body = text.replaceAll("summary", "");
      expect(instructionsIn(`${head}summary: ${count}\n${body}`)).toBe(count);
    }),
  );
});
