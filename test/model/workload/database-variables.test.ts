import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../src/config/config-parser.ts";
import { InputError } from "../../../src/errors/errors.ts";
import { type UrlStyle, urlStyles } from "../../../src/model/choices.ts";
import { databaseVariables, templateProblem } from "../../../src/model/workload/database-variables.ts";
import { isSameData } from "../../../src/model/workload/seed.ts";

const url = "postgresql://us%20er:p%40ss@127.0.0.1:5433/shop_1";

describe("databaseVariables", () => {
  test.for<{ what: string; style?: UrlStyle; from?: string; expected: string }>([
    { what: "Postgres's own", expected: url },
    {
      what: "psycopg's",
      style: "postgresql+psycopg",
      expected: "postgresql+psycopg://us%20er:p%40ss@127.0.0.1:5433/shop_1",
    },
    { what: "the short one", style: "postgres", expected: "postgres://us%20er:p%40ss@127.0.0.1:5433/shop_1" },
    {
      what: "asyncpg's, which calls the TLS mode by another name",
      style: "postgresql+asyncpg",
      from: "postgres://u@db.example/shop?sslmode=require",
      expected: "postgresql+asyncpg://u@db.example/shop?ssl=require",
    },
    {
      what: "psycopg2's, which does not",
      style: "postgresql+psycopg2",
      from: "postgresql://u@db.example/shop?sslmode=require",
      expected: "postgresql+psycopg2://u@db.example/shop?sslmode=require",
    },
    {
      what: "PyMySQL's",
      style: "mysql+pymysql",
      from: "mysql://app:app@127.0.0.1:3307/app",
      expected: "mysql+pymysql://app:app@127.0.0.1:3307/app",
    },
  ])("writes the URL as $what", ({ style, from, expected }) => {
    const seed = { variable: "DSN", ...(style !== undefined && { urlStyle: style }) };
    expect(databaseVariables(seed, from ?? url)["DSN"]).toBe(expected);
  });

  test.each([
    ["postgresql://app@127.0.0.1:5433/app", "5433"],
    ["postgresql://app@127.0.0.1/app", "5432"],
    ["mysql://app@127.0.0.1:3307/app", undefined],
  ])("gives drivers the port that the app's own address may leave out: %s", (from, expected) => {
    expect(databaseVariables({ variable: "DSN" }, from)["PGPORT"]).toBe(expected);
  });

  test("fills templates with the parts as they are, not as a URL spells them", () => {
    const templates = {
      PGHOST: "{host}",
      PGPORT: "{port}",
      PGUSER: "{user}",
      PGPASSWORD: "{password}",
      PGDATABASE: "{database}",
      TWICE: "{url} {url}",
      DATABASE_URL: "mine",
    };
    const made = databaseVariables({ variable: "DATABASE_URL", urlStyle: "postgres", templates }, url);
    expect(made).toEqual({
      PGHOST: "127.0.0.1",
      PGPORT: "5433",
      PGUSER: "us er",
      PGPASSWORD: "p@ss",
      PGDATABASE: "shop_1",
      TWICE: `${url} ${url}`.replaceAll("postgresql:", "postgres:"),
      DATABASE_URL: "mine",
    });
  });

  test("what a URL leaves out, and an address of IPv6", () => {
    const templates = { A: "{host}:{port} {user}:{password} {nothing}" };
    const made = databaseVariables({ variable: "B", templates }, "postgresql://[::1]/x");
    expect(made["A"]).toBe("::1:5432 : {nothing}");
  });

  test("no value of a part is taken for a placeholder, whatever is in it", () => {
    fc.assert(
      fc.property(fc.constantFrom(...urlStyles), fc.string(), fc.string(), (urlStyle, user, password) => {
        const address = `postgresql://${encode(user)}:${encode(password)}@127.0.0.1:1/x`;
        const made = databaseVariables(
          { variable: "U", urlStyle, templates: { P: "<{password}>" } },
          address,
        );
        expect(made["P"]).toBe(`<${password}>`);
        expect(made["U"]?.startsWith(`${urlStyle}://`)).toBe(true);
      }),
    );
  });

  test("a stray percent sign stays", () => {
    const made = databaseVariables(
      { variable: "U", templates: { P: "{password}" } },
      "postgresql://u:5%25%@h/x",
    );
    expect(made["P"]).toBe("5%25%");
  });
});

function encode(text: string): string {
  return encodeURIComponent(text);
}

describe("inputs", () => {
  const files = {
    resolve: (path: string) => path,
    isFile: () => true,
    isFolder: () => true,
    findApps: () => [],
  };
  const databaseOf = (raw: Record<string, string>) =>
    parseConfig("run", { app: "a:b", ...raw }, files).workload?.database;

  test("become what the database is filled with and told as", () => {
    const database = databaseOf({
      "database-url-style": "postgresql+asyncpg",
      "database-env": "PGHOST={host}\nPGPORT={port}",
      "migrate-command": "alembic upgrade head",
      "seed-command": "python -m a\npython -m b",
    });
    expect(database).toEqual({
      kind: "private",
      seedFiles: [],
      scale: 0.01,
      variable: "DATABASE_URL",
      urlStyle: "postgresql+asyncpg",
      templates: { PGHOST: "{host}", PGPORT: "{port}" },
      commands: { migrate: ["alembic upgrade head"], seed: ["python -m a", "python -m b"] },
    });
  });

  test("one kind of command is enough", () => {
    expect(databaseOf({ "seed-command": "python -m a" })).toMatchObject({
      commands: { migrate: [], seed: ["python -m a"] },
    });
  });

  test.for([
    {
      raw: { "database-url-style": "mongodb" },
      problem:
        /^database-url-style: must be one of postgresql, postgres, postgresql\+asyncpg, .* \(got "mongodb"\)$/,
    },
    {
      raw: { "database-env": "PGHOST={hostname}" },
      problem:
        /^database-env: PGHOST has an unknown placeholder \{hostname\}; choose from \{url\}, \{host\}, /,
    },
    { raw: { "database-env": "PGHOST" }, problem: /^database-env: line 1 must be NAME=value/ },
    { raw: { "migrate-command": "alembic 'x" }, problem: /^migrate-command: has an unclosed quote/ },
    {
      raw: { "seed-command": "python -m a", database: "none" },
      problem: /^seed-command: cannot be combined with database: none$/,
    },
  ])("are refused: $problem", ({ raw, problem }) => {
    const refused = () => databaseOf(raw);
    expect(refused).toThrow(InputError);
    try {
      refused();
    } catch (error) {
      expect(error instanceof InputError && error.problems).toEqual([expect.stringMatching(problem)]);
    }
  });
});

test.for([
  { what: "the same files", one: ["a.sql"], other: ["a.sql"], same: true },
  { what: "other files", one: ["a.sql"], other: ["b.sql"], same: false },
])("two arms with $what", ({ one, other, same }) => {
  const seed = { scale: 1, variable: "U" };
  expect(isSameData({ ...seed, seedFiles: one }, { ...seed, seedFiles: other })).toBe(same);
});

test("two arms with commands never share data, for the commands are each arm's own code", () => {
  const seed = { seedFiles: [], scale: 1, variable: "U", commands: { migrate: ["x"], seed: [] } };
  expect(isSameData(seed, seed)).toBe(false);
  expect(isSameData(undefined, seed)).toBe(false);
  expect(templateProblem("{url}")).toBeUndefined();
});
