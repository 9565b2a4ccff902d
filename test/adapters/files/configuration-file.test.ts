import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { readConfigurationFile } from "../../../src/adapters/files/configuration-file.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "configuration-"));
  await mkdir(join(folder, ".github"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (path: string, text: string) => writeFile(join(folder, path), text);

describe("the configuration file", () => {
  test("is found in the repository, and means it", async () => {
    expect(await readConfigurationFile(undefined, folder)).toBeUndefined();
    await write(".github/loadtest.yaml", "app: a:b\n");
    const found = { name: ".github/loadtest.yaml", folder, texts: { app: "a:b" } };
    expect(await readConfigurationFile(undefined, folder)).toMatchObject(found);
    await write(".github/loadtest.yml", "app: c:d\n");
    expect(await readConfigurationFile("", folder)).toMatchObject({ texts: { app: "c:d" } });
    expect(await readConfigurationFile("none", folder)).toBeUndefined();
  });

  test("of the working folder is looked for before that of the repository around it", async () => {
    const here = join(folder, "service");
    await mkdir(join(here, ".github"), { recursive: true });
    await write(".github/loadtest.yml", "app: a:b\n");
    const around = { name: join(folder, ".github/loadtest.yml"), folder, texts: { app: "a:b" } };
    expect(await readConfigurationFile(undefined, here, folder)).toMatchObject(around);
    await write("service/.github/loadtest.yml", "app: c:d\n");
    expect(await readConfigurationFile(undefined, here, folder)).toMatchObject({ texts: { app: "c:d" } });
  });

  test("that is named counts, from its own folder", async () => {
    await mkdir(join(folder, "load"));
    await write("load/shop.yml", "app: a:b\n");
    const named = { name: "load/shop.yml", folder: join(folder, "load") };
    expect(await readConfigurationFile("load/shop.yml", folder)).toMatchObject(named);
    const elsewhere = await readConfigurationFile(join(folder, "load/shop.yml"), join(folder, ".github"));
    expect(elsewhere).toMatchObject({ name: join(folder, "load/shop.yml") });
  });

  test("that is named must be there, and readable", async () => {
    await expect(readConfigurationFile("other.yml", folder)).rejects.toThrow(
      /config: .*other\.yml cannot be read: there is no such file/,
    );
    await expect(readConfigurationFile(".github", folder)).rejects.toThrow(/\.github is not a plain file/);
    await write("large.yml", "");
    await truncate(join(folder, "large.yml"), 1_000_001);
    await expect(readConfigurationFile("large.yml", folder)).rejects.toThrow(/has 1000001 bytes/);
  });
});

test("T36: a configuration file that is a device", async () => {
  await symlink("/dev/zero", join(folder, ".github/loadtest.yml"));
  await expect(readConfigurationFile(undefined, folder)).rejects.toThrow(
    /config: .*\.github\/loadtest\.yml is not a plain file/,
  );
});
