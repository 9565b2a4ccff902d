import { expect, test } from "vitest";

import { EnvironmentError } from "../../../src/errors/errors.ts";
import { haveSameShape } from "../../../src/measure/preparation/same-shape.ts";
import type { DatabaseCopy, DatabaseTemplate } from "../../../src/ports/database.ts";

interface Shape {
  /** Numbers of rows by the names of the tables. */
  readonly tables?: Readonly<Record<string, number>>;
  /** What the catalogue says of columns, indexes and the like. */
  readonly built?: string;
  readonly migration?: string;
}

/** Catalogues of each kind; the other kind's do not exist in it. */
const catalogues = {
  postgres: /'information_schema'|pg_(?:indexes|constraint|views|trigger|proc|tables)/,
  mysql: /DATABASE\(\)/,
  sqlite: /sqlite_master/,
};

/** A database of that kind and shape. `open`: the copies that nobody has dropped. */
function database(
  kind: keyof typeof catalogues,
  { tables = { notes: 3 }, built = "id integer", migration = "1a" }: Shape,
  open: Set<object> = new Set(),
): DatabaseTemplate {
  const names = { postgres: /FROM pg_tables/, mysql: /'BASE TABLE'/, sqlite: /SELECT '"'/ }[kind];
  const foreign = Object.entries(catalogues).flatMap(([name, pattern]) => (name === kind ? [] : [pattern]));
  const readColumn = async (query: string): Promise<readonly unknown[]> => {
    if (foreign.some((each) => each.test(query))) throw new EnvironmentError("seed", "no such table");
    if (names.test(query)) return Object.keys(tables);
    if (catalogues[kind].test(query)) return [built];
    const [, what, table = ""] = /^SELECT (.*) FROM (.*)$/.exec(query) ?? [];
    return what === "count(*)" ? [tables[table]] : [migration];
  };
  return {
    copy: async () => {
      const copy = {
        url: { postgres: "postgresql://copy", mysql: "mysql://copy", sqlite: "sqlite:/tmp/copy" }[kind],
        resetStatements: async () => undefined,
        countConnections: async () => undefined,
        countStatements: async () => undefined,
        readColumn,
        readTable: () => Promise.reject(new Error("nobody asks")),
        watch: () => Promise.reject(new Error("nobody watches")),
        [Symbol.asyncDispose]: async () => void open.delete(copy),
      };
      open.add(copy);
      return copy;
    },
  };
}

/** The same database, whose copies answer so. */
const answering = ({ copy }: DatabaseTemplate, readColumn: DatabaseCopy["readColumn"]): DatabaseTemplate => ({
  copy: async () => ({ ...(await copy()), readColumn }),
});

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, 1]));
const versions = { alembic_version: 1 };

test.for<readonly [what: string, one: Shape, other: Shape, isSame: boolean]>([
  ["the same tables and numbers of rows", {}, {}, true],
  ["another number of rows", { tables: { notes: 3 } }, { tables: { notes: 4 } }, false],
  ["another table", { tables: { notes: 3 } }, { tables: { tasks: 3 } }, false],
  ["one table more", { tables: { notes: 3 } }, { tables: { notes: 3, tasks: 0 } }, false],
  ["another index", { built: "CREATE INDEX a" }, { built: "CREATE INDEX b" }, false],
  ["another last migration", { tables: versions }, { tables: versions, migration: "2b" }, false],
  ["a version in a table of another name", {}, { migration: "2b" }, true],
  ["as many tables as can be counted", { tables: many(300) }, { tables: many(300) }, true],
  ["more tables than that", { tables: many(301) }, { tables: many(301) }, false],
])("two databases with %s", async ([, one, other, isSame]) => {
  for (const kind of ["postgres", "mysql", "sqlite"] as const)
    expect([kind, await haveSameShape(database(kind, one), database(kind, other))]).toEqual([kind, isSame]);
});

test("a database that cannot be copied or asked is like no other, not even itself", async () => {
  const refused = () => Promise.reject(new EnvironmentError("copy database", "no room"));
  expect(await haveSameShape({ copy: refused }, { copy: refused })).toBe(false);
  const open = new Set<object>();
  const mute = answering(database("postgres", {}, open), refused);
  expect(await haveSameShape(mute, mute)).toBe(false);
  expect(open.size).toBe(0);
});

test("a fault of ours is not the database's, and no copy is left over", async () => {
  const open = new Set<object>();
  const one = database("postgres", {}, open);
  const broken = answering(one, () => Promise.reject(new TypeError("ours")));
  await expect(haveSameShape(one, broken)).rejects.toThrow("ours");
  expect(open.size).toBe(0);
});
