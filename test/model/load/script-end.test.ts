import fc from "fast-check";
import { expect, test } from "vitest";

import { endOfScript, thrownIn } from "../../../src/model/load/script-end.ts";

const line = (text: string, rest = "") =>
  `time="2026-11-26T05:01:57Z" level=error msg=${JSON.stringify(text)}${rest}\n`.replace(
    /time="(\S+)"/,
    'time="$1"',
  );
const boat = line('test marked as failed: boat "51" looked odd');
const init = "could not initialize '/tmp/run.mjs': could not load JS test 'file:///tmp/run.mjs': ";

/** Each exit code of k6's own table, after a load and without one. */
test.for([
  [0, 5, "", { kind: "result", gates: [] }],
  [0, 0, "", { kind: "result", gates: [] }],
  [99, 5, line("thresholds on metrics 'x' have been crossed"), { kind: "result", gates: [] }],
  [110, 5, boat + boat, gate("exec.test.fail", 'boat "51" looked odd')],
  [110, 5, "", gate("exec.test.fail", "must not happen")],
  [110, 0, boat, failed('called the test failed (`exec.test.fail`): boat "51" looked odd')],
  [
    108,
    5,
    `${line("test aborted: enough boats seen at default (file:///load/x.js:8:61(21))")}${line("other")}`,
    gate("exec.test.abort", "enough boats seen"),
  ],
  [
    108,
    0,
    line("test aborted: no login: 404"),
    failed("ended the test itself (`exec.test.abort`): no login: 404"),
  ],
  [
    107,
    0,
    line("Error: set BOATS_KEY\n\tat file:///load/x.js:4:11(21)\n", ' hint="script exception"'),
    failed("threw an exception: Error: set BOATS_KEY"),
  ],
  [
    107,
    0,
    line(`${init}file:///load/x.js: Line 2:1 Unexpected end of input`),
    failed("threw an exception: file:///load/x.js: Line 2:1 Unexpected end of input"),
  ],
  [
    107,
    5,
    line("ReferenceError: gone is not defined\n\tat teardown"),
    gate("teardown without an exception", "ReferenceError: gone is not defined"),
  ],
  [101, 5, line("teardown() timed out"), gate("teardown within teardownTimeout", "teardown() timed out")],
  [101, 0, "", failed("took too long in `teardown`: raise `teardownTimeout`")],
  [
    100,
    0,
    line("setup() execution timed out after 1 seconds"),
    failed("took too long in `setup`: raise `setupTimeout`: setup() execution timed out after 1 seconds"),
  ],
  [102, 5, "", failed("took too long")],
  [103, 5, "", failed("was stopped through k6's REST API")],
  [
    104,
    0,
    line(`${init}unknown executor type 'nope'`),
    failed("has options that k6 rejects: unknown executor type 'nope'"),
  ],
  [105, 5, "", failed("was ended by a signal from outside")],
  [106, 0, "", failed("could not start k6's REST API")],
  [109, 5, "", failed("made k6 itself fail")],
  [97, 5, "", failed("failed in k6's cloud, which cannot be used here")],
  [98, 5, "", failed("lost k6's cloud, which cannot be used here")],
  [
    255,
    0,
    line(`${init}no exported functions in script`),
    failed("could not run to its end: no exported functions in script"),
  ],
  [null, 5, "time=x level=error msg=killed\n", failed("could not run to its end: killed")],
  [
    107,
    0,
    line(`${init}unknown modules [k6/x/sql] were used`),
    failed(
      "imports k6/x/sql, which this k6 does not have; build a k6 that has it with xk6, and set LOADTEST_K6 to its path",
    ),
  ],
] as const)("exit code %s after %i iterations", ([code, iterations, log, end]) => {
  expect(endOfScript(code, iterations, log)).toEqual(end);
});

function gate(metric: string, condition: string) {
  return { kind: "result", gates: [{ metric, condition, isKept: false, value: expect.any(Number) }] };
}

function failed(reason: string) {
  return { kind: "failure", reason };
}

test("words of a single user or of the script's console are not the reason", () => {
  const log =
    line("Error: set KEY") +
    line("Error: one user", ' executor=per-vu-iterations hint="script exception" source=stacktrace') +
    line("I am the reason", " source=console");
  expect(endOfScript(107, 0, log)).toEqual(failed("threw an exception: Error: set KEY"));
});

test("an iteration's exception is none of the end, and the first line of k6's list is no reason", () => {
  const thrown = line(
    "no fish\n\tat file:///a.js:9:3(1)",
    " executor=constant-vus scenario=default source=stacktrace",
  );
  expect(thrownIn(line("Error: set KEY") + thrown)).toBe("no fish");
  expect(thrownIn(line("Error: set KEY"))).toBeUndefined();
  const list =
    "There were problems with the specified script configuration:\n\t- executor a: function 'b' not found in exports";
  expect(endOfScript(104, 0, line(list))).toEqual(
    failed("has options that k6 rejects: executor a: function 'b' not found in exports"),
  );
});

test.for([
  ['time=1 level=error msg="a\\x01b\\ac"\n', "a\u0001bc"],
  ['time=1 level=error msg="a\\vb"\n', "a\\vb"],
  ['time=1 level=error msg=""\n', undefined],
  [`time=1 level=error msg="${"y".repeat(300)}"\n`, "y".repeat(200)],
] as const)("%j is read as %j", ([log, words]) => {
  const what = "could not run to its end";
  expect(endOfScript(1, 0, log)).toEqual(failed(words === undefined ? what : `${what}: ${words}`));
});

test("any text is quoted in one line", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const end = endOfScript(108, 1, line(`test aborted: ${text}`));
      if (end.kind !== "result") throw new Error("not a result");
      const [{ condition } = { condition: "" }] = end.gates;
      const wanted =
        `test aborted: ${text}`
          .split("\n")[0]
          ?.trim()
          .replace(/^test aborted: /, "") ?? "";
      expect([wanted.slice(0, 200), "must not happen", "test aborted:"]).toContain(condition);
    }),
  );
});
