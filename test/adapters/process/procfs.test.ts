import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { type CpuSample, cpuAccount, processesOf } from "../../../src/adapters/process/cpu-usage.ts";
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
    name: expect.stringMatching(/node|MainThread/), // the latter from Node 24 on
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
