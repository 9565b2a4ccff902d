import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { root } from "./files.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "preflight-"));
  for (const tool of ["bash", "sed", "head", "cksum", "date", "git"]) {
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
      PYTHON: "bash", // any program that is there
      HOME: "/home/runner",
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
  const jobs = [
    {},
    { MATRIX: '{"a":1}' },
    { WORKERS: "2" },
    { ENDPOINTS: "/b" },
    { ENDPOINTS: "/c" },
    { NAME: "shop" },
  ];
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

test.for<[string, Record<string, string>, boolean]>([
  ["ours", { DATABASE: "postgres" }, true],
  ["what the program takes by itself", { DATABASE: "" }, true],
  ["none", { DATABASE: "none" }, false],
  ["the caller's", { DATABASE: "", HAS_DATABASE_URL: "true" }, false],
  ["what a configuration file says", { DATABASE: "", CONFIG: "package.json" }, false],
])("F39: without Postgres and npm the database can be %s: %s", ([, variables, isMissing]) => {
  const given = { HAS_DATABASE_URL: "false", ...variables };
  const { status, stdout } = preflight({ node: "v20.1.0" }, given);
  // Where the machine that tests has a Postgres of its own there is nothing to miss.
  const isThere = existsSync("/usr/lib/postgresql");
  expect(status).toBe(isMissing && !isThere ? 3 : 0);
  expect(stdout.includes("PostgreSQL, or npm")).toBe(isMissing && !isThere);
});

test.for<[version: string, refusal: string | undefined]>([
  ["v18.20.8", "Node 20 or newer: this is 18"],
  ["v19.9.0", "Node 20 or newer: this is 19"],
  ["v20.0.0", undefined],
  ["v26.1.0", undefined],
  ["v100.0.0-nightly", undefined],
  ["no version at all", "Node 20 or newer: there is none on PATH"],
])("F46: Node %s", ([version, refusal]) => {
  const { status, stdout } = preflight({ node: version });
  expect({ status, isRefused: stdout.includes("::error ") }).toEqual(
    refusal === undefined ? { status: 0, isRefused: false } : { status: 3, isRefused: true },
  );
  expect(stdout).toContain(refusal ?? "");
});

test("F39: everything missing is said in one annotation", () => {
  const { stdout } = preflight({}, { RUNNER_OS: "Windows", PYTHON: "python3.99" });
  expect(stdout.trim().split("\n")).toHaveLength(1);
  expect(stdout).toMatch(/^::error .*Linux or macOS.*Node 20.*there is no python3\.99/);
});

test("what is there is said for the steps that follow, whatever is missing", () => {
  const k6 = { k6: "k6 v2.2.0 (go1.26, linux/amd64)", node: "v24.0.0" };
  expect(preflight(k6).outputs).toMatchObject({ node: "yes", "k6-path": "" });
  const named = { LOADTEST_K6: join(folder, "k6") };
  expect(preflight(k6, named).outputs).toMatchObject({ "k6-path": join(folder, "k6") });
  expect(preflight({ node: "v24.0.0" }, { PYTHON: "python3.99" }).outputs).toEqual({ node: "yes" });
  expect(preflight({ node: "v18.0.0" }).outputs["node"]).toBeUndefined();
});

test.for<[string, Record<string, string>, number]>([
  ["a Python that is not there", { PYTHON: "python3.99" }, 3],
  ["a Python that nobody measures with", { PYTHON: "python3.99", COMMAND: "report" }, 0],
  ["a Python whose name would be a command of its own", { PYTHON: "x%0A::warning::y" }, 3],
])("F39: %s", ([, variables, expected]) => {
  const { status, stdout } = preflight({ node: "v20.1.0" }, variables);
  expect(status).toBe(expected);
  expect(stdout).not.toContain("::warning");
});

test("F39: any Python will do where the caller asks for none", () => {
  const asked = { PYTHON: "auto" };
  expect(preflight({ node: "v20.1.0" }, asked).stdout).toContain("there is no python3;");
  expect(preflight({ node: "v20.1.0", python3: "Python 3.12.1" }, asked).status).toBe(0);
});

test.for<[string, Record<string, string>, string]>([
  ["GitHub", {}, "yes"],
  ["GitHub with data residency", { GITHUB_SERVER_URL: "https://octo.ghe.com" }, "yes"],
  ["an enterprise server", { GITHUB_SERVER_URL: "https://ghes.example" }, "no"],
  ["a host that is called alike", { GITHUB_SERVER_URL: "https://github.com.example" }, "no"],
  ["Gitea", { GITEA_ACTIONS: "true" }, "no"],
  ["Forgejo", { FORGEJO_ACTIONS: "true" }, "no"],
])("F37, F38: whether %s takes artifacts is known, and said in one sentence", ([, variables, artifacts]) => {
  const { status, stdout, outputs } = preflight({ node: "v20.1.0" }, variables);
  expect(status).toBe(0);
  expect(outputs).toMatchObject({ artifacts });
  expect(stdout.split("\n").filter((line) => line.startsWith("::notice"))).toHaveLength(
    artifacts === "no" ? 1 : 0,
  );
});

test("seeded data have a name made of the files and the scale, where the server is ours and something is measured", () => {
  const file = join(folder, "seed.sql");
  writeFileSync(file, "SELECT 1;");
  const programs = { node: "v24.0.0", k6: "k6 v2.2.0" };
  const given = { DATABASE: "postgres", HAS_DATABASE_URL: "false", SEED: `${file}\nmissing.sql`, SCALE: "1" };
  const keyOf = (variables: Readonly<Record<string, string>>) =>
    preflight(programs, { ...given, RUNNER_ARCH: "X64", ...variables }).outputs["seed-key"];
  const key = keyOf({});
  expect(key).toMatch(/^loadtest-seed-Linux-X64-20\d\d-\d\d-\d+$/);
  expect(keyOf({})).toBe(key);
  expect(keyOf({ SCALE: "0.1" })).not.toBe(key);
  writeFileSync(file, "SELECT 2;");
  expect(keyOf({})).not.toBe(key);
  for (const without of [
    { DATABASE: "none" },
    { HAS_DATABASE_URL: "true" },
    { SEED: "" },
    { COMMAND: "plan" },
  ])
    expect(keyOf(without)).toBe("");
  const config = join(folder, "loadtest.yml");
  writeFileSync(config, "seed: sql/01-schema.sql\n");
  const ofFile = keyOf({ CONFIG: config, DATABASE: "", SEED: "" });
  expect(ofFile).toMatch(/^loadtest-seed-/);
  writeFileSync(config, "seed: sql/02-seed.sql\n");
  expect(keyOf({ CONFIG: config, DATABASE: "", SEED: "" })).not.toBe(ofFile);
  expect(keyOf({ CONFIG: config, DATABASE: "none" })).toBe("");
  expect(preflight(programs).outputs["seed-folder"]).toBe("/home/runner/.cache/fastapi-loadtest/seeds");
});

test("environments have a name made of what they are installed from, where something is measured", () => {
  const programs = { node: "v24.0.0", k6: "k6 v2.2.0" };
  const keyOf = (variables: Readonly<Record<string, string>>) =>
    preflight(programs, { RUNNER_ARCH: "X64", ...variables }).outputs["python-key"];
  const key = keyOf({ INSTALLING: "auto auto" });
  expect(key).toMatch(/^loadtest-python-Linux-X64-\d+$/);
  expect(keyOf({ INSTALLING: "auto auto" })).toBe(key);
  expect(keyOf({ INSTALLING: "auto none" })).not.toBe(key);
  expect(keyOf({ COMMAND: "report" })).toBe("");
  expect(preflight(programs).outputs["python-folder"]).toBe("/home/runner/.cache/fastapi-loadtest/python");
});

test.for(["report", "post"])(
  "T27: nothing is taken from a cache, or put there, for `%s`, whatever else is said",
  (COMMAND) => {
    const file = join(folder, "seed.sql");
    writeFileSync(file, "SELECT 1;");
    const given = { DATABASE: "postgres", HAS_DATABASE_URL: "false", SEED: file, INSTALLING: "python3 auto" };
    const { status, outputs } = preflight({ node: "v24.0.0", k6: "k6 v2.2.0" }, { ...given, COMMAND });
    expect(status).toBe(0);
    expect(outputs).toMatchObject({ "seed-key": "", "python-key": "", k6: "needless" });
    // The same words for a command that measures do name a cache, so the above is not for want of them.
    const measuring = preflight({ node: "v24.0.0", k6: "k6 v2.2.0" }, { ...given, COMMAND: "measure" });
    expect(measuring.outputs["seed-key"]).not.toBe("");
    expect(measuring.outputs["python-key"]).not.toBe("");
  },
);
