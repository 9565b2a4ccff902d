import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

import { openSecrets } from "../../../src/adapters/runner/secrets.ts";

test("what was read or learned is hidden from then on, and nothing else", async () => {
  const masked: string[] = [];
  const secrets = openSecrets(
    { A: "first secret", B: "", C: "tiny" },
    async (value) => void masked.push(value),
  );
  const value = { a: ["first secret", 1, null], "first secret": true };
  expect(secrets.hiddenIn(value)).toBe(value);
  expect([secrets.read("A"), secrets.read("B"), secrets.read("C")]).toEqual([
    "first secret",
    undefined,
    "tiny",
  ]);
  expect(secrets.hiddenIn(value)).toEqual({ a: ["***", 1, null], "first secret": true });
  expect(secrets.hidden("tiny second token first secret")).toBe("tiny second token ***");
  await secrets.hide("second token");
  await secrets.hide("second token");
  expect(masked).toEqual(["second token"]);
  expect(secrets.hidden("tiny second token first secret")).toBe("tiny *** ***");
});

test("of a document only values are hidden, so that it stays one", () => {
  const secrets = openSecrets({ A: "123456", B: "status" }, () => Promise.resolve());
  const text = '{"status":"done","rate":0.1234567,"reason":"123456 status"}\n';
  expect(secrets.hiddenInDocument("cells/a.json", text)).toBe(text);
  secrets.read("A");
  secrets.read("B");
  expect(secrets.hiddenInDocument("cells/a.json", text)).toBe(
    '{"status":"done","rate":0.1234567,"reason":"*** ***"}\n',
  );
  expect(secrets.hiddenInDocument("report.md", "123456 %")).toBe("*** %");
});

test("files are rewritten, whatever else is in them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "secrets-test-"));
  const path = join(folder, "log");
  await writeFile(path, Buffer.concat([Buffer.from("a gehe\u00efm b "), Buffer.from([0xff, 0x00])]));
  const secrets = openSecrets({ A: "gehe\u00efm" }, () => Promise.resolve());
  await secrets.hideInFile(path);
  expect((await readFile(path, "latin1")).startsWith("a gehe")).toBe(true);
  secrets.read("A");
  await secrets.hideInFile(path);
  expect(await readFile(path)).toEqual(Buffer.concat([Buffer.from("a *** b "), Buffer.from([0xff, 0x00])]));
  await secrets.hideInFile(path);
  await secrets.hideInFile(join(folder, "none"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
  await secrets.hideInFile(join(folder, "pipe"));
  await rm(folder, { recursive: true });
});
