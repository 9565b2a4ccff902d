import { describe, expect, test } from "vitest";

import { EnvironmentError } from "../../src/errors/errors.ts";
import { endpointLabel } from "../../src/model/endpoint/endpoint.ts";
import type { LoadRequest } from "../../src/ports/load.ts";
import { loadOutput } from "./fake-load.ts";
import { recordingPorts } from "./fake-ports.ts";
import { run } from "./run-measure.ts";

test.for([
  { name: "kept apart", cpuSets: { app: "0", others: "1-3" }, expected: { appCpus: "0", otherCpus: "1-3" } },
  { name: "not kept apart", cpuSets: undefined, expected: {} },
])("writes down which CPUs were whose: $name", async ({ cpuSets, expected }) => {
  const [measurement] = await run(recordingPorts({ cpuSets }).ports);
  const { appCpus, otherCpus } = measurement?.environment ?? {};
  expect({ appCpus, otherCpus }).toEqual(expected);
});

test("warms up, measures, then cleans up in reverse order", async () => {
  const { calls, ports } = recordingPorts();
  const [measurement] = await run(ports);
  expect(measurement).toMatchObject({
    status: "measured",
    commits: { head: "0123abc" },
    environment: { k6: "2.2.0", postgres: "18.4", eventLoop: "asyncio" },
    replicates: [
      { arms: { head: { sqlStatements: 20, sqlRows: 30, sqlBlocks: 40, peakMemoryBytes: 1_000 } } },
    ],
  });
  expect(measurement?.loneArm).toBeUndefined();
  expect(calls).toMatchInlineSnapshot(`
    [
      "clear results",
      "save plan.json",
      "find k6",
      "install",
      "import app",
      "start postgres",
      "seed",
      "copy database",
      "start uvicorn app.main:app --host 127.0.0.1 --port 4000 --workers 2 --no-access-log",
      "try GET /",
      "load / constant",
      "reset statements",
      "load / constant",
      "count statements",
      "stop app",
      "drop database",
      "save cells/get-w2.json",
      "stop postgres",
    ]
  `);
});

describe("what k6 is asked for", () => {
  /** The requests of a cell's warm-up and load. */
  async function requestsFor(raw: Record<string, string>) {
    const requests: LoadRequest[] = [];
    const { ports } = recordingPorts();
    const generateLoad = (request: LoadRequest) => {
      requests.push(request);
      return Promise.resolve(loadOutput(10));
    };
    const [measurement] = await run({ ...ports, generateLoad }, raw);
    return { requests, measurement };
  }

  test("its own figures of an iteration, but not of the warm-up", async () => {
    const { requests, measurement } = await requestsFor({ iteration: "/a\nsleep 100ms\n/b" });
    expect(requests.map(({ detailed }) => detailed)).toEqual([undefined, true]);
    const steps = [{ method: "GET", path: "/a" }, { pauseSeconds: 0.1 }, { method: "GET", path: "/b" }];
    for (const { endpoint } of requests) expect(endpoint).toEqual({ steps });
    expect(measurement?.replicates[0]?.generator.details).toMatchObject({
      iterationsPerSecond: 10,
      iterationDuration: { medMs: 2 },
    });
  });

  test("not of one endpoint, where they say nothing new", async () => {
    const { requests, measurement } = await requestsFor({});
    expect(requests.map(({ detailed }) => detailed === true)).toEqual([false, false]);
    expect(measurement?.replicates[0]?.generator).not.toHaveProperty("details");
  });

  test("the same connections in the warm-up as in the load", async () => {
    const { requests } = await requestsFor({
      connections: "new",
      requests: "50",
      vus: "20",
      "first-request-alone": "true",
    });
    expect(requests.map(({ load }) => load)).toEqual([
      { kind: "constant", virtualUsers: 20, durationSeconds: 0.2, connections: "new" },
      { kind: "requests", virtualUsers: 20, requests: 50, firstRequestAlone: true, connections: "new" },
    ]);
  });
});

describe("bad input found late", () => {
  test.for([
    {
      name: "an app that cannot be imported",
      overrides: { tryImport: async () => ({ problem: "no module named app" }) },
      message: "app: no module named app",
    },
    {
      name: "a port that is taken",
      overrides: { portProblem: () => Promise.resolve("4000 is taken by nginx") },
      message: "port: 4000 is taken by nginx",
    },
  ])("$name stops everything before anything is started", async ({ overrides, message }) => {
    const { calls, ports } = recordingPorts(overrides);
    await expect(run(ports, { port: "4000" })).rejects.toThrow(message);
    expect(calls.filter((call) => call.startsWith("start"))).toEqual([]);
  });
});

describe("a failure", () => {
  const broken = new EnvironmentError("start app", "server exited (code 0) before it became ready", {
    logTail: "Traceback",
  });

  test("of one cell keeps the others, and is written down", async () => {
    let starts = 0;
    const { ports: good } = recordingPorts();
    const { calls, ports } = recordingPorts({
      startApp: (...args) => (starts++ === 0 ? Promise.reject(broken) : good.startApp(...args)),
    });
    const measurements = await run(ports, { workers: "2,1" });
    expect(measurements.map(({ status, failure }) => [status, failure])).toEqual([
      ["failed", { phase: "start app", reason: broken.message, logTail: "Traceback" }],
      ["measured", undefined],
    ]);
    expect(calls.filter((call) => call === "drop database")).toHaveLength(2);
  });

  test("F11: of an app whose database had no connection left says so", async () => {
    const logTail = "psycopg.OperationalError: FATAL:  sorry, too many clients already";
    const refused = new EnvironmentError("start app", "server exited (code 3)", { logTail });
    const { ports } = recordingPorts({ startApp: () => Promise.reject(refused) });
    const [measurement] = await run(ports);
    expect(measurement?.failure?.reason).toMatch(
      /^server exited \(code 3\); the database ran out of connections: .* or raise its `max_connections`$/,
    );
  });

  test("of the database fails every cell", async () => {
    const { saved, ports } = recordingPorts({
      openDatabases: () => Promise.reject(new EnvironmentError("seed", "02-seed.sql:3: syntax error")),
    });
    const measurements = await run(ports, { workers: "1,2" });
    expect(measurements.map(({ failure }) => failure?.reason)).toEqual(
      Array(2).fill("02-seed.sql:3: syntax error"),
    );
    expect([...saved.keys()].filter((name) => name.startsWith("cells/"))).toHaveLength(2);
  });

  test("in the middle of the load stops k6 and shows the end of the server's log", async () => {
    const { ports: good } = recordingPorts();
    let stopped = false;
    const { ports } = recordingPorts({
      startApp: async (...args) => ({
        ...(await good.startApp(...args)),
        failure: Promise.resolve("server exited (signal SIGKILL)"),
        logTail: () => "last words",
      }),
      generateLoad: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            stopped = true;
            reject(signal.reason);
          });
        }),
    });
    const [measurement] = await run(ports);
    expect(measurement?.failure).toEqual({
      phase: "warm up",
      reason: "server exited (signal SIGKILL)",
      logTail: "last words",
    });
    expect(stopped).toBe(true);
  });

  test("in the load's last moment, which nobody has told yet when k6 ends, is a failure all the same", async () => {
    const { ports: good } = recordingPorts();
    let loads = 0;
    const { ports } = recordingPorts({
      startApp: async (...args) => ({
        ...(await good.startApp(...args)),
        failureNow: () => Promise.resolve(loads < 2 ? undefined : "worker process 7 ended"),
        logTail: () => "last words",
      }),
      generateLoad: (...args) => {
        loads += 1;
        return good.generateLoad(...args);
      },
    });
    const [measurement] = await run(ports);
    expect(measurement).toMatchObject({
      status: "failed",
      failure: { phase: "load", reason: "worker process 7 ended", logTail: "last words" },
    });
  });

  test.for([
    { name: "no request", output: loadOutput(0), reason: "no request was sent" },
    { name: "only failures", output: loadOutput(5, "503"), reason: "every request failed (503)" },
    {
      name: "records that do not add up",
      output: { ...loadOutput(5), records: loadOutput(4).records },
      reason: "the records hold 4 requests, but k6 counted 5",
    },
    {
      name: "half a summary",
      output: { ...loadOutput(5), summary: "{" },
      reason: "k6's output cannot be used: k6 summary is not JSON",
    },
  ])("is what a load with $name is", async ({ output, reason }) => {
    const { ports } = recordingPorts({ generateLoad: () => Promise.resolve(output) });
    const [measurement] = await run(ports, { warmup: "0s" });
    expect(measurement).toMatchObject({ status: "failed", failure: { reason } });
  });
});

test("cancelling keeps what was measured and starts no other cell", async () => {
  const cancel = new AbortController();
  const { saved, ports } = recordingPorts({
    signal: cancel.signal,
    generateLoad: ({ endpoint }, signal) => {
      if (endpointLabel(endpoint) === "/b") cancel.abort();
      signal.throwIfAborted();
      return Promise.resolve(loadOutput(3));
    },
  });
  const measurements = await run(ports, { endpoints: "/a\n/b\n/c" });
  expect(measurements.map(({ status }) => status)).toEqual(["measured", "cancelled"]);
  expect([...saved.keys()].filter((name) => name.startsWith("cells/"))).toHaveLength(2);
});

test("CPU time is the difference over the load", async () => {
  let used = 10;
  const { ports: good } = recordingPorts();
  const { ports } = recordingPorts({
    startApp: async (...args) => ({
      ...(await good.startApp(...args)),
      cpuSeconds: () => {
        used += 2.5;
        return used;
      },
    }),
  });
  const [measurement] = await run(ports);
  expect(measurement?.replicates[0]?.arms.head?.cpuSeconds).toBe(2.5);
});

test.for([
  { raw: { stages: "1s:80,1s:0" }, warmup: 50 },
  { raw: { requests: "10", vus: "3" }, warmup: 3 },
  { raw: { rate: "5", vus: "70" }, warmup: 50 },
])("warms up with as many users as the load has, within reason: $raw", async ({ raw, warmup }) => {
  const users: number[] = [];
  const { ports } = recordingPorts({
    generateLoad: ({ load }) => {
      if (load.kind === "constant") users.push(load.virtualUsers);
      return Promise.resolve(loadOutput(10));
    },
  });
  const [measurement] = await run(ports, raw);
  expect(measurement?.status).toBe("measured");
  expect(users).toEqual([warmup]);
});

test("an app without a database gets none", async () => {
  const { calls, ports } = recordingPorts();
  const [measurement] = await run(ports, { database: "none" });
  expect(calls).not.toContain("start postgres");
  expect(measurement).toMatchObject({ environment: { statementStatistics: false } });
  expect(measurement?.environment?.postgres).toBeUndefined();
});

test("of the dependencies that the app replaces, those of its login are kept", async () => {
  const replacedIn = async (...replaced: string[]) => {
    const { ports } = recordingPorts({ tryImport: async () => ({ replaced }) });
    const [measurement] = await run(ports);
    return measurement?.environment?.replacedLogin;
  };
  expect(await replacedIn("get_current_user", "get_db")).toEqual(["get_current_user"]);
  expect(await replacedIn("get_db")).toBeUndefined();
});

test("on a port of the caller's the next server waits until the last one is gone", async () => {
  const { calls, ports } = recordingPorts();
  await run(ports, { port: "4000", workers: "1,2", warmup: "0s" });
  const second = calls.findIndex((call) => call.includes("--workers 2"));
  expect(calls.slice(0, second)).toContain("stop app");
});

describe("a fault of ours", () => {
  test("is not taken for the app's, and everything is still cleaned up", async () => {
    const { calls, ports } = recordingPorts({ startApp: () => Promise.reject(new TypeError("oops")) });
    await expect(run(ports)).rejects.toThrow("oops");
    expect(calls.slice(-2)).toEqual(["drop database", "stop postgres"]);
  });

  test("while preparing is told too", async () => {
    const { ports } = recordingPorts({ preparePython: () => Promise.reject(new TypeError("oops")) });
    await expect(run(ports)).rejects.toThrow("oops");
  });

  test("while cleaning up is told at the end", async () => {
    const { ports: good } = recordingPorts();
    const { calls, ports } = recordingPorts({
      startApp: async (...args) => ({
        ...(await good.startApp(...args)),
        [Symbol.asyncDispose]: () => Promise.reject(new Error("cannot stop")),
      }),
    });
    await expect(run(ports)).rejects.toThrow("cannot stop");
    expect(calls.at(-1)).toBe("stop postgres");
  });
});

test("cancelling before the first cell measures nothing", async () => {
  const cancel = new AbortController();
  const { ports } = recordingPorts({
    signal: cancel.signal,
    openDatabases: () => {
      cancel.abort();
      return Promise.reject(new Error("cancelled"));
    },
  });
  expect(await run(ports)).toEqual([]);
});
