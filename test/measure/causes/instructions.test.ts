import { describe, expect, test } from "vitest";

import { EnvironmentError } from "../../../src/errors/errors.ts";
import { countInstructions, secondsToCount } from "../../../src/measure/causes/instructions.ts";
import { prepare } from "../../../src/measure/preparation/index.ts";
import { byTurns, type Endpoint, endpointLabel } from "../../../src/model/endpoint/endpoint.ts";
import type { Measurement } from "../../../src/model/measurement/measurement.ts";
import { secondsForCounting } from "../../../src/model/plan/minutes.ts";
import { makePlan } from "../../../src/model/plan/plan.ts";
import type { MeasurePorts } from "../../../src/ports/measure.ts";
import { replicate } from "../../compare/two-arms.ts";
import { measurement } from "../../fixtures/measurement.ts";
import { armIn, comparingPorts } from "../fake-ports.ts";
import { compare, workloadOf } from "../run-measure.ts";

/** Instructions of a request in each arm, and of each second. */
const perRequest = { base: 4_000_000, head: 4_400_000 } as const;
const idle = 10_000;

const [items, orders]: readonly [Endpoint, Endpoint] = [
  { method: "GET", path: "/items" },
  { method: "GET", path: "/orders" },
];

interface Counting {
  readonly overrides?: Partial<MeasurePorts>;
  readonly raw?: Readonly<Record<string, string>>;
  readonly requestSeconds?: number;
  /** Status of the reply to a request. */
  readonly status?: (url: string, sent: number) => number;
  readonly seconds?: number;
  readonly documents?: (cells: readonly Measurement[]) => readonly Measurement[];
}

async function counted({
  overrides = {},
  raw = {},
  requestSeconds = 0.01,
  status = () => 200,
  seconds = 60,
  documents = (all) => all,
}: Counting = {}) {
  const made = comparingPorts();
  const steps: string[] = [];
  const requests = { base: 0, head: 0 };
  const armOf = new Map<string, "base" | "head">();
  let [now, sent, port] = [0, 0, 4_000];
  const ports: MeasurePorts = {
    ...made.ports,
    clock: () => now,
    freePort: () => {
      port += 1;
      return Promise.resolve(port);
    },
    countingProblem: () => Promise.resolve(undefined),
    openCounter: () => {
      let [arm, read]: ["base" | "head", number] = ["head", 0];
      return Promise.resolve({
        watch: (command) => {
          arm = command.folder === "/base" ? "base" : "head";
          armOf.set(command.baseUrl, arm);
          return { ...command, argv: ["counted", ...command.argv] as const, cpus: undefined };
        },
        begin: () => Promise.resolve(void steps.push(`begin ${arm}`)),
        read: () => {
          const instructions = (requests[arm] - read) * perRequest[arm];
          read = requests[arm];
          return Promise.resolve({
            instructions,
            libraries: new Map([
              ["libc", 1],
              ["Python", instructions],
            ]),
          });
        },
        idlePerSecond: () => {
          read = requests[arm];
          return Promise.resolve(idle);
        },
        [Symbol.asyncDispose]: () => Promise.resolve(void steps.push(`close ${arm}`)),
      });
    },
    startApp: (command, python, name) => {
      steps.push(`start ${armIn(name)} ${command.argv[0]}, seed ${command.layoutSeed}`);
      return made.ports.startApp(command, python, name);
    },
    sendRequest: ({ url, keepsConnection }) => {
      if (keepsConnection !== true) return Promise.resolve({ status: 200, body: "" });
      sent += 1;
      now += requestSeconds;
      requests[armOf.get(new URL(url).origin) ?? "head"] += 1;
      return Promise.resolve({ status: status(url, sent), body: "" });
    },
    ...overrides,
  };
  const workload = workloadOf({
    "base-ref": "main",
    workers: "1",
    "count-instructions": "auto",
    endpoints: "/items\n/orders",
    ...raw,
  });
  const cells = makePlan(workload).cells.map((cell) =>
    measurement({ cell, replicates: [replicate()], status: "measured" }),
  );
  await using ready = await prepare(workload, {}, ports);
  const found = await countInstructions(documents(cells), ready, seconds, ports);
  const told = found.map(({ cell, instructions }) => [endpointLabel(cell.endpoint), instructions] as const);
  return { ...made, told, steps, sent: () => sent };
}

test.for([
  { problem: undefined, counted: 1 },
  { problem: "Valgrind is not installed", counted: 0 },
])("times that are shown count on $counted endpoint: $problem", async ({ problem, counted }) => {
  const { ports, events } = comparingPorts({ countingProblem: () => Promise.resolve(problem) });
  await compare(ports, { "count-instructions": "auto", endpoints: "/items" });
  const [shown] = events.flatMap((event) => (event.kind === "plan" ? [event.plan] : []));
  expect(shown?.design?.countedEndpoints).toBe(counted);
});

test.for<[what: string, raw: Record<string, string>, problem: string | undefined, isCounting: boolean]>([
  ["where requests are counted", {}, undefined, true],
  ["that nobody wants counted", { "count-instructions": "never" }, undefined, false],
  ["where the machine cannot count", {}, "Valgrind is not installed", false],
])("minutes are kept: %s", async ([, raw, problem, isCounting]) => {
  const { ports } = comparingPorts();
  const workload = workloadOf({
    "base-ref": "main",
    "count-instructions": "auto",
    endpoints: "/items",
    ...raw,
  });
  const { cells } = makePlan(workload);
  await using ready = await prepare(workload, {}, ports);
  const countingProblem = () => Promise.resolve(problem);
  const seconds = await secondsToCount(cells, { maxMinutes: 12 }, ready, { countingProblem });
  expect(seconds).toBe(isCounting ? secondsForCounting(1, 12) : 0);
});

test("each endpoint's requests are counted in both arms, on two starts with a seed of their own", async () => {
  const { told, steps, calls } = await counted();
  expect(told.map(([endpoint]) => endpoint)).toEqual(["/items", "/orders"]);
  for (const [, instructions] of told) {
    if (instructions === undefined || !("starts" in instructions)) throw new Error("not counted");
    expect(instructions.starts.map(({ hashSeed }) => hashSeed)).toEqual([0, 1]);
    for (const { requests, base, head } of instructions.starts) {
      expect(base.batches).toEqual(Array.from({ length: 4 }, () => requests * perRequest.base));
      expect(head.batches).toEqual(Array.from({ length: 4 }, () => requests * perRequest.head));
      expect(base.idlePerSecond).toEqual([idle, idle]);
    }
  }
  expect(steps).toEqual([
    ...["start base counted, seed 0", "start head counted, seed 0"],
    ...["begin base", "begin head", "close base", "close head"],
    ...["start base counted, seed 1", "start head counted, seed 1"],
    ...["begin base", "begin head", "close base", "close head"],
  ]);
  expect(calls.filter((call) => call.startsWith("save"))).toHaveLength(2);
});

test("a slow request is sent seldom, a fast one often, and never without end", async () => {
  const requestsAt = async (requestSeconds: number) => {
    const [first] = (await counted({ requestSeconds })).told;
    const instructions = first?.[1];
    return instructions && "starts" in instructions ? instructions.starts[0]?.requests : instructions;
  };
  expect(await requestsAt(0.000_1)).toBe(50);
  expect(await requestsAt(0.01)).toBe(15);
  expect(await requestsAt(0.4)).toBe(3);
  expect(await requestsAt(3)).toEqual({
    unseen: "a request takes too long while its instructions are counted",
  });
});

describe("nothing is counted", () => {
  test.each([
    ["that nobody wants", { raw: { "count-instructions": "never" } }],
    [
      "of a cell that was not measured",
      { documents: (all) => all.map((each) => ({ ...each, status: "failed" })) },
    ],
    ["of one arm", { documents: (all) => all.map((each) => ({ ...each, replicates: [] })) }],
    [
      "of a mix, whose requests chance chooses",
      {
        documents: (all) =>
          all.map((each) => ({
            ...each,
            cell: { ...each.cell, endpoint: byTurns([items, orders]) ?? items },
          })),
      },
    ],
    ["once it is cancelled", { overrides: { signal: AbortSignal.abort() } }],
  ] satisfies [string, Counting][])("%s", async (_, options) => {
    const { told, steps } = await counted(options);
    expect(told.map(([, instructions]) => instructions)).toEqual([undefined, undefined]);
    expect(steps).toEqual([]);
  });

  test("where the machine cannot, and each document says why", async () => {
    const { told, steps } = await counted({
      overrides: { countingProblem: () => Promise.resolve("Valgrind is not installed") },
    });
    expect(told.map(([, instructions]) => instructions)).toEqual([
      { unseen: "Valgrind is not installed" },
      { unseen: "Valgrind is not installed" },
    ]);
    expect(steps).toEqual([]);
  });

  test("of the endpoints for which the minutes are too few", async () => {
    const late = { unseen: "`max-minutes` left no time" };
    const { told } = await counted({ seconds: 14 });
    expect(told.map(([, instructions]) => instructions)).toEqual([
      { starts: [{}, {}].map(() => expect.anything()) },
      late,
    ]);
    const none = await counted({ seconds: 13.9 });
    expect(none.told.map(([, instructions]) => instructions)).toEqual([late, late]);
    expect(none.steps).toEqual([]);
  });

  test("of an app that does not start there, and it is not tried again", async () => {
    const error = new EnvironmentError("start app", "server was not ready after 60.0 s");
    const { told } = await counted({ overrides: { startApp: () => Promise.reject(error) } });
    expect(told.map(([, instructions]) => instructions)).toEqual([
      { unseen: "start app: server was not ready after 60.0 s" },
      { unseen: "start app: server was not ready after 60.0 s" },
    ]);
  });

  test("of an endpoint that fails there, and the others are", async () => {
    const { told } = await counted({ status: (url) => (url.endsWith("/items") ? 504 : 200) });
    const [ofItems, ofOrders] = told.map(([, instructions]) => instructions);
    expect(ofItems).toMatchObject({ unseen: expect.stringContaining("/items answered 504") });
    expect(ofOrders).toMatchObject({ starts: [{ hashSeed: 0 }, { hashSeed: 1 }] });
  });

  test("once the user cancels in the midst of it", async () => {
    const cancelling = new AbortController();
    const { told, calls } = await counted({
      overrides: { signal: cancelling.signal },
      status: (_, number) => {
        if (number === 100) cancelling.abort();
        return 200;
      },
    });
    expect(told.map(([, instructions]) => instructions)).toEqual([undefined, undefined]);
    expect(calls.filter((call) => call.startsWith("save"))).toEqual([]);
  });

  test("of a cell beside those that are", async () => {
    const { told } = await counted({
      documents: ([first, ...others]) => [
        ...(first === undefined ? [] : [{ ...first, status: "failed" as const }]),
        ...others,
      ],
    });
    expect(told.map(([, instructions]) => instructions === undefined)).toEqual([true, false]);
  });

  test("of an endpoint that fails at the second start, whatever the first one showed", async () => {
    const { told, sent } = await counted({ raw: { endpoints: "/items" } });
    expect(told[0]?.[1]).toMatchObject({ starts: [{}, {}] });
    const late = await counted({
      raw: { endpoints: "/items" },
      status: (_, number) => (number > sent() - 2 ? 500 : 200),
    });
    expect(late.told[0]?.[1]).toMatchObject({ unseen: expect.stringContaining("500") });
  });
});
