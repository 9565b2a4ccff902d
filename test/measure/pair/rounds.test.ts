import { describe, expect, test } from "vitest";
import { EnvironmentError } from "../../../src/errors/errors.ts";
import { BaseFailure } from "../../../src/measure/preparation/index.ts";
import { endpointLabel } from "../../../src/model/endpoint/endpoint.ts";
import { parseMeasurements } from "../../../src/model/measurement/documents.ts";
import { loadSeconds } from "../../../src/model/plan/cell.ts";
import { looks } from "../../../src/model/plan/plan.ts";
import type { LoadRequest } from "../../../src/ports/load.ts";
import type { Progress } from "../../../src/ports/progress.ts";
import { answer } from "../fake-load.ts";
import { comparingPorts, phaseIn } from "../fake-ports.ts";
import { compare, keepingTime } from "../run-measure.ts";

/** Time for one replicate only: as much again would be too much. */
const once = { "max-minutes": "0.3" };

test("one replicate: both arms started with one seed, warmed up, measured in turns, stopped and written down", async () => {
  const { calls, ports } = comparingPorts();
  const [measurement] = await compare(keepingTime(ports), { ...once, warmup: "10s" });
  expect(calls).toMatchInlineSnapshot(`
    [
      "clear results",
      "save plan.json",
      "open base",
      "find k6",
      "install",
      "import app",
      "start postgres",
      "seed",
      "install",
      "import app",
      "copy database",
      "copy database",
      "start head, seed 0",
      "start base, seed 0",
      "try GET /",
      "try GET /",
      "load warmup: constant, slices of 50 ms",
      "reset statements",
      "reset statements",
      "load closed: constant, slices of 65 ms",
      "count statements",
      "count statements",
      "save cells/get-w1.json",
      "stop head",
      "stop base",
      "drop database",
      "drop database",
      "stop postgres",
      "remove worktree",
    ]
  `);
  expect(measurement).toMatchObject({
    status: "measured",
    commits: { head: "0123abc", base: "ba5eba5e" },
    replicates: [{ hashSeed: 0, arms: { base: { sqlStatements: 20 }, head: { sqlStatements: 20 } } }],
  });
});

test("a replicate is shown once it is on disk, and a view that fails costs none", async () => {
  const { calls, ports } = comparingPorts();
  const warnings: string[] = [];
  const progress: Progress = (event) => {
    if (event.kind === "warning") warnings.push(event.text);
    if (event.kind === "replicate measured") throw new TypeError(calls.at(-1));
  };
  const [measurement] = await compare({ ...keepingTime(ports), progress }, once);
  const { status, replicates = [] } = measurement ?? {};
  expect([status, replicates.length > 0]).toEqual(["measured", true]);
  expect(warnings).toEqual(replicates.map(() => "the live view could not be drawn: save cells/get-w1.json"));
});

test("the next replicate has another hash seed, and the arms start in the order that chance says", async () => {
  const { calls, ports } = comparingPorts();
  await compare(ports);
  const starts = calls.filter((call) => /^start (base|head)/.test(call));
  expect(starts.slice(0, 6)).toEqual([
    "start head, seed 0",
    "start base, seed 0",
    "start head, seed 4",
    "start base, seed 4",
    "start base, seed 7",
    "start head, seed 7",
  ]);
});

test("every replicate is on disk before the next one starts, in the form that report reads", async () => {
  const written: number[] = [];
  const { calls, saved, ports } = comparingPorts();
  const [measurement] = await compare({
    ...ports,
    save: (name, text) => {
      if (name.startsWith("cells/")) {
        const { measurements, warnings } = parseMeasurements([{ name, text }]);
        expect(warnings).toEqual([]);
        written.push(measurements[0]?.replicates.length ?? 0);
      }
      return ports.save(name, text);
    },
  });
  expect(written).toEqual([1, 2, 3]);
  expect(measurement?.replicates).toHaveLength(3);
  expect(saved.size).toBe(2);
  const steps = calls
    .filter((call) => /^(start head|save cells)/.test(call))
    .map((call) => call.slice(0, 10));
  expect(steps).toEqual(Array(3).fill(["start head", "save cells"]).flat());
});

/** Names of the saved cells, neighbours counted together: `2 a`. */
function turnsIn(calls: readonly string[]): string[] {
  const names = calls.flatMap((call) => /^save cells\/get-(\w+)-w1/.exec(call)?.[1] ?? []);
  const turns: { name: string; count: number }[] = [];
  for (const name of names) {
    const last = turns.at(-1);
    if (last?.name === name) last.count += 1;
    else turns.push({ name, count: 1 });
  }
  return turns.map(({ name, count }) => `${count} ${name}`);
}

describe("several cells", () => {
  test("take turns up to each look, and one that is settled gets no more", async () => {
    const most = looks.at(-1) ?? 0;
    let swing = 1;
    const { calls, events, ports } = comparingPorts();
    const measurements = await compare(
      {
        ...ports,
        generateLoad: (request) => {
          if (phaseIn(request.name) === "closed") swing = -swing;
          const isRestless = endpointLabel(request.endpoint) === "/b";
          return Promise.resolve(answer(request, { head: { latencyMs: isRestless ? 10 + 3 * swing : 10 } }));
        },
      },
      { endpoints: "/a\n/b\n/c" },
    );
    const each = ["1 a", "1 b", "1 c"];
    expect(turnsIn(calls)).toEqual([...each, ...each, ...each, `${most - 3} b`]);
    expect(measurements.map(({ replicates, status }) => [replicates.length, status])).toEqual([
      [3, "measured"],
      [most, "measured"],
      [3, "measured"],
    ]);
    const finished = events.filter((event) => event.kind === "cell finished");
    expect(finished.map(({ index }) => index)).toEqual([0, 2, 1]);
    for (const { design } of finished) expect(design).toMatchObject({ kind: "comparison", cells: 3 });
  });

  test("with too few minutes for all: what looks slower has its turn before the others", async () => {
    let now = 0;
    let swing = 1;
    const { calls, ports } = comparingPorts();
    await compare(
      {
        ...ports,
        clock: () => now,
        generateLoad: (request) => {
          if (phaseIn(request.name) === "closed") [now, swing] = [now + 10, -swing];
          const slower = endpointLabel(request.endpoint) === "/c" ? 1.5 : 0;
          return Promise.resolve(answer(request, { head: { latencyMs: 10 + slower + swing } }));
        },
      },
      { endpoints: "/a\n/b\n/c", "max-minutes": "2.2" },
    );
    const each = ["1 a", "1 b", "1 c"];
    const third = ["1 a", "1 b", expect.stringMatching(/^[2-9] c$/)]; // and more of it without a pause
    expect(turnsIn(calls).slice(0, 9)).toEqual([...each, ...each, ...third]);
  });

  test("whose requests are too long for their slices end at the first look, and leave the minutes to the others", async () => {
    const swings = new Map<string, number>();
    const { calls, ports } = comparingPorts();
    const measurements = await compare(
      {
        ...ports,
        generateLoad: (request) => {
          const name = endpointLabel(request.endpoint);
          const swing = (swings.get(name) ?? 1) * (phaseIn(request.name) === "closed" ? -1 : 1);
          swings.set(name, swing);
          const latencyMs = name === "/a" ? 5_000 : 10;
          return Promise.resolve(answer(request, { head: { latencyMs: latencyMs * (1 + 0.3 * swing) } }));
        },
      },
      { endpoints: "/a\n/b" },
    );
    const most = looks.at(-1) ?? 0;
    expect(turnsIn(calls)).toEqual(["1 a", "1 b", "1 a", "1 b", "1 a", `${most - 2} b`]);
    expect(measurements.map(({ status }) => status)).toEqual(["measured", "measured"]);
  });

  test.for([
    { share: 18, turns: ["1 a", "1 b", "1 c"], replicates: [1, 1, 1], last: "measured" },
    { share: 26, turns: ["1 a", "1 b", "1 c"], replicates: [1, 1, 0], last: "cancelled" },
  ])("end when the minutes are over, and none has two turns before all had one: $last", async (expected) => {
    const minutes = 0.9; // the least that three cells may have
    let now = 0;
    const { calls, events, saved, ports } = comparingPorts();
    const measurements = await compare(
      {
        ...ports,
        clock: () => now,
        generateLoad: (request, signal) => {
          if (phaseIn(request.name) === "closed") now += minutes * expected.share;
          return ports.generateLoad(request, signal);
        },
      },
      { endpoints: "/a\n/b\n/c", "max-minutes": String(minutes) },
    );
    expect(turnsIn(calls)).toEqual(expected.turns);
    expect(measurements.map(({ replicates }) => replicates.length)).toEqual(expected.replicates);
    expect(measurements.map(({ status }) => status)).toEqual(["measured", "measured", expected.last]);
    expect(measurements[2]?.failure?.reason).toBe(
      expected.last === "measured" ? undefined : "no time was left for this cell; raise max-minutes",
    );
    expect(saved.size).toBe(4);
    expect(events.filter(({ kind }) => kind === "cell finished")).toHaveLength(3);
  });

  test("that failed leave the minutes to the others", async () => {
    const { calls, ports } = comparingPorts();
    const measurements = await compare(
      {
        ...ports,
        generateLoad: (request) => {
          const status = endpointLabel(request.endpoint) === "/a" ? "500" : "200";
          return Promise.resolve(answer(request, { base: { status }, head: { status } }));
        },
      },
      { endpoints: "/a\n/b" },
    );
    expect(turnsIn(calls)).toEqual(["1 a", "3 b"]);
    expect(measurements[0]).toMatchObject({
      status: "failed",
      failure: { phase: "load", reason: "every request failed (500)" },
      loneArm: { kind: "no base", reason: "every request failed in both arms (base: 500)" },
    });
  });
});

describe("servers that start slowly", () => {
  /** Time passes in loads, and while a server of the head starts. */
  function slowly(startSeconds: number, changes: Parameters<typeof comparingPorts>[0] = {}) {
    const made = comparingPorts(changes);
    let now = 0;
    const ports = {
      ...made.ports,
      clock: () => now,
      startApp: (...args: Parameters<typeof made.ports.startApp>) => {
        if (args[2].endsWith("-head")) now += startSeconds;
        return made.ports.startApp(...args);
      },
      generateLoad: (...[request, signal]: Parameters<typeof made.ports.generateLoad>) => {
        if ("durationSeconds" in request.load) now += request.load.durationSeconds;
        return made.ports.generateLoad(request, signal);
      },
    };
    return { ...made, ports };
  }
  const starts = (calls: readonly string[]) =>
    calls.filter((call) => /^start head, seed \d/.test(call)).length;

  test.for([
    { name: "quick starts: each replicate has its own", startSeconds: 0.4, expected: 12 },
    { name: "slow ones: all that only read share each start but the first", startSeconds: 0.5, expected: 7 },
    { name: "very slow ones, too", startSeconds: 20, expected: 7 },
  ])("$name", async ({ startSeconds, expected }) => {
    const { calls, ports } = slowly(startSeconds);
    const measurements = await compare(ports, { endpoints: "/a\n/b\n/c\nPOST /d" });
    expect(measurements.map(({ status, replicates }) => [status, replicates.length])).toEqual(
      Array(4).fill(["measured", 3]),
    );
    expect(starts(calls)).toBe(expected);
  });

  test("what shares a start has a shorter load than what has one of its own", async () => {
    const { ports } = slowly(20);
    const loads = new Map<string, number[]>();
    await compare(
      {
        ...ports,
        generateLoad: (request, signal) => {
          const name = endpointLabel(request.endpoint);
          const seconds = Math.floor(loadSeconds(request.load) ?? 0);
          if (phaseIn(request.name) === "closed") loads.set(name, [...(loads.get(name) ?? []), seconds]);
          return ports.generateLoad(request, signal);
        },
      },
      { endpoints: "/a\n/b\n/c\nPOST /d" },
    );
    expect(loads.get("POST /d")).toEqual([3, 12, 12]);
    const shared = Math.floor(1.25 * (20 / 3 + 0.5));
    expect([...loads.values()].slice(0, 3)).toEqual(Array(3).fill([3, shared, shared]));
  });

  test("the most memory is told of the endpoint that came first only", async () => {
    const { ports } = slowly(20);
    const [first, second] = await compare(ports, { endpoints: "/a\n/b" });
    const peaks = (each: typeof first) =>
      each?.replicates.map(({ arms }) => arms.head?.peakMemoryBytes !== undefined);
    expect([peaks(first), peaks(second)]).toEqual([
      [true, true, true],
      [true, false, false],
    ]);
  });

  test("an endpoint that fails beside another has a turn of its own, and its error", async () => {
    const { calls, events, ports } = slowly(20);
    let closed = 0;
    const measurements = await compare(
      {
        ...ports,
        generateLoad: (request, signal) => {
          const isLate = endpointLabel(request.endpoint) === "/b" && phaseIn(request.name) === "closed";
          if (isLate && ++closed > 1) return Promise.reject(new EnvironmentError("load", "k6 ended"));
          return ports.generateLoad(request, signal);
        },
      },
      { endpoints: "/a\n/b" },
    );
    expect(measurements.map(({ status, replicates }) => [status, replicates.length])).toEqual([
      ["measured", 3],
      ["failed", 1],
    ]);
    expect(measurements[1]?.failure?.reason).toBe("k6 ended");
    expect(starts(calls)).toBe(5);
    expect(events.filter(({ kind }) => kind === "cell finished")).toHaveLength(2);
  });

  test("a base that fails beside another is met again on fresh servers: the head is measured alone", async () => {
    const { ports } = slowly(20);
    const measurements = await compare(
      {
        ...ports,
        generateLoad: (request, signal) => {
          const isLate = endpointLabel(request.endpoint) === "/c" && phaseIn(request.name) === "closed";
          return isLate && request.targets.length > 1
            ? Promise.reject(new BaseFailure(new EnvironmentError("load", "the base died")))
            : ports.generateLoad(request, signal);
        },
      },
      { endpoints: "/a\n/b\n/c" },
    );
    expect(measurements.map(({ status, replicates }) => [status, replicates.length])).toEqual([
      ["measured", 3],
      ["measured", 3],
      ["measured", 1],
    ]);
    expect(measurements[2]?.loneArm).toMatchObject({ kind: "no base" });
  });

  test("cancelled beside another, what was measured stays as it is", async () => {
    const cancel = new AbortController();
    const { ports } = slowly(20, { signal: cancel.signal });
    const measurements = await compare(
      {
        ...ports,
        generateLoad: (request, signal) => {
          if (endpointLabel(request.endpoint) === "/c" && phaseIn(request.name) === "closed")
            cancel.abort(new Error("cancelled"));
          return signal.aborted ? Promise.reject(signal.reason) : ports.generateLoad(request, signal);
        },
      },
      { endpoints: "/a\n/b\n/c" },
    );
    expect(measurements.map(({ status, replicates }) => `${status} ${replicates.length}`)).toEqual([
      "measured 1",
      "measured 1",
      "cancelled 0",
    ]);
  });

  test("every cell is told once, also one that is settled on the servers of another", async () => {
    const { events, ports } = slowly(20);
    await compare(ports, { endpoints: "/a\n/b\n/c" });
    const finished = events.filter((event) => event.kind === "cell finished").map(({ index }) => index);
    expect(finished.toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
  });

  test("what looks like a change has starts of its own in its half of the time", async () => {
    let swing = 1;
    const { calls, ports } = slowly(20);
    await compare(
      {
        ...ports,
        generateLoad: (request, signal) => {
          if (phaseIn(request.name) === "closed") swing = -swing;
          const slower = endpointLabel(request.endpoint) === "/c" ? 1.5 : 0;
          return ports
            .generateLoad(request, signal)
            .then(() => answer(request, { head: { latencyMs: 10 + slower + swing } }));
        },
      },
      { endpoints: "/a\n/b\n/c", "max-minutes": "6" },
    );
    expect(turnsIn(calls).some((turn) => /^[2-9] c$/.test(turn))).toBe(true);
  });

  test("a fault of ours beside another stops everything", async () => {
    const { ports } = slowly(20);
    let closed = 0;
    const measuring = compare(
      {
        ...ports,
        generateLoad: (request, signal) => {
          const isLate = endpointLabel(request.endpoint) === "/b" && phaseIn(request.name) === "closed";
          return isLate && ++closed > 1
            ? Promise.reject(new TypeError("oops"))
            : ports.generateLoad(request, signal);
        },
      },
      { endpoints: "/a\n/b" },
    );
    await expect(measuring).rejects.toThrow("oops");
  });

  test("the minutes end between two endpoints of one start, too", async () => {
    const { ports } = slowly(20);
    const measurements = await compare(ports, { endpoints: "/a\n/b\n/c\n/e", "max-minutes": "1.7" });
    expect(measurements.map(({ status, replicates }) => [status, replicates.length])).toEqual([
      ["measured", 2],
      ["measured", 1],
      ["measured", 1],
      ["measured", 1],
    ]);
  });
});

describe("cancelling", () => {
  const isAt = (phase: string, seen: number) => {
    let count = 0;
    return ({ name }: LoadRequest) => phaseIn(name) === phase && ++count === seen;
  };

  test.for([
    { moment: "in the first warm-up", at: isAt("warmup", 1), kept: ["cancelled 0", "cancelled 0"] },
    { moment: "in the second closed phase", at: isAt("closed", 2), kept: ["measured 1", "cancelled 0"] },
    { moment: "while another cell has its turn", at: isAt("closed", 4), kept: ["measured 2", "cancelled 1"] },
    { moment: "in a later round", at: isAt("closed", 5), kept: ["cancelled 2", "measured 2"] },
  ])("$moment keeps the replicates so far, and everything is cleaned up", async ({ at, kept }) => {
    const cancel = new AbortController();
    const { calls, ports } = comparingPorts({ signal: cancel.signal });
    const measurements = await compare(
      {
        ...ports,
        generateLoad: (request, signal) => {
          if (at(request)) cancel.abort(new Error("cancelled"));
          if (signal.aborted) return Promise.reject(signal.reason);
          return ports.generateLoad(request, signal);
        },
      },
      { endpoints: "/a\n/b" },
    );
    expect(measurements.map(({ status, replicates }) => `${status} ${replicates.length}`)).toEqual(kept);
    expect(measurements.map(({ failure }) => failure)).toEqual([undefined, undefined]);
    const count = (text: string) => calls.filter((call) => call.startsWith(text)).length;
    expect(count("drop database")).toBe(count("copy database"));
    expect(count("stop base") + count("stop head")).toBe(count("start base") + count("start head"));
    expect(calls.slice(-2)).toEqual(["stop postgres", "remove worktree"]);
  });

  test("between two replicates leaves a cell that says what it has", async () => {
    const cancel = new AbortController();
    const { ports } = comparingPorts({ signal: cancel.signal });
    let saves = 0;
    const [measurement] = await compare({
      ...ports,
      save: (name, text) => {
        if (name.startsWith("cells/") && ++saves === 3) cancel.abort();
        return ports.save(name, text);
      },
    });
    expect(measurement?.status).toBe("measured");
    expect(measurement?.replicates).toHaveLength(3);
  });
});

test("a fault of ours stops everything, and what was measured stays", async () => {
  const { calls, ports } = comparingPorts();
  let loads = 0;
  const measuring = compare({
    ...ports,
    generateLoad: (request, signal) =>
      ++loads > 2 ? Promise.reject(new TypeError("oops")) : ports.generateLoad(request, signal),
  });
  await expect(measuring).rejects.toThrow("oops");
  expect(turnsIn(calls.map((call) => call.replace("get-w1", "get-x-w1")))).toEqual(["1 x"]);
  expect(calls.slice(-2)).toEqual(["stop postgres", "remove worktree"]);
});
