import { expect, test } from "vitest";
import { decodeSeed } from "../../../src/model/seed/seed-encoding.ts";

const latin = (text: string) => Buffer.from(text, "latin1");
const bytes = (...parts: readonly (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from(part))));

test.for<[string, Buffer, string]>([
  ["UTF-8", bytes("SELECT 'é😀'"), "SELECT 'é😀'"],
  ["a byte-order mark", bytes([0xef, 0xbb, 0xbf], "SELECT 1"), "SELECT 1"],
  [
    "UTF-16, with a mark that wins",
    Buffer.from("\uFEFFSET NAMES 'LATIN1'; é", "utf16le"),
    "SET NAMES 'LATIN1'; é",
  ],
  [
    "Latin-1 by its name",
    latin("SET client_encoding = 'LATIN1';\nSELECT 'José\x80'"),
    "SET client_encoding = 'LATIN1';\nSELECT 'José\x80'",
  ],
  [
    "Latin-1 by another name",
    latin("set client_encoding to iso_8859_1; é"),
    "set client_encoding to iso_8859_1; é",
  ],
  ["Windows-1252", bytes("\\encoding WIN1252\n'", [0x80], "'"), "\\encoding WIN1252\n'€'"],
  ["Latin-9", bytes("SET NAMES 'LATIN9'; '", [0xa4], "'"), "SET NAMES 'LATIN9'; '€'"],
  [
    "Latin-2",
    bytes("SET SESSION client_encoding='LATIN2'; '", [0xb1], "'"),
    "SET SESSION client_encoding='LATIN2'; 'ą'",
  ],
  ["KOI8-R", bytes("SET client_encoding = 'KOI8R'; '", [0xc1], "'"), "SET client_encoding = 'KOI8R'; 'а'"],
  [
    "Shift JIS",
    bytes("SET client_encoding = 'SJIS'; '", [0x82, 0xa0], "'"),
    "SET client_encoding = 'SJIS'; 'あ'",
  ],
  ["UTF-8 by its name", bytes("SET client_encoding = 'UTF8'; 'é'"), "SET client_encoding = 'UTF8'; 'é'"],
])("%s", ([, file, text]) => {
  expect(decodeSeed(file)).toEqual({ text });
});

test.for<[string, Buffer, string]>([
  [
    "Latin-1 without its name",
    latin("SELECT 1;\nSELECT 'é'"),
    "is not UTF-8: line 2 has other bytes; save it as UTF-8, or begin it with SET client_encoding = 'LATIN1', or what it is",
  ],
  [
    "an unknown encoding",
    latin("SET client_encoding = 'MULE_INTERNAL'; é"),
    "sets client_encoding to MULE_INTERNAL, which is not known here; save it as UTF-8",
  ],
  [
    "another encoding than it says",
    bytes("SET client_encoding = 'EUC_JP'; '", [0xff], "'"),
    "is not EUC_JP, as its client_encoding says",
  ],
  [
    "UTF-16 without a mark",
    Buffer.from("-- a\nSELECT 1", "utf16le"),
    "has a zero byte in line 1, so it is no SQL file in UTF-8",
  ],
])("%s is refused", ([, file, problem]) => {
  expect(decodeSeed(file)).toEqual({ problem });
});
