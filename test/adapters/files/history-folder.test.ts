import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { readHistoryFolder } from "../../../src/adapters/files/history-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "history-folder-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

test("the lines of every report are read, and nothing else", async () => {
  await write({
    "cells/default/b.jsonl": "b",
    "cells/default/a.jsonl": "a",
    "cells/api/c.jsonl": "c",
    "cells/default/notes.txt": "x",
    "cells/default/deeper/d.jsonl": "x",
    "cells/plain.jsonl": "x",
    "loadtest-history.json": "{}",
  });
  expect(readHistoryFolder(folder)).toEqual([
    { name: "cells/api/c.jsonl", text: "c" },
    { name: "cells/default/a.jsonl", text: "a" },
    { name: "cells/default/b.jsonl", text: "b" },
  ]);
});

test.for(["", "cells/default/x.txt"])("a folder with %j has no history", async (name) => {
  if (name !== "") await write({ [name]: "" });
  expect(readHistoryFolder(folder)).toBeUndefined();
});

test("links are not followed, and what is far too large is not read", async () => {
  await write({ "cells/default/large.jsonl": "x".repeat(2_000_001), secret: "s" });
  await symlink(join(folder, "secret"), join(folder, "cells/default/link.jsonl"));
  expect(readHistoryFolder(folder)).toEqual([
    {
      name: "cells/default/large.jsonl",
      text: "",
      problem: expect.stringMatching(/^has \d+ bytes or more; at most \d+ are allowed$/),
    },
    { name: "cells/default/link.jsonl", text: "", problem: expect.stringContaining("cannot be read") },
  ]);
});

test.for([
  ["cells", "elsewhere/cells", ["cells"]],
  ["cells/default", "elsewhere/cells/default", ["cells/default", "cells/api/c.jsonl"]],
] as const)("a link in place of %s is not followed, and told", async ([link, target, names]) => {
  await write({ "elsewhere/cells/default/secret.jsonl": "s" });
  if (link !== "cells") await write({ "cells/api/c.jsonl": "c" });
  await symlink(join(folder, target), join(folder, link));
  const texts = readHistoryFolder(folder) ?? [];
  expect(texts.map(({ name }) => name)).toEqual(names);
  expect(texts[0]).toEqual({ name: link, text: "", problem: "is a link, which is not followed" });
});

test("a folder that is itself named by a link is read", async () => {
  await write({ "kept/cells/default/a.jsonl": "a" });
  await symlink(join(folder, "kept"), join(folder, "link"));
  expect(readHistoryFolder(join(folder, "link"))).toEqual([{ name: "cells/default/a.jsonl", text: "a" }]);
});

test("what is beyond the limit of all files is left out, and says which limit that is", async () => {
  const texts = { a: "é".repeat(4), b: "xx", c: "x", d: "" };
  for (const [name, text] of Object.entries(texts)) await write({ [`cells/default/${name}.jsonl`]: text });
  const problem = "is left out: all files together may have at most 9 bytes";
  expect(readHistoryFolder(folder, 9)).toEqual([
    { name: "cells/default/a.jsonl", text: texts.a },
    ...["b", "c", "d"].map((name) => ({ name: `cells/default/${name}.jsonl`, text: "", problem })),
  ]);
});
