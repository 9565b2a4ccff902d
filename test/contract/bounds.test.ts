import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { action, root, textOf } from "./files.ts";

// The tables of docs/internals/threat-model.md on what is read and what is bounded, compared with the source.

const text = textOf("docs/internals/threat-model.md");
const rowsOf = (title: string) =>
  (text.split(`## ${title}\n`)[1]?.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2);
const namesIn = (row: string) => [...row.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

test("every variable of a step with the token is in the table, and the table has no others", () => {
  const known = rowsOf("What the steps with the token read").flatMap((row) =>
    namesIn(row.split("|")[1] ?? ""),
  );
  const fits = (name: string, each: string) => name === each || (each.endsWith("_") && name.startsWith(each));
  const withToken = action.runs.steps.filter(({ env }) => env?.["GITHUB_TOKEN"] !== undefined);
  expect(withToken.map(({ id }) => id)).toEqual(["announce", "report", "withdraw"]);
  const read = withToken.flatMap(({ env, run = "" }) => [
    ...Object.keys(env ?? {}),
    ...[...run.matchAll(/\$\{?!?([A-Z]\w+)/g)].map(([, name = ""]) => name),
  ]);
  // The runner's own, which lead to nothing that the app could write.
  const ofRunner = ["GITHUB_ACTION_PATH", "PATH"];
  expect(read.filter((name) => !ofRunner.includes(name) && !known.some((each) => fits(name, each)))).toEqual(
    [],
  );
  const paths = ["package.json", "dist/", "plan.json", "cells/"];
  expect(known.filter((each) => !paths.includes(each) && !read.some((name) => fits(name, each)))).toEqual([]);
});

test("each bound has its one place", () => {
  const places = rowsOf("What is bounded").flatMap((row) => namesIn(row.split("|")[2] ?? ""));
  expect(places.length).toBeGreaterThan(5);
  expect(places.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const starting = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((name) => `src/${name}`)
    .filter((path) => path.endsWith(".ts") && textOf(path).includes('"node:child_process"'));
  expect(starting).toEqual(["src/adapters/process/child-process.ts"]);
  // Whoever starts a child there has its log cut.
  expect(textOf("src/adapters/process/child-process.ts").match(/\bspawn\(/g)).toHaveLength(1);
  expect(textOf("src/adapters/process/child-process.ts")).toContain("keepBounded");
});
