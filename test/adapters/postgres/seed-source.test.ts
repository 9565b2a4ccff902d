import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sqlOfArchive } from "../../../src/adapters/postgres/archive.ts";
import { includedFile, readSeedFile } from "../../../src/adapters/postgres/seed-source.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-seeds-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

const sql = "SELECT 'é';";
const packed = gzipSync(sql);

test.for<[string, string | Buffer]>([
  ["plain.sql", `\uFEFF${sql}`],
  ["packed.sql.gz", packed],
  ["windows.sql", Buffer.from(`\uFEFF${sql}`, "utf16le")],
  ["packed-latin.gz", gzipSync(Buffer.from(`SET client_encoding = 'LATIN1'; ${sql}`, "latin1"))],
])("%s is read", async ([name, content]) => {
  const path = await file(name, content);
  expect(await readSeedFile(path)).toEqual({ path, text: expect.stringContaining(sql) });
});

test.for<[string, string | Buffer, RegExp]>([
  ["empty.sql", "", /is empty$/],
  ["empty.sql.gz", gzipSync(""), /is empty$/],
  ["latin.sql", Buffer.from(sql, "latin1"), /is not UTF-8: line 1 has other bytes/],
  ["twice.gz", gzipSync(packed), /is compressed twice; decompress it once$/],
  ["half.sql.gz", packed.subarray(0, 20), /cannot be decompressed: unexpected end of file$/],
  ["mysql.sql.gz", gzipSync("-- MySQL dump 10.13"), /is a MySQL or MariaDB dump; dump the Postgres/],
  ["dump.zip", "PK\x03\x04", /is a ZIP archive/],
])("%s is refused with its reason", async ([name, content, reason]) => {
  const path = await file(name, content);
  await expect(readSeedFile(path)).rejects.toThrow(reason);
  await expect(readSeedFile(path)).rejects.toThrow(`seed file ${path} `);
});

test("zstd is for newer versions of Node", async () => {
  const frame = Buffer.from("28b52ffd2004210000616263640f", "hex"); // "abcd", with a wrong checksum
  const reason =
    "zstdDecompressSync" in (await import("node:zlib"))
      ? /cannot be decompressed/
      : /needs Node 22\.15 or newer/;
  await expect(readSeedFile(await file("a.sql.zst", frame))).rejects.toThrow(reason);
});

test("what is not there, or is no file, is told so", async () => {
  await expect(readSeedFile(join(folder, "none.sql"))).rejects.toThrow("none.sql is not there");
  await expect(readSeedFile(folder)).rejects.toThrow("is not a plain file");
});

describe("a file that another one includes", () => {
  beforeAll(async () => {
    await file("repository/.git", "gitdir: elsewhere");
    await file("repository/sql/all.sql", "");
    await file("repository/sql/tables.sql", "tables");
    await file("repository/schema.sql", "schema");
    await file("outside.sql", "secret");
    await symlink(join(folder, "outside.sql"), join(folder, "repository", "sql", "link.sql"));
    await file("repository/sql/latin.sql", Buffer.from(sql, "latin1"));
  });

  test.for([
    ["tables.sql", { text: "tables" }],
    ["../schema.sql", { text: "schema" }],
    ["schema.sql", { text: "schema" }],
    ["sql/tables.sql", { text: "tables" }],
    ["none.sql", "is not there"],
    ["../../outside.sql", "is not in the repository"],
    ["link.sql", "is not in the repository"],
    ["/etc/passwd", "is not in the repository; name it from the file's folder"],
    ["../sql", "is not a plain file"],
    ["latin.sql", expect.stringContaining("is not UTF-8")],
  ] as const)("%s", ([name, found]) => {
    const from = join(folder, "repository", "sql", "all.sql");
    const included = includedFile(name, from);
    if (typeof found === "object" && "text" in found) expect(included).toMatchObject(found);
    else expect(included).toEqual(found);
  });

  test("without a repository, from the file's folder alone", async () => {
    const from = await file("alone/all.sql", "");
    await file("alone/more.sql", "more");
    expect(includedFile("more.sql", from)).toMatchObject({ text: "more", line: 1 });
    expect(includedFile("../outside.sql", from)).toBe("is not in the repository");
  });
});

describe("an archive of pg_dump", () => {
  const options = () => ({
    ...{ workFolder: folder, toolsFolder: folder, signal: new AbortController().signal },
    onStep: () => undefined,
  });

  test("that is broken is told in pg_restore's words", async () => {
    const path = await file("broken.dump", "PGDMP\x01\x0e\0\x04\x08\x01\x01");
    const source = await readSeedFile(path);
    if (!("archive" in source)) throw new Error("not an archive");
    await expect(sqlOfArchive(path, source.archive, options())).rejects.toThrow(
      /is an archive of pg_dump that pg_restore cannot read \(\S.*\)$|this machine has no pg_restore/,
    );
  });

  test("is told where there is no pg_restore", async () => {
    const error = sqlOfArchive("a.dump", Buffer.from("PGDMP"), { ...options(), binaries: "npm" });
    await expect(error).rejects.toThrow(
      "seed file a.dump is an archive of pg_dump, and this machine has no pg_restore to read it; install Postgres' client programs, or dump with --format=plain",
    );
  });
});
