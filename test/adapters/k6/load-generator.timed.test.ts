import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findK6 } from "../../../src/adapters/k6/k6-program.ts";
import { generateLoad } from "../../../src/adapters/k6/load-generator.ts";
import { hasProcfs, ownCpus, readProcess } from "../../../src/adapters/process/index.ts";
import { parseK6Summary } from "../../../src/model/load/k6-summary.ts";
import { armRecordOf, parseLoadRecords } from "../../../src/model/load/load-records.ts";
import type { Load } from "../../../src/model/plan/cell.ts";
import type { LoadRequest } from "../../../src/ports/load.ts";
import { sum } from "../../../src/statistics/estimate.ts";
import {
  after,
  type K6Bench,
  never,
  ok,
  openK6,
  putLoad,
  scriptPath,
  serving,
  toolsFolder,
} from "./k6-fixture.ts";

let bench: K6Bench;
let folder = "";

beforeAll(async () => {
  bench = await openK6();
  folder = bench.folder;
});
afterAll(() => bench[Symbol.asyncDispose]());

function load(targets: LoadRequest["targets"], shape: Load, signal = never, more: Partial<LoadRequest> = {}) {
  return putLoad(bench, { targets, load: shape, ...more }, signal);
}

const oneSecond = { kind: "constant", virtualUsers: 4, durationSeconds: 1 } as const;

describe("every request is counted exactly once", () => {
  test.for<Load>([
    oneSecond,
    { kind: "requests", virtualUsers: 20, requests: 333 },
    { kind: "rate", requestsPerSecond: 100, virtualUsers: 10, durationSeconds: 1 },
    { kind: "rate", requestsPerSecond: 300, virtualUsers: 40, durationSeconds: 4 },
    {
      kind: "stages",
      stages: [
        { durationSeconds: 0.5, virtualUsers: 10 },
        { durationSeconds: 0.5, virtualUsers: 0 },
      ],
    },
  ])("$kind", async (shape) => {
    await using app = await serving(ok);
    const output = await load([{ arm: "head", baseUrl: app.baseUrl }], shape);
    const slices = parseLoadRecords(output.records);
    const generator = parseK6Summary(output.summary);
    expect(sum(slices.map((slice) => slice.requests))).toBe(app.seen.length);
    expect(generator.requests).toBe(app.seen.length);
    expect(app.seen.length).toBeGreaterThan(10);
    expect(new Set(app.seen)).toEqual(new Set(["GET /x?y=1"]));
    if (shape.kind === "requests") expect(app.seen.length).toBe(333);
  });
});

test("failures are counted by status", async () => {
  let count = 0;
  await using app = await serving((_, response) => {
    response.statusCode = count++ % 2 === 0 ? 503 : 200;
    response.end("{}");
  });
  const output = await load([{ arm: "head", baseUrl: app.baseUrl }], {
    kind: "requests",
    virtualUsers: 2,
    requests: 50,
  });
  const slices = parseLoadRecords(output.records);
  expect(sum(slices.map((slice) => slice.failures))).toBe(25);
  expect(sum(slices.map((slice) => slice.statuses["503"] ?? 0))).toBe(25);
  expect(parseK6Summary(output.summary).failures).toBe(25);
});

test("throughput is what was answered in time: a second of one reply each 100 ms is 10, whoever still waits", async () => {
  let last = Promise.resolve();
  await using app = await serving((_, response) => {
    last = last
      .then(() => new Promise((resolve) => setTimeout(resolve, 100)))
      .then(() => void response.end("x"));
  });
  const { records, summary } = await load([{ arm: "head", baseUrl: app.baseUrl }], {
    kind: "constant",
    virtualUsers: 8,
    durationSeconds: 2,
  });
  const options = { sliceMs: 100, blockMs: 1_000, endMs: 2_000 };
  const record = armRecordOf("head", parseLoadRecords(records), options);
  const inTime = sum(record.blocks.map((block) => block.requests));
  expect(inTime).toBeGreaterThanOrEqual(14); // 20 on an idle machine, and never the 28 that were sent
  expect(inTime).toBeLessThanOrEqual(20);
  expect(sum(Object.values(record.statuses))).toBe(parseK6Summary(summary).requests);
});

test("T11, T21: a script sees what it is given and no variable of the job's", async () => {
  const script = join(folder, "variables.js");
  await writeFile(
    script,
    "export const options = { vus: 1, iterations: 1 };\nexport default () => console.log(JSON.stringify(__ENV));\n",
  );
  vi.stubEnv("GITHUB_TOKEN", "ghs_secret");
  vi.stubEnv("K6_TOKEN", "secret");
  const target = { arm: "head", baseUrl: "http://127.0.0.1:1" } as const;
  const request: LoadRequest = {
    targets: [target],
    endpoint: { method: "GET", path: "/" },
    load: oneSecond,
    sliceMs: 100,
    seed: 7,
    name: "variables",
  };
  // It writes no summary, so there is nothing to be read in the end.
  await generateLoad(bench.k6, request, { scriptPath: script, folder, signal: never }).catch(() => undefined);
  vi.unstubAllEnvs();
  const log = await readFile(join(folder, "variables.log"), "utf8");
  const line = log.split("\n").find((each) => each.startsWith("{")) ?? "";
  expect(JSON.parse(line)).toEqual({ LOADTEST: join(folder, "variables.input.json") });
  expect(log).not.toContain("secret");
});

describe("a load whose end cuts a slice short", () => {
  const half = { kind: "constant", virtualUsers: 1, durationSeconds: 0.5 } as const;

  test("sends nothing after its end", async () => {
    const arrivals: number[] = [];
    await using app = await serving((request, response) => {
      arrivals.push(performance.now());
      ok(request, response);
    });
    await load([{ arm: "head", baseUrl: app.baseUrl }], half, never, { sliceMs: 1_000 });
    const late = arrivals.filter((arrival) => arrival - (arrivals[0] ?? 0) > 550);
    expect(arrivals.length).toBeGreaterThan(10);
    expect(late.length).toBeLessThanOrEqual(1); // under way at the end
  });

  test("does not count what was answered after its end in that slice", async () => {
    await using app = await serving(after(700));
    const { records } = await load([{ arm: "head", baseUrl: app.baseUrl }], half, never, { sliceMs: 1_000 });
    expect(parseLoadRecords(records)).toMatchObject([{ index: 1, requests: 1 }]);
  });
});

test("a refused connection is a failure with k6's code, not a success of 0 ms", async () => {
  const output = await load([{ arm: "head", baseUrl: "http://127.0.0.1:1" }], {
    kind: "requests",
    virtualUsers: 1,
    requests: 3,
  });
  const [slice] = parseLoadRecords(output.records);
  expect(slice).toMatchObject({ requests: 3, failures: 3, statuses: { "error 1212": 3 } });
  expect(slice?.latency.counts).toEqual([]);
});

const cpus = ownCpus();

describe.runIf(hasProcfs)("CPU time of k6", () => {
  test.for([undefined, String(cpus[0])])("on CPUs %s is what the kernel says", async (cpus) => {
    await using app = await serving(ok);
    const startedAt = performance.now();
    const before = endedChildren();
    const { cpuSeconds = Number.NaN, summary } = await load(
      [{ arm: "head", baseUrl: app.baseUrl }],
      { ...oneSecond, durationSeconds: 2 },
      never,
      { cpus },
    );
    expect(Math.abs(cpuSeconds - (endedChildren() - before))).toBeLessThan(0.021);
    expect(cpuSeconds).toBeGreaterThan(0.1);
    if (cpus !== undefined) expect(cpuSeconds).toBeLessThan((performance.now() - startedAt) / 1_000);
    expect(parseK6Summary(summary).requests).toBe(app.seen.length);
  });

  test("does not hold that of other children", async () => {
    await using app = await serving(ok);
    const loading = load([{ arm: "head", baseUrl: app.baseUrl }], oneSecond);
    const others: Promise<unknown>[] = [];
    for (let each = 0; each < 15; each += 1) {
      others.push(once(spawn(process.execPath, ["-e", burn]), "exit"));
      await sleep(100);
    }
    const [{ cpuSeconds = Number.NaN, summary }] = [await loading];
    await Promise.all(others);
    // Of k6 alone: a request costs it some hundred microseconds, its start less than a second.
    expect(cpuSeconds).toBeLessThan(1 + parseK6Summary(summary).requests * 0.000_5);
  });
});

const burn = "while (process.cpuUsage().user < 400_000);";

function endedChildren(): number {
  return readProcess("self")?.endedChildrenSeconds ?? Number.NaN;
}

test.runIf(cpus.length > 1)(
  "k6 is kept to its CPUs, with as many threads, and seldom collects garbage",
  async () => {
    const path = join(folder, "reporting");
    const script = `#!/bin/sh\necho "$GOMAXPROCS threads, GOGC $GOGC, $GOMEMLIMIT bytes"; grep Cpus_allowed_list /proc/self/status; exit 1`;
    await writeFile(path, script, { mode: 0o755 });
    const target = { arm: "head", baseUrl: "http://127.0.0.1:1" } as const;
    const endpoint = { method: "GET", path: "/" } as const;
    const cpu = String(cpus.at(-1));
    const request = {
      targets: [target],
      endpoint,
      load: oneSecond,
      sliceMs: 1,
      seed: 1,
      name: "kept",
    } as const;
    const running = generateLoad(
      { path, version: "2.2.0" },
      { ...request, cpus: cpu },
      { scriptPath, folder, signal: never },
    );
    await expect(running).rejects.toMatchObject({
      logTail: `1 threads, GOGC off, 152000000 bytes\nCpus_allowed_list:\t${cpu}\n`,
    });
  },
);

test("the guard reaches the script", async () => {
  const path = join(folder, "saying");
  await writeFile(
    path,
    '#!/bin/sh\nfor last; do before=$now; now=$last; done; echo "$before" | cut -d= -f2 | xargs cat; exit 1',
    {
      mode: 0o755,
    },
  );
  const guard = { startMs: 5, endMs: 7 };
  const target = { arm: "head", baseUrl: "http://127.0.0.1:1" } as const;
  const endpoint = { method: "GET", path: "/" } as const;
  const request = {
    targets: [target],
    endpoint,
    load: oneSecond,
    sliceMs: 1,
    seed: 1,
    name: "said",
  } as const;
  const running = generateLoad(
    { path, version: "2.2.0" },
    { ...request, guard },
    { scriptPath, folder, signal: never },
  );
  await expect(running).rejects.toMatchObject({
    logTail: expect.stringContaining('"guard":{"startMs":5,"endMs":7}'),
  });
});

test("only loopback can be reached", async () => {
  const { records } = await load([{ arm: "head", baseUrl: "http://192.0.2.1:80" }], {
    kind: "requests",
    virtualUsers: 1,
    requests: 1,
  });
  expect(parseLoadRecords(records)[0]?.statuses).toEqual({ "error 1110": 1 });
  const named = await load([{ arm: "head", baseUrl: "http://localhost:80" }], {
    kind: "requests",
    virtualUsers: 1,
    requests: 1,
  });
  expect(parseLoadRecords(named.records)[0]?.statuses).toEqual({ "error 1111": 1 });
});

test("a host that the caller named is reached", async () => {
  await using app = await serving(ok);
  const baseUrl = app.baseUrl.replace("127.0.0.1", "localhost");
  const { records } = await load([{ arm: "head", baseUrl, isElsewhere: true }], {
    kind: "requests",
    virtualUsers: 1,
    requests: 1,
  });
  expect(parseLoadRecords(records)[0]?.statuses).toEqual({ "200": 1 });
});

test("cancelling stops k6 at once", async () => {
  await using app = await serving(ok);
  const cancel = new AbortController();
  const started = performance.now();
  setTimeout(() => cancel.abort(new Error("cancelled")), 500);
  const loading = load(
    [{ arm: "head", baseUrl: app.baseUrl }],
    { ...oneSecond, durationSeconds: 60 },
    cancel.signal,
  );
  await expect(loading).rejects.toThrow("cancelled");
  expect(performance.now() - started).toBeLessThan(7_000);
});

test.for([
  {
    name: "exits with an error",
    script: "#!/bin/sh\necho bad option >&2; exit 104",
    message: "without a summary (code 104)",
  },
  { name: "exits with 0 and no summary", script: "#!/bin/sh\nexit 0", message: "without a summary (code 0)" },
  { name: "is killed", script: "#!/bin/sh\nkill -9 $$", message: "signal SIGKILL (possibly out of memory)" },
])("a k6 that $name is an error with its reason", async ({ script, message }) => {
  const path = join(folder, "stub");
  await writeFile(path, script, { mode: 0o755 });
  const request = {
    targets: [{ arm: "head", baseUrl: "http://127.0.0.1:1" }],
    endpoint: { method: "GET", path: "/" },
    load: oneSecond,
    sliceMs: 100,
    seed: 1,
    name: "stub",
  } as const;
  const running = generateLoad({ path, version: "2.2.0" }, request, { scriptPath, folder, signal: never });
  await expect(running).rejects.toThrow(message);
});

test("F17: a k6 that hangs is stopped, and said to have hung", async () => {
  const path = join(folder, "hanging");
  await writeFile(path, "#!/bin/sh\ntrap '' TERM\nsleep 60 & wait", { mode: 0o755 });
  const request = {
    targets: [{ arm: "head", baseUrl: "http://127.0.0.1:1" }],
    endpoint: { method: "GET", path: "/" },
    load: { ...oneSecond, timeoutSeconds: 0.1 },
    sliceMs: 100,
    seed: 1,
    name: "hanging",
  } as const;
  const options = { scriptPath, folder, signal: never, patienceSeconds: 0.4 };
  const running = generateLoad({ path, version: "2.2.0" }, request, options);
  await expect(running).rejects.toThrow("k6 was still running after 1.5 s and was stopped");
});

test("a stale summary is never read", async () => {
  await writeFile(join(folder, "load.json"), await readFile(new URL(import.meta.url).pathname));
  await using app = await serving(ok);
  const { summary } = await load([{ arm: "head", baseUrl: app.baseUrl }], {
    kind: "requests",
    virtualUsers: 1,
    requests: 1,
  });
  expect(parseK6Summary(summary).requests).toBe(1);
});

test.for<[what: string, text: string | undefined, seen: string]>([
  ["is missing", undefined, "is not a program that prints a k6 version"],
  ["is another program", "#!/bin/sh\necho hello", "is not a program that prints a k6 version"],
  ["fails", "#!/bin/sh\nexit 3", "is not a program that prints a k6 version"],
  ["is too old", "#!/bin/sh\necho 'k6 v0.57.0 (go1.24)'", "is k6 0.57.0"],
  ["is newer than all that are known", "#!/bin/sh\necho 'k6 v3.0.1 (go1.30)'", "is k6 3.0.1"],
])("a k6 that LOADTEST_K6 names and that %s is bad input", async ([, text, seen]) => {
  const path = join(folder, "named-k6");
  if (text !== undefined) await writeFile(path, text, { mode: 0o755 });
  const find = findK6({ path, toolsFolder, logPath: join(folder, "version.log"), signal: never });
  await expect(find).rejects.toMatchObject({
    name: "InputError",
    problems: [`LOADTEST_K6: ${path} ${seen}; k6 1.0 to 2.x is supported`],
  });
});
