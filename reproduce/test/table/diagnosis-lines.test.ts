import fc from "fast-check";
import { expect, test } from "vitest";
import { foundCause } from "../../../test/diagnosis/samples.ts";
import { hostileText } from "../../../test/text/hostile-text.ts";
import { isWorkflowCommand } from "../../../test/text/workflow-command.ts";
import { diagnosisLines } from "../../table/diagnosis-lines.ts";

test("has a line for each finding, and for what was not seen", () => {
  const lines = diagnosisLines([
    { id: "pena/a", diagnosis: { findings: [foundCause()], unseen: ["hottest lines: no clocks"] } },
    { id: "pena/b", diagnosis: { findings: [], unseen: [] } },
    { id: "pena/c", diagnosis: { unseen: ["start app: it exited"] } },
  ]);
  expect(lines.split("\n")).toEqual([
    "  Why pena/a: blocking call on the event loop: /orders blocks the event loop for 480 ms at app/orders.py:37 (time.sleep(0.48)).",
    "  Why pena/a: not seen: hottest lines: no clocks",
    "  Why pena/b: no known cause",
    "  Why pena/c: not seen: start app: it exited",
  ]);
  expect(diagnosisLines([])).toBe("");
});

test("holds no command and no line of the app's own", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const diagnosis = { findings: [foundCause({ summary: text })], unseen: [text] };
      const lines = diagnosisLines([{ id: "a", diagnosis }]).split("\n");
      expect(lines).toHaveLength(2);
      expect(lines.filter(isWorkflowCommand)).toEqual([]);
    }),
  );
});
