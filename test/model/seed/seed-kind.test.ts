import { expect, test } from "vitest";
import { foreignDump, kindOfSeed } from "../../../src/model/seed/seed-encoding.ts";

const kindOf = (start: string) => kindOfSeed(Buffer.from(start, "latin1"));

test.for<[string, string]>([
  ["-- a comment", "sql"],
  ["\x1f\x8b\x08", "gzip"],
  ["\x28\xb5\x2f\xfd", "zstd"],
  ["PGDMP\x01\x0e", "archive"],
  ["toc.dat\0\0", "archive"],
])("%j is %s", ([start, kind]) => {
  expect(kindOf(start)).toBe(kind);
});

test.for([
  ["", "is empty"],
  ["\r\n \t", "is empty"],
  ["PK\x03\x04", "is a ZIP archive; unpack it, or pack it with gzip"],
  ["BZh9", "is packed with bzip2; unpack it, or pack it with gzip"],
  ["\xfd7zXZ\0", "is packed with xz; unpack it, or pack it with gzip"],
  ["7z\xbc\xaf\x27\x1c", "is a 7z archive; unpack it, or pack it with gzip"],
  ["\x04\x22\x4d\x18", "is packed with lz4; unpack it, or pack it with gzip"],
  [`dump.sql${"\0".repeat(249)}ustar`, "is a tar archive; unpack it, or pack it with gzip"],
  ["SQLite format 3\0", "is a SQLite database, not SQL for Postgres"],
  ["\x6d\xe2\x99\x81", "is a MongoDB dump"],
  ["REDIS0011", "is a Redis dump"],
  [
    "version https://git-lfs.github.com/spec/v1\n",
    "is a Git LFS pointer, not the file itself; check out with `lfs: true` (actions/checkout), or run `git lfs pull`",
  ],
] as const)("%j %s", ([start, problem]) => {
  expect(kindOf(start)).toEqual({ problem });
});

test.for([
  ["-- MySQL dump 10.13", "is a MySQL or MariaDB dump"],
  ["/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19", "is a MySQL or MariaDB dump"],
  ["PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;", "is a SQLite dump"],
  ["USE [harbour]\r\nGO\r\n", "is a script for SQL Server"],
  ["<!DOCTYPE html><html>", "is a web page"],
  [
    "--\n-- PostgreSQL database cluster dump\n--",
    "is a dump of all databases (pg_dumpall), with roles of the server",
  ],
] as const)("%j %s", ([text, words]) => {
  expect(foreignDump(`\n${text}`)).toBe(`${words}; dump the Postgres database with pg_dump`);
});

test("pg_dump's own is none of these", () => {
  expect(foreignDump("--\n-- PostgreSQL database dump\n--")).toBeUndefined();
});
