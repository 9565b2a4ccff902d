import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";

import { choosePython } from "../../../src/adapters/python/interpreter-choice.ts";
import { openApps } from "./app-fixture.ts";

const { folder, appWith, signal } = await openApps();
afterEach(() => vi.unstubAllEnvs());

/** A Python of pyenv that says that it has this version. */
async function installed(version: string): Promise<void> {
  const bin = join(folder, "pyenv/versions", version, "bin");
  await mkdir(bin, { recursive: true });
  const facts = {
    binFolder: bin,
    interpreter: join(bin, "python3"),
    version,
    packages: {},
    build: ["x"],
    isFreeThreaded: false,
  };
  await writeFile(join(bin, "python3"), `#!/bin/sh\necho '${JSON.stringify(facts)}' > "$2"\n`);
  await chmod(join(bin, "python3"), 0o755);
}

const project = (wish: string) => `[project]\nname = "x"\nrequires-python = "${wish}"\n`;

test.for<
  readonly [
    what: string,
    files: Readonly<Record<string, string>>,
    isSetUp: boolean,
    taken: string | undefined,
  ]
>([
  ["is taken", { Dockerfile: "FROM python:3.77-slim\n" }, false, "3.77.1"],
  [
    "of a Pipfile is taken",
    { Pipfile: '[packages]\n[requires]\npython_version = "3.77.2"\n' },
    false,
    "3.77.1",
  ],
  ["of a folder for images is taken", { "docker/Dockerfile": "FROM python:3.77\n" }, false, "3.77.1"],
  [
    "is not taken when the project forbids it",
    { Dockerfile: "FROM python:3.77\n", "pyproject.toml": project("<3.70") },
    false,
    undefined,
  ],
  ["is the oldest that is supported for an older one", { Dockerfile: "FROM python:3.5\n" }, false, "3.9.77"],
  ["is not taken when the machine lacks it", { Dockerfile: "FROM python:3.76\n" }, false, undefined],
  [
    "is not taken when the lock has no wheels for it",
    {
      Dockerfile: "FROM python:3.77\n",
      "uv.lock": '"https://files/numpy-1-cp311-cp311-manylinux_x86_64.whl"',
    },
    false,
    undefined,
  ],
  ["is not taken when a step has set one up", { Dockerfile: "FROM python:3.77\n" }, true, undefined],
])("the Python of an app's image %s", async ([, files, isSetUp, taken]) => {
  await installed("3.77.1");
  await installed("3.5.9");
  await installed("3.9.77");
  vi.stubEnv("PYENV_ROOT", join(folder, "pyenv"));
  vi.stubEnv("pythonLocation", isSetUp ? "/opt/python" : undefined);
  const { app } = await appWith({ ".git": "" });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(app.folder, "docker"), { recursive: true });
    await writeFile(join(app.folder, path), text);
  }
  const told: string[] = [];
  const { version } = await choosePython("auto", app.folder, signal, (text) => told.push(text));
  if (taken === undefined) expect(told).toEqual([]);
  else
    expect([version, told]).toEqual([
      taken,
      [
        taken.startsWith("3.9.")
          ? `using Python ${taken}, the oldest supported version, because the app's image or Pipfile has 3.5`
          : `using Python ${taken}, as in the app's image or Pipfile`,
      ],
    ]);
});

test.for<readonly [copied: string, taken: string]>([
  ["COPY ./backend /app", "3.77.1"],
  ["ADD --chown=app backend/ /app", "3.77.1"],
  ["COPY ./backend-old /app", ""],
  ["RUN ls backend", ""],
])("an image above the app's folder counts when it copies that: %s", async ([copied, taken]) => {
  await installed("3.77.1");
  vi.stubEnv("PYENV_ROOT", join(folder, "pyenv"));
  vi.stubEnv("pythonLocation", undefined);
  const { app } = await appWith({ ".git": "", Dockerfile: `FROM python:3.77\n${copied}\n` });
  const below = join(app.folder, "backend");
  await mkdir(below);
  const told: string[] = [];
  await choosePython("auto", below, signal, (text) => told.push(text));
  expect(told).toEqual(taken === "" ? [] : [`using Python ${taken}, as in the app's image or Pipfile`]);
});

test("a version of the developers' that the project refuses is not taken", async () => {
  await installed("3.77.1");
  await installed("3.77.3");
  await installed("3.78.2");
  vi.stubEnv("PYENV_ROOT", join(folder, "pyenv"));
  const chosen = async (wish: string) => {
    const files = { ".git": "", ".python-version": "3.77.9\n", "pyproject.toml": project(wish) };
    const { app } = await appWith(files);
    const told: string[] = [];
    const { version } = await choosePython("auto", app.folder, signal, (text) => told.push(text));
    return [version, ...told];
  };
  expect(await chosen(">=3.77.2")).toEqual(["3.77.3"]);
  expect(await chosen(">=3.77.4")).toEqual([
    "3.78.2",
    expect.stringMatching(
      /^using Python 3\.78\.2, which .*pyproject\.toml allows, because no 3\.77 that it allows is installed here$/,
    ),
  ]);
});

test("uv is asked once for a Python that neither arm can have", async () => {
  const uv = join(folder, "uv");
  await writeFile(uv, `#!/bin/sh\necho "$*" >> ${join(folder, "asked")}\nexit 1\n`);
  await chmod(uv, 0o755);
  const told: string[] = [];
  const { app } = await appWith({
    ".git": "",
    ".python-version": "3.98\n",
    "pyproject.toml": project(">=3.9"),
  });
  for (const _ of ["base", "head"])
    await choosePython(
      "auto",
      app.folder,
      signal,
      (text) => told.push(text),
      async () => uv,
    );
  expect((await readFile(join(folder, "asked"), "utf8")).trim().split("\n")).toEqual([
    "python find --system 3.98",
    "python install 3.98",
    "python find 3.98",
  ]);
  expect(told).toEqual([
    "getting Python 3.98 through uv",
    ...["base", "head"].map(() =>
      expect.stringMatching(
        /^using Python 3\.\S+, which .* allows, because no 3\.98 that it allows is installed here$/,
      ),
    ),
  ]);
});
