import { expect, test } from "vitest";

import { describeMachine } from "../../src/adapters/machine.ts";

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
