import { describe, expect, test } from "vitest";

import { instructionChange } from "../../src/compare/instruction-change.ts";
import type { CountedArm, CountedStart, Instructions } from "../../src/model/measurement/instructions.ts";
import { type Design, looks } from "../../src/model/plan/plan.ts";

const design: Design = {
  kind: "comparison",
  minChange: 0.03,
  falseAlarmRate: 0.01,
  looks: [...looks],
  maxMinutes: 15,
  cells: 1,
};

function arm(perRequest: number, { scatter = 0, idle = [0, 0] as readonly number[] } = {}): CountedArm {
  const batches = [-1, -0.3, 0.3, 1].map((sign) =>
    Math.round(10 * perRequest * (1 + sign * scatter) + (idle[0] ?? 0)),
  );
  return { batches, seconds: [1, 1, 1, 1], idlePerSecond: [...idle] };
}

function start(base: CountedArm, head: CountedArm, hashSeed = 1): CountedStart {
  return { hashSeed, requests: 10, base, head };
}

function change(...starts: CountedStart[]) {
  return instructionChange({ starts }, design);
}

describe("instructions of a request", () => {
  test.each([
    ["equal", 4e6, 4e6, "none"],
    ["1.5% more", 4e6, 4.06e6, "more"],
    ["8% more", 4e6, 4.32e6, "more"],
    ["2% less", 4e6, 3.92e6, "less"],
    ["0.6% more is certain, and too little to matter", 4e6, 4.024e6, "none"],
  ] as const)("%s", (_, base, head, kind) => {
    const found = change(start(arm(base), arm(head)), start(arm(base), arm(head), 2));
    expect(found).toMatchObject({ kind, arms: { base, head } });
  });

  test("have an interval from both starts, never narrower than what equal code shows", () => {
    const found = change(start(arm(4e6), arm(4.32e6)), start(arm(4e6), arm(4.32e6)));
    if (typeof found === "string") throw new Error(found);
    const { value, interval } = found.effect;
    expect(value).toBeCloseTo(0.08, 9);
    expect((interval?.high ?? 0) - value).toBeGreaterThan(0.002);
    expect((interval?.high ?? 0) - value).toBeLessThan(0.007);
  });

  test.each([
    ["batches scatter", start(arm(4e6, { scatter: 0.06 }), arm(4.1e6, { scatter: -0.06 }))],
    ["the background is large", start(arm(4e6, { idle: [2e7, 2e7] }), arm(4.1e6, { idle: [2e7, 2e7] }))],
    ["the background is not known", start(arm(4e6, { idle: [4e6, 0] }), arm(4.1e6, { idle: [4e6, 0] }))],
  ])("are uncertain where %s", (_, each) => {
    expect(change(each, each)).toMatchObject({ kind: "none" });
  });

  test("are certain where batches get cheaper in both arms alike", () => {
    const both = start(arm(4e6, { scatter: 0.06 }), arm(4.1e6, { scatter: 0.06 }));
    const found = change(both, both);
    if (typeof found === "string") throw new Error(found);
    expect(found.kind).toBe("more");
    expect(found.effect.value).toBeCloseTo(0.025, 9);
  });

  test("have a narrower interval alone than among many cells", () => {
    const both = start(arm(4e6, { scatter: 0.01 }), arm(4e6, { scatter: 0.02 }));
    const found = instructionChange({ starts: [both, both] }, { ...design, cells: 20 });
    if (typeof found === "string") throw new Error(found);
    const high = ({ interval }: typeof found.effect) => interval?.high ?? 0;
    expect(high(found.effectAlone)).toBeGreaterThan(0);
    expect(high(found.effectAlone)).toBeLessThan(high(found.effect));
  });

  test("are those of the libraries in which all starts see a fifth of the change or more", () => {
    const withLibraries = (perRequest: number, counts: Readonly<Record<string, number>>): CountedArm => ({
      ...arm(perRequest),
      libraries: Object.entries(counts).map(([name, each]) => ({ name, count: 40 * each })),
    });
    const base = withLibraries(4e6, { Python: 3e6, libc: 2e5, gone: 1e5, unsteady: 1e5 });
    const heads = [5e4, 8e5].map((unsteady) =>
      withLibraries(4.4e6, { Python: 3.3e6, libc: 2.5e5, pydantic_core: 2e5, unsteady }),
    );
    const found = change(...heads.map((head) => start(base, head)));
    expect(found).toMatchObject({
      libraries: [
        { name: "Python", extraInstructions: 3e5 },
        { name: "pydantic_core", extraInstructions: 2e5 },
        { name: "gone", extraInstructions: -1e5 },
      ],
    });
    expect(change(start(base, base), start(base, base))).toMatchObject({ kind: "none", libraries: [] });
    const unknown = change(start(arm(4e6), arm(4.4e6)), start(arm(4e6), arm(4.4e6)));
    expect(unknown).toMatchObject({ kind: "more", libraries: [] });
  });

  test("that two starts do not agree on are uncertain", () => {
    const found = change(start(arm(4e6), arm(4.3e6)), start(arm(4e6), arm(3.9e6)));
    expect(found).toMatchObject({ kind: "none" });
  });

  test("of one start alone have no interval, and no answer", () => {
    const found = change(start(arm(4e6), arm(5e6)));
    expect(found).toMatchObject({ kind: "none", effect: { interval: undefined } });
  });

  test("do not hold what the server does without requests", () => {
    const idle = [1e6, 1e6] as const;
    const found = change(start(arm(4e6, { idle }), arm(4e6)), start(arm(4e6, { idle }), arm(4e6)));
    expect(found).toMatchObject({ kind: "none", arms: { base: 4e6, head: 4e6 } });
  });

  test("do not hold an error that both idle servers share", () => {
    const idles = { base: arm(4e6, { idle: [1e6, 1e6] }), head: arm(4e6, { idle: [1e6, 1e6] }) };
    const read = { base: [0.9e6, 0.9e6], head: [1.1e6, 1.1e6] };
    const each = start(
      { ...idles.base, idlePerSecond: read.base },
      { ...idles.head, idlePerSecond: read.head },
    );
    expect(change(each, each)).toMatchObject({ kind: "none", arms: { base: 4e6, head: 4e6 } });
  });

  test("of a batch without a time are taken as they are", () => {
    const head = { ...arm(4e6), seconds: [1] };
    expect(change(start(arm(4e6), head), start(arm(4e6), head))).toMatchObject({ kind: "none" });
  });

  test.each([
    [{ unseen: "Valgrind is not installed" }, "Valgrind is not installed"],
    [
      { starts: [start(arm(1e6, { idle: [2e7, 2e7] }), arm(1e6))] },
      "the app's background work drowns out the requests' own instructions",
    ],
    [
      { starts: [start(arm(0), arm(1e6))] },
      "the app's background work drowns out the requests' own instructions",
    ],
  ] satisfies [Instructions, string][])("%j are not known", (instructions, why) => {
    expect(instructionChange(instructions, design)).toBe(why);
  });

  test("share the false alarms of the report, and the user says what matters", () => {
    const starts = [start(arm(4e6), arm(4.06e6)), start(arm(4e6), arm(4.06e6))];
    const of = (more: Partial<Design>) => {
      const found = instructionChange({ starts }, { ...design, ...more });
      if (typeof found === "string") throw new Error(found);
      return found;
    };
    const high = (more: Partial<Design>) => of(more).effect.interval?.high ?? 0;
    expect(high({ cells: 20 })).toBeGreaterThan(high({ cells: 1 }));
    expect(of({ minCostChange: 0.05 }).kind).toBe("none");
  });
});
