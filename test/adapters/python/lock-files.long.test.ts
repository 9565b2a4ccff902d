import { execFile } from "node:child_process";
import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";

import { preparePythonEnvironment } from "../../../src/adapters/python/environment.ts";
import { openApps } from "./app-fixture.ts";

const execute = promisify(execFile);
const { appWith } = await openApps();
const project = '[project]\nname = "x"\nversion = "1"\nrequires-python = ">=3.10"\n';
const wheel = "h11-0.16.0-py3-none-any.whl";
const asking = {
  // From a file: Poetry asks an interface of the package index that mirrors often lack.
  poetry: `${project}dynamic = ["dependencies"]\n[tool.poetry.dependencies]\nh11 = { path = "${wheel}" }\n`,
  pdm: `${project}dependencies = ["h11==0.16.0"]\n`,
};

// Each installs its tool first: they wait for the network most of the time.
describe.concurrent("lock files", () => {
  test.for(["poetry", "pdm"] as const)(
    "of %s are installed, and one that does not match is told",
    { timeout: 300_000 },
    async (tool) => {
      const text = asking[tool];
      const { app, options } = await appWith({ "pyproject.toml": text, [`${tool}.lock`]: "" });
      // An empty lock file is refused, but its tool is there afterwards.
      await expect(preparePythonEnvironment(app, options)).rejects.toMatchObject({
        name: "EnvironmentError",
      });
      await rm(join(app.folder, `${tool}.lock`));
      const tools = join(options.cacheFolder, "tools");
      const [name = ""] = (await readdir(tools)).filter((each) => each.startsWith(tool));
      const pip = ["-m", "pip", "download", "--quiet", "--no-deps", "h11==0.16.0"];
      if (tool === "poetry") await execute("python3", pip, { cwd: app.folder });
      const env = { ...process.env, VIRTUAL_ENV: join(tools, name) };
      await execute(join(tools, name, "bin", tool), ["lock"], { cwd: app.folder, env });

      const before = (await readdir(app.folder)).toSorted();
      const { packages } = await preparePythonEnvironment(app, options);
      expect(packages).toMatchObject({ h11: "0.16.0" });
      expect((await readdir(app.folder)).toSorted()).toEqual(before);

      const change = (other: string) => writeFile(join(app.folder, "pyproject.toml"), other);
      await change(text.replace(">=3.10", ">=3.9"));
      const steps: string[] = [];
      const onStep = (step: string) => steps.push(step);
      const stale = await preparePythonEnvironment(app, { ...options, onStep });
      expect(stale.packages).toMatchObject({ h11: "0.16.0" });
      expect(steps).toContainEqual(expect.stringContaining(`${tool}.lock does not match its pyproject.toml`));

      if (tool === "pdm") return;
      await change(`${text}sniffio = "*"\n`);
      await expect(preparePythonEnvironment(app, options)).rejects.toThrow(
        "poetry.lock does not match its pyproject.toml; run `poetry lock` and commit the result",
      );
    },
  );

  test("of nobody: a project without its own package has its dependencies", {
    timeout: 300_000,
  }, async () => {
    const build = '[build-system]\nrequires = ["poetry-core"]\nbuild-backend = "poetry.core.masonry.api"\n';
    const poetry = '[tool.poetry]\nname = "shop-api"\nversion = "1"\ndescription = ""\nauthors = []\n';
    const needs = '[tool.poetry.dependencies]\npython = ">=3.10"\nh11 = "0.16.0"\n';
    const { app, options } = await appWith({ "pyproject.toml": poetry + needs + build });
    const steps: string[] = [];
    const onStep = (step: string) => steps.push(step);
    const { packages, leftOut } = await preparePythonEnvironment(app, { ...options, onStep });
    expect([packages["h11"], leftOut]).toEqual(["0.16.0", undefined]);
    expect(steps).toContain("only the project's dependencies are installed: it has no package shop_api");
  });
});
