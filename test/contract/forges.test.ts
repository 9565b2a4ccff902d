import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { forgeAround, forges } from "../../src/forge/forges.ts";
import { root, textOf } from "./files.ts";

const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => `src/${path}`);

test("each row of the table of forges has a folder, and each folder a row", () => {
  const folders = readdirSync(join(root, "src/forge"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "posting")
    .map(({ name }) => name);
  expect(folders.toSorted()).toEqual(Object.keys(forges).toSorted());
  for (const name of folders) expect(existsSync(join(root, `src/forge/${name}/${name}.ts`))).toBe(true);
});

test("only the folders of forges read what tells one from another", () => {
  const marks = /GITLAB_CI|GITEA_ACTIONS|FORGEJO_ACTIONS|\bCI_[A-Z_]+|\/api\/v[14]/;
  const readers = sources.filter((path) => marks.test(codeOf(path)));
  expect(readers.toSorted()).toEqual(["src/forge/gitea/gitea.ts", "src/forge/gitlab/gitlab.ts"]);
});

test("one door leads to their APIs", () => {
  const users = sources.filter(
    (path) => !path.startsWith("src/adapters/forge/") && codeOf(path).includes("adapters/forge/"),
  );
  expect(users.toSorted()).toEqual([...["src/engine.ts", "src/wiring/announce.ts", "src/wiring/report.ts"]]);
  expect(forgeAround({})).toBeUndefined();
});

function codeOf(path: string): string {
  return textOf(path).replaceAll(/\/\*\*[\s\S]*?\*\/|\/\/ .*$/gm, "");
}
