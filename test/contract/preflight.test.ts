import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { root } from "./files.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "preflight-"));
  for (const tool of ["bash", "sed", "head", "cksum"]) {
    symlinkSync(spawnSync("which", [tool], { encoding: "utf8" }).stdout.trim(), join(folder, tool));
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the action's first step where only these programs exist; each prints its version. */
function preflight(
  programs: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
) {
  for (const [name, version] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!${join(folder, "bash")}\necho "${version}"\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const output = join(folder, "output");
  writeFileSync(output, "");
  const { status, stdout } = spawnSync(join(folder, "bash"), [join(root, "scripts/preflight.sh")], {
    encoding: "utf8",
    env: {
      PATH: folder,
      COMMAND: "run",
      MATRIX: "null",
      WORKERS: "1",
      ENDPOINTS: "/",
      RUNNER_OS: "Linux",
      GITHUB_OUTPUT: output,
      ...variables,
    },
  });
  return {
    status,
    stdout,
    outputs: Object.fromEntries(
      readFileSync(output, "utf8")
        .trim()
        .split("\n")
        .map((line) => line.split("=")),
    ),
  };
}

test.for<[string, Record<string, string>, Record<string, string>, string]>([
  ["there is none", {}, {}, "wanted"],
  ["a fit one is there", { k6: "k6 v2.2.0 (go1.26, linux/amd64)" }, {}, "present"],
  ["the one there is too old", { k6: "k6 v0.57.0 (go1.24, linux/amd64)" }, {}, "wanted"],
  ["nothing is measured", {}, { COMMAND: "report" }, "needless"],
])("k6 when %s", ([, programs, variables, wanted]) => {
  expect(preflight({ node: "v20.1.0", ...programs }, variables)).toMatchObject({
    status: 0,
    outputs: { k6: wanted },
  });
});

test("the jobs of a matrix have numbers of their own, the same each time", () => {
  const numberOf = (variables: Record<string, string>) =>
    preflight({ node: "v24.0.0" }, variables).outputs["job-number"];
  const jobs = [{}, { MATRIX: '{"a":1}' }, { WORKERS: "2" }, { ENDPOINTS: "/b" }, { ENDPOINTS: "/c" }];
  const numbers = jobs.map(numberOf);
  expect(new Set(numbers).size).toBe(jobs.length);
  expect(jobs.map(numberOf)).toEqual(numbers);
  for (const number of numbers) expect(number).toMatch(/^\d+$/);
});

test.for<[string, Record<string, string>, Record<string, string>, string]>([
  ["no Node", {}, {}, "Node 20 or newer: there is none on PATH"],
  ["an old Node", { node: "v18.20.0" }, {}, "Node 20 or newer: this is 18"],
  ["Windows", { node: "v20.1.0" }, { RUNNER_OS: "Windows" }, "Linux or macOS:"],
])("%s is refused", ([, programs, variables, reason]) => {
  const { status, stdout } = preflight(programs, variables);
  expect(status).toBe(3);
  expect(stdout).toContain(reason);
});

test("everything missing is said in one annotation", () => {
  const { stdout } = preflight({}, { RUNNER_OS: "Windows" });
  expect(stdout.trim().split("\n")).toHaveLength(1);
  expect(stdout).toMatch(/^::error .*Linux or macOS.*Node 20/);
});
