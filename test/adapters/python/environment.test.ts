import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { preparePythonEnvironment } from "../../../src/adapters/python/environment.ts";
import { tryImport } from "../../../src/adapters/python/imported-app.ts";
import { findTool, installerVariables } from "../../../src/adapters/python/installer.ts";
import { findWish } from "../../../src/adapters/python/interpreter-choice.ts";
import { uvLockMismatch } from "../../../src/adapters/python/pyproject.ts";
import { readSources } from "../../../src/adapters/python/repository-files.ts";
import { findRequirements } from "../../../src/adapters/python/requirements.ts";
import { findWorkspace } from "../../../src/adapters/python/uv-workspace.ts";
import type { App } from "../../../src/model/workload/workload.ts";
import { asgiFolder, prepareAsgi } from "../../fixtures/python/asgi.ts";
import { openApps } from "./app-fixture.ts";

const { folder, appWith, signal, pathWithoutUv } = await openApps();

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
  expect(steps).toEqual(["installing the packages of requirements.txt", "made"]);

  await writeFile(join(app.folder, "requirements.txt"), "# something else\n");
  expect((await preparePythonEnvironment(app, options)).binFolder).not.toBe(made.binFolder);
});

test("a free-threaded Python is refused by its name", async () => {
  const { app, options } = await appWith({ "requirements.txt": "# nothing but Python\n" });
  const python = join(app.folder, "python3.14t");
  const facts = { binFolder: "/bin", interpreter: python, version: "3.14.2", packages: {}, build: [] };
  const answer = JSON.stringify({ ...facts, isFreeThreaded: true });
  await writeFile(python, `#!/bin/sh\necho '${answer}' >"$2"\n`, { mode: 0o755 });
  await expect(preparePythonEnvironment({ ...app, python }, options)).rejects.toThrow(
    `Python "${python}" (3.14.2) is free-threaded, which is not supported; name one with the GIL in the \`python\` input`,
  );
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
  expect(steps).toHaveLength(4);
});

test("a cache that was written in part, or is none, is made anew and serves the run after", async () => {
  const { app, options } = await appWith({ "requirements.txt": "# nothing but Python\n" });
  const root = join(options.cacheFolder, "python");
  const spoils: readonly ((marker: string) => Promise<void>)[] = [
    (marker) => truncate(marker, 0),
    async (marker) => {
      await rm(marker);
      await mkdir(marker);
    },
    async () => {
      await rm(root, { recursive: true });
      await writeFile(root, "");
    },
  ];
  let { binFolder } = await preparePythonEnvironment(app, options);
  for (const spoil of spoils) {
    const [marker = ""] = (await readdir(root)).filter((name) => name.endsWith(".json"));
    await spoil(join(root, marker));
    const made = await preparePythonEnvironment(app, options);
    expect(made.binFolder).not.toBe(binFolder);
    expect(await preparePythonEnvironment(app, options)).toEqual(made);
    ({ binFolder } = made);
  }
});

test("uv is installed once where the machine has none", async () => {
  vi.stubEnv("PATH", pathWithoutUv);
  try {
    const { app, options } = await appWith({ "requirements.txt": "h11==0.16.0\n" });
    const { packages } = await preparePythonEnvironment(app, options);
    expect(packages).toMatchObject({ h11: "0.16.0" });
    const [tool = ""] = await readdir(join(options.cacheFolder, "tools"));
    expect(tool).toMatch(/^uv-\d/);
    const made = () =>
      stat(join(options.cacheFolder, "tools", tool, "bin/uv")).then(({ mtimeMs }) => mtimeMs);
    const first = await made();
    await writeFile(join(app.folder, "requirements.txt"), "h11==0.14.0\n");
    expect((await preparePythonEnvironment(app, options)).packages).toMatchObject({ h11: "0.14.0" });
    expect(await made()).toBe(first);
  } finally {
    vi.unstubAllEnvs();
  }
});

test("uv is installed by the machine's own Python where the app's has no pip, also by two runs at once", async () => {
  vi.stubEnv("PATH", pathWithoutUv);
  try {
    const { app, options } = await appWith({});
    await mkdir(options.logFolder);
    const withoutPip = {
      binFolder: "/bin",
      interpreter: "/bin/false",
      version: "3.14.0",
      packages: {},
      build: [],
    };
    const find = () =>
      findTool(
        {
          ...{ appFolder: app.folder, folder: join(options.logFolder, "environment"), python: withoutPip },
          ...{ toolsFolder: options.cacheFolder, logPath: join(options.logFolder, "log") },
          ...{ requirements: { kind: "uv.lock" }, signal, onStep: options.onStep },
        },
        "uv",
      );
    const [uv = "", other = ""] = await Promise.all([find(), find()]);
    expect(other).toBe(uv);
    expect((await stat(uv)).isFile()).toBe(true);
    expect(await find()).toBe(uv);
    // Its own folder, and the name of that.
    expect((await readdir(options.cacheFolder)).filter((name) => name.startsWith("uv-"))).toHaveLength(2);
  } finally {
    vi.unstubAllEnvs();
  }
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
    /found no uv\.lock, poetry\.lock or pdm\.lock with pyproject\.toml, requirements\.txt, Pipfile\.lock, pyproject\.toml with a \[project\] or \[tool\.poetry\] table in .+; add one/,
    /^$/,
  ],
  [
    "a requirement that does not exist",
    { "requirements.txt": "--no-index\nno-such-package==1\n" },
    /^installing the packages of requirements\.txt failed: .*install.* ended with code 1: ERROR: .*no-such-package==1/,
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
  await expect(prepared).rejects.toThrow('there is no Python at "python3.99"; set the `python` input');
});

test("installers see mirrors and proxies, and no tokens", () => {
  const environment = {
    PIP_INDEX_URL: "a",
    UV_CACHE_DIR: "b",
    https_proxy: "c",
    GITHUB_TOKEN: "d",
    ...{
      PIP_TARGET: "/elsewhere",
      PIP_USER: "1",
      PIP_REQUIRE_VIRTUALENV: "1",
      PIP_NO_DEPS: "1",
      PIP_DRY_RUN: "1",
    },
    NO_PROXY: "e",
  };
  expect(installerVariables(environment)).toEqual({
    PIP_INDEX_URL: "a",
    UV_CACHE_DIR: "b",
    https_proxy: "c",
    NO_PROXY: "e",
  });
});

test("T11: installers get the variables of a private index, over those of the job", async () => {
  const given = "PIP_EXTRA_INDEX_URL=https://ci:hunter2@index.example/simple\nUV_INDEX_A_PASSWORD=hunter2";
  expect(installerVariables({ LOADTEST_PACKAGE_INDEX: given, PIP_EXTRA_INDEX_URL: "of the job" })).toEqual({
    PIP_EXTRA_INDEX_URL: "https://ci:hunter2@index.example/simple",
    UV_INDEX_A_PASSWORD: "hunter2",
  });
});

test.for<[importString: string, problem: RegExp | undefined]>([
  ["serving:app", undefined],
  ["serving:json.decoder", undefined],
  ["nothing:app", /^"nothing:app" cannot be imported in .+: ModuleNotFoundError: No module named 'nothing'$/],
  ["serving:ap", /: AttributeError: module 'serving' has no attribute 'ap'/],
  ["broken:app", /: RuntimeError: the settings are incomplete$/],
  ["leaving:app", /: SystemExit: 0$/],
  ["eager:app", undefined],
  ["migrating:app", undefined],
  ["serving:json()", undefined],
])("imports %s", async ([importString, problem]) => {
  const app: App = { importString, folder: asgiFolder, python: "python3", install: "none", variables: {} };
  const found = await tryImport(
    await prepareAsgi(),
    app,
    { PYTHONDONTWRITEBYTECODE: "1" },
    { signal, workFolder: "/nowhere" },
  );
  expect(found).toEqual(
    problem === undefined ? { replaced: [] } : { problem: expect.stringMatching(problem) },
  );
});

describe("the Python that a repository asks for", () => {
  test.for<[name: string, files: Record<string, string>, wish: string | undefined]>([
    ["nothing", { "pyproject.toml": "[tool.black]\npython = '3.9'\n" }, undefined],
    [
      "a version file",
      { ".python-version": "3.12.4\n", "pyproject.toml": 'requires-python = ">=3.9"\n' },
      "3.12",
    ],
    ["a project", { "pyproject.toml": '[project]\nname = "x"\nrequires-python = ">=3.10"\n' }, ">=3.10"],
    [
      "a project of Poetry's",
      {
        "pyproject.toml":
          '[tool.poetry]\nname = "x"\n[tool.poetry.dependencies]\nfastapi = "*"\npython = "^3.11"\n',
      },
      "^3.11",
    ],
  ])("is found: %s", async ([, files, wish]) => {
    const { app } = await appWith({ ".git": "", ...files });
    expect(findWish(app.folder)?.text).toBe(wish);
  });

  test("is looked for around the app's folder, up to the repository's", async () => {
    const { app } = await appWith({ ".python-version": "3.13\n", ".git": "" });
    await mkdir(join(app.folder, "api/inner"), { recursive: true });
    expect(findWish(join(app.folder, "api/inner"))).toEqual({
      text: "3.13",
      file: join(app.folder, ".python-version"),
    });
    await writeFile(join(app.folder, "api/.git"), "");
    expect(findWish(join(app.folder, "api/inner"))).toBeUndefined();
  });

  test("that this machine does not have is named", async () => {
    const { app, options } = await appWith({ ".python-version": "3.99\n", ".git": "" });
    await expect(preparePythonEnvironment({ ...app, python: "auto" }, options)).rejects.toThrow(
      /\.python-version requires Python 3\.99, but this machine has 3\.\d+\.\d+ and uv could not get one; add actions\/setup-python/,
    );
  });

  test("is taken when it fits", async () => {
    const { app, options } = await appWith({ ".git": "" }, "none");
    const usual = await preparePythonEnvironment({ ...app, python: "auto" }, options);
    const minor = usual.version.split(".").slice(0, 2).join(".");
    await writeFile(join(app.folder, ".python-version"), minor);
    expect((await preparePythonEnvironment({ ...app, python: "auto" }, options)).version).toBe(usual.version);
  });
});

describe("requirements.txt beside a project", () => {
  const project = '[project]\nname = "x"\nversion = "1"\ndependencies = ["fastapi>=0.100"]\n';
  test.for<readonly [what: string, list: string, dependencies: readonly string[]]>([
    [
      "counts with the project where the framework stands there alone",
      "gunicorn==22.0.0\n",
      ["fastapi>=0.100"],
    ],
    ["counts alone where it names the framework", "FastAPI[standard]\n", []],
    ["counts alone where it installs the project", "-e .\n", []],
  ])("%s", async ([, list, dependencies]) => {
    const { app } = await appWith({ "requirements.txt": list, "pyproject.toml": project });
    const found = await findRequirements(app.folder, "python3", signal);
    const line = `-r ${join(app.folder, "requirements.txt")}`;
    expect(found.dependencies).toEqual(dependencies.length === 0 ? [] : [line, ...dependencies]);
    await writeFile(join(app.folder, "requirements.txt"), `${list}h11\n`);
    const { fingerprint } = await findRequirements(app.folder, "python3", signal);
    expect(fingerprint).not.toBe(found.fingerprint);
  });
});

// Their installers wait for the network most of the time.
describe.concurrent("lock files", () => {
  const execute = promisify(execFile);
  const project = '[project]\nname = "x"\nversion = "1"\nrequires-python = ">=3.10"\n';
  test.for([
    ["poetry", '[package.source]\ntype = "directory"\nurl = "libs/pricing"\n'],
    ["pdm", '[[package]]\nname = "pricing"\npath = "./libs/pricing"\n'],
  ] as const)("of %s that name code of the repository differ when that code does", async ([tool, lock]) => {
    const files = { "pyproject.toml": project, [`${tool}.lock`]: lock };
    const { app } = await appWith(files);
    const code = join(app.folder, "libs/pricing.py");
    const fingerprint = async () => (await findRequirements(app.folder, "python3", signal)).fingerprint;
    await mkdir(join(app.folder, "libs"));
    await writeFile(code, "price = 1\n");
    const first = await fingerprint();
    expect(await fingerprint()).toBe(first);
    await writeFile(code, "price = 2\n");
    expect(await fingerprint()).not.toBe(first);
    await writeFile(join(app.folder, `${tool}.lock`), '[[package]]\nname = "h11"\n');
    const without = await fingerprint();
    await writeFile(code, "price = 3\n");
    expect(await fingerprint()).toBe(without);
  });

  test("of uv, as uv writes it, may lack what the project requires", { timeout: 300_000 }, async () => {
    const text = `${project}dependencies = ["h11>=0.16,<0.17"]\n[project.optional-dependencies]\nmore = ["idna"]\n`;
    const { app, options } = await appWith({ "pyproject.toml": text });
    const uv = resolve(import.meta.dirname, "../../../.tools/python/bin/uv");
    await execute(uv, ["lock"], { cwd: app.folder });
    const path = join(app.folder, "pyproject.toml");
    expect(await uvLockMismatch(path, join(app.folder, "uv.lock"), "python3", signal)).toBeUndefined();
    await writeFile(path, text.replace('"h11>', '"sniffio", "h11>'));
    const lock = await readFile(join(app.folder, "uv.lock"), "utf8");
    const steps: string[] = [];
    const { packages } = await preparePythonEnvironment(app, {
      ...options,
      onStep: (step) => steps.push(step),
    });
    expect(packages).toMatchObject({ h11: "0.16.0", sniffio: expect.any(String) });
    expect(steps).toContainEqual(
      "uv.lock does not match its pyproject.toml (it lacks sniffio), so uv adds what it lacks; run `uv lock` and commit the result",
    );
    expect(await readFile(join(app.folder, "uv.lock"), "utf8")).toBe(lock);
    await writeFile(join(app.folder, "uv.lock"), "= nothing");
    expect(await uvLockMismatch(path, join(app.folder, "uv.lock"), "python3", signal)).toBeUndefined();
  });

  test("of uv for a workspace hold what one of its projects needs", { timeout: 300_000 }, async () => {
    const { app, options } = await appWith({
      ".git": "",
      "pyproject.toml": '[tool.uv.workspace]\nmembers = ["services/*", "common"]\n',
    });
    const root = app.folder;
    const add = async (path: string, text: string) => {
      await mkdir(join(root, path, ".."), { recursive: true });
      await writeFile(join(root, path), text);
    };
    const named = (name: string, needs: string) =>
      `[project]\nname = "${name}"\nversion = "1"\nrequires-python = ">=3.10"\ndependencies = [${needs}]\n`;
    const shop = `${named("shop", '"common", "h11==0.16.0"')}[tool.uv.sources]\ncommon = { workspace = true }\n`;
    await add("services/shop/pyproject.toml", shop);
    await add("services/bills/pyproject.toml", named("bills", '"rich"'));
    const built = '[build-system]\nrequires = ["setuptools>=77"]\nbuild-backend = "setuptools.build_meta"\n';
    await add("common/pyproject.toml", `${named("common", "")}${built}`);
    await add("common/common/__init__.py", "value = 1\n");
    await execute(resolve(import.meta.dirname, "../../../.tools/python/bin/uv"), ["lock"], { cwd: root });
    const before = await readdir(root, { recursive: true });

    const inShop = { ...app, folder: join(root, "services/shop") };
    const { packages } = await preparePythonEnvironment(inShop, options);
    expect(packages).toMatchObject({ common: "1", h11: "0.16.0" });
    expect(packages).not.toHaveProperty("rich");
    expect(await readdir(root, { recursive: true })).toEqual(before);

    const { fingerprint } = await findRequirements(inShop.folder, "python3", signal);
    await add("services/bills/bills.py", "");
    expect(await findRequirements(inShop.folder, "python3", signal)).toMatchObject({ fingerprint });
    await add("common/common/__init__.py", "value = 2\n"); // its code is in the environment
    expect(await findRequirements(inShop.folder, "python3", signal)).not.toMatchObject({ fingerprint });

    await add("services/shop/pyproject.toml", shop.replace('"common"', '"common", "idna"'));
    await expect(preparePythonEnvironment(inShop, options)).rejects.toThrow(
      `${join(root, "uv.lock")} does not match its pyproject.toml: it lacks idna; run \`uv lock\` and commit`,
    );
  });

  /** What two arms import that differ in what `libs/pricing` holds, and what making their environments left there. */
  async function twoArms(files: Record<string, string>, appFolder: string) {
    const { app, options } = await appWith({});
    const uv = resolve(import.meta.dirname, "../../../.tools/python/bin/uv");
    const prices: string[] = [];
    const left: string[] = [];
    const built = '[build-system]\nrequires = ["setuptools>=77"]\nbuild-backend = "setuptools.build_meta"\n';
    const pricing = '[project]\nname = "pricing"\nversion = "1"\nrequires-python = ">=3.10"\n';
    for (const price of [1, 2]) {
      const arm = join(app.folder, `arm-${price}`);
      const common = {
        ".git": "",
        "libs/pricing/pyproject.toml": `${pricing}${built}`,
        "libs/pricing/pricing.py": `price = ${price}\n`,
      };
      for (const [path, text] of Object.entries({ ...common, ...files })) {
        await mkdir(join(arm, path, ".."), { recursive: true });
        await writeFile(join(arm, path), text);
      }
      await execute(uv, ["lock"], { cwd: join(arm, appFolder) });
      const before = await readdir(arm, { recursive: true });
      const inArm = { ...app, folder: join(arm, appFolder) };
      const { interpreter } = await preparePythonEnvironment(inArm, options);
      left.push(...(await readdir(arm, { recursive: true })).filter((path) => !before.includes(path)));
      await writeFile(join(arm, "libs/pricing/pricing.py"), "price = 'of the folder'\n");
      const { stdout } = await execute(interpreter, ["-c", "import pricing; print(pricing.price)"]);
      prices.push(stdout.trim());
    }
    return { prices, left };
  }

  const needing = `${project}dependencies = ["pricing"]\n`;
  const ofWorkspace = "pricing = { workspace = true }\n";
  const members = '[tool.uv.workspace]\nmembers = ["libs/*"]\n';
  test.for<[name: string, files: Record<string, string>, appFolder: string]>([
    [
      "the root of a workspace",
      { "pyproject.toml": `${needing}[tool.uv.sources]\n${ofWorkspace}${members}` },
      ".",
    ],
    ["a root that is no project", { "pyproject.toml": members }, "."],
    [
      "a project that names a folder",
      { "pyproject.toml": `${needing}[tool.uv.sources]\npricing = { path = "libs/pricing" }\n` },
      ".",
    ],
    [
      "a project that names a folder beside it, to be edited",
      {
        "services/shop/pyproject.toml": `${needing}[tool.uv.sources]\npricing = { path = "../../libs/pricing", editable = true }\n`,
      },
      "services/shop",
    ],
  ])("of uv in %s: each arm has its own code", { timeout: 300_000 }, async ([, files, appFolder]) => {
    expect(await twoArms(files, appFolder)).toEqual({ prices: ["1", "2"], left: [] });
  });

  test("of a workspace are not followed out of the repository", async () => {
    const lock = (path: string, other: string) =>
      `[[package]]\nname = "x"\nsource = { virtual = "${path}" }\ndependencies = [{ name = "y" }]\n` +
      `[[package]]\nname = "y"\nsource = { editable = "${other}" }\n`;
    const root = join(await mkdtemp(join(folder, "case-")), "root");
    const inside = join(root, "app");
    await mkdir(inside, { recursive: true });
    await writeFile(join(root, ".git"), "");
    await writeFile(join(root, "pyproject.toml"), "[tool.uv.workspace]\n");
    const found = async (text: string) => {
      await writeFile(join(root, "uv.lock"), text);
      return findWorkspace(inside, "python3", signal);
    };
    const alone = { root, name: "x", folders: ["app"], packages: [], archives: [] };
    expect(await found(lock("app", "./lib/"))).toEqual({
      ...alone,
      folders: ["app", "lib"],
      packages: ["lib"],
    });
    for (const other of ["../elsewhere", "/etc", "lib/../../elsewhere"])
      expect(await found(lock("app", other))).toEqual(alone);
    const wheels =
      '[[package]]\nname = "y"\nsource = { path = "wheels/y.whl" }\n' +
      '[[package]]\nname = "y"\nsource = { registry = "https://pypi.org/simple" }\n';
    expect(await found(lock("app", "/etc") + wheels)).toEqual({ ...alone, archives: ["wheels/y.whl"] });
    expect(await found(lock("other", "lib"))).toBeUndefined();
    expect(await found("= nothing")).toBeUndefined();
    await writeFile(join(root, "pyproject.toml"), "[project]\n");
    expect(await found(lock("app", "lib"))).toBeUndefined();
    await writeFile(join(inside, ".git"), ""); // a repository of its own
    expect(await findWorkspace(inside, "python3", signal)).toBeUndefined();
  });

  test("a requirements.txt must hold what its requirements.in names", async () => {
    const { app, options } = await appWith({
      "requirements.in": "h11\nrich\n",
      "requirements.txt": "h11==0.16.0\n",
    });
    await expect(preparePythonEnvironment(app, options)).rejects.toThrow(
      /requirements\.txt does not match its requirements\.in: it lacks rich; run `pip-compile requirements\.in` and/,
    );
  });

  test("commands install what they say, in an environment of their own", async () => {
    const commands = ["pip install 'h11==0.16.0'", "python -c 'import h11'"] as const;
    const { app, options } = await appWith({ "main.py": "" }, { commands });
    const { packages, binFolder } = await preparePythonEnvironment(app, options);
    expect(packages).toMatchObject({ h11: "0.16.0" });
    expect(binFolder).toContain(options.cacheFolder);
    const failing: App = { ...app, install: { commands: ["pip check", "python -c 'raise SystemExit(3)'"] } };
    await expect(preparePythonEnvironment(failing, options)).rejects.toThrow(
      /installing the packages of install-command failed: python .* ended with code 3/,
    );
  });
});

test("T39: commands are words and no shell's, see no token, and are told without passwords", async () => {
  vi.stubEnv("GITHUB_TOKEN", "ghs_secret");
  vi.stubEnv("GITHUB_ENV", "/tmp/github-env");
  try {
    const script = "import os, sys; open('seen', 'w').write(repr((sys.argv, sorted(os.environ))))";
    const commands = [
      `python -c "${script}" ; touch pwned $(touch pwned) \`touch pwned\` > pwned | tee pwned`,
      "python -c 'raise SystemExit(1)' https://user:hunter2@index.example",
    ] as const;
    const { app, options } = await appWith({ "main.py": "" }, { commands });
    const failure = await preparePythonEnvironment(app, options).catch((error: unknown) => error);
    expect(existsSync(join(app.folder, "pwned"))).toBe(false);
    const seen = await readFile(join(app.folder, "seen"), "utf8");
    expect(seen).toContain("';', 'touch', 'pwned', '$(touch', 'pwned)'");
    expect(seen).not.toMatch(/GITHUB_|INPUT_|ACTIONS_/);
    expect(String(failure)).toContain("installing the packages of install-command failed: python");
    expect(String(failure)).not.toContain("hunter2");
  } finally {
    vi.unstubAllEnvs();
  }
});

test("sources are those of the app", async () => {
  const { app } = await appWith({ "main.py": "app = 1\n", "notes.txt": "", ".hidden.py": "", "uv.lock": "" });
  for (const each of ["api", "tests", ".venv", "api/node_modules"])
    await mkdir(join(app.folder, each), { recursive: true });
  for (const each of ["api/web.py", "tests/test_web.py", ".venv/site.py", "api/node_modules/x.py"])
    await writeFile(join(app.folder, each), "");
  await writeFile(join(app.folder, "large.py"), "#".repeat(600_000));
  expect(readSources(app.folder).map(({ path }) => path)).toEqual(["main.py", "uv.lock", "api/web.py"]);
});
