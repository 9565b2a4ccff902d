import { expect, test } from "vitest";

import { readAll } from "../../src/commands/request.ts";
import { parseConfigurationFile } from "../../src/config/file/configuration-file.ts";

const texts: Readonly<Record<string, string>> = { "a.yml": "vus: 1", "b.yml": "vus: [", "c.yml": "oops: 1" };
const read = async (name: string) => parseConfigurationFile(name, "/repo", texts[name] ?? "");

test("files are read under their names, in their order", async () => {
  const all = await readAll(["a.yml", ""], read);
  expect(all.map(({ name, file }) => [name, file !== undefined])).toEqual([
    ["a.yml", true],
    ["", true],
  ]);
});

test("what is wrong in any of them is told at once", async () => {
  await expect(readAll(["b.yml", "a.yml", "c.yml"], read)).rejects.toMatchObject({
    problems: [expect.stringMatching(/^b\.yml:1:/), expect.stringMatching(/^c\.yml:1:1: oops/)],
  });
  const broken = () => Promise.reject(new TypeError("a fault of ours"));
  await expect(readAll(["a.yml"], broken)).rejects.toThrow("a fault of ours");
});
