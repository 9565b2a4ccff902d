import { expect, test } from "vitest";
import { lackOfExtension, packagesOfExtensions } from "../../../src/model/workload/extensions.ts";

const where = 'DETAIL: Could not open extension control file "/usr/share/postgresql/15/extension/x.control"';

test.for<readonly [name: string, log: string, how: string | undefined]>([
  [
    "vector",
    where,
    "sudo apt-get install --yes postgresql-15-pgvector, or set `database-url` to a server that has it, e.g. the image pgvector/pgvector",
  ],
  [
    "vector",
    "",
    "install it, or set `database-url` to a server that has it, e.g. the image pgvector/pgvector",
  ],
  [
    "timescaledb",
    where,
    "install it, or set `database-url` to a server that has it, e.g. the image timescale/timescaledb",
  ],
  [
    "rum",
    where,
    "sudo apt-get install --yes postgresql-15-rum, or set `database-url` to a server that has it",
  ],
  ["own-thing", where, "install it, or set `database-url` to a server that has it"],
])("an extension %s that this machine has not is named with a way to get it", ([name, more, how]) => {
  const said = lackOfExtension(`error: extension "${name}" is not available\n${more}`);
  expect(said).toBe(`the database needs the Postgres extension ${name}, which is not installed here: ${how}`);
});

test("other errors lack no extension", () => {
  expect(lackOfExtension('type "vector" does not exist')).toBeUndefined();
});

test("packages of the extensions that a repository's files make, each once", () => {
  const texts = [
    'op.execute("CREATE EXTENSION IF NOT EXISTS vector")',
    "create extension \"vector\";\nCREATE EXTENSION pg_trgm;\nCREATE EXTENSION IF NOT EXISTS 'postgis'",
    "op.execute('CREATE EXTENSION IF NOT EXISTS \\\"rum\\\"'); CREATE EXTENSION constructor",
  ];
  const newest = "$(find /usr/lib/postgresql -mindepth 1 -maxdepth 1 -printf '%f\\n' | sort -n | tail -n 1)";
  expect(packagesOfExtensions(texts)).toEqual([
    `"postgresql-${newest}-pgvector"`,
    `"postgresql-${newest}-postgis-3"`,
    `"postgresql-${newest}-rum"`,
  ]);
});
