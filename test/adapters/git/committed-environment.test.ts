import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

import { committedEnvironment } from "../../../src/adapters/git/index.ts";
import { makeRepository } from "./git-fixture.ts";

test("files of variables that are in the repository, and none that git ignores", async () => {
  await using repository = await makeRepository();
  const { folder } = repository;
  const options = { logFolder: dirname(folder), signal: new AbortController().signal };
  // Committed, but what it points at is not.
  mkdirSync(join(folder, "linked"));
  symlinkSync("../.env.local", join(folder, "linked", ".env"));
  await repository.commit("base", {
    ".env": "A=1\n",
    "api/.env.dev": "B=2\n",
    "env/dev-backend.env": "C=3\n",
    "env/product.env": "D=4\n",
    "env/production.env": "E=5\n",
    "env/app.prod.env": "E=5\n",
    ".gitignore": "secret/\n",
    "secret.txt": "",
  });
  writeFileSync(join(folder, ".env.local"), "SECRET=1\n");
  expect(await committedEnvironment(folder, options)).toEqual([
    { path: ".env", text: "A=1\n" },
    { path: "api/.env.dev", text: "B=2\n" },
    { path: "env/dev-backend.env", text: "C=3\n" },
    { path: "env/product.env", text: "D=4\n" },
  ]);
  expect(await committedEnvironment(dirname(folder), options)).toEqual([]);
});
