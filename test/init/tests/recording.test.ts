import { expect, test } from "vitest";

import { readRecording } from "../../../src/init/tests/recording.ts";
import { requestOf } from "./recorded.ts";

const row = { kind: "row", number: 0, key: "a", sql: "INSERT", test: "t" };
const lines = (...each: unknown[]) => each.map((line) => JSON.stringify(line)).join("\n");

test("lines of the recorder are read", () => {
  const replacement = { kind: "replacement", number: 3, name: "a:b", source: "1", imports: ["c:"] };
  const outcome = (passed: number) => ({ kind: "outcome", passed, failed: 1, first: "no", missing: ["a"] });
  const read = readRecording(
    lines(requestOf(), row, replacement, { ...replacement, source: "a\n" }, outcome(1), outcome(2)),
  );
  expect(read).toEqual({
    requests: [requestOf()],
    rows: new Map([[0, row]]),
    replacements: new Map([[3, replacement]]),
    ...{ passed: 2, failed: 1, first: "no", missing: ["a"], refused: undefined },
  });
});

test.for<readonly [what: string, text: string, expected: object]>([
  ["nothing", "", { requests: [], passed: 0, failed: 0, first: "", missing: [] }],
  ["a line that was cut off", `${lines(row)}\n{"kind":"row","num`, { rows: new Map([[0, row]]) }],
  ["a line of another kind", lines({ kind: "end", code: 0 }), { requests: [], rows: new Map() }],
  ["a method that nobody sends", lines({ ...requestOf(), method: "BREW" }), { requests: [] }],
  ["a refusal", lines({ kind: "refused", reason: "no namespaces" }), { refused: "no namespaces" }],
])("%s does no harm", ([, text, expected]) => {
  expect(readRecording(text)).toMatchObject(expected);
});
