import { describe, expect, test } from "vitest";
import {
  nextTime,
  noTime,
  type RunTime,
  remainingMs,
} from "../../../src/adapters/terminal/remaining-time.ts";
import type { Design, Plan } from "../../../src/model/plan/plan.ts";
import type { ProgressEvent } from "../../../src/ports/progress.ts";
import { cell, measurement } from "../../fixtures/measurement.ts";
import { recording } from "../../recordings/recording.ts";

const design: Design = {
  kind: "comparison",
  minChange: 0.03,
  falseAlarmRate: 0.01,
  looks: [3, 4, 5, 6, 7, 8],
  maxMinutes: 15,
  cells: 2,
  soakSeconds: 60,
};
const cells = [cell({ path: "/a" }), cell({ path: "/b" })];
const [a = cell(), b = cell()] = cells;
const compared: Plan = { schemaVersion: 1, cells, design, estimatedSeconds: 158 };

/** Whole seconds that are left after each event, each of which comes so many seconds after the one before. */
function leftAfter(events: readonly (readonly [seconds: number, event: ProgressEvent])[]) {
  let time: RunTime = noTime;
  let nowMs = 0;
  return events.map(([seconds, event]) => {
    nowMs += seconds * 1_000;
    time = nextTime(time, event, nowMs);
    const left = remainingMs(time, nowMs);
    return left === undefined ? undefined : Math.round(left / 1_000);
  });
}

const started = (each: typeof a) => ({ kind: "cell started", cell: each, index: 0, total: 2 }) as const;
const replicate = (each: typeof a, replicates: number) =>
  ({ kind: "replicate measured", cell: each, progress: { replicates, effect: undefined } }) as const;
const step = { kind: "step", text: "" } as const;

describe("counts every phase", () => {
  const same = recording("same").measurements[0] ?? measurement();
  const finished = (each: typeof a) =>
    ({ kind: "cell finished", measurement: { ...same, cell: each }, design, index: 0, total: 2 }) as const;

  test("of a comparison", () => {
    expect(
      leftAfter([
        [0, { kind: "plan", plan: compared }],
        [60, step], // the preparation takes longer than usual
        [0, { kind: "phase started", phase: "reach check", seconds: 10 }],
        [9, started(a)],
        [5, replicate(a, 1)],
        [0, started(b)],
        [5, replicate(b, 1)],
        [30, replicate(a, 2)],
        [0, finished(a)],
        [0, { kind: "phase started", phase: "soak test", seconds: 66 }],
        [60, step],
        [60, step], // longer than usual
        [0, started(b)],
        [5, replicate(b, 2)],
        [5, replicate(b, 3)],
        [0, finished(b)],
        [0, { kind: "phase started", phase: "causes", seconds: 35 }],
        [30, step],
      ]),
    ).toMatchInlineSnapshot(`
      [
        159,
        150,
        149,
        139,
        135,
        135,
        132,
        152,
        98,
        116,
        56,
        53,
        41,
        45,
        46,
        0,
        35,
        5,
      ]
    `);
  });

  test.for([
    { counting: 14, left: [41, 40, 10, 3] },
    { counting: 60, left: [41, 60, 30, 20] },
  ])("of counting for $counting s within a soak test of 41 s", ({ counting, left }) => {
    const seen = leftAfter([
      [0, { kind: "plan", plan: { ...compared, estimatedSeconds: 0 } }],
      [0, started(a)],
      [0, finished(a)],
      [0, finished(b)],
      [0, { kind: "phase started", phase: "soak test", seconds: 41 }],
      [1, { kind: "phase started", phase: "instructions", seconds: counting }],
      [30, step],
      [10, step],
    ]);
    expect(seen.slice(4).map((each) => Math.round((each ?? 0) / 3))).toEqual(
      left.map((each) => Math.round(each / 3)),
    );
  });

  test("of a head alone", () => {
    const finished = {
      kind: "cell finished",
      measurement: measurement({ cell: a }),
      index: 0,
      total: 2,
    } as const;
    expect(
      leftAfter([
        [0, { kind: "plan", plan: { schemaVersion: 1, cells, estimatedSeconds: 60 } }],
        [0, started(a)],
        [10, step],
        [10, finished],
        [0, started(b)],
        [5, step],
      ]),
    ).toMatchInlineSnapshot(`
      [
        70,
        60,
        50,
        56,
        56,
        51,
      ]
    `);
  });
});

test("counts the apps that follow", () => {
  const [one, two] = leftAfter([
    [0, { kind: "plan", plan: compared }],
    [0, { kind: "plan", plan: compared, later: [compared] }],
  ]);
  expect(two).toBe(2 * (one ?? 0));
});

test("is unknown before the plan, and where a load ends by itself", () => {
  const load = { kind: "requests", virtualUsers: 1, requests: 9 } as const;
  const script = { kind: "script" } as const;
  expect(
    leftAfter([
      [0, step],
      [0, { kind: "plan", plan: { schemaVersion: 1, cells: [cell({ load })] } }],
      [0, { kind: "plan", plan: { ...compared, cells: [cell({ load: script })] } }],
    ]),
  ).toEqual([undefined, undefined, undefined]);
});
