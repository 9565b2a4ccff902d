import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import {
  chooseCpuSets,
  cpuSetsOf,
  describeMachine,
  parseUse,
  watchMachine,
} from "../../../src/adapters/machine/machine-facts.ts";
import { hasProcfs, ownCpus } from "../../../src/adapters/process/index.ts";
import { formatCpuList, parseCpuList } from "../../../src/model/measurement/environment.ts";
import type { CpuSets } from "../../../src/ports/machine.ts";

test("describes this machine", () => {
  expect(describeMachine({})).toEqual({
    cpuModel: expect.stringMatching(/./),
    cores: expect.any(Number),
    memoryBytes: expect.any(Number),
    kernel: expect.stringMatching(/^\d+\./),
    platform: `${process.platform} ${process.arch}`,
    runner: "local",
    node: process.versions.node,
  });
});

test.for<[environment: Record<string, string>, runner: string]>([
  [{ RUNNER_NAME: "" }, "local"],
  [
    { RUNNER_NAME: "GitHub Actions 7", ImageOS: "ubuntu24", ImageVersion: "20261101.1" },
    'GitHub Actions runner "GitHub Actions 7" (ubuntu24 20261101.1)',
  ],
  [{ RUNNER_NAME: "own" }, 'GitHub Actions runner "own"'],
])("names the runner of %j", ([environment, runner]) => {
  expect(describeMachine(environment).runner).toBe(runner);
});

test.for<[list: string, cpus: number[]]>([
  ["", []],
  ["3", [3]],
  ["0-1", [0, 1]],
  ["0-1,3,8-10", [0, 1, 3, 8, 9, 10]],
])("a list of CPUs: %j", ([list, cpus]) => {
  expect(parseCpuList(`${list}\n`)).toEqual(cpus);
  expect(formatCpuList(cpus.toReversed())).toBe(list);
});

test.for<[name: string, cores: number[][], sets: CpuSets | undefined]>([
  ["none", [], undefined],
  ["one", [[0]], undefined],
  ["two cores", [[0], [1]], { app: "1", others: "0" }],
  ["one core with two threads, as in the cloud", [[0, 1]], { app: "1", others: "0" }],
  ["three", [[0], [1], [2]], { app: "2", others: "0-1" }],
  ["four", [[0], [1], [2], [3]], { app: "2-3", others: "0-1" }],
  ["five, of which we may not use some", [[1], [3], [4], [6], [7]], { app: "6-7", others: "1,3-4" }],
  [
    "neighbours are siblings",
    [
      [0, 1],
      [2, 3],
    ],
    { app: "2-3", others: "0-1" },
  ],
  [
    "siblings are far apart",
    [
      [0, 2],
      [1, 3],
    ],
    { app: "1,3", others: "0,2" },
  ],
  [
    "three cores with two threads each",
    [
      [0, 3],
      [1, 4],
      [2, 5],
    ],
    { app: "2,5", others: "0-1,3-4" },
  ],
  ["large cores and small ones", [[0, 1], [2, 3], [4], [5]], { app: "4-5", others: "0-3" }],
  ["a small core and a large one", [[0], [1, 2]], { app: "1-2", others: "0" }],
])("shares out CPUs: %s", ([, cores, sets]) => {
  expect(chooseCpuSets(cores)).toEqual(sets);
});

test("shares out the CPUs of this machine, unless nothing can be kept to them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "loadtest-machine-"));
  const options = { logPath: join(folder, "taskset.log"), signal: new AbortController().signal };
  const sets = await cpuSetsOf(options);
  vi.stubEnv("PATH", folder);
  expect(await cpuSetsOf(options)).toBeUndefined();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
  if (sets === undefined) return; // a machine with one CPU
  const [app, others] = [parseCpuList(sets.app), parseCpuList(sets.others)];
  expect([...app, ...others].toSorted((a, b) => a - b)).toEqual(ownCpus());
  expect(Math.min(app.length, others.length)).toBeGreaterThan(0);
});

const stat = `cpu  1000 0 0 0 0 0 0 0 0 0
cpu0 100 200 300 400 500 600 700 800 50 60
cpu1 1 2 3 4 5 6 7 8 0 0
cpu10 10000 0 0 0 0 0 0 0 0 0
intr 1 2 3
`;

test("reads what CPUs did: idle and waiting is not busy, and a guest's time counts once", () => {
  expect(parseUse(stat, [0])).toEqual({ totalSeconds: 36, busySeconds: 19, stealSeconds: 8 });
  expect(parseUse(stat, [0, 1])).toEqual({ totalSeconds: 36.36, busySeconds: 19.19, stealSeconds: 8.08 });
  expect(parseUse(stat, [2])).toBeUndefined();
  expect(parseUse("", [0])).toBeUndefined();
});

test.runIf(hasProcfs)("watches this machine", () => {
  const watch = watchMachine();
  const startedAt = performance.now();
  while (performance.now() - startedAt < 500); // keeps one CPU busy
  const use = watch?.();
  const clock = ((performance.now() - startedAt) / 1_000) * ownCpus().length;
  expect(use?.totalSeconds).toBeGreaterThan(clock - 0.2);
  expect(use?.totalSeconds).toBeLessThan(clock + 0.2);
  expect(use?.busySeconds).toBeGreaterThan(0.3);
  expect(use?.stealSeconds).toBeGreaterThanOrEqual(0);
});
