import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import {
  inEnvironment,
  type PythonOptions,
  preparePythonEnvironment,
} from "../../src/adapters/python-environment.ts";
import { importProblem } from "../../src/adapters/python-import.ts";
import { installerVariables } from "../../src/adapters/python-install.ts";
import type { App } from "../../src/core/config/config.ts";
import type { PythonEnvironment } from "../../src/ports.ts";
import { asgiFolder, prepareAsgi } from "../fixtures/python/asgi.ts";

vi.setConfig({ testTimeout: 60_000 }); // the first run on a machine installs uvicorn

const signal = new AbortController().signal;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-environment-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** An app folder with these files, and options with a cache of its own. */
async function appWith(files: Record<string, string>, install: App["install"] = "auto") {
  const root = await mkdtemp(join(folder, "case-"));
  const app: App = {
    importString: "main:app",
    folder: join(root, "app"),
    python: "python3",
    install,
    variables: {},
  };
  await mkdir(app.folder);
  for (const [name, text] of Object.entries(files)) await writeFile(join(app.folder, name), text);
  const steps: string[] = [];
  const options: PythonOptions = {
    cacheFolder: join(root, "cache"),
    logFolder: join(root, "logs"),
    signal,
    onStep: (text) => steps.push(text),
  };
  return { app, options, steps };
}

test("an environment is made once, outside of the app folder", async () => {
  const { app, options, steps } = await appWith({ "requirements.txt": "# nothing but Python\n" });
  const made = await preparePythonEnvironment(app, options);
  expect(made).toEqual({
    binFolder: expect.stringContaining(options.cacheFolder),
    interpreter: join(made.binFolder, "python"),
    version: expect.stringMatching(/^3\.\d+\.\d+$/),
    packages: expect.any(Object),
  });
  expect(await readdir(app.folder)).toEqual(["requirements.txt"]);

  expect(await preparePythonEnvironment(app, options)).toEqual(made);
  expect(steps).toEqual(["installing what requirements.txt asks for"]);

  await writeFile(join(app.folder, "requirements.txt"), "# something else\n");
  expect((await preparePythonEnvironment(app, options)).binFolder).not.toBe(made.binFolder);
});

test("an environment that was not finished is made again, and removed in time", async () => {
  const { app, options, steps } = await appWith({
    "pyproject.toml": "[project]\nname = 'x'\nversion = '1'\n",
  });
  const { binFolder } = await preparePythonEnvironment(app, options);
  const [marker = ""] = (await readdir(join(binFolder, "../.."))).filter((name) => name.endsWith(".json"));
  await rm(join(binFolder, "../..", marker));
  await utimes(join(binFolder, ".."), 0, 0);
  expect((await preparePythonEnvironment(app, options)).binFolder).not.toBe(binFolder);
  expect(existsSync(binFolder)).toBe(false);
  expect(steps).toHaveLength(2);
});

test("`none` takes the interpreter as it is", async () => {
  const { app, options, steps } = await appWith({}, "none");
  const { interpreter, packages } = await preparePythonEnvironment(app, options);
  expect((await stat(interpreter)).isFile()).toBe(true);
  expect(packages["pip"]).toMatch(/^\d/);
  expect(steps).toEqual([]);
});

test("a virtual environment's folder is taken as it is", async () => {
  const asgi = await prepareAsgi();
  const { app, options } = await appWith({}, { environmentFolder: resolve(asgi.binFolder, "..") });
  expect(await preparePythonEnvironment(app, options)).toEqual(asgi);
  expect(asgi.packages).toMatchObject({ uvicorn: "0.54.0", h11: "0.16.0" });
});

test.for<[name: string, files: Record<string, string>, message: RegExp, logTail: RegExp]>([
  [
    "nothing to install from",
    { "pyproject.toml": "[tool.ruff]\n" },
    /found no uv\.lock with pyproject\.toml, requirements\.txt, pyproject\.toml with a \[project\] table in .+; add one/,
    /^$/,
  ],
  [
    "a requirement that does not exist",
    { "requirements.txt": "--no-index\nno-such-package==1\n" },
    /^installing what requirements\.txt asks for failed: .*install.* ended with code 1$/,
    /no-such-package/,
  ],
  [
    "a project that is no TOML",
    { "pyproject.toml": "[project" },
    /pyproject\.toml could not be read: .*TOMLDecodeError/,
    /Traceback/,
  ],
])("says what is wrong: %s", async ([, files, message, logTail]) => {
  const { app, options } = await appWith(files);
  const prepared = preparePythonEnvironment(app, options);
  await expect(prepared).rejects.toThrow(message);
  await expect(prepared).rejects.toMatchObject({
    name: "EnvironmentError",
    phase: "install",
    logTail: expect.stringMatching(logTail),
  });
});

test("a Python that does not exist is named", async () => {
  const { app, options } = await appWith({});
  const prepared = preparePythonEnvironment({ ...app, python: "python3.99" }, options);
  await expect(prepared).rejects.toThrow('no Python at "python3.99"; the input `python` names one');
});

test("installers see mirrors and proxies, and no tokens", () => {
  const environment = {
    PIP_INDEX_URL: "a",
    UV_CACHE_DIR: "b",
    https_proxy: "c",
    GITHUB_TOKEN: "d",
    NO_PROXY: "e",
  };
  expect(installerVariables(environment)).toEqual({
    PIP_INDEX_URL: "a",
    UV_CACHE_DIR: "b",
    https_proxy: "c",
    NO_PROXY: "e",
  });
});

test("the environment's programs come first", () => {
  const environment: PythonEnvironment = {
    binFolder: "/env/bin",
    interpreter: "",
    version: "",
    packages: {},
  };
  const command = {
    argv: ["uvicorn"],
    folder: "/",
    baseUrl: "",
    readyPath: "/",
    readyWithinSeconds: 1,
    cpus: undefined,
  } as const;
  const path = (variables: Record<string, string>) =>
    inEnvironment({ ...command, variables }, environment).variables;
  expect(path({ A: "1" })).toEqual({ A: "1", PATH: `/env/bin:${process.env["PATH"]}` });
  expect(path({ PATH: "/own" })).toEqual({ PATH: "/env/bin:/own" });
});

test.for<[importString: string, problem: RegExp | undefined]>([
  ["serving:app", undefined],
  ["serving:json.decoder", undefined],
  ["nothing:app", /^"nothing:app" cannot be imported in .+: ModuleNotFoundError: No module named 'nothing'$/],
  ["serving:ap", /: AttributeError: module 'serving' has no attribute 'ap'/],
  ["broken:app", /: RuntimeError: the settings are {2}\[31mincomplete$/],
  ["leaving:app", /: SystemExit: 0$/],
  ["eager:app", undefined],
  ["serving:json()", undefined],
])("imports %s", async ([importString, problem]) => {
  const app: App = { importString, folder: asgiFolder, python: "python3", install: "none", variables: {} };
  const found = await importProblem(await prepareAsgi(), app, { PYTHONDONTWRITEBYTECODE: "1" }, signal);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(problem);
});
