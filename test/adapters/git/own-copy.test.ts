import { access, mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

import { copyApp } from "../../../src/adapters/git/own-copy.ts";
import { EnvironmentError } from "../../../src/errors/errors.ts";
import type { App } from "../../../src/model/workload/workload.ts";
import { makeRepository } from "./git-fixture.ts";

const signal = new AbortController().signal;
const appIn = (folder: string): App => ({
  importString: "app:app",
  folder,
  python: "auto",
  install: "auto",
  variables: {},
});

test("a copy has what lies there, but of databases only those that git knows", async () => {
  await using repository = await makeRepository();
  const { folder } = repository;
  const work = dirname(folder);
  await repository.commit("all", { "api/app.py": "a\n", "api/data/kept.db": "known\n", "lib/x.py": "b\n" });
  await repository.write("api/app.db", "somebody's own\n");
  await repository.write("api/app.db-wal", "somebody's own\n");
  await repository.write("api/.env", "MODE=dev\n");
  await repository.write("api/app.py", "changed\n");
  await repository.write("api/.venv/x.py", "\n");
  await mkdir(join(folder, "node_modules"));
  await symlink("../lib", join(folder, "api", "lib"));
  const copy = await copyApp(appIn(join(folder, "api")), { logFolder: work, signal, workFolder: work });
  expect(copy).toEqual({ ...appIn(copy.folder) });
  expect(copy.folder).not.toBe(join(folder, "api"));
  const isThere = (path: string) =>
    access(join(copy.folder, path)).then(
      () => true,
      () => false,
    );
  for (const path of [".env", "data/kept.db", "../lib/x.py", "lib/x.py"])
    expect([path, await isThere(path)]).toEqual([path, true]);
  for (const path of ["app.db", "app.db-wal", ".venv", "../node_modules", "../.git"])
    expect([path, await isThere(path)]).toEqual([path, false]);
  expect(await readFile(join(copy.folder, "app.py"), "utf8")).toBe("changed\n");
});

test("without a repository all files come along", async () => {
  await using repository = await makeRepository();
  const work = dirname(repository.folder);
  await repository.write("../plain/app.db", "somebody's own\n");
  const copy = await copyApp(appIn(join(work, "plain")), { logFolder: work, signal, workFolder: work });
  expect(await readFile(join(copy.folder, "app.db"), "utf8")).toBe("somebody's own\n");
});

test("a repository that cannot be copied is told", async () => {
  await using repository = await makeRepository();
  const { folder } = repository;
  await repository.commit("all", { "work/a.py": "a\n" });
  const work = join(folder, "work");
  const copying = copyApp(appIn(folder), { logFolder: work, signal, workFolder: work });
  await expect(copying).rejects.toThrow(/could not be copied, which a file of its own needs: .+self/);
  await expect(copying).rejects.toBeInstanceOf(EnvironmentError);
});

test("an environment file is made where it is missing, and in the copy only", async () => {
  await using repository = await makeRepository();
  const { folder } = repository;
  const work = dirname(folder);
  await repository.commit("all", { "api/app.py": "a\n", "api/kept.env": "A=1\n" });
  await symlink(join(work, "elsewhere"), join(folder, "api/linked.env"));
  const textIn = async (environmentFile: string) => {
    const app = { ...appIn(join(folder, "api")), environmentFile };
    const copy = await copyApp(app, { logFolder: work, signal, workFolder: work });
    return readFile(join(copy.folder, environmentFile), "utf8");
  };
  expect(await textIn("src/.env")).toBe("");
  expect(await textIn("kept.env")).toBe("A=1\n");
  await expect(textIn("linked.env")).rejects.toThrow("ENOENT"); // nothing is made where a link leads
  await expect(access(join(folder, "api/src/.env"))).rejects.toThrow("ENOENT");
  await expect(textIn("app.py/.env")).rejects.toThrow(EnvironmentError);
});
