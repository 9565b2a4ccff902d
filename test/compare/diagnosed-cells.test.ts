import { expect, test } from "vitest";
import { changedCells, diagnosedCells, knownEffect } from "../../src/compare/diagnosed-cells.ts";
import type { Diagnose } from "../../src/model/choices.ts";
import { histogramOf } from "../../src/model/load/histogram.ts";
import { noBase } from "../../src/model/measurement/lone-arm.ts";
import { type Measurement, measurementSchema } from "../../src/model/measurement/measurement.ts";
import { armRecord, cell, failure, measurement } from "../fixtures/measurement.ts";
import { around, compared, design, replicate } from "./two-arms.ts";

const named = (path: string) => ({ cell: cell({ path }) });
const generator = { requests: 1, failures: 0, iterations: 1, droppedIterations: 0, durationSeconds: 1 };

const measurements = [
  compared(around(0, 0.002, 7), named("/unchanged")),
  compared(around(-0.2, 0.002, 7), named("/slower")),
  compared(around(0.2, 0.002, 7), named("/faster")),
  compared(around(0, 0.2, 7), named("/inconclusive")),
  measurement({ ...named("/alone"), loneArm: noBase("nobody knows it") }),
  measurement({ ...named("/removed"), replicates: [{ arms: { base: armRecord() }, generator }] }),
  measurement({ ...named("/failed"), status: "failed", failure: failure() }),
];

test.for<[diagnose: Diagnose, paths: readonly string[]]>([
  ["never", []],
  ["on-change", ["/slower", "/faster", "/inconclusive", "/alone"]],
  ["always", ["/unchanged", "/slower", "/faster", "/inconclusive", "/alone"]],
])("%s", ([diagnose, paths]) => {
  const chosen = diagnosedCells(measurements, design({ cells: 7 }), diagnose);
  expect([...chosen]).toEqual(paths.map((path) => cell({ path }).id));
});

test("cells of one endpoint are one phase, with the most workers, unless all are asked for", () => {
  const of = (path: string, workers: number) =>
    compared(around(-0.2, 0.002, 7), { cell: cell({ path, workers }) });
  const all = [of("/a", 1), of("/a", 4), of("/a", 2), of("/b", 1)];
  const chosen = (diagnose: Diagnose) => [...diagnosedCells(all, design({ cells: 4 }), diagnose)];
  const ids = all.map((each) => each.cell.id);
  expect(chosen("on-change")).toEqual([ids[1], ids[3]]);
  expect(chosen("always")).toEqual(ids);
});

test.for([
  { times: 2.1, isChosen: true },
  { times: 1.9, isChosen: false },
])(
  "an unchanged cell whose replies take $times times as long as with fewer workers: $isChosen",
  ({ times, isChosen }) => {
    const of = (workers: number, latencyMs: number) => {
      const total = { requests: 100, latencyTotalMs: 100 * latencyMs, latencyMaxMs: 1_000 };
      const blocks = [{ startSeconds: 0, seconds: 5, failures: 0, ...total }];
      const replicates = around(0, 0.002, 7).map((effect) =>
        replicate({ effect, arms: { base: { blocks }, head: { blocks } } }),
      );
      return measurement({ cell: cell({ path: "/", workers }), replicates });
    };
    const [few, many] = [of(1, 10), of(2, 10 * times)];
    expect([...diagnosedCells([few, many], design({ cells: 2 }), "on-change")]).toEqual(
      isChosen ? [many.cell.id] : [],
    );
  },
);

test("messages through a WebSocket are not diagnosed", () => {
  const endpoint = { method: "WS", path: "/chat" } as const;
  const chat = compared(around(-0.2, 0.002, 7), { cell: cell({ endpoint }) });
  expect(diagnosedCells([chat], design(), "always").size).toBe(0);
});

test("without a design every measured cell has no base", () => {
  const alone = [measurement(named("/a")), measurement(named("/b"))];
  expect(diagnosedCells(alone, undefined, "on-change").size).toBe(2);
});

test("a cell of unchanged throughput is diagnosed when its latencies are longer", () => {
  const of = (slowBucket: number) => ({
    latency: histogramOf(Array.from({ length: 2_000 }, (_, index) => (index < 60 ? slowBucket : 200))),
    latencyClustering: [1, 1, 1],
  });
  const replicates = around(0, 0.002, 7).map((effect) =>
    replicate({ effect, arms: { base: of(300), head: of(380) } }),
  );
  const longer = measurement({ ...named("/longer"), replicates });
  const found = diagnosedCells([longer, ...measurements.slice(0, 1)], design({ cells: 2 }), "on-change");
  expect([...found]).toEqual([longer.cell.id]);
});

test("there is a change to explain where throughput or CPU time surely changed", () => {
  /** Replicates of a noisy throughput, whose head takes so much more CPU time per request, more or less. */
  const noisy = (path: string, more: number, noise: number) => {
    const head = around(more, noise, 7).map((extra) => ({ cpuSeconds: 9 * (1 + extra) }));
    const base = { cpuSeconds: 9 };
    const replicates = around(0, 0.2, 7).map((effect, at) =>
      replicate({ effect, arms: { base, head: head[at] ?? {} }, conditions: { appShare: 0.5 } }),
    );
    return measurement({ ...named(path), replicates });
  };
  const noisyOnes = [
    noisy("/dearer", 0.14, 0.01),
    noisy("/little", 0.01, 0.001),
    noisy("/perhaps", 0.05, 0.2),
  ];
  const changed = changedCells([...measurements, ...noisyOnes], design({ cells: 10 }));
  const idOf = (path: string) => cell({ path }).id;
  expect([...changed]).toEqual([
    [idOf("/slower"), "slower"],
    [idOf("/faster"), "faster"],
    [idOf("/dearer"), "slower"],
  ]);
  expect(changedCells(measurements, undefined).size).toBe(0);
});

const measured = (path: string, effects: readonly number[]): Measurement =>
  measurement({
    cell: cell({ path }),
    replicates: effects.map((effect, index) => replicate({ effect: effect + (index % 2) * 0.001 })),
  });
const certain = measured("/slower", Array<number>(11).fill(-0.2));
const equal = measured("/equal", Array<number>(11).fill(0));
const doubtful = measured("/doubtful", [-0.2, 0.15, -0.3, 0.2]);
const all = [certain, equal, doubtful];

test.for([
  { name: "a cell that is slower for sure", cells: [certain], expected: -0.2 },
  { name: "one that is not", cells: [equal], expected: 0 },
  { name: "one in doubt", cells: [doubtful], expected: 0 },
  {
    name: "both by turns, equally quick in the base",
    cells: [certain, equal],
    expected: Math.log(2 / (1 + Math.exp(0.2))),
  },
  { name: "none", cells: [], expected: 0 },
])("what is known of $name", ({ cells, expected }) => {
  const known = knownEffect(cells, all, design({ cells: 3 }));
  expect(known?.effect ?? 0).toBeCloseTo(expected, 2);
  expect(known?.half ?? 0.01).toBeGreaterThan(0);
  expect(known?.half ?? 0).toBeLessThan(0.05);
});

test("what is known of a few replicates that differ much can be kept in a document", () => {
  const replicates = [0, 1, 2].map((stall) => {
    const { arms } = replicate({ effect: -1 - stall });
    return replicate({ effect: -1 - stall / 1_000, ...(arms.head && { arms: { head: arms.head } }) });
  });
  const uneven = measurement({ cell: cell({ path: "/uneven" }), replicates });
  const known = knownEffect([uneven], [uneven], design({ cells: 1, looks: [3] }));
  expect(known?.half).toBe(10);
  expect(measurementSchema.shape.aged.unwrap().shape.known.safeParse(known).success).toBe(true);
});
