import { describe, expect, test } from "vitest";
import { EnvironmentError, InputError, type ProgressEvent, type ServerCommand } from "../../../src/engine.ts";
import { lateOutput } from "../../../test/measure/fake-load.ts";
import { recordingPorts } from "../../../test/measure/fake-ports.ts";
import { readyCases, runCases } from "../../commands/cases.ts";
import type { Scenario, ScenarioCase } from "../../scenario/scenario.ts";

const files = {
  resolve: (path: string) => `/repo/${path}`,
  isFile: () => false,
  isFolder: () => true,
  findApps: () => [],
};

function scenario(...cases: Partial<ScenarioCase>[]): Scenario {
  const whole = cases.map((each, index) => ({
    id: `case ${index}`,
    also: [],
    inputs: { app: "a:b", database: "none", workers: "1" },
    parameters: {},
    facts: {},
    beside: undefined,
    turns: 1,
    ...each,
  }));
  return { name: "x", title: "T", report: "r", cases: whole, claims: {} };
}

describe("readyCases", () => {
  test("names the file, the case and the input of everything that is wrong", () => {
    const wrong = scenario({ inputs: { app: "a:b", vus: "many" } }, {}, { inputs: { workers: "0" } });
    expect(() => readyCases(wrong, files)).toThrow(InputError);
    expect(() => readyCases(wrong, files)).toThrow(
      /x\.yml: case 0: vus: .*\n.*x\.yml: case 2: app: required.*\n.*case 2: workers/,
    );
  });

  test("an error that nobody foresaw is not taken for a wrong input", () => {
    const broken = { ...files, isFolder: () => expect.unreachable("disk gone") };
    expect(() => readyCases(scenario({ inputs: { app: "a:b", "working-directory": "x" } }), broken)).toThrow(
      "disk gone",
    );
  });
});

describe("runCases", () => {
  const run = (of: Scenario, overrides = {}) => {
    const made = recordingPorts(overrides);
    return { ...made, done: runCases(readyCases(of, files), made.ports) };
  };

  test("measures one after another, with documents of their own", async () => {
    const { done, saved, events, calls } = run(
      scenario({ also: ["alias"], parameters: { S: 2 }, facts: { a: "b" } }, {}),
    );
    const [first, second] = await done;
    expect(first?.cases[0]).toMatchObject({ kind: "measured", id: "case 0", parameters: { S: 2, VUs: 8 } });
    expect(first?.cases[1]).toMatchObject({ kind: "measured", id: "alias", parameters: { S: 2 } });
    expect(second?.cases[0]).toMatchObject({ kind: "measured", id: "case 1", facts: {} });
    expect([...saved.keys()].map((name) => name.split("/")[0])).toContain("case-1");
    expect(calls).toContain("clear results case-1");
    expect(events).toContainEqual(expect.objectContaining({ kind: "cell finished", index: 1, total: 2 }));
  });

  test("neighbours take turns, there and back, and each is judged by all of its turns", async () => {
    const order: string[] = [];
    const { done, saved } = run(scenario({ turns: 2 }, { turns: 2 }, {}), {
      progress: (event: ProgressEvent) => {
        if (event.kind === "step" && event.text.startsWith("case")) order.push(event.text);
      },
    });
    const [first, second, third] = await done;
    expect(order).toEqual([
      "case 0 (1 of 3, turn 1 of 2)",
      "case 1 (2 of 3, turn 1 of 2)",
      "case 1 (2 of 3, turn 2 of 2)",
      "case 0 (1 of 3, turn 2 of 2)",
      "case 2 (3 of 3)",
    ]);
    const counts = [first, second, third].map((each) => each?.measurement?.replicates.length);
    expect(counts).toEqual([2, 2, 1]);
    const once = third?.cases[0];
    const twice = first?.cases[0];
    if (once?.kind !== "measured" || twice?.kind !== "measured") throw new Error("not measured");
    expect(twice.figures["reqs"]).toBe(2 * (once.figures["reqs"] ?? 0));
    expect(twice.figures["rps"]).toBeCloseTo(once.figures["rps"] ?? 0, 9);
    const folders = new Set([...saved.keys()].map((name) => name.split("/")[0]));
    expect(folders).toEqual(new Set(["case-0", "case-1", "case-1-turn-2", "case-0-turn-2", "case-2"]));
  });

  test("a turn that failed decides: the others would be of another time", async () => {
    let starts = 0;
    const { ports } = recordingPorts();
    const { done } = run(scenario({ turns: 3 }), {
      startApp: async (...args: Parameters<typeof ports.startApp>) => {
        starts += 1;
        if (starts === 2) throw new EnvironmentError("start app", "it did not start");
        return ports.startApp(...args);
      },
    });
    const [only] = await done;
    expect(only?.cases).toEqual([
      { kind: "not measured", id: "case 0", reason: expect.stringContaining("it did not start") },
    ]);
    expect(starts).toBe(3);
  });

  test("a case that was cancelled between its turns is not judged by the first of them", async () => {
    const cancel = new AbortController();
    let starts = 0;
    const { ports } = recordingPorts();
    const { done } = run(scenario({ turns: 2 }, { turns: 2 }, {}), {
      signal: cancel.signal,
      startApp: async (...args: Parameters<typeof ports.startApp>) => {
        starts += 1;
        if (starts === 3) cancel.abort(new Error("cancelled by the user"));
        return ports.startApp(...args);
      },
    });
    const cases = (await done).flatMap((each) => each.cases);
    expect(cases.map(({ id, kind }) => [id, kind])).toEqual([
      ["case 0", "not measured"],
      ["case 1", "measured"], // which had both of its turns
    ]);
    expect(starts).toBe(3);
  });

  test("a server leaves while the next one starts, and is gone before that one's load", async () => {
    const order: string[] = [];
    const { ports } = recordingPorts();
    let letStop: () => void = () => undefined;
    const stopped = new Promise<void>((done) => (letStop = done));
    let starts = 0;
    const { done } = run(scenario({}, {}), {
      startApp: async (...args: Parameters<typeof ports.startApp>) => {
        const number = ++starts;
        order.push(`start ${number}`);
        if (number === 2) setTimeout(letStop, 20);
        const stop = async () => {
          await stopped;
          order.push(`stopped ${number}`);
        };
        return { ...(await ports.startApp(...args)), [Symbol.asyncDispose]: stop };
      },
      generateLoad: (...args: Parameters<typeof ports.generateLoad>) => {
        if (!args[0].name.endsWith("-warmup")) order.push(`load ${starts}`);
        return ports.generateLoad(...args);
      },
    });
    await done;
    expect(order).toEqual(["start 1", "load 1", "start 2", "stopped 1", "load 2", "stopped 2"]);
  });

  test("a server that does not stop is told", async () => {
    const { ports } = recordingPorts();
    const stop = () => Promise.reject(new Error("cannot stop"));
    const { done } = run(scenario({}), {
      startApp: async (...args: Parameters<typeof ports.startApp>) => ({
        ...(await ports.startApp(...args)),
        [Symbol.asyncDispose]: stop,
      }),
    });
    await expect(done).rejects.toThrow("cannot stop");
  });

  test("keeps CPUs apart for the cases that want it", async () => {
    const inputs = { app: "a:b", database: "none", workers: "1" };
    const cpus: (string | undefined)[] = [];
    const { done } = run(scenario({}, { inputs: { ...inputs, "separate-cpus": "false" } }), {
      cpuSets: { app: "1", others: "0" },
      startApp: (command: ServerCommand) => {
        cpus.push(command.cpus);
        return Promise.reject(new EnvironmentError("start app", "seen"));
      },
    });
    await done;
    expect(cpus).toEqual(["1", undefined]);
  });

  test("starts what runs beside the app, says its URL to the app and ends it", async () => {
    const { done, calls } = run(
      scenario({ beside: { command: "fake --port {port}", variable: "FAKE_URL" } }),
    );
    expect((await done)[0]?.cases[0]?.kind).toBe("measured");
    const starts = calls.filter((each) => /^(start|stop) /.test(each));
    expect(starts[0]).toBe("start fake --port 4000");
    expect(starts.slice(-2)).toEqual(["stop app", "stop app"]);
  });

  test.for([
    {
      name: "an app that cannot be imported",
      overrides: { tryImport: async () => ({ problem: "no module named a" }) },
      reason: "app: no module named a",
    },
    {
      name: "a server that is not installed",
      overrides: { startApp: () => Promise.reject(new EnvironmentError("start app", "program not found")) },
      reason: "program not found",
    },
    {
      name: "no Python",
      overrides: { preparePython: () => Promise.reject(new EnvironmentError("install", "no Python")) },
      reason: "no Python",
    },
  ])("$name costs the case and is said", async ({ overrides, reason }) => {
    const { done } = run(scenario({}, {}), overrides);
    const cases = (await done).flatMap((each) => each.cases);
    expect(cases).toHaveLength(2);
    for (const each of cases)
      expect(each).toMatchObject({ kind: "not measured", reason: expect.stringContaining(reason) });
  });

  test("what runs beside the app and does not start costs the case", async () => {
    const beside = { command: "fake --port {port}", variable: "FAKE_URL" };
    const { done } = run(scenario({ beside }), {
      startApp: () => Promise.reject(new EnvironmentError("start app", "no fake")),
    });
    expect((await done)[0]?.cases[0]).toMatchObject({ kind: "not measured", reason: "start app: no fake" });
  });

  test("an error that nobody foresaw is not taken for a case's", async () => {
    const { done } = run(scenario({}), { save: () => Promise.reject(new Error("disk full")) });
    await expect(done).rejects.toThrow("disk full");
  });

  test("a case that was cancelled before it was measured says so", async () => {
    const controller = new AbortController();
    const { done } = run(scenario({}), {
      signal: controller.signal,
      findGenerator: () => {
        controller.abort();
        return Promise.resolve("2.2.0");
      },
    });
    expect((await done)[0]?.cases[0]).toMatchObject({ kind: "not measured", reason: "cancelled" });
  });

  test("where nobody waits for late replies, they are not counted", async () => {
    const inputs = { app: "a:b", database: "none", workers: "1", duration: "1s", warmup: "0s" };
    const late = () => Promise.resolve(lateOutput());
    const counted = async (more: Record<string, string>) => {
      const { done } = run(scenario({ inputs: { ...inputs, ...more } }), { generateLoad: late });
      return (await done)[0]?.measurement?.replicates[0]?.arms.head?.statuses;
    };
    expect(await counted({})).toEqual({ "200": 6 });
    expect(await counted({ "graceful-stop": "0s" })).toEqual({ "200": 5 });
  });

  test("ends when the user cancels", async () => {
    const controller = new AbortController();
    controller.abort();
    const { done } = run(scenario({}), { signal: controller.signal });
    expect(await done).toEqual([]);
  });
});
