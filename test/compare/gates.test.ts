import { describe, expect, test } from "vitest";

import { gatesOf } from "../../src/compare/gates.ts";
import type { ArmSlices, Measurement, Replicate } from "../../src/model/measurement/measurement.ts";
import { cell, measurement } from "../fixtures/measurement.ts";
import { replicate, swapped } from "./two-arms.ts";

const of = (replicates: readonly Replicate[], overrides: Partial<Measurement> = {}) =>
  measurement({ replicates: [...replicates], ...overrides });

const conditions = (...all: readonly NonNullable<Replicate["conditions"]>[]) =>
  of(all.map((each) => replicate({ conditions: each })));

const statuses = (base: Readonly<Record<string, number>>, head: Readonly<Record<string, number>>) =>
  of([replicate({ arms: { base: { statuses: base }, head: { statuses: head } } })]);

const scripted = (...shares: Parameters<typeof statuses>) => ({
  ...statuses(...shares),
  cell: cell({ load: { kind: "script" } }),
});

const workers = (base: number[], head: number[], count = 2) =>
  of([replicate({ arms: { base: { workerCpuSeconds: base }, head: { workerCpuSeconds: head } } })], {
    cell: cell({ workers: count }),
  });

const cpus = (...sets: readonly (readonly [base: string, head: string])[]) =>
  of(sets.map(([base, head]) => replicate({ arms: { base: { cpus: base }, head: { cpus: head } } })));

const slices = (base: number[], head: number[], { sliceMs = 80, cycleMs = 8, slowerBy = 1 } = {}) => {
  const arm = (cycles: number[], ms: number): ArmSlices => ({
    cycles,
    cycleMs: cycles.map((each) => each * ms),
  });
  const arms = { base: arm(base, cycleMs), head: arm(head, cycleMs * slowerBy) };
  return of([replicate({ pairs: { sliceMs, arms } })]);
};

const rows: readonly {
  readonly gate: string;
  readonly name: string;
  readonly data: Measurement;
  readonly isMet: boolean;
  readonly evidence: string;
}[] = [
  {
    gate: "generator",
    name: "k6 has CPU to spare",
    data: conditions({ generatorShare: 0.8, appShare: 0.5 }),
    isMet: true,
    evidence: "k6 used 80% of its CPUs and the app 50% of its own",
  },
  {
    gate: "generator",
    name: "k6 is busy, and so is the app: the app is the limit",
    data: conditions({ generatorShare: 0.95, appShare: 0.9 }),
    isMet: true,
    evidence: "k6 used 95% of its CPUs and the app 90% of its own",
  },
  {
    gate: "generator",
    name: "the app runs elsewhere, and k6 has CPU to spare",
    data: conditions({ generatorShare: 0.7 }),
    isMet: true,
    evidence: "k6 used 70% of its CPUs",
  },
  {
    gate: "generator",
    name: "the app runs elsewhere, and k6 is busy",
    data: conditions({ generatorShare: 0.96 }),
    isMet: false,
    evidence: "k6 used 96% of its CPUs at 1,667 req/s; a machine with more CPUs can generate more load",
  },
  {
    gate: "generator",
    name: "k6 is busy and the app is not: k6 is the limit",
    data: conditions({ generatorShare: 0.81, appShare: 0.89 }),
    isMet: false,
    evidence:
      "k6 used 81% of its CPUs at 1,667 req/s and the app 89% of its own; a machine with more CPUs can generate more load",
  },
  {
    gate: "generator",
    name: "the usual replicate counts, not the worst",
    data: conditions(
      { generatorShare: 0.5, appShare: 0.6 },
      { generatorShare: 1, appShare: 0.1 },
      { generatorShare: 0.6, appShare: 0.7 },
      {},
    ),
    isMet: true,
    evidence: "k6 used 60% of its CPUs and the app 60% of its own",
  },
  {
    gate: "steal",
    name: "a tenth is the most",
    data: conditions({ stealShare: 0.1 }),
    isMet: true,
    evidence: "the hypervisor gave 10% of the CPU time to other machines",
  },
  {
    gate: "steal",
    name: "more than a tenth",
    data: conditions({ stealShare: 0.104 }, { stealShare: 0.3 }, { stealShare: 0 }),
    isMet: false,
    evidence: "the hypervisor gave 10% of the CPU time to other machines",
  },
  {
    gate: "statuses",
    name: "the same mix, of different numbers of replies",
    data: statuses({ "200": 990, "404": 10 }, { "200": 99, "404": 1 }),
    isMet: true,
    evidence: "99% of the base's responses and 99% of the head's had status 200",
  },
  {
    gate: "statuses",
    name: "half a percent is the most",
    data: statuses({ "200": 1_000 }, { "200": 996, "503": 4 }),
    isMet: true,
    evidence: "100% of the base's responses and 99.6% of the head's had status 200",
  },
  {
    gate: "statuses",
    name: "faster because it fails",
    data: statuses({ "200": 1_000 }, { "200": 980, "503": 19, "error 1212": 1 }),
    isMet: false,
    evidence: "100% of the base's responses and 98% of the head's had status 200",
  },
  {
    gate: "statuses",
    name: "another kind of reply altogether",
    data: statuses({ "200": 500, "304": 500 }, { "304": 300, "200": 600, "302": 100 }),
    isMet: false,
    evidence: "50% of the base's responses and 30% of the head's had status 304",
  },
  {
    gate: "statuses",
    name: "a limit of requests that refuses both alike",
    data: statuses({ "200": 10, "429": 990 }, { "200": 11, "429": 989 }),
    isMet: false,
    evidence:
      "the app refused 99% of the base's requests and 99% of the head's with 429 (too many requests); switch off rate limiting for the load test (`app-env`)",
  },
  {
    gate: "statuses",
    name: "a limit of requests that is hardly met",
    data: statuses({ "200": 998, "429": 2 }, { "200": 1_000 }),
    isMet: true,
    evidence: "99.8% of the base's responses and 100% of the head's had status 200",
  },
  {
    gate: "statuses",
    name: "a script's mix of good replies follows how soon each is there",
    data: scripted({ "200": 900, "201": 100, "302": 20 }, { "200": 400, "201": 200, "101": 5 }),
    isMet: true,
    evidence: "100% of the base's responses and 100% of the head's were successful",
  },
  {
    gate: "statuses",
    name: "a script's failures part the arms",
    data: scripted({ "200": 900, "201": 100 }, { "200": 400, "201": 200, "503": 6 }),
    isMet: false,
    evidence: "100% of the base's responses and 99.0% of the head's were successful",
  },
  {
    gate: "statuses",
    name: "a script's failures of another kind, too",
    data: scripted({ "200": 900, "404": 100 }, { "201": 900, "404": 50, "error 1212": 50 }),
    isMet: false,
    evidence: "10% of the base's responses and 5% of the head's had status 404",
  },
  {
    gate: "statuses",
    name: "as many failures in both arms of a script",
    data: scripted({ "404": 100, "200": 700, "201": 200 }, { "200": 300, "201": 60, "404": 40 }),
    isMet: true,
    evidence: "10% of the base's responses and 10% of the head's had status 404",
  },
  {
    gate: "statuses",
    name: "a script's own judgement parts the arms",
    data: scripted({ "200": 1_000 }, { "200": 500, "200 failed": 500 }),
    isMet: false,
    evidence:
      "0% of the base's requests failed and 50% of the head's (100% of the base's responses and 50% of the head's were successful)",
  },
  {
    gate: "statuses",
    name: "half of all requests failed in both arms alike",
    data: scripted({ "200": 500, "200 failed": 500 }, { "200": 500, "200 failed": 500 }),
    isMet: false,
    evidence:
      "50% of the base's requests failed and 50% of the head's (50% of the base's responses and 50% of the head's were successful)",
  },
  {
    gate: "statuses",
    name: "replies that a script expects are good ones",
    data: scripted({ "404 expected": 900, "200": 100 }, { "404 expected": 400, "200": 600 }),
    isMet: true,
    evidence: "100% of the base's responses and 100% of the head's were successful",
  },
  {
    gate: "statuses",
    name: "a reply that a script refuses in one arm only",
    data: scripted({ "200": 900, "200 failed": 100 }, { "200": 1_000 }),
    isMet: false,
    evidence:
      "10% of the base's responses and 0% of the head's had status 200 that the script calls a failure",
  },
  {
    gate: "statuses",
    name: "no reply is told in words",
    data: statuses({ "error 1212": 100, "200": 900 }, { "200": 900, "error 1220": 100 }),
    isMet: false,
    evidence: "10% of the base's requests and 0% of the head's ended with connection refused",
  },
  {
    gate: "workers",
    name: "both arms share the work alike",
    data: workers([5, 5], [4, 6]),
    isMet: true,
    evidence: "the busiest worker had 50% of the base's CPU time and 60% of the head's",
  },
  {
    gate: "workers",
    name: "one arm used one worker only",
    data: workers([10, 0.1], [5, 5]),
    isMet: false,
    evidence: "the busiest worker had 99.0% of the base's CPU time and 50% of the head's",
  },
  {
    gate: "slices",
    name: "four whole requests in each arm",
    data: slices([4, 4, 4, 4, 0], [4, 90, 5, 5, 4]),
    isMet: true,
    evidence:
      "median 4.00 whole requests per slice; in 20% of the slice pairs, one version completed no requests",
  },
  {
    gate: "slices",
    name: "the arm with fewer requests counts",
    data: slices([3, 3, 3], [90, 90, 90]),
    isMet: false,
    evidence:
      "median 3.00 whole requests per slice; in 0% of the slice pairs, one version completed no requests; with so few, individual requests decide the result, so raise `vus` if the app has CPU to spare",
  },
  {
    gate: "slices",
    name: "too many empty ones, whichever arm they are of",
    data: slices([0, 40, 40, 40], [40, 0, 40, 40]),
    isMet: false,
    evidence:
      "median 20.0 whole requests per slice; in 50% of the slice pairs, one version completed no requests",
  },
  {
    gate: "slices",
    name: "requests of 45% of a slice are the longest",
    data: slices([9, 9, 9], [9, 9, 9], { sliceMs: 2_500, cycleMs: 1_125 }),
    isMet: true,
    evidence:
      "median 9.00 whole requests per slice; in 0% of the slice pairs, one version completed no requests",
  },
  {
    gate: "slices",
    name: "requests too long for the longest slices; the slower arm counts",
    data: slices([9, 9, 9], [9, 9, 9], { sliceMs: 2_500, cycleMs: 1_000, slowerBy: 1.13 }),
    isMet: false,
    evidence:
      "median 9.00 whole requests per slice; in 0% of the slice pairs, one version completed no requests; requests that take 1.13 s are too long for slices of 2.50 s",
  },
  {
    gate: "slices",
    name: "requests that got longer than the warm-up said",
    data: slices([9, 9, 9], [9, 9, 9], { sliceMs: 80, cycleMs: 40 }),
    isMet: false,
    evidence:
      "median 9.00 whole requests per slice; in 0% of the slice pairs, one version completed no requests; requests that take 0.040 s are too long for slices of 0.080 s. The warm-up determines the slice length, so a longer `warmup` may help",
  },
  {
    gate: "slices",
    name: "the pauses of an iteration are no requests",
    data: {
      ...slices([9, 9, 9], [9, 9, 9], { sliceMs: 2_500, cycleMs: 2_010 }),
      cell: cell({ endpoint: { steps: [{ method: "GET", path: "/a" }, { pauseSeconds: 2 }] } }),
    },
    isMet: true,
    evidence:
      "median 9.00 whole requests per slice; in 0% of the slice pairs, one version completed no requests",
  },
  {
    gate: "slices",
    name: "cycles without any time are none: they have no rate",
    data: slices([9, 9, 9], [9, 9, 9], { sliceMs: 80, cycleMs: 0 }),
    isMet: false,
    evidence:
      "median 0 whole requests per slice; in 100% of the slice pairs, one version completed no requests; with so few, individual requests decide the result, so raise `vus` if the app has CPU to spare",
  },
  {
    gate: "CPU sets",
    name: "the same CPUs in every replicate, even if another replicate has others",
    data: cpus(["0-1", "0-1"], ["2", "2"]),
    isMet: true,
    evidence: "both versions ran on CPUs 0-1",
  },
  {
    gate: "CPU sets",
    name: "different CPUs in one replicate",
    data: cpus(["0", "0"], ["0", "1"], ["0", "0"]),
    isMet: false,
    evidence: "the base ran on CPU 0, the head on CPU 1",
  },
];

test("arms that redirect differently are not compared", () => {
  const request = "GET /items/";
  const data = statuses({ "307": 1_000 }, { "307": 1_000 });
  const gateOf = (redirects: Measurement["redirects"]) =>
    gatesOf({ ...data, ...(redirects && { redirects }) }).find(({ name }) => name === "redirects");
  expect(gateOf([{ request, base: "307 to /a", head: "307 to /b", isApart: true }])).toEqual({
    name: "redirects",
    isMet: false,
    evidence: `${request} answered 307 to /a in the base and 307 to /b in the head: measure the same path in both`,
  });
  expect(gateOf([{ request, base: "307 to /a", head: "307 to /a" }])).toBeUndefined();
  expect(gateOf(undefined)).toBeUndefined();
});

test.for(rows)("$gate: $name", ({ gate, data, isMet, evidence }) => {
  expect(gatesOf(data).find(({ name }) => name === gate)).toEqual({ name: gate, isMet, evidence });
});

test.for(rows)("$gate, blind to the direction: $name", ({ data }) => {
  const outcomes = (each: Measurement) => gatesOf(each).map(({ name, isMet }) => [name, isMet]);
  const turned = { ...data, replicates: data.replicates.map(swapped) };
  expect(outcomes(turned)).toEqual(outcomes(data));
});

test("a quiet machine meets all that can be seen", () => {
  const gates = gatesOf(workers([3, 3], [3, 3]));
  expect(gates.map(({ name }) => name)).toEqual([
    "generator",
    "statuses",
    "workers",
    "steal",
    "slices",
    "CPU sets",
  ]);
  expect(gates.filter(({ isMet }) => !isMet)).toEqual([]);
});

test("Locust is named where it sends the load", () => {
  const load = { kind: "script", locust: { users: 1, durationSeconds: 1 } } as const;
  const [gate] = gatesOf(measurement({ cell: cell({ load }), replicates: [replicate()] }));
  expect(gate?.evidence).toMatch(/^Locust used/);
  const busy = replicate({ conditions: { generatorShare: 0.9, appShare: 0.1 } });
  const [unmet] = gatesOf(measurement({ cell: cell({ load }), replicates: [busy] }));
  expect(unmet?.evidence).toMatch(/; `FastHttpUser` needs less CPU per request$/);
});

test("whole runs of a script are in no slices", () => {
  const { pairs } = replicate({ effect: 0.1 });
  const data = measurement({
    replicates: [replicate({ ...(pairs && { pairs: { ...pairs, isWholeRuns: true } }) })],
  });
  expect(gatesOf(data).map(({ name }) => name)).not.toContain("slices");
});

describe("leaves out what could not be seen", () => {
  const { pairs: _, conditions: __, ...bare } = replicate();
  const { cpus: ___, ...unpinned } = bare.arms.base ?? {};
  const empty = { blocks: [], statuses: {}, latency: { buckets: [], counts: [] } };

  test.for([
    { name: "no k6 CPU time", gate: "generator", data: conditions({ appShare: 0.5 }) },
    { name: "no steal", gate: "steal", data: conditions({}) },
    { name: "no conditions", gate: "steal", data: of([bare]) },
    { name: "no replies in the base", gate: "statuses", data: statuses({}, { "200": 5 }) },
    { name: "no replies in the head", gate: "statuses", data: statuses({ "200": 5 }, {}) },
    { name: "one worker", gate: "workers", data: workers([1], [1], 1) },
    { name: "idle workers of the base", gate: "workers", data: workers([0, 0], [1, 1]) },
    { name: "idle workers of the head", gate: "workers", data: workers([1, 1], []) },
    {
      name: "no CPU times of workers",
      gate: "workers",
      data: of([replicate()], { cell: cell({ workers: 2 }) }),
    },
    { name: "no slice pairs", gate: "slices", data: of([bare]) },
    { name: "no slices in the pairs", gate: "slices", data: slices([], []) },
    {
      name: "the CPUs of one arm",
      gate: "CPU sets",
      data: of([{ ...bare, arms: { ...bare.arms, base: { ...empty, ...unpinned } } }]),
    },
    { name: "one arm", gate: "CPU sets", data: measurement() },
    { name: "no replicates", gate: "statuses", data: of([]) },
  ])("$name: $gate", ({ gate, data }) => {
    expect(gatesOf(data).map(({ name }) => name)).not.toContain(gate);
  });

  test("and so has none when nothing was recorded", () => {
    expect(gatesOf(of([]))).toEqual([]);
  });
});
