import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";

import { preparePythonEnvironment } from "../../../src/adapters/python/environment.ts";
import { openApps } from "./app-fixture.ts";

const execute = promisify(execFile);
const { folder, appWith } = await openApps();

/** A package index of one package, whose build fails with these words. */
async function unbuildable(words: string): Promise<string> {
  const links = join(folder, "links");
  const source = join(links, "broken-1.0");
  await mkdir(source, { recursive: true });
  const build = '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n';
  await writeFile(join(source, "pyproject.toml"), `[project]\nname = "broken"\nversion = "1.0"\n${build}`);
  await writeFile(join(source, "PKG-INFO"), "Metadata-Version: 2.2\nName: broken\nVersion: 1.0\n");
  await writeFile(
    join(source, "backend.py"),
    `def build_wheel(*_, **__):\n    raise SystemExit(${JSON.stringify(words)})\n`,
  );
  await execute("tar", ["-czf", "broken-1.0.tar.gz", "broken-1.0"], { cwd: links });
  await rm(source, { recursive: true });
  return links;
}

test("a package that cannot be built is left out and named, each time", { timeout: 300_000 }, async () => {
  const links = await unbuildable("fatal error: lber.h: No such file or directory");
  const { app, options, steps } = await appWith({
    "requirements.txt": `--find-links ${links}\nbroken==1.0\nh11==0.16.0\n`,
  });
  const { packages, leftOut } = await preparePythonEnvironment(app, options);
  expect([packages["h11"], packages["broken"]]).toEqual(["0.16.0", undefined]);
  expect(leftOut).toMatchObject([{ name: "broken" }]);
  const told =
    "broken is left out, as it could not be built here (fatal error: lber.h: No such file or directory; on Debian and Ubuntu: apt-get install libldap2-dev libsasl2-dev); the app may start without it";
  expect(steps).toEqual(["installing the packages of requirements.txt", told, "made"]);
  await preparePythonEnvironment(app, options);
  const [marker = ""] = (await readdir(join(options.cacheFolder, "python"))).filter((name) =>
    name.endsWith(".json"),
  );
  expect(steps.slice(3)).toEqual([
    `${told}; to try again, remove ${join(options.cacheFolder, "python", marker)}`,
  ]);
});

test("an app whose requirements name no server gets uvicorn", {
  timeout: 300_000,
  tags: ["smoke"],
}, async () => {
  const { app, options, steps } = await appWith({ "requirements.txt": "fastapi==0.115.0\n" });
  const { packages } = await preparePythonEnvironment(app, options);
  expect(packages["uvicorn"]).toBeDefined();
  expect(steps).toEqual([
    "installing the packages of requirements.txt",
    "installing uvicorn, too, because the requirements name no server",
    "made",
  ]);
});

test("a lock file of PDM is installed where PDM cannot be had", { timeout: 300_000 }, async () => {
  const project = '[project]\nname = "x"\nversion = "1"\nrequires-python = ">=3.9"\ndependencies = ["h11"]\n';
  const lock =
    '[metadata]\nlock_version = "4.5.0"\ncontent_hash = "sha256:x"\n\n[[package]]\nname = "h11"\nversion = "0.15.0"\nrequires_python = ">=3.8"\n';
  const { app, options, steps } = await appWith({ "pyproject.toml": project, "pdm.lock": lock });
  const constraint = join(folder, "no-pdm.txt");
  await writeFile(constraint, "pdm<0.1\n");
  vi.stubEnv("PIP_CONSTRAINT", constraint);
  const { packages } = await preparePythonEnvironment(app, options).finally(() => vi.unstubAllEnvs());
  expect(packages["h11"]).toBe("0.15.0");
  expect(steps[1]).toMatch(/^pip installs the packages of pdm\.lock, /);
});

test("pip is tried where uv fails otherwise, and its words are told", { timeout: 300_000 }, async () => {
  const { app, options, steps } = await appWith({ "requirements.txt": "h11==0.0.0.1\n" });
  await expect(preparePythonEnvironment(app, options)).rejects.toThrow(
    /^installing the packages of requirements\.txt failed: .*(?:No matching distribution|Could not find a version)/,
  );
  expect(steps.at(-1)).toMatch(/^trying pip, because uv failed: /);
});

test("packages that came out after a day are not taken, each day in an environment of its own", async () => {
  const asked = join(folder, "asked");
  await writeFile(
    join(folder, "uv"),
    `#!/bin/sh
case "$1" in
  venv) exec "$3" -m venv --without-pip "$4" ;;
  *) echo "$1 $UV_EXCLUDE_NEWER" >> ${asked} ;;
esac
`,
  );
  await chmod(join(folder, "uv"), 0o755);
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
  vi.stubEnv("UV_EXCLUDE_NEWER", undefined);
  try {
    const { app, options } = await appWith({ "requirements.txt": "h11\n" });
    for (const excludeNewer of [undefined, "2024-01-26", "2024-01-26", "2024-01-27"])
      await preparePythonEnvironment({ ...app, ...(excludeNewer && { excludeNewer }) }, options);
  } finally {
    vi.unstubAllEnvs();
  }
  expect((await readFile(asked, "utf8")).split("\n")).toEqual([
    "pip ",
    "pip 2024-01-26",
    "pip 2024-01-27",
    "",
  ]);
});

test("packages are added to a lock file's, in an environment of its own", { timeout: 300_000 }, async () => {
  const lock = '{"default": {"h11": {"version": "==0.15.0"}}}\n';
  const { app, options } = await appWith({ "Pipfile.lock": lock });
  const alone = await preparePythonEnvironment(app, options);
  const extended = await preparePythonEnvironment({ ...app, extraPackages: ["sniffio<1.3.1"] }, options);
  expect(extended.packages).toEqual({ ...alone.packages, sniffio: "1.3.0" });
  const own = { ...app, extraPackages: ["sniffio"], install: { environmentFolder: alone.binFolder } };
  await expect(preparePythonEnvironment(own, options)).rejects.toThrow(
    /^extra-packages: nothing is installed into .+, which is your own environment/,
  );
});

test("added packages leave the others' versions alone, unless they need others", {
  timeout: 300_000,
}, async () => {
  const { app, options, steps } = await appWith({ "requirements.txt": "h11==0.14.0\nsniffio==1.3.0\n" });
  const fitting = await preparePythonEnvironment({ ...app, extraPackages: ["httpcore"] }, options);
  expect(fitting.packages).toMatchObject({ h11: "0.14.0", httpcore: expect.stringMatching(/^1\./) });
  const other = await preparePythonEnvironment({ ...app, extraPackages: ["httpcore>=1.0.9"] }, options);
  expect(other.packages).toMatchObject({ sniffio: "1.3.0", httpcore: "1.0.9" });
  expect(steps.join("\n")).toContain("extra-packages need other versions of the app's packages: ");
});

test("commands that install take what was there on a day", { timeout: 300_000 }, async () => {
  const { app, options } = await appWith({});
  const wanted = { ...app, install: { commands: ["pip install h11"] } } as const;
  const { packages } = await preparePythonEnvironment({ ...wanted, excludeNewer: "2023-01-01" }, options);
  expect(packages["h11"]).toBe("0.14.0");
});

test("a day has no effect on a lock file, and is refused where only pip can be right", async () => {
  const lock = '{"default": {"h11": {"version": "==0.15.0"}}}\n';
  const { app, options, steps } = await appWith({ "Pipfile.lock": lock });
  const excludeNewer = "2024-01-26";
  await preparePythonEnvironment({ ...app, excludeNewer }, options);
  expect(steps[0]).toBe("exclude-newer has no effect: Pipfile.lock pins all versions");
  const open = await appWith({ "requirements.txt": "h11\n" });
  vi.stubEnv("PIP_EXTRA_INDEX_URL", "http://127.0.0.1:1/simple");
  vi.stubEnv("PATH", pathWithoutUv());
  try {
    const made = preparePythonEnvironment({ ...open.app, excludeNewer }, open.options);
    await expect(made).rejects.toThrow(
      /^exclude-newer needs uv, which does not know all of pip's settings here/,
    );
  } finally {
    vi.unstubAllEnvs();
  }
});

function pathWithoutUv(): string {
  const folders = (process.env["PATH"] ?? "").split(":");
  return folders.filter((each) => !existsSync(join(each, "uv"))).join(":");
}

test("packages for development that cannot be had are left out", { timeout: 300_000 }, async () => {
  const project = '[project]\nname = "x"\nversion = "1"\nrequires-python = ">=3.10"\n';
  // As uv writes it, with a repository that nobody can reach.
  const source = 'source = { git = "http://127.0.0.1:1/d#0123456789012345678901234567890123456789" }';
  const lock = `version = 1\nrequires-python = ">=3.10"\n\n[[package]]\nname = "d"\nversion = "1"\n${source}\n\n[[package]]\nname = "x"\nversion = "1"\nsource = { virtual = "." }\n\n[package.dev-dependencies]\ndev = [{ name = "d" }]\n\n[package.metadata]\n\n[package.metadata.requires-dev]\ndev = [{ name = "d", git = "http://127.0.0.1:1/d" }]\n`;
  const group = '[dependency-groups]\ndev = ["d"]\n[tool.uv.sources]\nd = { git = "http://127.0.0.1:1/d" }\n';
  const { app, options, steps } = await appWith({ "pyproject.toml": project + group, "uv.lock": lock });
  const { packages } = await preparePythonEnvironment(app, options);
  expect(packages["d"]).toBeUndefined();
  expect(steps[1]).toMatch(
    /^the development packages are left out: .*unable to access 'http:\/\/127\.0\.0\.1:1\/d/,
  );
});

test("a Pipfile.lock is installed as it is", { timeout: 300_000 }, async () => {
  const lock = { default: { h11: { version: "==0.15.0" } }, develop: { idna: { version: "==3.10" } } };
  const { app, options, steps } = await appWith({ Pipfile: "", "Pipfile.lock": JSON.stringify(lock) });
  const { packages } = await preparePythonEnvironment(app, options);
  expect([packages["h11"], packages["idna"], steps[0]]).toEqual([
    "0.15.0",
    undefined,
    "installing the packages of Pipfile.lock",
  ]);
});
