import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { createServer } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";

import { gatherEvidence } from "../../src/diagnosis/evidence.ts";
import { findCauses } from "../../src/diagnosis/findings.ts";
import { parseProbeDocuments } from "../../src/diagnosis/probe-documents.ts";
import { root } from "../contract/files.ts";

// The probe in a real server, its documents through the schema, and the findings that come out at the end.

const python = join(root, ".tools/target-app-dev/bin/python");
const apps = join(root, "probe/tests/apps");

let folder: string;
let port: number;
let server: ChildProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "probe-")); // with mode 0700
  port = await freePort();
  const launcher = ["-m", "loadtest_probe", "--folder", folder, "--"];
  const uvicorn = [python, "-m", "uvicorn", "--log-level", "warning", "--port", String(port), "loops:app"];
  const env = { ...process.env, PYTHONPATH: [join(root, "probe"), apps].join(delimiter) };
  server = spawn(python, [...launcher, ...uvicorn], { cwd: apps, env, stdio: "inherit" });
  while (!(await answers())) await delay(50);
});

afterAll(async () => {
  server.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

interface Case {
  readonly path: string;
  readonly users: number;
  /** Of load; 2 unless said. */
  readonly seconds?: number;
  /** Cause and code of the line. */
  readonly found: readonly (readonly [cause: string, code: string])[];
  /** Code of the line of a note; `undefined`: whether there is one is not checked. */
  readonly note?: string;
}

test("/blocked", { tags: ["smoke"] }, async () => {
  const found = [["blocking call on the event loop", "# blocks the loop itself"]] as const;
  await expectCauses({ path: "/blocked", users: 8, found });
});

test.for<Case>([
  { path: "/blocked-below", users: 8, found: [["blocking call on the event loop", "from below"]] },
  { path: "/blocked-child", users: 8, found: [["blocking call on the event loop", "from a task"]] },
  { path: "/cpu", users: 8, found: [["CPU work on the event loop", ""]] },
  // Forty at a time are answered every quarter of a second: so long that a round more or less is no tenth of them.
  { path: "/slow-threads", users: 100, seconds: 5, found: [["thread pool exhausted", "# holds its thread"]] },
  { path: "/loop-per-request", users: 8, found: [["event loop per request", "# a loop"]] },
  { path: "/executor-per-request", users: 8, found: [["executor per request", "# an executor"]] },
  { path: "/plain", users: 8, found: [], note: "" },
  { path: "/cpu-in-task", users: 8, found: [], note: "" },
  { path: "/cpu-in-group", users: 8, found: [], note: "" },
  { path: "/behind/cpu-in-task", users: 8, found: [], note: "" },
  { path: "/wait-in-task", users: 2, found: [], note: "# in a task" },
  { path: "/users/7/orders", users: 8, found: [] },
])("$path", expectCauses);

async function expectCauses({ path, users, seconds, found, note }: Case) {
  const window = `load of ${path}`;
  const before = await cpuTimes();
  await writeFile(join(folder, "window"), window);
  await delay(300);
  const load = await useFor(seconds ?? 2, users, path);
  const after = await cpuTimes();
  await delay(700);
  const files = (await readdir(folder)).filter((name) => name.endsWith(".json"));
  const texts = files.map(async (name) => ({ name, text: await readFile(join(folder, name), "utf8") }));
  const { documents, warnings } = parseProbeDocuments(await Promise.all(texts), window);
  expect(warnings).toEqual([]);
  const cpus = availableParallelism();
  const evidence = gatherEvidence(documents, {
    ...load,
    virtualUsers: users,
    pauseSeconds: 0,
    workers: 1,
    appCpus: cpus,
    generatorCpus: cpus,
  });
  const findings = evidence === undefined ? [] : findCauses(evidence);
  const problems = findings.filter(({ severity }) => severity === "problem");
  const [told] = findings.filter(({ severity }) => severity === "note");
  if (note === "") expect(told).toBeUndefined();
  // Where the hypervisor has a tenth of the CPU, that may be what the app lacks.
  const isStolen = after.stolen - before.stolen > (after.all - before.all) / 10;
  if (isStolen && problems.length === 0) return;
  expect(problems.map(({ cause }) => cause)).toEqual(found.map(([cause]) => cause));
  if (note !== undefined) expect(told?.place?.code ?? "").toContain(note);
  for (const [index, [, code]] of found.entries()) expect(problems[index]?.place?.code).toContain(code);
}

/** What k6 would do, without k6: each user waits for its reply before it sends again; late replies do not count. */
async function useFor(seconds: number, users: number, path: string) {
  const agent = new Agent({ keepAlive: true });
  const latencies: number[] = [];
  const ends = performance.now() + seconds * 1_000;
  const use = async () => {
    for (let sent = performance.now(); sent < ends; sent = performance.now()) {
      expect(await statusOf(path, agent)).toBe(200);
      const answered = performance.now();
      if (answered <= ends) latencies.push(answered - sent);
    }
  };
  await Promise.all(Array.from({ length: users }, use));
  agent.destroy();
  const latencyMeanMs = latencies.reduce((sum, each) => sum + each, 0) / latencies.length;
  const latencyMedianMs = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length / 2)] ?? 0;
  return { seconds, requests: latencies.length, latencyMeanMs, latencyMedianMs };
}

function statusOf(path: string, agent?: Agent): Promise<number> {
  return new Promise((done, fail) => {
    const options = { host: "127.0.0.1", port, path, ...(agent === undefined ? {} : { agent }) };
    get(options, (reply) => {
      reply.resume().once("end", () => done(reply.statusCode ?? 0));
    }).once("error", fail);
  });
}

async function answers(): Promise<boolean> {
  if (server.exitCode !== null) throw new Error("the server ended");
  return statusOf("/plain").then(
    () => true,
    () => false,
  );
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const listener = createServer().listen(0, "127.0.0.1", () => {
      const address = listener.address();
      listener.close(() => done(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** Ticks of all CPUs since the machine's start; none where the system does not say. */
async function cpuTimes(): Promise<{ readonly all: number; readonly stolen: number }> {
  const text = await readFile("/proc/stat", "utf8").catch(() => "");
  const ticks = (text.split("\n")[0] ?? "").trim().split(/\s+/).slice(1, 9).map(Number);
  return { all: ticks.reduce((sum, each) => sum + each, 0), stolen: ticks[7] ?? 0 };
}
