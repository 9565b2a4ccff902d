import { describe, expect, test } from "vitest";

import { root, workflow } from "./files.ts";
import { type HistoryBranch, hasTools, historyBranch } from "./history-branch.ts";

const { trustRecord } = await import(`${root}/scripts/trust-record.mjs`);

const cell = (endpoint: string, verdict: string | null) => ({ endpoint, verdict });
const known = { "/orders": "slower", "/price": "slower", "/tax": "unchanged" };

describe("the record of a self-test", () => {
  test.for([
    [
      "equal code",
      [
        cell("/a", "unchanged"),
        cell("/b", "inconclusive"),
        cell("/c", "slower"),
        cell("/d", "faster"),
        cell("/e", null),
      ],
      {},
      { cells: 5, equal: 5, falseAlarms: 2, changed: 0, found: 0, wrong: 0 },
    ],
    [
      "a known change that is found",
      [cell("/orders", "slower"), cell("/price", "slower"), cell("/tax", "unchanged")],
      known,
      { cells: 3, equal: 1, falseAlarms: 0, changed: 2, found: 2, wrong: 0 },
    ],
    [
      "one that is not, and one that is called the opposite",
      [cell("/orders", "inconclusive"), cell("/price", "faster"), cell("/tax", "slower")],
      known,
      { cells: 3, equal: 1, falseAlarms: 1, changed: 2, found: 0, wrong: 1 },
    ],
  ] as const)("%s", ([, cells, expected, record]) => {
    expect(trustRecord({ cells }, expected, 90)).toEqual({ ...record, minutes: 1.5 });
  });
});

const control = { cells: 4, equal: 4, falseAlarms: 0, changed: 0, found: 0, wrong: 0, minutes: 12.5 };
const change = { cells: 3, equal: 1, falseAlarms: 0, changed: 2, found: 2, wrong: 0, minutes: 6 };
const ratios = { figures: { generatorCpuOpenRatio: 1.5 }, worse: ["generatorCpuOpenRatio"] };
const today = new Date().toISOString().slice(0, 10);
const week = { day: today, commit: "c".repeat(40), ...ratios };

describe.runIf(hasTools)("the job that keeps the records", () => {
  const { jobs } = workflow(".github/workflows/selftest.yml");
  const script = jobs["trust"]?.steps?.find(({ run }) => run !== undefined)?.run ?? "";
  const keep = (branch: HistoryBranch, variables: Readonly<Record<string, string>> = {}) =>
    branch.run(script, {
      GITHUB_SHA: "c".repeat(40),
      CONTROL: JSON.stringify(control),
      KNOWN: JSON.stringify(change),
      RATIOS: JSON.stringify(ratios),
      ...variables,
    });

  test("adds each week to the total and to the ratios, and the badge tells of all", () => {
    using branch = historyBranch();
    for (const _ of [1, 2]) expect(keep(branch)).toMatchObject({ status: 0 });
    expect(branch.read("trust/total.json")).toEqual({
      schemaVersion: 1,
      weeks: 2,
      equal: 10,
      falseAlarms: 0,
      changed: 4,
      found: 4,
      wrong: 0,
      minutes: 37,
    });
    expect(branch.read("badges/trust.json")).toEqual({
      schemaVersion: 1,
      label: "self-test",
      message: "0 of 10 false alarms, 4 of 4 found, 2 weeks",
      color: "brightgreen",
    });
    expect(branch.read(`trust/${today}.json`)).toMatchObject({ control, known: change });
    expect(branch.read("trust/ratios.json")).toEqual({ schemaVersion: 1, weeks: [week, week] });
    expect(branch.log().match(/git\/refs/g)).toHaveLength(1); // the branch, once
  });

  test("keeps the ratios of a year", () => {
    using branch = historyBranch();
    const weeks = Array.from({ length: 52 }, (_, index) => ({ figures: { index }, worse: [] }));
    branch.write("trust/ratios.json", JSON.stringify({ schemaVersion: 1, weeks }));
    expect(keep(branch)).toMatchObject({ status: 0 });
    expect(branch.read("trust/ratios.json")).toEqual({ schemaVersion: 1, weeks: [...weeks.slice(1), week] });
  });

  test("does without ratios where the benchmark has none", () => {
    using branch = historyBranch();
    expect(keep(branch, { RATIOS: "" })).toMatchObject({ status: 0 });
    expect(branch.read("trust/total.json")).toMatchObject({ weeks: 1 });
    expect(branch.has("trust/ratios.json")).toBe(false);
  });

  test.for([
    ["trust/total.json", '{"weeks":7}', { FAULT: "HTTP 502" }],
    ["trust/ratios.json", '{"weeks":"none"}', {}],
    ["trust/ratios.json", "no JSON", {}],
  ] as const)("leaves %s as it is where it cannot read it, and fails: %s", ([name, text, variables]) => {
    using branch = historyBranch();
    branch.write(name, text);
    expect(keep(branch, variables).status).not.toBe(0);
    expect(branch.text(name)).toBe(text);
  });
});
