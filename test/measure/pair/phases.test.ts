import { describe, expect, test } from "vitest";
import type { AppServer } from "../../../src/ports/app.ts";
import type { DatabaseServer } from "../../../src/ports/database.ts";
import type { LoadRequest } from "../../../src/ports/load.ts";
import type { MeasurePorts } from "../../../src/ports/measure.ts";
import { answer } from "../fake-load.ts";
import { comparingPorts, phaseIn } from "../fake-ports.ts";
import { compare } from "../run-measure.ts";

/** Each server uses 1 s of CPU from one question to the next. */
function counting(): AppServer["cpuSeconds"] {
  let used = 0;
  return () => ++used;
}

/** Ports of a machine that shows all of its counters; k6 uses half a second of CPU in the closed phase. */
function watched(
  overrides: Partial<MeasurePorts> = {},
  databases: Partial<DatabaseServer> = {},
): MeasurePorts {
  const { ports } = comparingPorts();
  return {
    ...ports,
    startApp: async (...args) => ({ ...(await ports.startApp(...args)), cpuSeconds: counting() }),
    openDatabases: async (...args) => {
      return { ...(await ports.openDatabases(...args)), cpuSeconds: counting(), ...databases };
    },
    watchMachine: () => () => ({ totalSeconds: 12, busySeconds: 6.5, stealSeconds: 3 }),
    ...overrides,
  };
}

/** CPU seconds of k6 and both servers, and shares of a machine that had 12 s over all its CPUs. */
const allSeen = { generatorSeconds: 0.5, appSeconds: 2, stealShare: 3 / 12, foreignShare: 3 / 12 };

describe("conditions of the closed phase", () => {
  /** Shares of k6's and the app's CPUs as the seconds that they were on so many CPUs, to the millisecond. */
  async function conditionsOf(
    ports: MeasurePorts,
    raw: Record<string, string> = {},
    cpus = { app: 2, k6: 2 },
  ) {
    const [measurement] = await compare(ports, raw);
    const { generator, conditions = {} } = measurement?.replicates[0] ?? {};
    const seconds = generator?.durationSeconds ?? Number.NaN;
    const { generatorShare, appShare, ...others } = conditions;
    const secondsOf = (share: number, count: number) => Math.round(share * seconds * count * 1_000) / 1_000;
    return {
      ...(generatorShare !== undefined && { generatorSeconds: secondsOf(generatorShare, cpus.k6) }),
      ...(appShare !== undefined && { appSeconds: secondsOf(appShare, cpus.app) }),
      ...others,
    };
  }

  test("are shares of the whole machine when CPUs are not kept apart", async () => {
    expect(await conditionsOf(watched())).toEqual(allSeen);
  });

  test("are shares of the CPUs that each may use when they are", async () => {
    const cpuSets = { app: "0", others: "1-3" };
    expect(await conditionsOf(watched({ cpuSets }), {}, { app: 1, k6: 3 })).toEqual(allSeen);
  });

  test("without a database of ours nothing is taken off for it", async () => {
    const conditions = await conditionsOf(watched(), { database: "none" });
    expect(conditions).toEqual({ ...allSeen, foreignShare: 4 / 12 });
  });

  test("are never negative: clocks of several sources may differ a little", async () => {
    const watchMachine = () => () => ({ totalSeconds: 12, busySeconds: 1, stealSeconds: 0 });
    expect(await conditionsOf(watched({ watchMachine }))).toMatchObject({ foreignShare: 0, stealShare: 0 });
  });

  const { foreignShare: _, ...withoutForeign } = allSeen;
  const { generatorSeconds: __, ...withoutGenerator } = withoutForeign;
  const { appSeconds: ___, ...withoutApp } = withoutForeign;
  const { stealShare: ____, ...withoutSteal } = withoutForeign;

  test.for([
    { name: "the machine", ports: watched({ watchMachine: () => undefined }), left: withoutSteal },
    {
      name: "a database elsewhere",
      ports: watched({}, { cpuSeconds: () => undefined }),
      left: withoutForeign,
    },
    {
      name: "k6",
      ports: watched({
        generateLoad: (request) => Promise.resolve({ ...answer(request), cpuSeconds: undefined }),
      }),
      left: withoutGenerator,
    },
    { name: "the servers", ports: watched({ startApp: comparingPorts().ports.startApp }), left: withoutApp },
  ])("leave out what cannot be known of $name", async ({ ports, left }) => {
    expect(await conditionsOf(ports)).toEqual(left);
  });
});

test("the machine is watched over the closed phase, from the reset of the counters on", async () => {
  const made = comparingPorts();
  await compare({
    ...made.ports,
    watchMachine: () => {
      made.calls.push("watch");
      return () => {
        made.calls.push("watched");
        return { totalSeconds: 1, busySeconds: 1, stealSeconds: 0 };
      };
    },
  });
  const first = made.calls.indexOf("watch");
  expect(made.calls.slice(first - 1, first + 4)).toEqual([
    "reset statements",
    "watch",
    "load closed: constant, slices of 65 ms",
    "watched",
    "count statements",
  ]);
});

test("k6 gets its CPUs and both servers' addresses, and each arm's slices are kept in pairs", async () => {
  const requests: LoadRequest[] = [];
  const { ports } = comparingPorts({ cpuSets: { app: "0", others: "1" } });
  const [measurement] = await compare({
    ...ports,
    generateLoad: (request) => {
      requests.push(request);
      return Promise.resolve(answer(request, { head: { latencyMs: 20 } }));
    },
  });
  for (const request of requests) expect(request.cpus).toBe("1");
  const closed = requests.find(({ name }) => phaseIn(name) === "closed");
  expect(closed?.targets).toEqual([
    { arm: "base", baseUrl: "http://127.0.0.1:4002" },
    { arm: "head", baseUrl: "http://127.0.0.1:4001" },
  ]);
  const pairs = measurement?.replicates[0]?.pairs;
  expect(pairs?.sliceMs).toBe(closed?.sliceMs);
  expect(new Set(pairs?.arms.base.cycles)).toEqual(new Set([5]));
  expect(pairs?.arms.base.cycleMs[0]).toBe(50);
  expect(pairs?.arms.head.cycleMs[0]).toBe(100);
});
