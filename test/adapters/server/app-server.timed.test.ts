import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { canLayOut } from "../../../src/adapters/machine/index.ts";
import {
  hasProcfs,
  listProcesses,
  ownCpus,
  readProcess,
  readVariable,
  threadCpus,
  withPrograms,
} from "../../../src/adapters/process/index.ts";
import { type AppServerOptions, startAppServer } from "../../../src/adapters/server/app-server.ts";
import { findFreePort, portProblem } from "../../../src/adapters/server/listening-sockets.ts";
import { markVariable } from "../../../src/adapters/server/server-processes.ts";
import { formatCpuList } from "../../../src/model/measurement/environment.ts";
import type { ServerCommand } from "../../../src/ports/app.ts";
import { asgiFolder, prepareAsgi } from "../../fixtures/python/asgi.ts";

let folder: string;
const warnings: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-server-"));
  await prepareAsgi();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Whatever these tests did, nothing of it may be left. */
afterAll(() => {
  const own = String(process.pid).padStart(12, "0");
  expect(listProcesses().filter(({ pid }) => readVariable(pid, markVariable)?.startsWith(own))).toEqual([]);
});

let logs = 0;
function options(overrides: Partial<AppServerOptions> = {}): AppServerOptions {
  logs += 1;
  const warn = (text: string) => void warnings.push(text);
  return { logPath: join(folder, `${logs}.log`), signal: new AbortController().signal, warn, ...overrides };
}

/** A line of JavaScript as the server; `port` is its port. */
async function node(script: string, overrides: Partial<ServerCommand> = {}): Promise<ServerCommand> {
  const port = await findFreePort();
  return {
    argv: [process.execPath, "-e", `const port = ${port}; ${script}`],
    folder,
    variables: {},
    baseUrl: `http://127.0.0.1:${port}`,
    readyPath: "/",
    readyWithinSeconds: 20,
    cpus: undefined,
    ...overrides,
  };
}

/** uvicorn with one of the apps in `fixtures/python/asgi`. */
async function uvicorn(app: string, workers: number): Promise<ServerCommand> {
  const { baseUrl, ...rest } = await node("");
  const argv = ["uvicorn", app, "--port", new URL(baseUrl).port, "--workers", String(workers)] as const;
  const variables = { PYTHONDONTWRITEBYTECODE: "1" };
  return {
    ...rest,
    baseUrl,
    argv,
    folder: asgiFolder,
    variables: withPrograms(await prepareAsgi(), variables),
  };
}

const serving = `require("node:http").createServer((_, r) => r.end("ok")).listen(port, "127.0.0.1");`;

async function read(url: string): Promise<string> {
  return await (await fetch(url, { headers: { connection: "close" } })).text();
}

function portOf({ baseUrl }: ServerCommand): number {
  return Number(new URL(baseUrl).port);
}

describe("a server that works", () => {
  test.for([1, 2])("is ready with all of %i workers, and gone after disposal", async (workers) => {
    const command = await uvicorn("serving:app", workers);
    {
      await using server = await startAppServer(command, options());
      const pids = new Set<string>();
      for (let each = 0; each < 200 && pids.size < workers; each += 1)
        pids.add(await read(`${server.baseUrl}/pid`));
      expect(pids.size).toBe(workers);
      expect(server.logTail()).toContain("startup complete");
    }
    expect(await portProblem(portOf(command))).toBeUndefined();
  });

  test.for([1, 2])(
    "has the layout of its seed in each of %i workers, where one can be chosen",
    async (workers, { skip }) => {
      const trial = { logPath: join(folder, "trial.log"), signal: new AbortController().signal };
      if (!(await canLayOut(trial))) skip();
      const command = await uvicorn("serving:app", workers);
      await using server = await startAppServer({ ...command, layoutSeed: 5 }, options());
      expect(server.isLaidOut).toBe(true);
      expect(await read(`${server.baseUrl}/pid`)).toMatch(/^\d+$/);
    },
  );

  test("has a layout of the kernel's unless it is asked for one", async () => {
    await using server = await startAppServer(await node(serving), options());
    expect(server.isLaidOut).toBeUndefined();
  });

  test.runIf(hasProcfs)("is charged for its CPU time, also in processes that came and went", async () => {
    await using server = await startAppServer(await uvicorn("serving:app", 2), options());
    const before = server.cpuSeconds() ?? Number.NaN;
    await read(`${server.baseUrl}/burn`);
    const between = server.cpuSeconds() ?? Number.NaN;
    await read(`${server.baseUrl}/burn-in-child`);
    const after = server.cpuSeconds() ?? Number.NaN;
    expect(before).toBeGreaterThan(0.1);
    expect(between - before).toBeGreaterThan(0.199);
    expect(between - before).toBeLessThan(0.4);
    expect(after - between).toBeGreaterThan(0.18);
    expect(server.startCpuSeconds).toBeGreaterThan(0.1);
    expect(server.startCpuSeconds).toBeLessThanOrEqual(before);
    expect(server.readyMemoryBytes).toBeGreaterThan(20_000_000);
    expect(server.peakMemoryBytes()).toBeGreaterThanOrEqual(server.readyMemoryBytes ?? Number.NaN);
    const peaks = server.peaksOfMemory?.() ?? [];
    expect(peaks.length).toBeGreaterThan(0);
    expect(peaks.toSorted((a, b) => a - b)).toEqual(peaks);
  });

  test.runIf(hasProcfs)("tells the CPU time of each worker", async () => {
    await using server = await startAppServer(await uvicorn("serving:app", 2), options());
    const before = server.workerCpuSeconds() ?? [];
    await read(`${server.baseUrl}/burn`);
    const after = server.workerCpuSeconds() ?? [];
    const used = after.map((seconds, index) => seconds - (before[index] ?? Number.NaN));
    const [idle = Number.NaN, busy = Number.NaN] = used.toSorted((a, b) => a - b);
    expect(used).toHaveLength(2);
    expect(idle).toBeLessThan(0.05);
    expect(busy).toBeGreaterThan(0.199);
    expect(busy).toBeLessThan(0.4);
  });

  test.runIf(hasProcfs)("has itself for a worker when it is one process", async () => {
    await using server = await startAppServer(await uvicorn("serving:app", 1), options());
    const [own, ...others] = server.workerCpuSeconds() ?? [];
    expect(others).toEqual([]);
    expect(own).toBeCloseTo(server.cpuSeconds() ?? Number.NaN, 1);
  });

  test("sees only allowed variables", { tags: ["smoke"] }, async () => {
    vi.stubEnv("GITHUB_TOKEN", "secret");
    vi.stubEnv("INPUT_APP", "secret");
    vi.stubEnv("ACTIONS_RUNTIME_TOKEN", "secret");
    vi.stubEnv("RUNNER_TRACKING_ID", "github_1");
    const command = await uvicorn("serving:app", 1);
    const variables = { ...command.variables, DATABASE_URL: "postgresql://" };
    await using server = await startAppServer({ ...command, variables }, options());
    const seen: unknown = JSON.parse(await read(`${server.baseUrl}/environment`));
    vi.unstubAllEnvs();
    expect(JSON.stringify(seen)).not.toMatch(/secret|GITHUB_|INPUT_|ACTIONS_/);
    expect(seen).toMatchObject({ DATABASE_URL: "postgresql://", RUNNER_TRACKING_ID: "github_1" });
  });

  test("may print what is not UTF-8", async () => {
    const print = String.raw`process.stdout.write(Buffer.from("caf\xe9 \xff\r\x1b[2Kend\n", "latin1"));`;
    await using server = await startAppServer(await node(print + serving), options());
    expect(server.logTail()).toBe("caf\ufffd \ufffd\r\x1b[2Kend\n");
  });

  test("may print without end", async () => {
    const print = `const line = "y".repeat(65535) + "\\n"; setInterval(() => process.stdout.write(line.repeat(16)), 1);`;
    const { logPath, ...rest } = options();
    await using server = await startAppServer(await node(serving + print), { logPath, ...rest });
    await sleep(700);
    expect((await stat(logPath)).size).toBeLessThan(500_000_000);
    expect(server.logTail()).toMatch(/^[y\n]{4000}$/);
  });

  test("shows only its own part of a log that others wrote into before", async () => {
    const { logPath, ...rest } = options();
    await writeFile(logPath, "an earlier server\n");
    await using server = await startAppServer(await node(`console.log("mine"); ${serving}`), {
      logPath,
      ...rest,
    });
    expect(server.logTail()).toBe("mine\n");
  });
});

/** CPUs that we may use; a server is kept to the last of them. */
const cpus = ownCpus();
const lastCpu = String(cpus.at(-1));

describe.runIf(cpus.length > 1)("a server that is kept to a CPU", () => {
  test.for([1, 2])("keeps all threads of %i workers there", async (workers) => {
    const command = { ...(await uvicorn("serving:app", workers)), cpus: lastCpu };
    await using server = await startAppServer(command, options());
    await read(`${server.baseUrl}/escape`); // a child that starts later, and leaves the group
    const mark = readVariable(Number(await read(`${server.baseUrl}/pid`)), markVariable);
    const marked = listProcesses().filter(({ pid }) => readVariable(pid, markVariable) === mark);
    expect(marked.length).toBeGreaterThan(workers);
    for (const { pid } of marked) expect(new Set(threadCpus(pid).flat())).toEqual(new Set([Number(lastCpu)]));
    expect(server.cpus()).toBe(lastCpu);
  });

  test("keeps threads there that come and go, and leaves nothing beside its log", async () => {
    const threads = `const { Worker } = require("node:worker_threads");
      setInterval(() => new Worker("setTimeout(() => {}, 50)", { eval: true }), 20);`;
    const { logPath, ...rest } = options();
    const command = await node(threads + serving, { cpus: lastCpu });
    await using server = await startAppServer(command, { logPath, ...rest });
    for (let look = 0; look < 10; look += 1) {
      expect(server.cpus()).toBe(lastCpu);
      await sleep(30);
    }
    expect((await readdir(folder)).filter((name) => name.startsWith(basename(logPath)))).toEqual([
      basename(logPath),
    ]);
  });

  test("is told of when it cannot be, and works all the same", async () => {
    warnings.length = 0;
    await using server = await startAppServer(await node(serving, { cpus: "4095" }), options());
    expect(warnings).toEqual([
      expect.stringMatching(
        /^the server could not be limited to CPUs 4095: taskset: failed to set pid .*Invalid/,
      ),
    ]);
    expect(server.cpus()).toBe(formatCpuList(cpus));
  });

  test("is told of when there is no taskset", async () => {
    warnings.length = 0;
    const command = await node(serving, { cpus: lastCpu });
    vi.stubEnv("PATH", folder);
    await using _ = await startAppServer(command, options());
    vi.unstubAllEnvs();
    expect(warnings).toEqual([`the server could not be limited to CPUs ${lastCpu}: spawn taskset ENOENT`]);
  });
});

describe("a server that does not start", () => {
  test.for<[app: string, workers: number, exit: string, log: RegExp]>([
    ["broken:app", 1, "code 1", /RuntimeError: the settings are/],
    ["failing:app", 1, "code 3", /no such table: users/],
    ["failing:app", 2, "code 0", /no such table: users/],
    ["serving:nothing", 2, "code 0", /Attribute "nothing" not found/],
  ])("%s with %i workers says why", async ([app, workers, exit, log]) => {
    const started = startAppServer(await uvicorn(app, workers), options());
    await expect(started).rejects.toMatchObject({
      name: "EnvironmentError",
      phase: "start app",
      message: expect.stringMatching(
        new RegExp(`${log.source}.* \\(server exited \\(${exit}\\) before it became ready\\)$`),
      ),
      logTail: expect.stringMatching(log),
    });
  });

  test.runIf(hasProcfs)("whose workers uvicorn replaces for ever", async () => {
    await expect(startAppServer(await uvicorn("broken:app", 2), options())).rejects.toMatchObject({
      message: expect.stringMatching(
        /^RuntimeError: the settings are.* \(the server's workers keep exiting before they are ready/,
      ),
      logTail: expect.stringMatching(/RuntimeError: the settings are/),
    });
  });

  test("is given up early where nothing but errors is said to be a failure", async () => {
    const command = await node(serving.replace("r.end", "r.writeHead(500).end"), {
      readyWithinSeconds: 60,
      errorsForSeconds: 0.5,
    });
    const startedAt = performance.now();
    await expect(startAppServer(command, options())).rejects.toThrow(/last answer: HTTP 500/);
    expect(performance.now() - startedAt).toBeLessThan(30_000);
  });

  test("says at once when it exits", async () => {
    const startedAt = performance.now();
    const command = await node(`setTimeout(() => process.kill(process.pid, "SIGKILL"), 200)`);
    const message = "server exited (signal SIGKILL (possibly out of memory)) before it became ready";
    await expect(startAppServer(command, options())).rejects.toThrow(message);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test.for<[name: string, script: string, last: RegExp]>([
    ["never listens", "setInterval(() => {}, 1000)", /last answer: connect ECONNREFUSED 127\.0\.0\.1:\d+/],
    ["503 forever", serving.replace("r.end", "r.writeHead(503).end"), /last answer: HTTP 503/],
    [
      "switches protocols",
      `require("node:net").createServer((s) => s.on("error", () => {}).once("data", () => s.write("HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: x\\r\\nConnection: Upgrade\\r\\n\\r\\n"))).listen(port)`,
      /last answer: HTTP 101, a switch to another protocol/,
    ],
    [
      "closes each connection",
      `require("node:net").createServer((s) => s.on("error", () => {}).end()).listen(port)`,
      /last answer: socket hang up/,
    ],
    ["never answers", `require("node:net").createServer().listen(port)`, /last answer: no answer in time/],
  ])("F2: is not ready in time: %s", async ([, script, last]) => {
    const command = await node(script, { readyWithinSeconds: 5 }); // a busy machine takes seconds to start Node
    const started = startAppServer(command, options());
    await expect(started).rejects.toThrow(
      /^server was not ready after [\d.]+ s; polled http:\/\/127\.0\.0\.1:\d+\/, /,
    );
    await expect(started).rejects.toThrow(last);
    if (hasProcfs) await expect(started).rejects.toThrow(/; processes alive: \d+ \(node[^)]*\)$/);
    expect(await portProblem(portOf(command))).toBeUndefined();
  });

  test("a ready path that begins with two slashes asks the app and no other host", async () => {
    const command = await node(serving.replace('"ok"', "_.url"), { readyPath: "//127.0.0.1:1/x" });
    await using app = await startAppServer(command, options());
    expect(await read(app.baseUrl)).toBe("/");
  });

  test.runIf(hasProcfs)("is not taken for a stranger that answers in its place", async () => {
    const command = await node("setInterval(() => {}, 1000)", { readyWithinSeconds: 5 });
    const started = startAppServer(command, options());
    await sleep(300);
    const stranger = await startStranger(portOf(command));
    const owner = `HTTP 200, but from process ${stranger.pid} \\(node[^)]*\\), which does not belong to the server`;
    await expect(started).rejects.toThrow(new RegExp(`last answer: ${owner}`));
    stranger.kill();
  });

  test.runIf(process.getuid?.() === 0)("may be on port 80, which a URL leaves out", async () => {
    if ((await portProblem(80)) !== undefined) return; // somebody else's
    const script = serving.replace("port,", "80,");
    await using app = await startAppServer(await node(script, { baseUrl: "http://127.0.0.1:80" }), options());
    expect(await read(app.baseUrl)).toBe("ok");
  });

  test("finds its port taken", async () => {
    const command = await node(serving);
    const stranger = await startStranger(portOf(command));
    const owner = hasProcfs ? ` by process ${stranger.pid} \\(node[^)]*\\)` : "";
    const message = new RegExp(
      `^port ${portOf(command)} is already in use${owner}; stop that or choose another port$`,
    );
    await expect(startAppServer(command, options())).rejects.toThrow(message);
    stranger.kill();
  });

  test.for<Partial<ServerCommand>>([{}, { layoutSeed: 1 }])(
    "its program is not there: %j",
    async (layout) => {
      const command = await node("", { argv: ["no-such-program"], ...layout });
      const message = 'program "no-such-program" was not found; is it among the app\'s requirements?';
      await expect(startAppServer(command, options())).rejects.toThrow(message);
    },
  );

  test("its folder is not there", async () => {
    const command = await node("", { folder: join(folder, "nowhere") });
    await expect(startAppServer(command, options())).rejects.toThrow(
      /the app's folder .*nowhere does not exist/,
    );
  });

  test("the user cancels", async () => {
    const command = await node("setInterval(() => {}, 1000)");
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(new Error("cancelled by the user")), 200);
    await expect(startAppServer(command, options({ signal: cancel.signal }))).rejects.toThrow(
      "cancelled by the user",
    );
  });
});

describe("a server that fails later", () => {
  test("exits", async () => {
    await using server = await startAppServer(await uvicorn("serving:app", 1), options());
    await read(`${server.baseUrl}/exit`).catch(() => undefined);
    expect(await server.failure).toBe("server exited (code 1) after it had become ready");
    expect(await server.failureNow()).toBe("server exited (code 1) after it had become ready");
  });

  test.runIf(hasProcfs)("loses a worker, which uvicorn replaces without a word", async () => {
    await using server = await startAppServer(await uvicorn("serving:app", 2), options());
    const worker = Number(await read(`${server.baseUrl}/pid`));
    expect(await server.failureNow()).toBeUndefined();
    process.kill(worker, "SIGKILL");
    while (readProcess(worker)?.isZombie === false); // at once, with no regular look between, which timers make
    const text = `worker process ${worker} of the server ended after it had become ready`;
    expect(await server.failureNow()).toBe(text);
    expect(await server.failure).toBe(text);
  });

  test("says nothing when it is we who stop it", async () => {
    let failure: Promise<string>;
    {
      await using server = await startAppServer(await uvicorn("serving:app", 2), options());
      failure = server.failure;
    }
    expect(await Promise.race([failure, sleep(300, "silence")])).toBe("silence");
  });
});

describe("stopping", () => {
  test("kills what ignores TERM after three seconds", async () => {
    const command = await node(`process.on("SIGTERM", () => {}); ${serving}`);
    const server = await startAppServer(command, options());
    const startedAt = performance.now();
    await server[Symbol.asyncDispose]();
    expect(performance.now() - startedAt).toBeGreaterThan(2_900);
    expect(performance.now() - startedAt).toBeLessThan(9_000);
    expect(await portProblem(portOf(command))).toBeUndefined();
  });

  test.runIf(hasProcfs)("finds a child that left group, session and tree", async () => {
    warnings.length = 0;
    const server = await startAppServer(await uvicorn("serving:app", 1), options());
    await read(`${server.baseUrl}/escape`);
    const root = Number(await read(`${server.baseUrl}/pid`));
    const escaped = () =>
      listProcesses().filter(({ pid, group }) => {
        return group !== root && readVariable(pid, markVariable) === readVariable(root, markVariable);
      });
    const before = escaped();
    expect(before).toHaveLength(1);
    await server[Symbol.asyncDispose]();
    expect(before.map(({ pid }) => readProcess(pid)?.isZombie ?? true)).toEqual([true]);
  });

  test.runIf(hasProcfs)("is made up for by the next start when the starter was killed", async () => {
    const mark = `${String(4_194_305).padStart(12, "0")}.${"1".padStart(12, "0")}.0123456789abcdef`;
    const orphan = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], {
      env: { [markVariable]: mark },
    });
    const ended = once(orphan, "exit");
    await using _ = await startAppServer(await node(serving), options());
    expect(await ended).toEqual([null, "SIGKILL"]);
  });
});

async function startStranger(port: number): Promise<ChildProcess> {
  const stranger = spawn(process.execPath, ["-e", `const port = ${port}; ${serving}`], { stdio: "ignore" });
  // By asking it, not by trying the port ourselves: that would take it away at the wrong moment.
  while (
    !(await fetch(`http://127.0.0.1:${port}`).then(
      (reply) => reply.ok,
      () => false,
    ))
  )
    await sleep(20);
  return stranger;
}

test("ports: a free one, a taken one, one for root only", async () => {
  const port = await findFreePort();
  expect(await portProblem(port)).toBeUndefined();
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  expect(await portProblem(port)).toContain(`port ${port} is already in use`);
  server.close();
  if (process.getuid?.() !== 0)
    expect(await portProblem(80)).toMatch(/port 80 (may not be opened|is already)/);
});
