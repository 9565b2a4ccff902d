import type { Recording, TestRequest } from "../../../src/init/tests/recording.ts";

/** A request of a test, as the recorder notes it. */
export function requestOf(more: Partial<TestRequest> = {}): TestRequest {
  return {
    ...{ kind: "request", test: "tests/test_a.py::test_a", method: "GET", path: "/", query: "", route: null },
    ...{ headers: {}, body: "", status: 200, reply: "", cookies: [], overrides: [], rows: [], values: [] },
    ...more,
  };
}

export function recordingOf(
  requests: readonly Partial<TestRequest>[],
  rows: Readonly<Record<number, string>> = {},
  replacements: Recording["replacements"] = new Map(),
): Recording {
  return {
    replacements,
    requests: requests.map(requestOf),
    rows: new Map(
      Object.entries(rows).map(([number, key]) => [
        Number(number),
        {
          kind: "row",
          number: Number(number),
          key,
          sql: `INSERT ${number}`,
          test: "tests/test_a.py::test_a",
        },
      ]),
    ),
    ...{ passed: 1, failed: 0, first: "", missing: [], refused: undefined },
  };
}
