import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  hasProcfs,
  isSameProcess,
  listProcesses,
  type ProcessEntry,
  parseStat,
  readProcess,
  readVariable,
  residentMemory,
  threadSeconds,
} from "../../../src/adapters/process/procfs.ts";
import { type CpuSample, cpuAccount, processesOf } from "../../../src/adapters/process/usage.ts";
import {
  findListeners,
  type Listener,
  listeningInodes,
  parseSocketTable,
} from "../../../src/adapters/server/listening-sockets.ts";
import { sortWorkers } from "../../../src/adapters/server/workers.ts";

const rest = "S 1 2 3 0 -1 4194304 5 6 7 8 100 50 30 20 20 0 4 0 12345 1000 200";

test.for<[text: string, entry: Partial<ProcessEntry> | undefined]>([
  [
    `42 (python3) ${rest}`,
    {
      pid: 42,
      name: "python3",
      parent: 1,
      group: 2,
      session: 3,
      ownSeconds: 1.5,
      endedChildrenSeconds: 0.5,
      start: 12345,
      isZombie: false,
    },
  ],
  [`42 (a) (b) c) ${rest}`, { name: "a) (b) c", parent: 1 }],
  [`42 (x) ${rest.replace("S", "Z")}`, { isZombie: true }],
  ["", undefined],
  ["42 (cut", undefined],
])("reads %j", ([text, entry]) => {
  const read = parseStat(text);
  if (entry === undefined) expect(read).toBeUndefined();
  else expect(read).toMatchObject(entry);
});

const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0 100 0 0 10 0
   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 12 1 0 20 4 30 10 -1
   2: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 13 1 0 100 0 0 10 0
   3: 0A00000A:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 14 1 0 100 0 0 10 0
   4: 00000000000000000000000001000000:1F90 00000000000000000000000000000000:0000 0A 0:0 00:0 0     0        0 15 1
   5: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 0:0 00:0 0     0        0 16 1
   6: 0000000000000000FFFF00000100007F:1F90 00000000000000000000000000000000:0000 0A 0:0 00:0 0     0        0 17 1
   7: 000080FE00000000FF005450B8A4D3FE:1F90 00000000000000000000000000000000:0000 0A 0:0 00:0 0     0        0 18 1
   8: 0100007F:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 19 1 0 100 0 0 10 0
`;

test("finds the sockets that answer on loopback", () => {
  expect(parseSocketTable(table, 8080)).toEqual(["11", "13", "15", "16", "17"]);
  expect(parseSocketTable(table, 80)).toEqual(["19"]);
});

function listener(pid: number, parent: number, isWaiting: boolean): Listener {
  const numbers = { group: 1, session: 1, ownSeconds: 0, endedChildrenSeconds: 0, start: pid };
  return { process: { pid, parent, name: "python3", isZombie: false, ...numbers }, isWaiting };
}

test.for<[name: string, listeners: Listener[], workers: number[], starting: number[]]>([
  ["one process", [listener(1, 0, true)], [1], []],
  ["a supervisor, all up", [listener(1, 0, false), listener(2, 1, true), listener(3, 1, true)], [2, 3], []],
  ["one still starting", [listener(1, 0, false), listener(2, 1, true), listener(3, 1, false)], [2], [3]],
  ["what a worker forked", [listener(1, 0, true), listener(2, 1, true), listener(3, 1, false)], [1], []],
  ["no epoll", [listener(1, 0, false), listener(2, 1, false)], [1, 2], []],
])("tells workers: %s", ([, listeners, workers, starting]) => {
  const sorted = sortWorkers(listeners);
  expect(sorted.workers.map(({ pid }) => pid)).toEqual(workers);
  expect(sorted.starting.map(({ pid }) => pid)).toEqual(starting);
});

function cpu(pid: number, own: number, threads: Record<number, number>, endedChildren = 0): CpuSample {
  const clocks = new Map(Object.entries(threads).map(([id, seconds]) => [Number(id), seconds]));
  return { pid, start: 1, ownSeconds: own, endedChildrenSeconds: endedChildren, threads: clocks };
}

test.for<[name: string, samples: CpuSample[][], totals: number[]]>([
  ["threads to the nanosecond", [[cpu(1, 0.5, { 1: 0.25, 2: 0.2512 })]], [0.5012]],
  ["a thread that ended", [[cpu(1, 0, { 1: 1, 2: 2 })], [cpu(1, 0, { 1: 1.5 })]], [3, 3.5]],
  ["a thread that we never saw", [[cpu(1, 0, { 1: 1 })], [cpu(1, 3, { 1: 1.5 })]], [1, 3]],
  [
    "a process that ended",
    [[cpu(1, 0, { 1: 1 }), cpu(2, 0, { 2: 4 })], [cpu(1, 0, { 1: 2 }, 4.1)]],
    [5, 6.1],
  ],
  [
    "a process that nobody waited for",
    [[cpu(1, 0, { 1: 1 }), cpu(2, 0, { 2: 4 })], [cpu(1, 0, { 1: 2 })]],
    [5, 6],
  ],
  ["everything ended", [[cpu(1, 0, { 1: 1 }, 2)], []], [3, 3]],
])("adds up CPU time: %s", ([, samples, totals]) => {
  const add = cpuAccount();
  const results = samples.map((each) => add(each));
  expect(results).toHaveLength(totals.length);
  for (const [index, result] of results.entries()) expect(result).toBeCloseTo(totals[index] ?? Number.NaN, 9);
});

test.runIf(hasProcfs)("sees a child, what it was started with and what it uses", async () => {
  await using child = await startChild("setInterval(() => {}, 1000); console.log('up')");
  const entry = listProcesses().find(({ pid }) => pid === child.pid);
  expect(entry).toMatchObject({
    name: expect.stringContaining("node"),
    parent: process.pid,
    isZombie: false,
  });
  expect(readVariable(child.pid, "SEEN")).toBe("yes=yes");
  expect(readVariable(child.pid, "SEE")).toBeUndefined();
  expect(threadSeconds(child.pid).get(child.pid)).toBeGreaterThan(0);
  expect(residentMemory(child.pid)?.ownBytes).toBeGreaterThan(1_000_000);
  expect(entry && isSameProcess(entry)).toBe(true);
  expect(entry && isSameProcess({ ...entry, start: entry.start - 1 })).toBe(false);
  expect(processesOf(process.pid).map(({ pid }) => pid)).toContain(child.pid);
});

test.runIf(hasProcfs)("what has ended reads as nothing", () => {
  const gone = 4_194_305; // above the largest pid of any Linux
  expect(readProcess(gone)).toBeUndefined();
  expect(threadSeconds(gone)).toEqual(new Map());
  expect(residentMemory(gone)).toBeUndefined();
});

test.runIf(hasProcfs)("finds who listens, and that it waits", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  await sleep(10); // libuv tells epoll when it next has nothing to do
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const found = findListeners(listeningInodes(port), listProcesses());
  expect(found).toEqual([{ process: expect.objectContaining({ pid: process.pid }), isWaiting: true }]);
  server.close();
});

async function startChild(script: string): Promise<AsyncDisposable & { pid: number }> {
  const child = spawn(process.execPath, ["-e", script], {
    env: { SEEN: "yes=yes" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(child.stdout, "data");
  return {
    pid: child.pid ?? 0,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
