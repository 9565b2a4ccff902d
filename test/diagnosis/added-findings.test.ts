import { describe, expect, test } from "vitest";
import { withAdded } from "../../src/diagnosis/added-findings.ts";
import type { ArmDiagnosis } from "../../src/model/findings/diagnosis.ts";
import { foundCause } from "./samples.ts";

describe("a diagnosis of the head", () => {
  const [problem, note] = [foundCause(), foundCause({ severity: "note" })];
  const leak = foundCause({ cause: "growing memory" });

  test.for<[what: string, head: ArmDiagnosis, expected: ArmDiagnosis]>([
    [
      "has it between its problems and its notes",
      { findings: [problem, note], unseen: ["its locks"] },
      { findings: [problem, leak, note], unseen: ["its locks", "a rest"] },
    ],
    ["has it alone, where nothing else was seen", { unseen: [] }, { findings: [leak], unseen: ["a rest"] }],
  ])("%s", ([, head, expected]) => {
    expect(withAdded(head, { findings: [leak], unexplained: ["a rest"] })).toEqual(expected);
  });

  test("keeps that nothing was seen", () => {
    expect(withAdded({ unseen: ["the probe"] }, { findings: [], unexplained: ["a rest"] })).toEqual({
      unseen: ["the probe", "a rest"],
    });
  });
});
