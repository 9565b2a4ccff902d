import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { killAbandonedProcesses, killLeftovers } from "../../../src/adapters/process/abandoned-processes.ts";
import {
  childEnvironment,
  describeExit,
  type Exit,
  type ProcessOptions,
  readTail,
  runProcess,
  startProcess,
  withPrograms,
} from "../../../src/adapters/process/child-process.ts";
import { ownerVariable } from "../../../src/adapters/process/process-owner.ts";
import { hasProcfs, listProcesses } from "../../../src/adapters/process/procfs.ts";

let folder: string;
let logs = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-process-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function node(script: string): ProcessOptions {
  logs += 1;
  return { argv: [process.execPath, "-e", script], folder, logPath: join(folder, `${logs}.log`) };
}

/** Whatever else the job has: tokens, inputs, command files, ways into programs. */
const inherited = [
  "PATH",
  "HOME",
  "LANG",
  "LC_ALL",
  "TMPDIR",
  "USER",
  "LOGNAME",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
];

test("children get the allow-listed variables and what is added", () => {
  const foreign = [
    "GITHUB_OUTPUT",
    "GITHUB_TOKEN",
    "LOADTEST_PACKAGE_INDEX",
    "ACTIONS_RUNTIME_TOKEN",
    "INPUT_APP",
    "NODE_OPTIONS",
    "PYTHONPATH",
  ];
  for (const name of [...inherited, ...foreign, "LD_PRELOAD_", "PGPASSWORD"]) vi.stubEnv(name, `of ${name}`);
  vi.stubEnv("RUNNER_TRACKING_ID", "github_1");
  vi.stubEnv("TZ", undefined);
  const environment = childEnvironment({ ADDED: "yes", HOME: "/elsewhere" });
  vi.unstubAllEnvs();
  expect(environment).toEqual({
    ...Object.fromEntries(inherited.map((name) => [name, `of ${name}`])),
    RUNNER_TRACKING_ID: "github_1",
    ADDED: "yes",
    HOME: "/elsewhere",
  });
});

test("and no more than these reach a program", async () => {
  vi.stubEnv("GITHUB_TOKEN", "secret");
  vi.stubEnv("TZ", "UTC");
  const { logPath, ...rest } = node("console.log(JSON.stringify(process.env))");
  await runProcess({ ...rest, logPath, variables: { ADDED: "yes" } });
  vi.unstubAllEnvs();
  const { ADDED, ...seen }: Record<string, string> = JSON.parse(await readFile(logPath, "utf8"));
  expect(ADDED).toBe("yes");
  const allowed = [...inherited, "TZ", "RUNNER_TRACKING_ID", ownerVariable];
  expect(Object.keys(seen).filter((name) => !allowed.includes(name))).toEqual([]);
  expect(seen).toMatchObject({ TZ: "UTC", [ownerVariable]: expect.any(String) });
});

test.for<[script: string, exit: Exit, text: string]>([
  ["", { code: 0, signal: null }, "code 0"],
  ["process.exit(3)", { code: 3, signal: null }, "code 3"],
  [
    "process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)",
    { code: null, signal: "SIGTERM" },
    "signal SIGTERM",
  ],
  [
    "process.kill(process.pid, 'SIGKILL')",
    { code: null, signal: "SIGKILL" },
    "signal SIGKILL (possibly out of memory)",
  ],
])("tells how %j ended", async ([script, exit, text]) => {
  expect(await runProcess(node(script))).toEqual(exit);
  expect(describeExit(exit)).toBe(text);
});

test("both outputs are appended to the log, and arguments are just text", async () => {
  const { argv, ...rest } = node("console.log(process.argv[1]); console.error('error')");
  await writeFile(rest.logPath, "before\n");
  await runProcess({ ...rest, argv: [...argv, "$HOME; `id`"] });
  expect(await readFile(rest.logPath, "utf8")).toBe("before\n$HOME; `id`\nerror\n");
});

test("a program that does not exist rejects", async () => {
  await expect(runProcess({ ...node(""), argv: ["no-such-program"] })).rejects.toMatchObject({
    code: "ENOENT",
  });
});

test("cancelling stops the process and rejects with the reason", async () => {
  const cancel = new AbortController();
  setTimeout(() => cancel.abort(new Error("cancelled by the user")), 100);
  const startedAt = performance.now();
  await expect(runProcess(node("setInterval(() => {}, 1000)"), cancel.signal)).rejects.toThrow(
    "cancelled by the user",
  );
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  await expect(runProcess(node(""), cancel.signal)).rejects.toThrow("cancelled by the user");
});

const child = `require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);`;

test.for([
  ["waits for its child", `${child} setInterval(() => {}, 1000)`],
  ["left its child behind", `${child} setTimeout(() => process.exit(0), 50)`],
  ["ignores TERM", `${child} process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)`],
] as const)("stops the whole group of a process that %s", async ([, script]) => {
  const running = await startProcess(node(script));
  await sleep(300);
  expect(running.isGroupAlive()).toBe(true);
  const startedAt = performance.now();
  await running.stop(200);
  expect(performance.now() - startedAt).toBeLessThan(1_900);
  expect(running.isGroupAlive()).toBe(false);
  if (hasProcfs) {
    expect(listProcesses().filter((each) => each.group === running.pid && !each.isZombie)).toEqual([]);
  }
});

test.runIf(hasProcfs)(
  "F6: what a killed owner left is killed, and nothing of an owner that lives",
  async () => {
    const orphan = spawn("sleep", ["60"], { env: { ...process.env, [ownerVariable]: "4194304.1" } });
    const own = await startProcess({ ...node("setInterval(() => {}, 1000)"), argv: ["sleep", "60"] });
    killAbandonedProcesses();
    const signal = await new Promise((resolve) => orphan.once("close", (_, given) => resolve(given)));
    expect(signal).toBe("SIGKILL");
    expect(own.isGroupAlive()).toBe(true);
    await own.stop();
  },
);

test("reads the end of a log", async () => {
  const path = join(folder, "tail.log");
  expect(await readTail(path)).toBe("");
  await writeFile(path, Buffer.from(`${"a".repeat(10)}caf\xe9`, "latin1"));
  expect(await readTail(path)).toBe("aaaaaaaaaacaf\ufffd");
  expect(await readTail(path, 3)).toBe("af\ufffd");
});

test.runIf(hasProcfs)(
  "what has left its group and its parent is killed in the end, by its mark",
  async () => {
    const pidFile = join(folder, "daemon.pid");
    const daemon = `require("fs").writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); setInterval(() => {}, 1_000)`;
    const script = `require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify(daemon)}], { detached: true, stdio: "ignore" }).unref()`;
    await runProcess(node(script));
    const pid = await vi.waitFor(
      async () => Number(await readFile(pidFile, "utf8")) || Promise.reject(new Error("not yet")),
      20_000,
    );
    expect(listProcesses().find((each) => each.pid === pid)?.isZombie).toBe(false);
    expect(killLeftovers()).toBeGreaterThanOrEqual(1);
    await vi.waitFor(
      () => expect(listProcesses().find((each) => each.pid === pid)?.isZombie ?? true).toBe(true),
      20_000,
    );
  },
);

test("a program that is stalled is stopped in time, and named", async () => {
  const script =
    'process.stdout.write("last words"); process.on("SIGTERM", () => {}); setInterval(() => {}, 1_000)';
  const running = runProcess({ ...node(script), withinMs: 1_500, phase: "load" });
  await expect(running).rejects.toMatchObject({
    phase: "load",
    message: expect.stringContaining(`${process.execPath} was still running after 1.5 s and was stopped`),
  });
});

test("the environment's programs come first", () => {
  const environment = { binFolder: "/env/bin" };
  expect(withPrograms(environment, { A: "1" })).toEqual({ A: "1", PATH: `/env/bin:${process.env["PATH"]}` });
  expect(withPrograms(environment, { PATH: "/own" })).toEqual({ PATH: "/env/bin:/own" });
});
