/** What a seed file is, by its first bytes. */
export type SeedKind = "sql" | "gzip" | "zstd" | "archive" | { readonly problem: string };

const remedyForDump = "dump the Postgres database with pg_dump";
const unpacked = (what: string) => `is ${what}; unpack it, or pack it with gzip`;

/** Beginnings of files, and what they are. */
const beginnings: readonly (readonly [beginning: string, kind: SeedKind])[] = [
  ["\x1f\x8b", "gzip"],
  ["\x28\xb5\x2f\xfd", "zstd"],
  ["PGDMP", "archive"],
  ["toc.dat\0", "archive"], // pg_dump --format=tar
  ["PK\x03\x04", { problem: unpacked("a ZIP archive") }],
  ["BZh", { problem: unpacked("packed with bzip2") }],
  ["\xfd7zXZ\0", { problem: unpacked("packed with xz") }],
  ["7z\xbc\xaf\x27\x1c", { problem: unpacked("a 7z archive") }],
  ["\x04\x22\x4d\x18", { problem: unpacked("packed with lz4") }],
  [
    "version https://git-lfs.github.com/",
    {
      problem:
        "is a pointer of Git LFS, not the file; check out with `lfs: true` (actions/checkout), or run `git lfs pull`",
    },
  ],
  ["SQLite format 3\0", { problem: "is a database of SQLite, not SQL for Postgres" }],
  ["\x6d\xe2\x99\x81", { problem: "is a dump of MongoDB" }],
  ["REDIS0", { problem: "is a dump of Redis" }],
];

/** Beginnings of texts of other tools, without comment signs. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/^(?:\/\*M?!\d+.*|-- )(?:MySQL|MariaDB) dump|^\/\*M!999999/, "is a dump of MySQL or MariaDB"],
  [/^PRAGMA foreign_keys=OFF;/, "is a dump of SQLite"],
  [/^(?:USE \[|SET ANSI_NULLS)[^\n]*\n\s*GO\b/, "is a script for SQL Server"],
  [/^<(?:!doctype|html)/i, "is a web page"],
  [
    /^--\r?\n-- PostgreSQL database cluster dump/,
    "is a dump of all databases (pg_dumpall), with roles of the server",
  ],
];

export function kindOfSeed(bytes: Uint8Array): SeedKind {
  const start = String.fromCharCode(...bytes.subarray(0, 512));
  const [, kind = "sql"] = beginnings.find(([each]) => start.startsWith(each)) ?? [];
  if (kind !== "sql") return kind;
  if (start.slice(257, 262) === "ustar") return { problem: unpacked("a tar archive") };
  return bytes.every((byte) => byte <= 0x20) ? { problem: "is empty" } : "sql";
}

/** The tool whose dump a text is, where it is not pg_dump, as the end of a sentence. */
export function foreignDump(text: string): string | undefined {
  const [, found] = texts.find(([pattern]) => pattern.test(text.slice(0, 2_000).trimStart())) ?? [];
  return found && `${found}; ${remedyForDump}`;
}
