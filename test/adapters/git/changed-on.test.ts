import { dirname, join } from "node:path";
import { expect, test } from "vitest";

import { changedOn } from "../../../src/adapters/git/repository.ts";
import { makeRepository } from "./git-fixture.ts";

test("the day on which files were last changed", async () => {
  await using repository = await makeRepository();
  const { folder } = repository;
  const options = { logFolder: dirname(folder), signal: new AbortController().signal };
  await repository.commit("base", { "api/requirements.txt": "a\n", "api/[a].txt": "a\n" });
  const today = (await repository.git("log", "-1", "--format=%cs")).trim();
  const api = join(folder, "api");
  expect(await changedOn(api, ["requirements.txt", "other.txt"], options)).toBe(today);
  expect(await changedOn(api, ["[a].txt"], options)).toBe(today);
  for (const other of ["none.txt", "a.txt", "*"])
    expect(await changedOn(api, [other], options)).toBeUndefined();
  expect(await changedOn(dirname(folder), ["requirements.txt"], options)).toBeUndefined();
});
