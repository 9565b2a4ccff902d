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

const tools = ["bash", "sed", "head", "cksum", "date", "git"].map((name) => ({
  name,
  path: spawnSync("which", [name], { encoding: "utf8" }).stdout.trim(),
}));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "preflight-"));
  for (const { name, path } of tools) symlinkSync(path, join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Makes the folder a repository that has this file. */
function track(name: string): void {
  for (const words of [["init"], ["add", name]]) spawnSync("git", words, { cwd: folder });
}

/** Runs the action's first step where only these programs and Python exist; each prints its version. */
function preflight(
  { python3 = "Python 3.12.1", ...others }: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>> = {},
) {
  rmSync(join(folder, "python3"), { force: true });
  const programs = Object.entries({ ...others, python3 }).filter(([, version]) => version !== "");
  for (const [name, version] of programs) {
    rmSync(join(folder, name), { force: true }); // or the file that a link leads to, the machine's own, is written
    writeFileSync(join(folder, name), `#!${join(folder, "bash")}\necho "${version}"\n`);
    chmodSync(join(folder, name), 0o755);
  }
  const output = join(folder, "output");
  writeFileSync(output, "");
  const { status, stdout } = spawnSync(join(folder, "bash"), [join(root, "scripts/preflight.sh")], {
    cwd: folder, // a repository has files to be read
    encoding: "utf8",
    env: {
      PATH: folder,
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
      [...readFileSync(output, "utf8").matchAll(/^(\S+?)(?:=(.*)|<<(\S+)\n([\s\S]*?)\n\3)$/gm)].map(
        ([, name, line, , lines]) => [name, line ?? lines],
      ),
    ),
  };
}

test.for<[string, Record<string, string>, Record<string, string>, string]>([
  ["there is none", {}, {}, "wanted"],
  ["a fit one is there", { k6: "k6 v2.2.0 (go1.26, linux/amd64)" }, {}, "present"],
  ["the one there is too old", { k6: "k6 v0.57.0 (go1.24, linux/amd64)" }, {}, "wanted"],
  ["the one there is newer than all that are known", { k6: "k6 v3.0.0 (go1.30)" }, {}, "wanted"],
  ["one is named, of which the program says more", {}, { LOADTEST_K6: "/nowhere/k6" }, "present"],
  ["nothing is measured", {}, { COMMAND: "report" }, "needless"],
])("k6 when %s", ([, programs, variables, wanted]) => {
  expect(preflight({ node: "v20.1.0", ...programs }, variables)).toMatchObject({
    status: 0,
    outputs: { k6: wanted },
  });
});

test.for<[string, Record<string, string>, Record<string, string>, string]>([
  ["there is no k6", {}, {}, "yes"],
  ["a fit k6 is there", { k6: "k6 v2.2.0 (go1.26, linux/amd64)" }, {}, "no"],
  ["a mirror of its releases is named", {}, { LOADTEST_K6_RELEASES: "https://mirror.example/" }, "no"],
  ["there is no release for the processor", {}, { RUNNER_ARCH: "ARM" }, "no"],
  ["the machine is a Mac", {}, { RUNNER_OS: "macOS", RUNNER_ARCH: "ARM64" }, "yes"],
  ["nothing is measured", {}, { COMMAND: "report" }, "no"],
])("setup-k6-action is asked when %s: %s", ([, programs, variables, wanted]) => {
  const { outputs } = preflight({ node: "v20.1.0", ...programs }, { RUNNER_ARCH: "X64", ...variables });
  expect(outputs["k6-setup"]).toBe(wanted);
});

test("two reports of one run are told apart by digits, whatever words their names hold", () => {
  const numberOf = (WORKING_DIRECTORY: string) =>
    preflight({ node: "v24.0.0" }, { WORKING_DIRECTORY }).outputs["report-number"];
  expect(numberOf("services/admin")).toMatch(/^\d+$/);
  expect(numberOf("services/admin")).toBe(numberOf("services/admin"));
  expect(numberOf("services/admin")).not.toBe(numberOf("services/shop"));
});

test.for<[string, Record<string, string>, string]>([
  ["one app", { WORKING_DIRECTORY: ".", CONFIG: ".github/loadtest.yml" }, "default"],
  ["an app of several", { WORKING_DIRECTORY: "services/users" }, "default.services-users"],
  ["its neighbour", { WORKING_DIRECTORY: "services/orders" }, "default.services-orders"],
  ["another app of one folder", { APP: "admin.main:app" }, "default.admin-main-app"],
  ["an app with a name", { NAME: "shop", WORKING_DIRECTORY: "." }, "default.shop"],
  ["several apps", { CONFIG: "a.yml\nb.yml" }, "default.a-yml-b-yml"],
  [
    "a long name",
    { WORKING_DIRECTORY: `${"x".repeat(29)}/${"y".repeat(29)}` },
    `default.${"x".repeat(29)}-1514003840`,
  ],
  ["a name of other letters", { WORKING_DIRECTORY: "приложение" }, "default.2162074064"],
  [
    "a job of a matrix of apps",
    { COMMAND: "measure", NAME: "shop", WORKING_DIRECTORY: "services/users" },
    "default",
  ],
  [
    "a name that its caller gave",
    { REPORT_ID: "nightly 2", WORKING_DIRECTORY: "services/users" },
    "nightly 2",
  ],
])("a report of %s is called by what tells it apart", ([, variables, expected]) => {
  expect(preflight({ node: "v24.0.0" }, variables).outputs["report-id"]).toBe(expected);
});

/** As the steps with the token compute it: Node, the event, and what leads connections elsewhere. */
const givenBy = (event: string, variables = "") => {
  const files = spawnSync("sha256sum", ["--", join(folder, "node"), event], { encoding: "utf8" });
  return files.stdout + spawnSync("sha256sum", { encoding: "utf8", input: variables }).stdout.trimEnd();
};

test("Node, the event and proxies are known by what is in them, as the later steps compute it", () => {
  const event = join(folder, "event.json");
  const of = (node: string, text: string, variables = {}) => {
    writeFileSync(event, text);
    return preflight({ node }, { GITHUB_EVENT_PATH: event, ...variables }).outputs["given"];
  };
  const known = of("v24.0.0", "{}");
  expect(known).toBe(givenBy(event));
  expect(of("v24.0.1", "{}")).not.toBe(known);
  expect(of("v24.0.0", "[]")).not.toBe(known);
  expect(of("v24.0.0", "{}", { NODE_PATH: "/a", PROXY: "a" })).toBe(known); // blank in those steps, and of no use
  const proxied = {
    https_proxy: "http://a",
    HTTPS_PROXY: "http://b",
    SSL_CERT_FILE: "/c",
    OPENSSL_CONF: "/d",
  };
  expect(of("v24.0.0", "{}", proxied)).toBe(
    givenBy(event, "HTTPS_PROXY=http://b\nOPENSSL_CONF=/d\nSSL_CERT_FILE=/c\nhttps_proxy=http://a\n"),
  );
});

test("Node is the program itself, not a version manager's that chooses it anew each time", () => {
  const itself = join(folder, "itself");
  writeFileSync(itself, "", { mode: 0o755 });
  const node = `$([ "$1" = -p ] && echo "${itself}" || echo v24.0.0)`;
  expect(preflight({ node }).outputs["node-path"]).toBe(itself);
});

test("a name that could say something else to the runner is left for the program to refuse", () => {
  const { outputs } = preflight({ node: "v24.0.0" }, { REPORT_ID: "a\nnode-path=/tmp/evil" });
  expect(outputs).toMatchObject({ "node-path": join(folder, "node") });
  expect(outputs["report-id"]).toBeUndefined();
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
    { SETTINGS: "vus: 2" },
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
  ["what the program takes by itself", {}, true],
  ["what the program takes by itself, with settings", { SETTINGS: "vus: 2" }, true],
  ["none", { SETTINGS: "database: none" }, false],
  ["the caller's", { HAS_DATABASE_URL: "true" }, false],
  ["the caller's, in settings", { SETTINGS: "database-url: postgresql://h/d" }, false],
  ["what a configuration file says", { CONFIG: join(root, "package.json") }, false],
  ["that of an app which already runs", { SETTINGS: "base-url: https://example.com" }, false],
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
  const { stdout } = preflight({ python3: "" }, { RUNNER_OS: "Windows" });
  expect(stdout.trim().split("\n")).toHaveLength(1);
  expect(stdout).toMatch(/^::error .*Linux or macOS.*Node 20.*there is no python3;/);
});

test("what is there is said for the steps that follow, whatever is missing", () => {
  const k6 = { k6: "k6 v2.2.0 (go1.26, linux/amd64)", node: "v24.0.0" };
  expect(preflight(k6).outputs).toMatchObject({ node: "yes", "k6-path": "" });
  const named = { LOADTEST_K6: join(folder, "k6") };
  expect(preflight(k6, named).outputs).toMatchObject({ "k6-path": join(folder, "k6") });
  expect(preflight({ node: "v24.0.0", python3: "" }).outputs).toEqual({
    "report-id": "default",
    "report-number": expect.stringMatching(/^\d+$/),
    node: "yes",
    given: expect.stringMatching(/^(?:[0-9a-f]{64} .*\n){2}[0-9a-f]{64} .*$/),
    ...{ actions: "/../_actions", "of-actions": "" },
    "node-path": join(folder, "node"), // before anything may put another first on PATH
  });
  expect(preflight({ node: "v18.0.0" }).outputs["node"]).toBeUndefined();
});

test.for<[string, Record<string, string>, number]>([
  ["no Python", {}, 3],
  ["no Python where nobody measures", { COMMAND: "report" }, 0],
  ["no Python for an app which already runs", { SETTINGS: "base-url: https://example.com" }, 0],
  ["a Python that settings name, which the program looks for", { SETTINGS: "python: x%0A::warning::y" }, 0],
])("F39: %s", ([, variables, expected]) => {
  const { status, stdout } = preflight({ node: "v20.1.0", python3: "" }, variables);
  expect(status).toBe(expected);
  expect(stdout.includes("there is no python3;")).toBe(expected === 3);
  expect(stdout).not.toContain("::warning");
});

test("inputs that the action does not declare are reported, all at once and before anything else", () => {
  const { status, stdout } = preflight(
    { node: "v20.1.0", python3: "" },
    { UNDECLARED: "  python   base-url \n " },
  );
  expect(status).toBe(2);
  expect(stdout).toBe(
    "::error title=Not inputs of the load test::python base-url: not action inputs; set them in .github/loadtest.yml, or in the `settings` input. docs/configuration.md describes each.\n",
  );
  expect(preflight({ node: "v20.1.0" }, { UNDECLARED: "   \n  " }).status).toBe(0);
});

test.for<[string, Record<string, string>, string, place?: string]>([
  ["GitHub", {}, "yes"],
  ["GitHub with data residency", { GITHUB_SERVER_URL: "https://octo.ghe.com" }, "yes"],
  ["an enterprise server", { GITHUB_SERVER_URL: "https://ghes.example" }, "no", "the job summary"],
  [
    "a host that is called alike",
    { GITHUB_SERVER_URL: "https://github.com.example" },
    "no",
    "the job summary",
  ],
  ["Gitea", { GITEA_ACTIONS: "true" }, "no", "the log"],
  ["Forgejo", { FORGEJO_ACTIONS: "true" }, "no", "the log"],
])(
  "F37, F38: whether %s takes artifacts is known, and said in one sentence",
  ([, variables, artifacts, place]) => {
    const { status, stdout, outputs } = preflight({ node: "v20.1.0" }, variables);
    expect(status).toBe(0);
    expect(outputs).toMatchObject({ artifacts });
    expect(stdout.split("\n").filter((line) => line.startsWith("::notice"))).toHaveLength(
      artifacts === "no" ? 1 : 0,
    );
    if (artifacts === "no") expect(stdout).toContain(`The report is in ${place} and in the results folder.`);
  },
);

test("seeded data have a name made of the files and the scale, where the server is ours and something is measured", () => {
  const file = join(folder, "seed.sql");
  writeFileSync(file, "SELECT 1;");
  track("seed.sql");
  const programs = { node: "v24.0.0", npm: "11.0.0", k6: "k6 v2.2.0" };
  const given = { HAS_DATABASE_URL: "false", SEED: `${file}\nmissing.sql`, SETTINGS: "scale: 1" };
  const keyOf = (variables: Readonly<Record<string, string>>) =>
    preflight(programs, { ...given, RUNNER_ARCH: "X64", ...variables }).outputs["seed-key"];
  const key = keyOf({});
  expect(key).toMatch(/^loadtest-seed-Linux-X64-20\d\d-\d\d-\d+$/);
  expect(keyOf({})).toBe(key);
  expect(keyOf({ SETTINGS: "scale: 0.1" })).not.toBe(key);
  writeFileSync(file, "SELECT 2;");
  expect(keyOf({})).not.toBe(key);
  for (const without of [
    { SETTINGS: "database: none" },
    { HAS_DATABASE_URL: "true" },
    { SEED: "" },
    { COMMAND: "plan" },
  ])
    expect(keyOf(without)).toBe("");
  // Settings may name the files, so any of the repository's may be among them.
  expect(keyOf({ SEED: "", SETTINGS: "seed: sql/01-schema.sql" })).toMatch(/^loadtest-seed-/);
  const config = join(folder, "loadtest.yml");
  writeFileSync(config, "seed: sql/01-schema.sql\n");
  const ofFile = keyOf({ CONFIG: config, SEED: "" });
  expect(ofFile).toMatch(/^loadtest-seed-/);
  writeFileSync(config, "seed: sql/02-seed.sql\n");
  expect(keyOf({ CONFIG: config, SEED: "" })).not.toBe(ofFile);
  expect(keyOf({ CONFIG: config, SETTINGS: "database: none" })).toBe("");
  expect(preflight(programs).outputs["seed-folder"]).toBe("/home/runner/.cache/fastapi-loadtest/seeds");
});

test("environments have a name made of what they are installed from, where something is measured", () => {
  const programs = { node: "v24.0.0", npm: "11.0.0", k6: "k6 v2.2.0" };
  const keyOf = (variables: Readonly<Record<string, string>>) =>
    preflight(programs, { RUNNER_ARCH: "X64", ...variables }).outputs["python-key"];
  const key = keyOf({ SETTINGS: "install: auto" });
  expect(key).toMatch(/^loadtest-python-Linux-X64-\d+$/);
  expect(keyOf({ SETTINGS: "install: auto" })).toBe(key);
  expect(keyOf({ SETTINGS: "install: none" })).not.toBe(key);
  expect(keyOf({ COMMAND: "report" })).toBe("");
  writeFileSync(join(folder, "requirements.txt"), "fastapi");
  track("requirements.txt");
  expect(keyOf({ SETTINGS: "install: auto" })).not.toBe(key);
  expect(preflight(programs).outputs["python-folder"]).toBe("/home/runner/.cache/fastapi-loadtest/python");
});

test("what a link of the repository leads to is not read: /proc/kmsg has no end", () => {
  const behind = join(folder, "behind");
  const names = ["loadtest.yml", "seed.sql", "requirements.txt"] as const;
  for (const name of names) {
    symlinkSync(behind, join(folder, name));
    track(name);
  }
  const [CONFIG, SEED] = names;
  const outputsWith = (text: string) => {
    writeFileSync(behind, text);
    return preflight({ node: "v24.0.0", k6: "k6 v2.2.0" }, { CONFIG, SEED, HAS_DATABASE_URL: "false" })
      .outputs;
  };
  const before = outputsWith("a");
  expect(before["seed-key"]).toMatch(/^loadtest-seed-/);
  expect(outputsWith("b")).toEqual({ ...before, "end-mark": expect.stringMatching(/^[0-9a-f]{32}$/) });
});

test.for(["report", "post"])(
  "T27: nothing is taken from a cache, or put there, for `%s`, whatever else is said",
  (COMMAND) => {
    const file = join(folder, "seed.sql");
    writeFileSync(file, "SELECT 1;");
    const given = { HAS_DATABASE_URL: "false", SEED: file, SETTINGS: "install: auto" };
    const { status, outputs } = preflight({ node: "v24.0.0", k6: "k6 v2.2.0" }, { ...given, COMMAND });
    expect(status).toBe(0);
    expect(outputs).toMatchObject({ "seed-key": "", "python-key": "", k6: "needless" });
    // The same words for a command that measures do name a cache, so the above is not for want of them.
    const measuring = preflight({ node: "v24.0.0", k6: "k6 v2.2.0" }, { ...given, COMMAND: "measure" });
    expect(measuring.outputs["seed-key"]).not.toBe("");
    expect(measuring.outputs["python-key"]).not.toBe("");
  },
);
