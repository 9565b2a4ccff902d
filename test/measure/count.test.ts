import { expect, test } from "vitest";

import { countAll } from "../../src/commands/bisected-commit.ts";
import { parseConfigurationFile } from "../../src/config/file/configuration-file.ts";
import { countAlone } from "../../src/measure/count.ts";
import { byTurns } from "../../src/model/endpoint/endpoint.ts";
import { makePlan } from "../../src/model/plan/plan.ts";
import type { MeasurePorts } from "../../src/ports/measure.ts";
import type { RunPorts } from "../../src/ports/run.ts";
import { comparingPorts } from "./fake-ports.ts";
import { workloadOf } from "./run-measure.ts";

/** Ports whose counters show so many instructions for each of the head's requests, and 4 million for the base's. */
function countingPorts(head: number, overrides: Partial<MeasurePorts> = {}) {
  const made = comparingPorts();
  const armOf = new Map<string, "base" | "head">();
  const requests = { base: 0, head: 0 };
  let port = 4_000;
  const ports: MeasurePorts = {
    ...made.ports,
    freePort: () => {
      port += 1;
      return Promise.resolve(port);
    },
    countingProblem: () => Promise.resolve(undefined),
    openCounter: () => {
      let arm: "base" | "head" = "head";
      const read = () => {
        const instructions = requests[arm] * (arm === "base" ? 4e6 : head);
        requests[arm] = 0;
        return Promise.resolve({ instructions, libraries: new Map<string, number>() });
      };
      return Promise.resolve({
        watch: (command) => {
          arm = command.folder === "/base" ? "base" : "head";
          armOf.set(command.baseUrl, arm);
          return command;
        },
        begin: () => Promise.resolve(),
        read,
        idlePerSecond: () => read().then(() => 0),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      });
    },
    sendRequest: ({ url, keepsConnection }) => {
      if (keepsConnection === true) requests[armOf.get(new URL(url).origin) ?? "head"] += 1;
      return Promise.resolve({ status: 200, body: "" });
    },
    ...overrides,
  };
  return { ...made, ports };
}

const raw = { "base-ref": "main", workers: "1", endpoints: "/items" };
const counted = (ports: MeasurePorts) => {
  const workload = workloadOf(raw);
  const [cell] = makePlan(workload).cells;
  if (cell === undefined) throw new Error("there is a cell");
  return countAlone(cell, workload, ports);
};

test("a commit's requests are counted next to its base's, and nothing else is measured", async () => {
  const { ports, calls } = countingPorts(4.4e6);
  const found = await counted(ports);
  if (!("starts" in found)) throw new Error(found.unseen);
  expect(found.starts).toHaveLength(2);
  for (const { requests, base, head } of found.starts) {
    expect(base.batches[0]).toBe(requests * 4e6);
    expect(head.batches[0]).toBe(requests * 4.4e6);
  }
  expect(calls.filter((call) => /^(?:save|load)/.test(call))).toEqual([]);
});

test.for<[what: string, overrides: Partial<MeasurePorts>, reason: string]>([
  [
    "without Valgrind",
    { countingProblem: async () => "Valgrind is not installed" },
    "Valgrind is not installed",
  ],
  [
    "without a base",
    { openBase: async () => ({ kind: "none", reason: "no such ref", logTail: "" }) },
    "no such ref",
  ],
  ["once it is cancelled", { signal: AbortSignal.abort() }, "it was cancelled"],
])("nothing is counted %s", async ([, overrides, reason]) => {
  expect(await counted(countingPorts(4e6, overrides).ports)).toEqual({ unseen: reason });
});

test("requests that chance chooses are not counted", async () => {
  const workload = workloadOf(raw);
  const [cell] = makePlan(workload).cells;
  const mix = byTurns([
    { method: "GET", path: "/items" },
    { method: "GET", path: "/orders" },
  ]);
  if (cell === undefined || mix === undefined) throw new Error("there is a cell");
  expect(await countAlone({ ...cell, endpoint: mix }, workload, countingPorts(4e6).ports)).toHaveProperty(
    "unseen",
  );
});

test("the change of the first cell is that of its instructions", async () => {
  const files = {
    resolve: (path: string) => path,
    isFile: () => true,
    isFolder: () => true,
    findApps: () => [],
  };
  const ports = {
    environment: {},
    request: {
      files,
      pullRequest: { kind: "none", reason: "" },
      unpackPlan: (text: string) => text,
      readConfigurationFile: async () =>
        parseConfigurationFile(
          "loadtest.yml",
          "/repo",
          "app: app.main:app\nendpoints: [/items]\nworkers: [1]\n",
        ),
    },
    endpointPorts: () => ({}),
    measurePorts: async () => countingPorts(4.4e6).ports,
  } as unknown as RunPorts;
  const change = (base: string) => countAll({ "base-ref": base }, ports, (apps) => apps);
  expect(await change("main")).toMatchObject({ kind: "more", arms: { base: 4e6, head: 4.4e6 } });
  expect(await change("none")).toBe("there is nothing to compare");
});
