import { describe, expect, test } from "vitest";

import { armCpu, type OwnerCpu } from "../../../src/diagnosis/functions/arm-cpu.ts";
import type { ChangeFacts } from "../../../src/diagnosis/functions/change-facts.ts";
import { cpuChange } from "../../../src/diagnosis/functions/differences.ts";
import { isTouched } from "../../../src/diagnosis/functions/reason.ts";
import type { RepositoryChanges } from "../../../src/diagnosis/reach/changed-files.ts";
import type { StackDocument } from "../../../src/model/findings/stack-document.ts";
import { counted, facts, foreign, frame, stacks, turns } from "./samples.ts";

const quote = frame();
const orders = frame({ file: "app/orders.py", function: "orders", first: 30, last: 39, names: ["PAGES"] });
const serialise = foreign("fastapi", "serialize_response");
const router = foreign("starlette", "Router.app", { isApp: true });

const arm = armCpu(
  [
    stacks([
      {
        stack: [
          [quote, 12],
          [orders, 33],
          [router, 0],
        ],
        microseconds: 500,
      },
      {
        stack: [
          [orders, 34],
          [router, 0],
        ],
        microseconds: 300,
      },
      {
        stack: [
          [serialise, 0],
          [router, 0],
        ],
        microseconds: 200,
      },
    ]),
  ],
  turns,
);

const plain = stacks([{ stack: [[quote, 12]], microseconds: 500 }]);
const base = counted(plain, 1_000);

describe("the change of instructions per request", () => {
  test.for<[thousands: number, value: number]>([
    [1_123, 0.123],
    [1_000, 0],
    [500, -0.5],
  ])("%i thousand after 1,000", ([thousands, value]) => {
    const { instructions } =
      cpuChange(armCpu([base], turns), armCpu([counted(plain, thousands)], turns)) ?? {};
    expect(instructions?.value).toBeCloseTo(value, 4);
    const { low = Number.NaN, high = Number.NaN } = instructions?.interval ?? {};
    expect(low).toBeLessThan(value + 1e-5);
    expect(high).toBeGreaterThan(value - 1e-5);
    expect(high - low).toBeLessThan(1e-4);
  });

  test("adds up all processes, and counts requests", () => {
    const busy = turns.map((turn) => ({ ...turn, requests: 4 }));
    const { turnsInstructions = [] } = armCpu([base, base], busy);
    expect(turnsInstructions.map((each) => Math.round(each / 1_000))).toEqual(turns.map(() => 500));
  });

  test.for<[what: string, of: readonly StackDocument[]]>([
    ["neither process counts them", [plain]],
    ["one of two does not", [base, plain]],
    [
      "the counter was taken away",
      [{ ...base, samples: [...base.samples.slice(0, -1), ...plain.samples.slice(-1)] }],
    ],
    ["the counter stands still", [counted(plain, 0)]],
    ["nothing was seen", []],
  ])("is not told where %s", ([, documents]) => {
    const [odd, whole] = [armCpu(documents, turns), armCpu([base], turns)];
    expect(cpuChange(odd, whole)?.instructions).toBeUndefined();
    expect(cpuChange(whole, odd)?.instructions).toBeUndefined();
  });

  test("needs no count of a process that did nothing", () => {
    const idle = {
      ...plain,
      samples: plain.samples.map(([when]): [number, number, number, number] => [when, -1, 0, 0]),
    };
    expect(armCpu([base, idle], turns).turnsInstructions).toEqual(armCpu([base], turns).turnsInstructions);
  });
});

function confidences(touches: (owner: OwnerCpu) => boolean) {
  const differences = cpuChange(arm, arm, touches)?.differences ?? [];
  return Object.fromEntries(
    differences.map(({ owner, confidence }) => [owner.function || owner.kind, confidence.toFixed(4)]),
  );
}

describe("of all false alarms", () => {
  test.for<[what: string, touches: (owner: OwnerCpu) => boolean, touched: string, others: string]>([
    ["each owner has the same part where the change touches none", () => false, "0.9875", "0.9875"],
    ["each owner has the same part where it touches all", () => true, "0.9875", "0.9875"],
    [
      "those that it touches have the most",
      ({ owner }) => owner.function === "quote",
      (1 - 0.04).toFixed(4),
      (1 - 0.01 / 3).toFixed(4),
    ],
  ])("%s", ([, touches, touched, others]) => {
    expect(confidences(touches)).toEqual({
      ...{ quote: touched, orders: others, serialize_response: others, loop: others },
    });
  });

  test("all together have one in twenty", () => {
    const all = Object.values(confidences(({ owner }) => owner.kind === "own"));
    expect(all.reduce((sum, each) => sum + 1 - Number(each), 0)).toBeCloseTo(0.05);
  });
});

describe("a change touches", () => {
  const changed = (path: string, line: number): RepositoryChanges => ({
    ...{ topFolder: "/repository", prefix: "" },
    files: [{ path, lines: { base: [], head: [{ first: line, last: line }] } }],
  });
  const touched = (known: Partial<ChangeFacts>) =>
    [...arm.owners.values()]
      .filter((each) => isTouched(each, facts(known)))
      .map(({ owner }) => owner.function)
      .toSorted();

  test.for<[what: string, known: Partial<ChangeFacts>, functions: readonly string[]]>([
    ["a function with a changed line", { changes: changed("app/price.py", 15) }, ["quote"]],
    ["what a changed function calls, too", { changes: changed("app/orders.py", 31) }, ["orders", "quote"]],
    [
      "who uses a constant",
      { names: [{ name: "ROUNDS", file: "app/settings.py", line: 3, text: "" }] },
      ["quote"],
    ],
    [
      "whom a user of a constant calls, who may hand it on",
      { names: [{ name: "PAGES", file: "app/settings.py", line: 4, text: "" }] },
      ["orders", "quote"],
    ],
    ["who uses a package", { packages: new Map([["decimal", { base: "1", head: "2" }]]) }, ["quote"]],
    [
      "the package itself",
      { packages: new Map([["fastapi", { base: "1", head: "2" }]]) },
      ["serialize_response"],
    ],
    ["nobody otherwise", { changes: changed("app/other.py", 1) }, []],
  ])("%s", ([, known, functions]) => {
    expect(touched(known)).toEqual(functions);
  });
});
