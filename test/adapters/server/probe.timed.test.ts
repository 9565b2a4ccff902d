import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";

import { openProbe } from "../../../src/adapters/server/probe.ts";
import type { Probe, ServerCommand } from "../../../src/ports/app.ts";

let workFolder = "";
let probe: Probe;
beforeEach(async () => {
  workFolder = await mkdtemp(join(tmpdir(), "probe-adapter-"));
  const { signal } = new AbortController();
  probe = await openProbe({ packageFolder: "/action/probe", workFolder, signal });
});
afterEach(async () => {
  await probe[Symbol.asyncDispose]();
  await rm(workFolder, { recursive: true, force: true });
});

const python = { binFolder: "/venv/bin", interpreter: "/venv/bin/python", version: "3.11.7", packages: {} };
const command: ServerCommand = {
  argv: ["uvicorn", "main:app"],
  folder: "/repo/api",
  variables: { A: "1" },
  baseUrl: "http://127.0.0.1:1",
  readyPath: "/",
  readyWithinSeconds: 1,
  cpus: undefined,
};

/** The private folder that the launcher is given. */
function folder(): string {
  const { argv } = probe.watch(command, python);
  return argv[argv.indexOf("--folder") + 1] ?? "";
}

test("the launcher becomes the server, with the package first in its path", () => {
  const watched = probe.watch(command, python);
  expect(watched).toEqual({
    ...command,
    argv: [
      "/venv/bin/python",
      ...["-m", "loadtest_probe", "--folder", folder(), "--code-folder", "/repo/api"],
      ...["--", "uvicorn", "main:app"],
    ],
    variables: { A: "1", PYTHONPATH: "/action/probe" },
  });
  const own = probe.watch({ ...command, variables: { PYTHONPATH: "/own" } }, python);
  expect(own.variables["PYTHONPATH"]).toBe(["/action/probe", "/own"].join(delimiter));
});

test("any process of Python is watched by its variables, and they keep what was there", async () => {
  const { signal } = new AbortController();
  await using reach = await openProbe({
    packageFolder: "/action/probe",
    workFolder,
    purpose: "reach",
    signal,
  });
  expect(reach.variables({ A: "1" }, "/repo")).toEqual({
    A: "1",
    PYTHONPATH: "/action/probe/loadtest_probe/start",
    LOADTEST_PROBE_FOLDER: expect.stringContaining(workFolder),
    LOADTEST_PROBE_APP_FOLDER: "/repo",
    LOADTEST_PROBE_REACH: "yes",
  });
  expect(probe.variables({ PYTHONPATH: "/own" }, "/repo")).toEqual({
    PYTHONPATH: ["/action/probe/loadtest_probe/start", "/own"].join(delimiter),
    LOADTEST_PROBE_PYTHONPATH: "/own",
    LOADTEST_PROBE_FOLDER: folder(),
    LOADTEST_PROBE_APP_FOLDER: "/repo",
  });
  const began = performance.now();
  expect(await reach.readFiles("ended")).toEqual([]);
  expect(performance.now() - began).toBeLessThan(500);
});

test("its folder is closed to others, and gone afterwards", async () => {
  const made = folder();
  expect(dirname(made)).toBe(workFolder);
  expect((await stat(made)).mode & 0o777).toBe(0o700);
  await probe[Symbol.asyncDispose]();
  await expect(stat(made)).rejects.toThrow("ENOENT");
});

test("a window replaces the last one, and writes to nothing that the app put there", async () => {
  const victim = join(workFolder, "victim");
  await writeFile(victim, "mine");
  await symlink(victim, join(folder(), "window"));
  await probe.openWindow("first");
  await probe.openWindow("second");
  expect(await readFile(join(folder(), "window"), "utf8")).toBe("second");
  expect(await readFile(victim, "utf8")).toBe("mine");
});

test("reads as soon as each process has written anew, and waits no longer for one that is gone", async () => {
  const write = async (name: string, text: string) => {
    await writeFile(join(folder(), `${name}.part`), text);
    await rename(join(folder(), `${name}.part`), join(folder(), name));
  };
  await write("start-1-cd.json", "written once");
  await write("worker-1-ab.json", "old");
  const began = performance.now();
  const reading = probe.readFiles();
  await delay(120);
  await write("worker-1-ab.json", "new");
  const files = [
    { name: "worker-1-ab.json", text: "new" },
    { name: "start-1-cd.json", text: "written once" },
  ];
  expect(await reading).toEqual(files);
  expect(performance.now() - began).toBeLessThan(600);
  expect(await probe.readFiles()).toEqual(files);
  expect(performance.now() - began).toBeGreaterThan(700);
});

test("T37: only plain files of the workers are read", async () => {
  await writeFile(join(folder(), "worker-1-ab.json"), "{}");
  await writeFile(join(folder(), "worker-2-ab.json.part"), "{");
  await writeFile(join(folder(), "other.json"), "{}");
  await writeFile(join(folder(), "worker-3-ab.json"), "x".repeat(4_000_001));
  await mkdir(join(folder(), "worker-4-ab.json"));
  await writeFile(join(workFolder, "secret"), "secret");
  await symlink(join(workFolder, "secret"), join(folder(), "worker-5-ab.json"));
  expect(await probe.readFiles()).toEqual([{ name: "worker-1-ab.json", text: "{}" }]);
});

test("T37: of files without end only as much as a hundred workers would write, and no pipe is waited for", async () => {
  const whole = "x".repeat(3_900_000);
  for (let index = 10; index < 40; index += 1)
    await writeFile(join(folder(), `worker-${index}-ab.json`), whole);
  execFileSync("mkfifo", [join(folder(), "worker-1-ab.json")]);
  const files = await probe.readFiles(); // of a pipe that is waited for, never
  const bytes = files.reduce((sum, { text }) => sum + text.length, 0);
  expect(bytes).toBeGreaterThan(90_000_000);
  expect(bytes).toBeLessThanOrEqual(100_000_000);
});

test("T37: a folder in the place of the window is an error, not a wait", async () => {
  await mkdir(join(folder(), "window", "x"), { recursive: true });
  await expect(probe.openWindow("load")).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
});
