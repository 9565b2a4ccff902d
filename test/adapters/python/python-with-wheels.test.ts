import { chmod, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";

import { pythonWithWheels } from "../../../src/adapters/python/python-with-wheels.ts";
import { openApps } from "./app-fixture.ts";

const { folder, appWith, signal } = await openApps();
afterEach(() => vi.unstubAllEnvs());

async function program(path: string, text: string): Promise<void> {
  await mkdir(join(path, ".."), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
}

/** A machine with these Pythons of pyenv, and a uv that finds wheels for this one only. */
async function machineWith(versions: readonly string[], fits: string): Promise<void> {
  const root = join(folder, `pyenv-${versions.join("-")}`);
  for (const version of versions) {
    const bin = join(root, "versions", version, "bin");
    const facts = {
      binFolder: bin,
      interpreter: join(bin, "python3"),
      version,
      packages: {},
      build: ["x"],
      isFreeThreaded: false,
    };
    await program(join(bin, "python3"), `echo '${JSON.stringify(facts)}' > "$2"`);
  }
  const tools = join(folder, `tools-${fits}`);
  await program(join(tools, "uv"), `case "$*" in *"--python-version ${fits} "*) exit 0 ;; esac; exit 1`);
  vi.stubEnv("PYENV_ROOT", root);
  vi.stubEnv("PATH", [tools, "/usr/bin", "/bin"].join(delimiter));
  vi.stubEnv("pythonLocation", undefined);
}

const old = "fastapi==0.65.2\nuvloop==0.15.2 ; sys_platform != 'win32'\n";
test.for<readonly [what: string, list: string, fits: string, wish: string, taken: string, isSetUp?: true]>([
  ["an older one, for which they have wheels", old, "3.10", "", "3.10.9"],
  ["its own", old, "3.11", "", "3.11.7"],
  ["its own, where the machine lacks the other", old, "3.9", "", "3.11.7"],
  ["its own, where none has them", old, "3.6", "", "3.11.7"],
  ["its own, where the project wants it", old, "3.10", "3.11\n", "3.11.7"],
  ["its own, for what need not be compiled", "fastapi==0.65.2\nuvloop>=0.15\n", "3.10", "", "3.11.7"],
  ["its own, where a step has set one up", old, "3.10", "", "3.11.7", true],
])("a list of fixed versions gets %s", async ([, list, fits, wish, taken, isSetUp]) => {
  await machineWith(["3.10.9"], fits);
  if (isSetUp) vi.stubEnv("pythonLocation", "/opt/python");
  const files = { ".git": "", "requirements.txt": list, ...(wish !== "" && { ".python-version": wish }) };
  const { app, options } = await appWith(files);
  await mkdir(options.logFolder);
  const own = { binFolder: "/bin", interpreter: "python3", version: "3.11.7", packages: {}, build: [] };
  const { version } = await pythonWithWheels({
    requirements: {
      kind: "requirements.txt",
      file: join(app.folder, "requirements.txt"),
      dependencies: [],
      isPackage: false,
      fingerprint: "",
    },
    appFolder: app.folder,
    python: own,
    folder: join(options.logFolder, "environment"),
    toolsFolder: options.cacheFolder,
    logPath: join(options.logFolder, "log"),
    signal,
    onStep: options.onStep,
  });
  expect(version).toBe(taken);
});
