import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readSources } from "../../../src/adapters/python/repository-files.ts";
import { readRequirementsFile } from "../../../src/adapters/python/requirements.ts";

let folder = "";
const path = (name = "file") => join(folder, name);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "source-files-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("T36: a repository full of traps", () => {
  test("requirements that include each other", async () => {
    await writeFile(path(), "-r other.txt\n-c file\nh11==0.16.0\n");
    await writeFile(path("other.txt"), "-r file\n");
    expect(await readRequirementsFile(path())).toMatchObject({ kind: "requirements.txt" });
  });

  test.for(["/dev/zero", "."])(
    "requirements that include %s, for which an installer would wait",
    async (name) => {
      await writeFile(path(), `-r ${name}\nh11==0.16.0\n`);
      await expect(readRequirementsFile(path())).rejects.toThrow("is not a plain file");
    },
  );

  test("sources that are links, devices, or too much together", async () => {
    await symlink("/dev/zero", path("zero.py"));
    await symlink(folder, path("loop"));
    await writeFile(path("app.py"), "app = FastAPI()\n");
    await writeFile(path("large.py"), "#".repeat(500_001));
    for (let index = 0; index < 120; index += 1)
      await writeFile(path(`data${index}.py`), "#".repeat(450_000));
    const found = readSources(folder);
    expect(found.map(({ path: name }) => name)).toContain("app.py");
    expect(found.map(({ path: name }) => name)).not.toContain("zero.py");
    expect(found.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(50_000_000);
  });
});
