import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { readLogs } from "../../../src/adapters/files/index.ts";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "logs-"));
  await mkdir(join(folder, "pods", "below"), { recursive: true });
  await writeFile(join(folder, "pods", "b.log"), "two\n");
  await writeFile(join(folder, "pods", "a.log"), "one\n");
});
afterAll(() => rm(folder, { recursive: true }));

test("reads a file, or all files of a folder in order", async () => {
  expect(readLogs(join(folder, "pods", "b.log"))).toEqual(["two\n"]);
  await rm(join(folder, "pods", "below"), { recursive: true });
  expect(readLogs(join(folder, "pods"))).toEqual(["one\n", "two\n"]);
});

test.for([
  ["absent.log", /logs: .*absent\.log does not exist/],
  ["holding", /logs: .*inner is not a plain file/],
] as const)("refuses %s", async ([name, said]) => {
  await mkdir(join(folder, "holding", "inner"), { recursive: true });
  expect(() => readLogs(join(folder, name))).toThrow(said);
});
