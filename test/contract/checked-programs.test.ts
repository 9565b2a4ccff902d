import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { action, root } from "./files.ts";

// The steps with the token compare what they read with their own text. Here that text runs on a copy of the action whose
// Node only says that it was started.

let folder: string;
const inAction = (path: string) => join(folder, "action", path);
const event = () => join(folder, "event.json");
const node = () => join(folder, "node");
const files = [
  "package.json",
  ...readdirSync(join(root, "dist")).flatMap((name) => (/\.(?:js|txt)$/.test(name) ? [`dist/${name}`] : [])),
];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "checked-"));
  mkdirSync(inAction("dist"), { recursive: true });
  for (const path of files) cpSync(join(root, path), inAction(path));
  writeFileSync(event(), '{"number": 7}');
  writeFileSync(node(), "#!/bin/bash\necho started\n", { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(id: string, variables: Readonly<Record<string, string>> = {}) {
  const found = action.runs.steps.find((each) => each.id === id);
  const sums = (paths: readonly string[]) =>
    spawnSync("sha256sum", ["--", ...paths], { encoding: "utf8", input: "" }).stdout;
  const given = `${sums([node(), event()])}${sums([])}`.trimEnd(); // no variable leads elsewhere
  return (change: () => void) => {
    change();
    return spawnSync(
      "/bin/bash",
      ["--noprofile", "--norc", "-p", "-eo", "pipefail", "-c", found?.run ?? ""],
      {
        encoding: "utf8",
        cwd: folder,
        env: {
          ...{ PATH: "/nowhere", GITHUB_ACTION_PATH: join(folder, "action"), GITHUB_EVENT_PATH: event() },
          ...{ NODE: node(), PROGRAMS: found?.env?.["PROGRAMS"] ?? "", GIVEN: given, COMMAND: "report" },
          ...variables,
        },
      },
    );
  };
}

const steps = ["announce", "report", "withdraw"] as const;

test.for(steps)("%s starts Node when all is as it was", (id) => {
  const { stdout, stderr } = run(id)(() => undefined);
  expect(stdout + stderr).toBe("started\n");
});

const text = (path: string) => readFileSync(inAction(path), "utf8");
const changes: readonly (readonly [what: string, change: () => void])[] = [
  [
    "the same bytes under other names",
    () => {
      const [cli, workstation] = [text("dist/cli.js"), text("dist/workstation.js")];
      writeFileSync(inAction("dist/cli.js"), workstation);
      writeFileSync(inAction("dist/workstation.js"), cli);
    },
  ],
  [
    "the same bytes, cut at another place",
    () => {
      const [cli, page] = [text("dist/cli.js"), text("dist/page.js")];
      writeFileSync(inAction("dist/cli.js"), cli.slice(0, -10));
      writeFileSync(inAction("dist/page.js"), cli.slice(-10) + page);
    },
  ],
  ["a program", () => writeFileSync(inAction("dist/cli.js"), "steal()")],
  ["the script of the page", () => writeFileSync(inAction("dist/page.js"), "steal()")],
  ["the kind of module", () => writeFileSync(inAction("package.json"), "{}")],
  ["a nearer package", () => writeFileSync(inAction("dist/package.json"), '{"type":"commonjs"}')],
  ["a program that is gone", () => rmSync(inAction("dist/workstation.js"))],
  ["Node", () => writeFileSync(node(), "#!/bin/bash\necho started stolen\n")],
  ["another pull request's event", () => writeFileSync(event(), '{"number": 8}')],
  ["an event that is gone", () => rmSync(event())],
];

test.for(changes.flatMap(([what, change]) => steps.map((id) => [what, id, change] as const)))(
  "T41: %s is seen by %s, which starts nothing",
  ([, id, change]) => {
    const { status, stdout } = run(id)(change);
    expect(stdout).toMatch(/^::error title=The load test was tampered with::/);
    expect(stdout).not.toContain("started");
    expect(status).toBe(3);
  },
);

test.for([
  { HTTPS_PROXY: "http://127.0.0.1:1" },
  { https_proxy: "http://127.0.0.1:1" },
  { NODE_TLS_REJECT_UNAUTHORIZED: "0" },
  { NODE_USE_SYSTEM_CA: "1" },
  { NODE_EXTRA_CA_CERTS: "/etc/hostname" },
  { OPENSSL_CONF: "/tmp/x.cnf" },
  { GCONV_PATH: "/tmp" },
])(
  "T41: a variable that came meanwhile, which leads connections or Node elsewhere, is seen: %o",
  (variables) => {
    const { status, stdout } = run("report", variables)(() => undefined);
    expect(stdout).toMatch(/^::error title=The load test was tampered with::/);
    expect(status).toBe(3);
  },
);

describe("the actions of a job", () => {
  const inActions = (path: string) => join(folder, "_actions", path);
  const settle = (ofActions: string, more: Readonly<Record<string, string>> = {}) =>
    run("actions", {
      ...{ ACTIONS: join(folder, "_actions"), OF_ACTIONS: ofActions, ENDED: "a word", END_MARK: "a word" },
      ...{ RUNNER_TRACKING_ID: folder, ...more }, // no process of other jobs, or of this machine's user, has it
      GITHUB_ACTION_PATH: inActions("org/load-test/v1"),
    })(() => undefined);
  /** What the first step said of them. */
  const hashOfAll = () => {
    const output = join(folder, "output");
    writeFileSync(output, "");
    const env = {
      ...process.env,
      GITHUB_OUTPUT: output,
      COMMAND: "report",
      MATRIX: "",
      WORKERS: "",
      ENDPOINTS: "",
    };
    const given = { ...env, GITHUB_ACTION_PATH: inActions("org/load-test/v1"), RUNNER_WORKSPACE: folder };
    spawnSync("bash", [join(root, "scripts/preflight.sh")], { cwd: folder, env: given });
    const [, hash = ""] = /^of-actions=(.*)$/m.exec(readFileSync(output, "utf8")) ?? [];
    expect(readFileSync(output, "utf8")).toContain(`\nactions=${join(folder, "_actions")}\n`);
    return hash;
  };
  beforeEach(() => {
    for (const name of ["actions/checkout/v4/dist", "org/load-test/v1/probe"])
      mkdirSync(inActions(name), { recursive: true });
    writeFileSync(inActions("actions/checkout/v4/action.yml"), "runs: { post: dist/index.js }");
    writeFileSync(inActions("actions/checkout/v4/dist/index.js"), "clean()");
  });

  const index = "actions/checkout/v4/dist/index.js";
  test.for<[string, () => void]>([
    ["a program that runs at the job's end", () => writeFileSync(inActions(index), "steal()")],
    ["what an action is handed", () => writeFileSync(inActions("actions/checkout/v4/action.yml"), "{}")],
    [
      "a program that is replaced by a link",
      () => {
        rmSync(inActions(index));
        symlinkSync(event(), inActions(index));
      },
    ],
    [
      "a program moved to another's place",
      () => renameSync(inActions(index), inActions("actions/checkout/v4/main.js")),
    ],
    ["another file", () => writeFileSync(inActions("actions/checkout/v4/package.json"), "{}")],
    ["a pipe", () => spawnSync("mkfifo", [inActions("pipe")])],
    [
      "what Python keeps of another action's module, and runs in its place",
      () => writeFileSync(inActions("actions/checkout/v4/dist/helper.cpython-312.pyc"), "steal()"),
    ],
  ])("T41: %s is seen after measuring, and all are removed", ([, change]) => {
    const given = hashOfAll();
    change();
    const { status, stdout } = settle(given);
    expect(stdout).toMatch(/^::error title=The load test was tampered with::/);
    expect(status).toBe(3);
    expect(existsSync(inActions(""))).toBe(false);
  });

  test("stay when all is as it was, but for what Python keeps of the probe", () => {
    const given = hashOfAll();
    expect(given).toMatch(/^[0-9a-f]{64} /);
    mkdirSync(inActions("org/load-test/v1/probe/__pycache__"));
    writeFileSync(inActions("org/load-test/v1/probe/__pycache__/a.cpython-312.pyc"), "");
    expect(settle(given)).toMatchObject({ status: 0, stdout: "", stderr: "" });
    expect(existsSync(inActions(index))).toBe(true);
  });

  test.for([
    ["nothing", { ENDED: "" }],
    ["what an app makes up", { ENDED: "yes" }],
    ["nothing, and no word was given", { ENDED: "", END_MARK: "" }],
  ] as const)(
    "T41: where what measured has said %s at its end, it was killed, and only our own stays",
    ([, said]) => {
      writeFileSync(inActions("org/load-test/v1/action.yml"), "ours");
      const { status, stdout } = settle(hashOfAll(), said);
      expect(stdout).toMatch(/^::error title=The measurement was killed::/);
      expect(status).toBe(3);
      expect(existsSync(inActions(index))).toBe(false);
      expect(existsSync(inActions("org/load-test/v1/action.yml"))).toBe(true);
    },
  );

  test.runIf(process.platform === "linux").for([
    ["of this job", { RUNNER_TRACKING_ID: "", LOADTEST_OWNER: "4194304.1" }, true],
    ["of another job", { RUNNER_TRACKING_ID: "another", LOADTEST_OWNER: "4194304.1" }, false],
    ["of nobody's", { RUNNER_TRACKING_ID: "" }, false],
    ["of a run that goes on", { RUNNER_TRACKING_ID: "", LOADTEST_OWNER: "own" }, false],
  ] as const)(
    "T41: a process %s that what measured has left: %o, killed: %s",
    async ([, variables, isKilled]) => {
      const start = readFileSync(`/proc/${process.pid}/stat`, "utf8").split(") ")[1]?.split(" ")[19];
      const env = Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [
          name,
          value === "own" ? `${process.pid}.${start}` : value || folder,
        ]),
      );
      const left = spawn("/bin/sleep", ["60"], { env, stdio: "ignore", detached: true });
      settle(hashOfAll());
      const isAlive = () =>
        existsSync(`/proc/${left.pid}/stat`) &&
        /^\d+ \(sleep\) [^Z]/.test(readFileSync(`/proc/${left.pid}/stat`, "utf8"));
      await expect.poll(isAlive, { timeout: 5_000 }).toBe(!isKilled);
      left.kill("SIGKILL");
    },
  );

  test("are looked at right after measuring, before any other action runs", () => {
    const ids = action.runs.steps.map(({ id }) => id);
    expect(ids[ids.indexOf("measure") + 1]).toBe("actions");
  });
});

test("T41: what is uploaded holds no link, which the upload would follow with a token in its variables", () => {
  const at = (path: string) => join(folder, "results", path);
  for (const name of ["results/cells", "elsewhere/cells"]) mkdirSync(join(folder, name), { recursive: true });
  for (const name of ["results/plan.json", "results/cells/a.json", "elsewhere/cells/b.json"])
    writeFileSync(join(folder, name), "{}");
  symlinkSync("/proc/self/environ", at("cells/link.json"));
  symlinkSync("/proc/self/environ", at("report.md"));
  symlinkSync("/proc/self/environ", at("other"));
  spawnSync("mkfifo", [at("results.csv")]);
  const ids = action.runs.steps.map(({ id }) => id);
  expect(ids[ids.indexOf("upload") - 1]).toBe("plain");
  const { run: script = "" } = action.runs.steps[ids.indexOf("plain")] ?? {};
  const clean = (env: Readonly<Record<string, string>>) =>
    spawnSync("/bin/bash", ["--noprofile", "--norc", "-p", "-eo", "pipefail", "-c", script], {
      cwd: folder,
      env,
    });
  expect(clean({ RESULTS_DIRECTORY: "results" }).status).toBe(0);
  expect(readdirSync(at("")).toSorted()).toEqual(["cells", "other", "plan.json"]);
  expect(readdirSync(at("cells"))).toEqual(["a.json"]);
  rmSync(at("cells"), { recursive: true });
  symlinkSync(join(folder, "elsewhere/cells"), at("cells"));
  clean({ RESULTS_DIRECTORY: "results" });
  expect(readdirSync(at("")).toSorted()).toEqual(["other", "plan.json"]);
  expect(existsSync(join(folder, "elsewhere/cells/b.json"))).toBe(true);
  for (const none of ["", "gone"]) expect(clean({ RESULTS_DIRECTORY: none }).status).toBe(0);
});

test("T41: a link that the app has made irremovable ends the job, and nothing is uploaded", () => {
  const cells = join(folder, "locked/cells");
  mkdirSync(cells, { recursive: true });
  symlinkSync("/proc/self/environ", join(cells, "link.json"));
  chmodSync(folder, 0o755);
  chmodSync(cells, 0o555);
  const upload = action.runs.steps.find(({ id }) => id === "upload");
  expect(upload?.if).toContain("steps.plain.outcome == 'success'");
  const { run: script = "" } = action.runs.steps.find(({ id }) => id === "plain") ?? {};
  const bash = ["/bin/bash", "--noprofile", "--norc", "-p", "-eo", "pipefail", "-c", script];
  // Nothing is irremovable for root.
  const other =
    process.getuid?.() === 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];
  const [command = "", ...args] = [...other, ...bash];
  const { status, stdout } = spawnSync(command, args, {
    ...{ cwd: folder, encoding: "utf8" },
    env: { RESULTS_DIRECTORY: "locked", PATH: process.env["PATH"] },
  });
  chmodSync(cells, 0o755);
  expect([status, stdout]).toEqual([
    1,
    expect.stringContaining("::error title=The results are not uploaded::"),
  ]);
});

test("a step with the token reads nothing that runs an app", () => {
  expect(files.filter((path) => path.includes("reproduce"))).toEqual([]);
  for (const id of steps)
    expect(action.runs.steps.find((each) => each.id === id)?.env?.["PROGRAMS"]).not.toContain("reproduce");
});

test("nothing is started without hashes from before", () => {
  expect(run("report", { GIVEN: "" })(() => undefined).status).toBe(3);
  expect(run("report", { PROGRAMS: "" })(() => undefined).status).toBe(3);
});

test("announcing comes before anything that an earlier run may have filled", () => {
  const ids = action.runs.steps.map(({ id, uses = "" }) => id ?? uses.split("@")[0]);
  expect(ids.slice(0, 3)).toEqual(["preflight", "announce", "actions/cache/restore"]);
});

test.for([
  ["run", true],
  ["report", true],
  ["post", true],
  ["measure", false],
  ["plan", false],
] as const)("after a measurement %s is refused in the same job: %s", ([command, isRefused]) => {
  mkdirSync(inAction("scripts"));
  writeFileSync(inAction("scripts/preflight.sh"), "echo looked\n");
  const { status, stdout } = run("preflight", {
    COMMAND: command,
    PATH: "/usr/bin:/bin",
    LOADTEST_MEASURED: "yes",
  })(() => undefined);
  expect(status).toBe(isRefused ? 2 : 0);
  expect(stdout).toMatch(isRefused ? /^::error title=The load test ran in this job already::/ : /^looked$/m);
});
