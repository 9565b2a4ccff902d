import type { DatabaseServer, LoadOutput, MeasurePorts } from "../../src/ports.ts";

/** What k6 would leave behind after `requests` requests in the first second. */
export function loadOutput(requests: number, status = "200"): LoadOutput {
  const failures = status === "200" ? 0 : requests;
  const record = [
    0,
    "head",
    requests,
    failures,
    requests * 4,
    9,
    12,
    { [status]: requests },
    Array(requests).fill(1),
  ];
  const values = (count: number) => ({ values: { count } });
  return {
    records: requests === 0 ? "" : `${JSON.stringify(record)}\n`,
    summary: JSON.stringify({
      state: { testRunDurationMs: 1_000 },
      metrics: {
        http_reqs: values(requests),
        http_req_failed: { values: { passes: failures } },
        iterations: values(requests),
      },
    }),
  };
}

/** Ports that only write down what was asked of them, in order. */
export function recordingPorts(overrides: Partial<MeasurePorts> = {}) {
  const calls: string[] = [];
  const saved = new Map<string, string>();
  const call = <T>(text: string, value: T): Promise<T> => {
    calls.push(text);
    return Promise.resolve(value);
  };
  const databases: DatabaseServer = {
    version: "18.4",
    statementStatistics: true,
    copy: () =>
      call("copy database", {
        url: "postgresql://copy",
        resetStatements: () => call("reset statements", undefined),
        countStatements: () => call("count statements", 20),
        [Symbol.asyncDispose]: () => call("drop database", undefined),
      }),
    [Symbol.asyncDispose]: () => call("stop postgres", undefined),
  };
  const ports: MeasurePorts = {
    machine: {
      cpuModel: "CPU",
      cores: 2,
      memoryBytes: 1,
      kernel: "6.1",
      platform: "linux x64",
      runner: "local",
      node: "20",
    },
    signal: new AbortController().signal,
    progress: () => undefined,
    findGenerator: () => call("find k6", "2.2.0"),
    preparePython: () =>
      call("install", {
        binFolder: "/venv/bin",
        interpreter: "/venv/bin/python",
        version: "3.11.7",
        packages: {},
      }),
    importProblem: () => call("import app", undefined),
    openDatabases: () => call("start postgres", databases),
    freePort: () => Promise.resolve(4_000),
    portProblem: () => Promise.resolve(undefined),
    startApp: ({ argv }) =>
      call(`start ${argv.join(" ")}`, {
        baseUrl: "http://127.0.0.1:4000",
        failure: new Promise<string>(() => undefined),
        cpuSeconds: () => undefined,
        peakMemoryBytes: () => 1_000,
        logTail: () => "",
        [Symbol.asyncDispose]: () => call("stop app", undefined),
      }),
    generateLoad: ({ load, endpoint }) => call(`load ${endpoint.path} ${load.kind}`, loadOutput(10)),
    commitOf: () => Promise.resolve("0123abc"),
    save: (name, text) => {
      saved.set(name, text);
      return call(`save ${name.replace(/-[0-9a-f]{8}\./, ".")}`, undefined);
    },
    clearResults: () => call("clear results", undefined),
    now: () => "2026-01-01T00:00:00.000Z",
    ...overrides,
  };
  return { calls, saved, ports };
}
