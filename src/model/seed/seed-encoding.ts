import { type Decoded, decodedAs, decodeText, labelOf } from "../../text/decoded.ts";

/** pg_dump names the encoding in the first lines. */
const searchedBytes = 100_000;
const declaration =
  /^[ \t]*(?:SET\s+(?:(?:SESSION|LOCAL)\s+)?(?:client_encoding\s*(?:=|TO)|NAMES)|\\encoding)\s*'?([\w-]+)/im;

const example = "SET client_encoding = 'LATIN1', or what it is";

/** Postgres' names of encodings, without signs between letters, and how a decoder calls them. */
const labels: readonly (readonly [RegExp, string])[] = [
  [/^(?:utf8|unicode|sqlascii)$/, "utf-8"],
  [/^(?:latin1|iso88591)$/, "latin1"],
  [/^(?:latin([234]))$/, "iso-8859-$1"],
  [/^latin5$/, "iso-8859-9"],
  [/^latin6$/, "iso-8859-10"],
  [/^latin7$/, "iso-8859-13"],
  [/^latin8$/, "iso-8859-14"],
  [/^latin9$/, "iso-8859-15"],
  [/^latin10$/, "iso-8859-16"],
  [/^iso8859(\d+)$/, "iso-8859-$1"],
  [/^(?:win|windows)(125\d|874)$/, "windows-$1"],
  [/^win866$/, "ibm866"],
  [/^koi8r?$/, "koi8-r"],
  [/^koi8u$/, "koi8-u"],
  [/^eucjp$/, "euc-jp"],
  [/^(?:sjis|shiftjis|mskanji|win932)$/, "shift_jis"],
  [/^(?:euckr|uhc|win949)$/, "euc-kr"],
  [/^(?:euccn|gbk|win936)$/, "gbk"],
  [/^gb18030$/, "gb18030"],
  [/^(?:big5|win950)$/, "big5"],
];

/** The text of a seed file: by its byte-order mark, else by the `client_encoding` that it sets, else UTF-8. */
export function decodeSeed(bytes: Uint8Array): Decoded {
  const [, declared] =
    labelOf(bytes) === undefined ? (declaration.exec(latin1(bytes.subarray(0, searchedBytes))) ?? []) : [];
  const decoded = declared === undefined ? decodeText(bytes) : decodedBy(declared, bytes);
  if ("problem" in decoded)
    return {
      problem: declared === undefined ? `${decoded.problem}, or begin it with ${example}` : decoded.problem,
    };
  const nothing = decoded.text.indexOf("\0");
  if (nothing < 0) return decoded;
  const line = decoded.text.slice(0, nothing).split("\n").length;
  return { problem: `has a zero byte in line ${line}, so it is no SQL file in UTF-8` };
}

function decodedBy(declared: string, bytes: Uint8Array): Decoded {
  const name = declared.toLowerCase().replaceAll(/[_-]/g, "");
  const [pattern, label] = labels.find(([each]) => each.test(name)) ?? [];
  if (pattern === undefined || label === undefined)
    return { problem: `sets client_encoding to ${declared}, which is not known here; save it as UTF-8` };
  if (label === "utf-8") return decodeText(bytes);
  const known = name.replace(pattern, label);
  const text =
    known === "latin1"
      ? latin1(bytes)
      : known === "windows-1252"
        ? windows1252(bytes)
        : decodedAs(known, bytes);
  return text === undefined ? { problem: `is not ${declared}, as its client_encoding says` } : { text };
}

/** From 0x80 on. */
const ofWindows = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** Some versions of Node take it for Latin-1. */
function windows1252(bytes: Uint8Array): string {
  return latin1(bytes).replaceAll(/[\x80-\x9f]/g, (sign) => ofWindows.charAt(sign.charCodeAt(0) - 0x80));
}

/** Each byte is a character, also those that decoders take for Windows' signs. */
function latin1(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += 8_192)
    parts.push(String.fromCharCode(...bytes.subarray(start, start + 8_192)));
  return parts.join("");
}

/** What a seed file is, by its first bytes. */
type SeedKind = "sql" | "gzip" | "zstd" | "archive" | { readonly problem: string };

const remedyForDump = "dump the Postgres database with pg_dump";
const unpacked = (what: string) => `is ${what}; unpack it, or pack it with gzip`;

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
        "is a Git LFS pointer, not the file itself; check out with `lfs: true` (actions/checkout), or run `git lfs pull`",
    },
  ],
  ["SQLite format 3\0", { problem: "is a SQLite database, not SQL for Postgres" }],
  ["\x6d\xe2\x99\x81", { problem: "is a MongoDB dump" }],
  ["REDIS0", { problem: "is a Redis dump" }],
];

/** Beginnings of texts of other tools, without comment signs. */
const texts: readonly (readonly [RegExp, string])[] = [
  [/^(?:\/\*M?!\d+.*|-- )(?:MySQL|MariaDB) dump|^\/\*M!999999/, "is a MySQL or MariaDB dump"],
  [/^PRAGMA foreign_keys=OFF;/, "is a SQLite dump"],
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
