import { type GeneratorRecords, type Plan, planMark } from "../../src/engine.ts";
import { identityOf } from "../../test/model/scale/generators.ts";
import { randomNumbers } from "./recorded-cells.ts";

export const generators = 16;
/** Two slices of warm-up, and eight of a second in each replicate. */
export const slicesOf = (replicates: number) => 2 + 8 * replicates;
const bucketsOfSlice = 100;
const requestsPerSlice = 400;

/** The plan of the same cells, measured by several generators with so many replicates. */
export function scaledPlan({ cells, design, ...plan }: Plan, replicates: number): Plan {
  return {
    ...plan,
    cells,
    ...(design && { design: { ...design, looks: [replicates] } }),
    generators: { count: generators, run: "run1" },
  };
}

/** Records of one generator of one cell: a second's latencies in a hundred buckets. */
export function recordsOfGenerator(
  cell: string,
  number: number,
  plan: Plan,
  replicates: number,
): GeneratorRecords {
  const random = randomNumbers();
  const slices = Array.from({ length: slicesOf(replicates) }, (_, index) => {
    const first = 300 + Math.floor(20 * random());
    const counts = Array.from({ length: bucketsOfSlice }, () => 1 + Math.floor(6 * random()));
    const requests = counts.reduce((total, each) => total + each, 0);
    return {
      index,
      arm: index % 2 === 0 ? ("base" as const) : ("head" as const),
      requests,
      failures: 0,
      latencyTotalMs: requestsPerSlice * (9 + random()),
      latencyMaxMs: 20 + random(),
      statuses: { "200": requests },
      latency: { buckets: counts.map((__, bucket) => first + bucket), counts },
      cycles: Math.floor(requests / 2),
      cycleMs: Math.floor(requests / 2) * (9 + random()),
      printedMs: 1_000 * (index + 1),
      bodyBytes: [120, 120, 120],
    };
  });
  const identity = identityOf(number, generators, {
    cell,
    plan: planMark(plan),
    process: `${cell}-${number}`,
    clock: { offsetMs: number / 10, errorMs: 3 },
  });
  const requests = slices.reduce((total, slice) => total + slice.requests, 0);
  const end = { process: identity.process, requests, droppedIterations: 0, durationSeconds: slices.length };
  return { schemaVersion: 1, identity, end, slices };
}
