import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";

import { runningArmOf } from "../../../src/measure/pair/running-arms.ts";
import type { ServerCommand } from "../../../src/ports/app.ts";
import type { DatabaseServer } from "../../../src/ports/database.ts";
import type { MachinePorts } from "../../../src/ports/machine.ts";
import { comparingPorts } from "../fake-ports.ts";
import { compare, run } from "../run-measure.ts";

/** The commands of all servers that were started, by the folder of their arm. */
async function startsOf(
  raw: Record<string, string>,
  sourceOf: Parameters<typeof comparingPorts>[1] = {},
  machine: Partial<MachinePorts> = {},
) {
  const commands: ServerCommand[] = [];
  const { calls, ports } = comparingPorts({ cpuSets: { app: "0", others: "1" }, ...machine }, sourceOf);
  await compare(
    {
      ...ports,
      startApp: (command, python, name) => {
        commands.push(command);
        return ports.startApp(command, python, name);
      },
    },
    raw,
  );
  return {
    calls,
    heads: commands.filter(({ folder }) => folder !== "/base"),
    bases: commands.filter(({ folder }) => folder === "/base"),
  };
}

test("each arm is started from its own folder, with its own database, on the app's CPUs", async () => {
  const { heads, bases } = await startsOf({ "app-env": "MODE=fast", "working-directory": "/head" });
  expect(heads).toHaveLength(3);
  expect(bases).toHaveLength(3);
  for (const command of [...heads, ...bases]) {
    expect(command.cpus).toBe("0");
    expect(command.variables).toMatchObject({ MODE: "fast", DATABASE_URL: "postgresql://copy" });
    expect(command.baseUrl).toBe(`http://127.0.0.1:${command.argv[command.argv.indexOf("--port") + 1]}`);
  }
  expect(heads[0]?.folder).toBe("/head");
  const seeds = (commands: readonly ServerCommand[]) =>
    commands.map(({ variables }) => variables["PYTHONHASHSEED"]);
  expect(seeds(heads)).toEqual(seeds(bases));
  expect(new Set(seeds(heads)).size).toBe(3);
});

test.for([true, false])(
  "both arms have one address layout, another in each replicate, if the machine can: %s",
  async (canShareLayout) => {
    const { heads, bases } = await startsOf({}, {}, { canShareLayout });
    const layouts = (commands: readonly ServerCommand[]) => commands.map(({ layoutSeed }) => layoutSeed);
    expect(layouts(heads)).toEqual(layouts(bases));
    expect(new Set(layouts(heads)).size).toBe(canShareLayout ? 3 : 1);
    if (!canShareLayout) expect(layouts(heads).every((each) => each === undefined)).toBe(true);
  },
);

test.for<[base: boolean, head: boolean, isAlike: true | undefined]>([
  [true, true, true],
  [true, false, undefined],
  [false, false, undefined],
])("a replicate says whether its servers had it: base %s, head %s", async ([base, head, isAlike]) => {
  const { ports } = comparingPorts();
  const [measurement] = await compare({
    ...ports,
    startApp: async (command, python, name) => ({
      ...(await ports.startApp(command, python, name)),
      isLaidOut: command.folder === "/base" ? base : head,
    }),
  });
  const said = measurement?.replicates.map(({ isLaidOutAlike }) => isLaidOutAlike) ?? [];
  expect([said.length >= 3, new Set(said)]).toEqual([true, new Set([isAlike])]);
});

test("a hash seed of the caller's own stays", async () => {
  const { heads, bases } = await startsOf({ "app-env": "PYTHONHASHSEED=1" });
  for (const { variables } of [...heads, ...bases]) expect(variables["PYTHONHASHSEED"]).toBe("1");
});

test("the caller's port is the head's; the base gets a free one, and the next servers wait for it", async () => {
  const { calls, heads, bases } = await startsOf({ port: "8000" });
  for (const { baseUrl } of heads) expect(baseUrl).toBe("http://127.0.0.1:8000");
  for (const { baseUrl } of bases) expect(baseUrl).toMatch(/:400\d$/);
  const servers = calls
    .filter((call) => /^(start (base|head)|stop (base|head))/.test(call))
    .map((call) => call.slice(0, 5));
  expect(servers).toEqual(Array(3).fill(["start", "start", "stop ", "stop "]).flat());
});

test("an app without a database gets no URL of one", async () => {
  const { calls, heads, bases } = await startsOf({ database: "none" });
  expect(calls).not.toContain("copy database");
  for (const { variables } of [...heads, ...bases])
    expect(Object.keys(variables)).not.toContain("DATABASE_URL");
});

describe("what one arm opened is closed when the other fails", () => {
  test("to get its database", async () => {
    const { calls, ports } = comparingPorts();
    let copies = 0;
    const openDatabases: typeof ports.openDatabases = async (...args) => {
      const server: DatabaseServer = await ports.openDatabases(...args);
      return {
        ...server,
        seed: async (seed) => {
          const template = await server.seed(seed);
          const copy = () => (++copies === 2 ? Promise.reject(new TypeError("oops")) : template.copy());
          return { copy };
        },
      };
    };
    await expect(compare({ ...ports, openDatabases })).rejects.toThrow("oops");
    expect(calls.filter((call) => /^(start (base|head)|stop|drop|remove)/.test(call))).toEqual([
      "start head, seed 0",
      "stop head",
      "drop database",
      "stop postgres",
      "remove worktree",
    ]);
  });

  test("to stop: its database goes all the same, and it is told", async () => {
    const { calls, ports } = comparingPorts();
    let starts = 0;
    const measuring = compare({
      ...ports,
      startApp: async (...args) => {
        const server = await ports.startApp(...args);
        const stop = () => Promise.reject(new Error("cannot stop"));
        return ++starts === 6 ? { ...server, [Symbol.asyncDispose]: stop } : server;
      },
    });
    await expect(measuring).rejects.toThrow("cannot stop");
    expect(calls.filter((call) => call === "drop database")).toHaveLength(6);
    expect(calls.slice(-2)).toEqual(["stop postgres", "remove worktree"]);
  });
});

test("the next start's copies are made while the servers start, and are there before the load", async () => {
  const { calls, ports } = comparingPorts();
  const openDatabases: typeof ports.openDatabases = async (...args) => {
    const server: DatabaseServer = await ports.openDatabases(...args);
    const prepareCopy = async () => {
      calls.push("prepare copy");
      await delay(20);
      calls.push("copy prepared");
    };
    return { ...server, seed: async (seed) => ({ ...(await server.seed(seed)), prepareCopy }) };
  };
  await compare({ ...ports, openDatabases });
  const first = calls.slice(
    calls.indexOf("copy database"),
    calls.findIndex((call) => call.startsWith("load")),
  );
  const last = (text: string) => first.findLastIndex((call) => call.startsWith(text));
  expect(first.filter((call) => call === "copy prepared")).toHaveLength(2);
  expect(last("copy database")).toBeLessThan(first.indexOf("prepare copy"));
  expect(last("start ")).toBeLessThan(first.indexOf("copy prepared"));
});

test("without a base asked for nobody looks for one", async () => {
  const { calls, ports } = comparingPorts();
  const [measurement] = await run(ports);
  expect(calls).not.toContain("open base");
  expect(measurement?.loneArm).toBeUndefined();
  expect(measurement?.commits).toEqual({ head: "0123abc" });
});

test("asking for a server that was not started is a fault of ours", () => {
  expect(() => runningArmOf(new Map(), "base")).toThrow("no server of base was started");
});
