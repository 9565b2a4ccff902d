import { describe, expect, test } from "vitest";
import { EnvironmentError } from "../../../src/errors/errors.ts";
import { endpointLabel } from "../../../src/model/endpoint/endpoint.ts";
import { measurementSchema } from "../../../src/model/measurement/measurement.ts";
import type { InstructionCounter } from "../../../src/ports/app.ts";
import type { LoadRequest } from "../../../src/ports/load.ts";
import type { MeasurePorts } from "../../../src/ports/measure.ts";
import { answer } from "../fake-load.ts";
import { armIn, comparingPorts, fakeProbe } from "../fake-ports.ts";
import { compare, keepingTime } from "../run-measure.ts";

const minute = { soak: "1m" };

/** Measures, and returns what k6 was asked for after the first looks: the loads of old pairs are longer than all others. */
async function measured(raw: Record<string, string>, changes: Partial<MeasurePorts> = {}) {
  const { ports, saved, events } = comparingPorts();
  const requests: LoadRequest[] = [];
  const generateLoad = (request: LoadRequest) => {
    requests.push(request);
    return Promise.resolve(answer(request));
  };
  const documents = await compare(keepingTime({ ...ports, generateLoad, ...changes }), raw);
  const counted = requests.findIndex(({ load }) => "durationSeconds" in load && load.durationSeconds >= 19);
  const old = counted < 0 ? [] : requests.slice(counted - 1); // its youth comes before
  return { documents, old, saved, events, requests };
}

test("one pair lives for a minute after the first looks, all endpoints by turns", async () => {
  const { documents, old, saved } = await measured({ ...minute, endpoints: "/a\n/b\nPOST /c" });
  expect(old.map(({ endpoint }) => endpointLabel(endpoint))).toEqual(
    Array<string>(2).fill("33% /a, 33% /b, 33% POST /c"),
  );
  expect(old.map(({ load }) => "durationSeconds" in load && Math.round(load.durationSeconds))).toEqual([
    5, 55,
  ]);
  const [first, ...others] = documents;
  expect(first?.aged).toMatchObject({
    cells: documents.map(({ cell }) => cell.id),
    youthSeconds: 5,
    memoryGrowthBytes: { base: 0, head: 0 },
  });
  expect(first?.aged?.parts[0]?.arms.base?.blocks).toHaveLength(29);
  expect(others.map(({ aged }) => aged)).toEqual([undefined, undefined]);
  const written: unknown = JSON.parse(saved.get(`cells/${first?.cell.id}.json`) ?? "");
  expect(measurementSchema.parse(written)).toEqual(first);
});

/** A machine on which three pairs of these servers have room. */
const roomy = { memoryBytes: 20_100 };
const machineOf = ({ memoryBytes }: { readonly memoryBytes: number }) => ({
  machine: { ...comparingPorts().ports.machine, memoryBytes },
});

describe("three pairs side by side", () => {
  test("are watched for as long as one in three times the time, each with a third of the users and files of its own", async () => {
    const { requests, documents } = await measured({ ...minute, endpoints: "/a\n/b" }, machineOf(roomy));
    const old = requests.filter(({ load }) => "durationSeconds" in load && load.durationSeconds >= 19);
    expect(old.map(({ load }) => load)).toEqual([
      expect.objectContaining({ virtualUsers: 3, durationSeconds: expect.closeTo(20, 0) }),
      expect.objectContaining({ virtualUsers: 3, durationSeconds: expect.closeTo(20, 0) }),
      expect.objectContaining({ virtualUsers: 3, durationSeconds: expect.closeTo(20, 0) }),
    ]);
    const id = documents[0]?.cell.id;
    expect(old.map(({ name }) => name)).toEqual([1, 2, 3].map((pair) => `${id}-${pair}-closed`));
    const { parts = [], ...rest } = documents[0]?.aged ?? {};
    expect(new Set(parts.map(({ hashSeed }) => hashSeed)).size).toBe(3);
    expect(parts.map(({ arms }) => arms.base?.blocks?.length)).toEqual([11, 11, 11]);
    expect(rest).toMatchObject({ youthSeconds: 5, memoryGrowthBytes: { base: 0, head: 0 } });
    expect(measurementSchema.safeParse(documents[0]).success).toBe(true);
    const twice = { ...documents[0], aged: { ...documents[0]?.aged, parts: [...parts, ...parts] } };
    expect(measurementSchema.safeParse(twice).success).toBe(true);
  });

  test("add up what their memory grows by, and need a value of each", async () => {
    const made = comparingPorts();
    const grown = (looks: number) => async (request: LoadRequest) => {
      for (const each of peaks)
        each.push(...Array.from({ length: looks }, () => 1_000 + 10 * (each.length + 1)));
      return answer(request);
    };
    let peaks: number[][] = [];
    const memoryOf = async (looks: number, isSecondRead = true) => {
      peaks = [];
      const { documents } = await measured(minute, {
        ...machineOf({ memoryBytes: 1e9 }),
        startApp: async (command, python, name) => {
          const own: number[] = [];
          peaks.push(own);
          const isRead = isSecondRead || !/-2-/.test(name);
          const app = await made.ports.startApp(command, python, name);
          return {
            ...app,
            peakMemoryBytes: () => (isRead ? 1_000 + 100 * own.length : undefined),
            ...(isRead && { peaksOfMemory: () => own.map((_, at) => 1_000 + 100 * at) }),
          };
        },
        generateLoad: grown(looks),
      });
      const { memoryGrowthBytes, peakMemoryBytes } = documents[0]?.aged ?? {};
      return { memoryGrowthBytes, peakMemoryBytes };
    };
    const { memoryGrowthBytes, peakMemoryBytes } = await memoryOf(20);
    // Each pair's load adds 20 looks to all that run, of 100 bytes each.
    expect(memoryGrowthBytes).toEqual({ base: 18_000, head: 18_000 });
    expect(peakMemoryBytes?.head).toHaveLength(11);
    expect((peakMemoryBytes?.head?.at(-1) ?? 0) - (peakMemoryBytes?.head?.[0] ?? 0)).toBe(3 * 5_900);
    expect(await memoryOf(20, false)).toEqual({ memoryGrowthBytes: {}, peakMemoryBytes: {} });
  });

  test("are one where the app cannot run twice", async () => {
    const made = comparingPorts();
    const { documents } = await measured(minute, {
      ...machineOf(roomy),
      startApp: (command, python, name) =>
        /-2-/.test(name)
          ? Promise.reject(new EnvironmentError("start app", "another one holds the lock"))
          : made.ports.startApp(command, python, name),
    });
    expect(documents[0]?.aged?.parts.map(({ arms }) => arms.base?.blocks?.length)).toEqual([29]);
  });

  test.for([
    { name: "the port is fixed", raw: { ...minute, port: "4321" }, room: roomy },
    { name: "memory is short", raw: minute, room: { memoryBytes: 19_900 } },
    { name: "age is what is asked for", raw: { soak: "2m" }, room: roomy },
  ])("are one where $name", async ({ raw, room }) => {
    const { documents } = await measured(raw, machineOf(room));
    expect(documents[0]?.aged?.parts).toHaveLength(1);
  });
});

describe("instructions are counted", () => {
  const counting: Partial<MeasurePorts> = {
    countingProblem: () => Promise.resolve(undefined),
    openCounter: () => Promise.reject(new EnvironmentError("start app", "fails under Valgrind")),
  };
  test.for([
    { name: "at the same time", raw: {}, isMeanwhile: true },
    {
      name: "afterwards where two servers cannot live side by side",
      raw: { port: "4321" },
      isMeanwhile: false,
    },
  ])("$name", async ({ raw, isMeanwhile }) => {
    const { documents, saved, events } = await measured(
      { ...minute, endpoints: "/a", "count-instructions": "auto", ...raw },
      { ...counting, ...machineOf(roomy) },
    );
    const [first] = documents;
    expect(first?.aged).toBeDefined();
    expect(documents.map(({ instructions }) => instructions)).toEqual(
      documents.map(() => ({ unseen: expect.stringContaining("fails under Valgrind") })),
    );
    expect(JSON.parse(saved.get(`cells/${first?.cell.id}.json`) ?? "")).toEqual(first);
    const lastLoad = events.findLastIndex(({ kind }) => kind === "load started");
    const counts = events.findIndex(
      (event) => event.kind === "phase started" && event.phase === "instructions",
    );
    expect(counts < lastLoad).toBe(isMeanwhile);
  });

  test("and settle a cell at once, which is then finished", async () => {
    const made = comparingPorts();
    const counter: InstructionCounter = {
      watch: (command) => command,
      begin: () => Promise.resolve(),
      read: () => Promise.resolve({ instructions: 1e6, libraries: new Map() }),
      idlePerSecond: () => Promise.resolve(0),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
    let closed = 0;
    const run = async (count: "auto" | "never") =>
      await measured(
        { endpoints: "/a", "count-instructions": count },
        {
          ...counting,
          openCounter: () => Promise.resolve(counter),
          startApp: async (...words) => ({ ...(await made.ports.startApp(...words)), isLaidOut: true }),
          generateLoad: (request) => {
            if (/closed/.test(request.name)) closed += 1;
            return Promise.resolve(
              answer(request, { head: { latencyMs: 10.14 + 0.03 * ((closed % 3) - 1) } }),
            );
          },
        },
      );
    const [counted, uncounted] = [await run("auto"), await run("never")];
    expect(counted.documents[0]?.replicates).toHaveLength(3);
    expect(counted.events.filter(({ kind }) => kind === "cell finished")).toHaveLength(1);
    expect(uncounted.documents[0]?.replicates.length).toBeGreaterThan(3);
  });

  test("where no pair gets old", async () => {
    const raw = { soak: "0s", "count-instructions": "auto" };
    const { documents } = await measured(raw, counting);
    expect(documents.map(({ aged, instructions }) => [aged, instructions !== undefined])).toEqual([
      [undefined, true],
    ]);
  });
});

test.for([
  { looks: 1.9, expected: [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100].map((size) => 1_000 + size) },
  { looks: 0.1, expected: undefined },
])(
  "memory is read at even times, where there are looks enough: $looks a second",
  async ({ looks, expected }) => {
    const made = comparingPorts();
    let peaks: number[] = [];
    const { documents } = await measured(minute, {
      startApp: async (command, python, name) => {
        peaks = [];
        const app = await made.ports.startApp(command, python, name);
        return { ...app, peaksOfMemory: () => [...peaks] };
      },
      generateLoad: (request) => {
        const seconds = "durationSeconds" in request.load ? request.load.durationSeconds : 0;
        if (seconds < 50) peaks = [900];
        else
          peaks.push(
            ...Array.from(
              { length: Math.floor(looks * seconds) },
              (_, at, all = Math.floor(looks * seconds) - 1) => 1_000 + (100 * at) / all,
            ),
          );
        return Promise.resolve(answer(request));
      },
    });
    const peaksOf = documents[0]?.aged?.peakMemoryBytes;
    expect(peaksOf?.head?.map((each) => Math.round(each / 10) * 10)).toEqual(expected);
  },
);

test("a cell that noise keeps open leaves the pair its time", async () => {
  let swing = 1;
  const { documents } = await measured(
    { ...minute, endpoints: "/a", "max-minutes": "3.5" },
    {
      generateLoad: (request) => {
        if (/closed/.test(request.name)) swing = -swing;
        return Promise.resolve(answer(request, { head: { latencyMs: 10 + 3 * swing } }));
      },
    },
  );
  expect(documents[0]?.replicates.length).toBeLessThan(34);
  expect(documents[0]?.aged).toBeDefined();
});

test("what only later replicates show of young servers is no effect of age either", async () => {
  let closed = 0;
  const { documents } = await measured(
    { ...minute, endpoints: "/a" },
    {
      generateLoad: (request) => {
        if (/closed/.test(request.name)) closed += 1;
        const noise = closed <= 3 ? [0, 0.9, -0.9][closed % 3] : 0;
        return Promise.resolve(answer(request, { head: { latencyMs: 10.6 + (noise ?? 0) } }));
      },
    },
  );
  const [{ aged, replicates = [] } = {}] = documents;
  expect(replicates.length).toBeGreaterThan(3);
  expect(aged?.known?.effect).toBeLessThan(-0.03);
});

test("one endpoint is asked as it is; other worker counts get no old pair", async () => {
  const { old, documents } = await measured({ ...minute, endpoints: "/a", workers: "1,2" });
  expect(old.map(({ endpoint }) => endpointLabel(endpoint))).toEqual(["/a", "/a"]);
  expect(documents.filter(({ aged }) => aged !== undefined).map(({ cell }) => cell.workers)).toEqual([1]);
});

test("messages through a WebSocket are not among them", async () => {
  const { old } = await measured({ ...minute, endpoints: "/a\nws /chat" });
  expect(old.map(({ endpoint }) => endpointLabel(endpoint))[0]).toBe("/a");
});

test("an iteration is repeated as it is", async () => {
  const { old } = await measured({ ...minute, iteration: "/a\nsleep 1ms\n/b" });
  expect(old.map(({ endpoint }) => endpointLabel(endpoint))[0]).toBe("/a → sleep 1 ms → /b");
});

describe("no pair gets old", () => {
  test.for([
    { name: "nobody wants it", raw: { soak: "0s" } },
    { name: "the minutes are used up", raw: { ...minute, "max-minutes": "0.7" } },
    { name: "there is no base", raw: { ...minute, "base-ref": "none", duration: "5s" } },
    { name: "every endpoint is slower anyway", raw: minute, latencyMs: 12 },
  ])("when $name", async ({ raw, latencyMs = 10 }) => {
    const { documents, old } = await measured(raw, {
      generateLoad: (request) => Promise.resolve(answer(request, { head: { latencyMs } })),
    });
    expect(documents.map(({ aged }) => aged)).toEqual([undefined]);
    expect(old).toEqual([]);
  });

  test("when it fails: no measurement is lost, and a warning says so", async () => {
    const { ports } = comparingPorts();
    const warnings: string[] = [];
    const generateLoad = (request: LoadRequest) =>
      "durationSeconds" in request.load && request.load.durationSeconds >= 50
        ? Promise.reject(new EnvironmentError("load", "k6 is gone"))
        : Promise.resolve(answer(request));
    const documents = await compare(
      keepingTime({
        ...ports,
        generateLoad,
        progress: (event) => {
          if (event.kind === "warning") warnings.push(event.text);
        },
      }),
      minute,
    );
    expect(documents.map(({ status, aged }) => [status, aged])).toEqual([["measured", undefined]]);
    expect(warnings).toEqual(["the soak test failed: k6 is gone"]);
  });

  test("when it breaks for a reason of ours, that is no warning", async () => {
    const { ports } = comparingPorts();
    const generateLoad = (request: LoadRequest) =>
      "durationSeconds" in request.load && request.load.durationSeconds >= 50
        ? Promise.reject(new TypeError("a mistake"))
        : Promise.resolve(answer(request));
    await expect(compare(keepingTime({ ...ports, generateLoad }), minute)).rejects.toThrow("a mistake");
  });
});

test("what is slower with age is diagnosed under a longer load of all its endpoints", async () => {
  const { ports } = comparingPorts();
  const diagnosed: LoadRequest[] = [];
  const isOld = ({ load }: LoadRequest) => "durationSeconds" in load && load.durationSeconds >= 50;
  const generateLoad = (request: LoadRequest) => {
    if (request.name.includes("-diagnosis")) diagnosed.push(request);
    return Promise.resolve(answer(request, isOld(request) ? { head: { latencyMs: 20 } } : {}));
  };
  const raw = { ...minute, endpoints: "/a\n/b", diagnose: "on-change" };
  const [first, second] = await compare(keepingTime({ ...ports, generateLoad }), raw);
  expect(
    diagnosed.map(({ endpoint, load }) => [
      endpointLabel(endpoint),
      "durationSeconds" in load && load.durationSeconds,
    ]),
  ).toEqual([
    ["50% /a, 50% /b", 25],
    ["50% /a, 50% /b", 25],
  ]);
  expect(Object.keys(first?.diagnosis ?? {})).toEqual(["base", "head"]);
  expect(second?.diagnosis).toBeUndefined();
});

test.for([
  { minutes: "15", parts: 2 },
  { minutes: "1.7", parts: 1 },
])(
  "a pair that seems slower gets a second part if $minutes minutes leave the time",
  async ({ minutes, parts }) => {
    const { ports } = comparingPorts();
    const old: LoadRequest[] = [];
    const generateLoad = (request: LoadRequest) => {
      const isOld = "durationSeconds" in request.load && request.load.durationSeconds >= 19;
      if (isOld) old.push(request);
      return Promise.resolve(answer(request, isOld ? { head: { latencyMs: 10.35 } } : {}));
    };
    const [first] = await compare(keepingTime({ ...ports, generateLoad }), {
      ...minute,
      "min-change": "3%",
      "max-minutes": minutes,
    });
    expect(old).toHaveLength(parts);
    expect(first?.aged?.parts).toHaveLength(parts);
  },
);

test.for([
  { diagnose: "on-change", opened: 1 },
  { diagnose: "never", opened: 0 },
])("memory that grows in an unchanged cell is looked into: $diagnose", async ({ diagnose, opened }) => {
  const made = comparingPorts();
  const purposes: string[] = [];
  let grown = 0;
  const { documents } = await measured(
    { ...minute, diagnose, endpoints: "/a\n/b" },
    {
      startApp: async (command, python, name) => {
        const app = await made.ports.startApp(command, python, name);
        return { ...app, peakMemoryBytes: () => 50e6 + (armIn(name) === "head" ? grown : 0) };
      },
      generateLoad: (request) => {
        grown += 400e6;
        return Promise.resolve(answer(request));
      },
      openProbe: (purpose) => {
        purposes.push(purpose);
        return Promise.resolve(fakeProbe(made.call));
      },
    },
  );
  expect(purposes.filter((each) => each === "memory")).toHaveLength(opened);
  expect(
    documents.map(({ diagnosis }) => diagnosis?.head?.unseen.filter((each) => each.includes("memory"))),
  ).toEqual(
    opened === 0
      ? [undefined, undefined]
      : [["the lines that keep memory: no process reported it in time"], undefined],
  );
});
