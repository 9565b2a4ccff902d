import { describe, expect, test } from "vitest";

import { EnvironmentError } from "../../../src/errors/errors.ts";
import { endpointLabel, loadSeconds } from "../../../src/model/plan/cell.ts";
import { looks } from "../../../src/model/plan/plan.ts";
import type { LoadRequest } from "../../../src/ports/load.ts";
import type { MeasurePorts } from "../../../src/ports/measure.ts";
import { type Answers, answer } from "../fake-load.ts";
import { comparingPorts, phaseIn } from "../fake-ports.ts";
import { compare } from "../run-measure.ts";

/** What was asked of k6 in the two phases of each replicate. */
async function loadsOf(
  answers: Answers,
  raw: Record<string, string> = {},
  overrides: (ports: MeasurePorts) => Partial<MeasurePorts> = () => ({}),
) {
  const requests: LoadRequest[] = [];
  const { ports } = comparingPorts();
  const [measurement] = await compare(
    {
      ...ports,
      ...overrides(ports),
      generateLoad: (request) => {
        requests.push(request);
        return Promise.resolve(answer(request, answers));
      },
    },
    raw,
  );
  const inPhase = (phase: string) => requests.filter(({ name }) => phaseIn(name) === phase);
  return { warmups: inPhase("warmup"), closed: inPhase("closed"), open: inPhase("open"), measurement };
}

test("slices and their guard come from the slower arm's latency in the first warm-up, for all replicates", async () => {
  const { closed } = await loadsOf({ base: { latencyMs: 8 }, head: { latencyMs: 40 } });
  const [first] = closed;
  expect(closed).toHaveLength(3);
  expect(new Set(closed.map(({ sliceMs }) => sliceMs)).size).toBe(1);
  expect(first?.sliceMs).toBeCloseTo(260, -1);
  expect(first?.guard?.startMs).toBeCloseTo(80, -0.5);
  expect(first?.guard?.endMs).toBeCloseTo(50, -0.5);
  expect(first?.load).toMatchObject({ kind: "constant", virtualUsers: 8 });
});

describe("requests that take longer than the warm-up showed", () => {
  /** A head whose requests take so long, but for those of the warm-up. */
  async function grown(headMs: (closedBefore: number) => number, raw: Record<string, string> = {}) {
    const closed: LoadRequest[] = [];
    const { ports } = comparingPorts();
    const [measurement] = await compare(
      {
        ...ports,
        generateLoad: (request) => {
          const isClosed = phaseIn(request.name) === "closed";
          const latencyMs = isClosed ? headMs(closed.length) : 8;
          if (isClosed) closed.push(request);
          return Promise.resolve(answer(request, { base: { latencyMs: 8 }, head: { latencyMs } }));
        },
      },
      raw,
    );
    return { sliceMs: closed.map((each) => each.sliceMs), measurement };
  }

  test("are measured once more, in slices that fit, and so in all later replicates", async () => {
    const { sliceMs, measurement } = await grown(() => 100);
    expect(sliceMs).toHaveLength(4);
    expect(sliceMs[0]).toBeCloseTo(50, -1);
    expect(sliceMs.slice(1)).toEqual([1_000, 1_000, 1_000]);
    // What the short slices said counts for nothing.
    expect(measurement?.replicates.map(({ pairs }) => pairs?.sliceMs)).toEqual([1_000, 1_000, 1_000]);
  });

  test("also when they only do so in a later replicate", async () => {
    const { sliceMs, measurement } = await grown((before) => (before < 2 ? 8 : 100));
    expect(sliceMs.slice(0, 5).map((each) => each > 500)).toEqual([false, false, false, true, true]);
    expect(measurement?.replicates).toHaveLength(sliceMs.length - 1);
  });

  test("are not where slices fit still, or cannot grow", async () => {
    expect((await grown(() => 20)).sliceMs).toHaveLength(3);
    const { sliceMs } = await grown(() => 9_000);
    expect(sliceMs.slice(1)).toEqual([2_500, 2_500, 2_500]);
  });
});

test.for([
  { vus: 1, sliceMs: 80 }, // at least as many requests in each
  { vus: 2, sliceMs: 53 },
  { vus: 8, sliceMs: 52 },
  { vus: 50, sliceMs: 52 },
  { vus: 200, sliceMs: 208 }, // at saturation each waits for all others, and the warm-up has 50 users
  { vus: 1_000, sliceMs: 1_040 },
])(
  "with $vus users, where those of the warm-up wait for 8 ms, slices are of $sliceMs ms",
  async ({ vus, sliceMs }) => {
    const { warmups, closed } = await loadsOf(
      { base: { latencyMs: 8 }, head: { latencyMs: 8 } },
      { vus: String(vus) },
      () => ({ openFilesLimit: undefined }),
    );
    expect(warmups[0]?.load).toMatchObject({ virtualUsers: Math.min(50, vus) });
    expect(closed[0]?.load).toMatchObject({ virtualUsers: vus });
    expect((closed[0]?.sliceMs ?? 0) / sliceMs).toBeCloseTo(1, 1);
    const inRequests = vus > 1 ? 6.5 : 10;
    expect((closed[0]?.guard?.startMs ?? 0) / sliceMs).toBeCloseTo(2 / inRequests, 1);
  },
);

test("where slices are long, each replicate is warmed up before; later warm-ups change nothing", async () => {
  const requests: LoadRequest[] = [];
  const { ports } = comparingPorts();
  await compare({
    ...ports,
    generateLoad: (request) => {
      requests.push(request);
      const latencyMs = phaseIn(request.name) === "warmup" ? 50 + 10 * requests.length : 50;
      return Promise.resolve(answer(request, { base: { latencyMs } }));
    },
  });
  expect(requests.filter(({ name }) => phaseIn(name) === "warmup")).toHaveLength(3);
  const shapes = requests.filter(({ name }) => phaseIn(name) === "closed");
  expect(shapes).toHaveLength(3);
  expect(new Set(shapes.map(({ sliceMs, guard, load }) => JSON.stringify([sliceMs, guard, load]))).size).toBe(
    1,
  );
});

test("else the first seconds of the load are the warm-up, in all replicates but the first", async () => {
  const { warmups, closed, measurement } = await loadsOf({}, { warmup: "400ms" });
  expect(warmups).toHaveLength(1);
  const seconds = closed.map(({ load }) => loadSeconds(load));
  expect(seconds).toEqual([3.9, 4.42, 4.42].map((each) => expect.closeTo(each, 9)));
  const records = measurement?.replicates.map(({ arms }) => arms.base) ?? [];
  expect(records.map((record) => record?.warmupRequests)).toEqual([undefined, 20, 20]);
  // Half of 60 slices with five requests each are the base's; those of the warm-up come before and are in nothing else.
  expect(records.map((record) => record?.statuses["200"])).toEqual([150, 150, 150]);
  expect(measurement?.replicates.map(({ pairs }) => pairs?.arms.base.cycles.length)).toEqual([30, 30, 30]);
});

test("an app whose first reply takes long is warmed up before each replicate: nothing of that is measured", async () => {
  const requests: LoadRequest[] = [];
  const { ports } = comparingPorts();
  await compare({
    ...ports,
    generateLoad: (request) => {
      requests.push(request);
      const output = answer(request, {});
      if (phaseIn(request.name) !== "warmup") return Promise.resolve(output);
      // The longest of the first slice, and no other; most requests are quick.
      const records = output.records.replace(/^(\[0,"\w+",\d+,\d+,\d+),\d+/, "$1,3000");
      expect(records).not.toBe(output.records);
      return Promise.resolve({ ...output, records });
    },
  });
  const phases = requests.map(({ name }) => phaseIn(name));
  // The first replicate has two: slices follow what is usual, and the first one may have seen nothing else.
  expect(phases.filter((phase) => phase === "warmup")).toHaveLength(4);
  expect(phases.slice(0, 3)).toEqual(["warmup", "warmup", "closed"]);
  const closed = requests.filter(({ name }) => phaseIn(name) === "closed");
  expect(new Set(closed.map(({ load }) => loadSeconds(load)))).toEqual(new Set([expect.closeTo(3.9, 9)]));
});

test("so is one whose first reply was to the request that tries the endpoint", async () => {
  let now = 0;
  const { warmups } = await loadsOf({}, {}, (ports) => ({
    clock: () => now,
    sendRequest: (...words) => {
      now += 0.1; // of each arm
      return ports.sendRequest(...words);
    },
  }));
  expect(warmups).toHaveLength(4);
});

test("servers that start slowly get a longer load", async () => {
  let now = 0;
  const { closed } = await loadsOf({}, {}, (ports) => ({
    clock: () => now,
    startApp: (...words) => {
      now += 2; // of each arm
      return ports.startApp(...words);
    },
  }));
  // A quarter longer than the start, the warm-up of 0.2 s and k6's own 0.4 s; whole seconds, then that warm-up.
  const seconds = closed.map(({ load }) => loadSeconds(load));
  expect(seconds).toEqual([3.9, 5.2, 5.2].map((each) => expect.closeTo(each, 9)));
});

test("both arms together are warmed up for as long as was asked, or a moment at least", async () => {
  const warmed = async (warmup: string) => (await loadsOf({}, { warmup })).warmups[0]?.load;
  expect(await warmed("3s")).toMatchObject({ kind: "constant", virtualUsers: 8, durationSeconds: 3 });
  expect(await warmed("0s")).toMatchObject({ kind: "constant", virtualUsers: 8, durationSeconds: 0.2 });
});

test("each load has its own order of arms", async () => {
  const { warmups, closed, open } = await loadsOf({});
  const seeds = [...warmups, ...closed, ...open].map(({ seed }) => seed);
  expect(new Set(seeds).size).toBe(5);
});

describe("a cell that is not settled for long", () => {
  const most = looks.at(-1) ?? 0;

  /** Lengths of a phase in each replicate, in seconds; the head is now slower, now faster by as much. */
  async function restless(raw: Record<string, string> = {}) {
    const swings = new Map<string, number>();
    const closed: number[] = [];
    const open: number[] = [];
    const { events, ports } = comparingPorts();
    const [measurement] = await compare(
      {
        ...ports,
        generateLoad: (request) => {
          const phase = phaseIn(request.name);
          const name = endpointLabel(request.endpoint);
          const swing = (swings.get(name) ?? 1) * (phase === "closed" ? -1 : 1);
          swings.set(name, swing);
          const seconds = loadSeconds(request.load) ?? 0;
          if (phase === "closed") closed.push(seconds);
          if (phase === "open") open.push(seconds);
          return Promise.resolve(answer(request, { head: { latencyMs: 10 + 3 * swing } }));
        },
      },
      raw,
    );
    const begun = events.flatMap((event) => (event.kind === "load started" ? [event.seconds] : []));
    return { closed, open, begun, replicates: measurement?.replicates ?? [] };
  }

  test("has 30 pairs of slices in each replicate, but 5 s at most", async () => {
    const { closed } = await restless();
    // Whole pairs of slices of some 84 ms, and after the first replicate one more for the warm-up.
    expect(closed).toHaveLength(58);
    expect(closed[0]).toBeCloseTo(4.95, 1);
    expect(closed.slice(1)).toEqual(Array(most - 1).fill(expect.closeTo(5.2, 0)));
  });

  test.for([
    { name: "one replicate", raw: {}, phases: 1 },
    { name: "three replicates where the rate was asked for", raw: { rate: "50" }, phases: 3 },
  ])("has an open phase in $name, from the first look on, and tells what it waits for", async (each) => {
    const { closed, open, begun, replicates } = await restless(each.raw);
    const isOpen = (index: number) => index >= 2 && index < 2 + each.phases;
    expect(open).toEqual(Array(each.phases).fill(2));
    expect(replicates.map((replicate) => replicate.open !== undefined)).toEqual(
      replicates.map((_, index) => isOpen(index)),
    );
    expect(begun).toEqual(closed.flatMap((seconds, index) => (isOpen(index) ? [seconds, 2] : [seconds])));
  });

  test("each cell counts its own replicates", async () => {
    const { closed, open } = await restless({ endpoints: "/a\n/b" });
    expect(open).toHaveLength(2);
    expect(closed.filter((seconds) => seconds < 5)).toHaveLength(2);
    expect(closed.filter((seconds) => seconds > 5)).toHaveLength(2 * (most - 1));
  });
});

test.for<[failure: string, times: number, phases: number, status: string]>([
  ["lost counts", 1, 2, "measured"],
  ["lost counts", 2, 2, "failed"],
  ["no k6", 1, 1, "failed"],
])(
  "an open phase with %s (%d in a row) is put %d times, and the cell is %s",
  async ([failure, times, ...seen]) => {
    const { ports } = comparingPorts();
    let phases = 0;
    const [measurement] = await compare({
      ...ports,
      generateLoad: (request) => {
        const whole = answer(request);
        if (phaseIn(request.name) !== "open" || ++phases > times) return Promise.resolve(whole);
        if (failure === "no k6") return Promise.reject(new EnvironmentError("load", "k6 ended"));
        return Promise.resolve({ ...whole, records: whole.records.replace(/.*\n$/, "") }); // without its last line
      },
    });
    expect([phases, measurement?.status]).toEqual(seen);
    expect(measurement?.replicates).toHaveLength(measurement?.status === "measured" ? 3 : 2);
  },
);

describe("an iteration", () => {
  const raw = { iteration: "/a\nsleep 100ms\n/b", connections: "new" };

  test("has slices in which as many cycles fit, although users pause", async () => {
    const { closed } = await loadsOf({}, raw);
    const latencyMs = 10;
    expect(closed[0]?.sliceMs).toBeCloseTo(6.5 * (latencyMs + 50), -1);
    expect(closed[0]?.guard?.startMs).toBeCloseTo(2 * (latencyMs + 50), -0.5);
  });

  test("has no open phase: its requests wait for each other", async () => {
    const { open, closed, measurement } = await loadsOf({}, raw);
    expect([open.length, closed.length]).toEqual([0, 3]);
    expect(measurement?.replicates[0]).not.toHaveProperty("open");
  });
});

test("messages through a WebSocket have no open phase", async () => {
  const { open, closed } = await loadsOf({}, { endpoints: "ws /chat" });
  expect([open.length, closed.length]).toEqual([0, 3]);
});

test("all loads of a cell make connections as was asked", async () => {
  const loads = async (raw: Record<string, string>) => {
    const { warmups, closed, open } = await loadsOf({}, raw);
    return [...warmups, ...closed, ...open].map(({ load }) => load.connections);
  };
  expect(new Set(await loads({ connections: "new" }))).toEqual(new Set(["new"]));
  expect(new Set(await loads({}))).toEqual(new Set([undefined]));
});

describe("the open phase", () => {
  test("has 60% of what the base can do at saturation", async () => {
    const { open, measurement } = await loadsOf({ base: { latencyMs: 10 }, head: { latencyMs: 20 } });
    expect(open[0]?.load).toMatchObject({ kind: "rate", requestsPerSecond: 480 }); // 60% of 8 users / 10 ms
    expect(open[0]).toMatchObject({ sliceMs: 1_000, guard: { startMs: 100, endMs: 0 } });
    expect(measurement?.replicates[2]?.open).toMatchObject({
      requestsPerSecond: 480,
      droppedIterations: 0,
      arms: { base: { requests: 5, failures: 0 }, head: { requests: 5, failures: 0 } },
    });
  });

  test("has the rate that was asked for, and the closed phase as many users", async () => {
    const { closed, open } = await loadsOf({}, { rate: "33", vus: "5" });
    expect(closed[0]?.load).toMatchObject({ kind: "constant", virtualUsers: 5 });
    expect(open[0]?.load).toMatchObject({ kind: "rate", requestsPerSecond: 33, virtualUsers: 20 });
  });

  test("is left out where requests are too slow for it", async () => {
    const { closed, open, measurement } = await loadsOf({ base: { latencyMs: 600 } });
    expect(closed).toHaveLength(3);
    expect(open).toEqual([]);
    expect(measurement?.replicates[2]?.open).toBeUndefined();
  });
});

describe("requests longer than the warm-up", () => {
  /** All users wait for the arm that has the first slice, until the warm-up is over. */
  function onlyTo(first: "base" | "head", ports: MeasurePorts): MeasurePorts {
    return {
      ...ports,
      generateLoad: (request, signal) => {
        const [target] = request.targets.filter(({ arm }) => arm === first);
        const isStuck = phaseIn(request.name) === "warmup" && request.targets.length > 1;
        return ports.generateLoad(isStuck && target ? { ...request, targets: [target] } : request, signal);
      },
    };
  }

  test.for(["base", "head"] as const)(
    "to the %s: the other arm is warmed up too, and both compared",
    async (first) => {
      const { calls, ports } = comparingPorts();
      const [measurement] = await compare(onlyTo(first, ports));
      expect(measurement?.loneArm).toBeUndefined();
      expect(measurement?.replicates).toHaveLength(3);
      const other = first === "base" ? "head" : "base";
      expect(calls.filter((call) => call.startsWith("load")).slice(0, 3)).toEqual([
        `load warmup of ${first}: constant, slices of 50 ms`,
        `load warmup of ${other}: constant, slices of 50 ms`,
        "load closed: constant, slices of 65 ms",
      ]);
    },
  );
});

test("warm-ups without any reply in time still have slices", async () => {
  const { ports } = comparingPorts();
  const sizes: number[] = [];
  const [measurement] = await compare({
    ...ports,
    generateLoad: (request) => {
      if (phaseIn(request.name) === "closed") sizes.push(request.sliceMs);
      const { records, ...rest } = answer(request);
      // A refused connection takes no time, so it is in no histogram.
      const empty = records.replaceAll(/\[(\d+,)*\d+\](?=,)/g, "[]");
      return Promise.resolve({ ...rest, records: phaseIn(request.name) === "warmup" ? empty : records });
    },
  });
  expect(measurement?.status).toBe("measured");
  expect(sizes).toEqual([25, 25, 25]);
});
