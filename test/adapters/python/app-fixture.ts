import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterAll } from "vitest";

import type { PythonOptions } from "../../../src/adapters/python/environment.ts";
import type { App } from "../../../src/model/workload/workload.ts";

const signal = new AbortController().signal;

const uv = resolve(import.meta.dirname, "../../../.tools/python/bin/uv");

/**
 * Makes apps in a folder that is gone after the file's last test. This machine has uv on its PATH: to install it for
 * each case takes longer than most cases.
 */
export async function openApps() {
  const folder = await mkdtemp(join(tmpdir(), "loadtest-environment-"));
  const path = process.env["PATH"] ?? "";
  await mkdir(join(folder, "bin"));
  await symlink(uv, join(folder, "bin/uv"));
  process.env["PATH"] = `${join(folder, "bin")}${delimiter}${path}`;
  afterAll(async () => {
    process.env["PATH"] = path;
    await rm(folder, { recursive: true, force: true });
  });

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
      onMade: () => Promise.resolve(void steps.push("made")),
    };
    return { app, options, steps };
  }
  return { folder, appWith, signal, pathWithoutUv: path };
}
