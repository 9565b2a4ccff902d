import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openDatabaseServer } from "../../../src/adapters/postgres/database-server.ts";
import { EnvironmentError } from "../../../src/errors/errors.ts";
import type { DatabaseServer, RunSeedCommands } from "../../../src/ports/database.ts";

let folder: string;
let server: DatabaseServer;
const steps: string[] = [];
const none = { seedFiles: [], scale: 1, variable: "DATABASE_URL" };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-app-user-"));
  await chmod(folder, 0o711);
  server = await openDatabaseServer(
    { kind: "private", ...none },
    {
      ...{ workFolder: folder, toolsFolder: join(folder, "tools"), signal: new AbortController().signal },
      onStep: (text) => steps.push(text),
    },
  );
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function copyOf(sql: string, commands?: RunSeedCommands) {
  const path = join(await mkdtemp(join(folder, "seed-")), "seed.sql");
  await writeFile(path, sql);
  return await (await server.seed({ ...none, seedFiles: [path] }, commands)).copy();
}

async function run(url: string, ...statements: readonly string[]): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: unknown[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows.map((row) => Object.values(Object(row)).join(" ")).join("\n");
  } finally {
    await client.end();
  }
}

test("a server whose first connection fails is stopped, and nothing of it is left", async () => {
  const own = await mkdtemp(join(folder, "failing-"));
  await chmod(own, 0o711);
  const connect = vi.spyOn(Client.prototype, "connect").mockRejectedValueOnce(new Error("timeout expired"));
  const signal = new AbortController().signal;
  const opening = openDatabaseServer(
    { kind: "private", ...none },
    { workFolder: own, toolsFolder: join(folder, "tools"), signal, onStep: () => undefined },
  );
  await expect(opening).rejects.toThrow("setting up the app's user: the server did not answer in time");
  connect.mockRestore();
  expect((await readdir(own)).filter((name) => !name.endsWith(".log"))).toEqual([]);
  const processes = await Promise.all(
    (await readdir("/proc"))
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
  );
  expect(processes.filter((line) => line.includes(own))).toEqual([]);
});

describe("the app's user", () => {
  test("owns the database and what is in it, and is no superuser", async () => {
    await using copy = await copyOf("CREATE TABLE boats (id INT); CREATE SCHEMA harbour;");
    const asked = `SELECT current_user, rolsuper, rolcreaterole, rolbypassrls, rolcreatedb FROM pg_roles
      WHERE rolname = current_user`;
    expect(await run(copy.url, asked)).toBe("loadtest false false false true");
    const owners = `SELECT pg_get_userbyid(datdba), (SELECT tableowner FROM pg_tables WHERE tablename = 'boats')
      FROM pg_database WHERE datname = current_database()`;
    expect(await run(copy.url, owners)).toBe("loadtest loadtest");
    expect(await run(copy.url, "CREATE TABLE public.more (id INT)", "DROP SCHEMA public CASCADE")).toBe("");
  });

  test("is held by row-level security", async () => {
    await using copy = await copyOf(`CREATE TABLE boats (id INT, port INT);
      INSERT INTO boats SELECT n, n % 10 FROM generate_series(1, 100) n;
      ALTER TABLE boats ENABLE ROW LEVEL SECURITY; ALTER TABLE boats FORCE ROW LEVEL SECURITY;
      CREATE POLICY own ON boats USING (port = current_setting('app.port')::int);`);
    expect(await run(copy.url, "SET app.port = '7'", "SELECT count(*) FROM boats")).toBe("10");
    await expect(run(copy.url, "SELECT count(*) FROM boats")).rejects.toThrow('parameter "app.port"');
  });

  test.for([
    ["COPY boats FROM PROGRAM 'id'", "pg_execute_server_program"],
    ["COPY boats TO PROGRAM 'cat'", "pg_execute_server_program"],
    ["COPY boats FROM '/etc/passwd'", "pg_read_server_files"],
    ["SELECT pg_read_file('/etc/passwd')", "permission denied for function pg_read_file"],
    ["SELECT lo_import('/etc/passwd')", "permission denied for function lo_import"],
    ["DO $$ BEGIN EXECUTE 'COPY boats FROM PROGRAM ''id'''; END $$", "pg_execute_server_program"],
    ["ALTER SYSTEM SET work_mem = '1GB'", "permission denied"],
    ["CREATE ROLE thief SUPERUSER", "must be superuser|permission denied to create role"],
    [
      "GRANT pg_execute_server_program TO CURRENT_USER",
      "must have admin option|permission denied to grant role",
    ],
  ] as const)("cannot reach beyond the database: %s", async ([sql, refusal]) => {
    await using copy = await copyOf("CREATE TABLE boats (name TEXT);");
    await expect(run(copy.url, sql)).rejects.toThrow(new RegExp(refusal));
  });
});

describe("each copy has what a template does not hold", () => {
  test("settings of the database and of roles in it, limit, comment, rights", async () => {
    await using copy = await copyOf(`CREATE SCHEMA harbour; CREATE ROLE reader;
      ALTER DATABASE anything SET search_path = harbour, "Odd Name", public;
      ALTER DATABASE anything SET statement_timeout = '7s';
      ALTER DATABASE anything SET application_name = 'it''s, ok';
      ALTER ROLE loadtest IN DATABASE anything SET work_mem = '5MB';
      COMMENT ON DATABASE anything IS 'it''s ours';
      ALTER DATABASE anything CONNECTION LIMIT 50;
      REVOKE TEMPORARY ON DATABASE anything FROM PUBLIC; GRANT CONNECT ON DATABASE anything TO reader;`);
    const shown = ["search_path", "statement_timeout", "application_name", "work_mem"];
    const sql = `SELECT ${shown.map((name) => `current_setting('${name}')`).join(" || '|' || ")}`;
    expect(await run(copy.url, sql)).toBe('harbour, "Odd Name", public|7s|it\'s, ok|5MB');
    const facts = `SELECT datconnlimit, shobj_description(oid, 'pg_database'),
        has_database_privilege('reader', datname, 'TEMP') AS temporary, has_database_privilege('reader', datname, 'CONNECT')
      FROM pg_database WHERE datname = current_database()`;
    expect(await run(copy.url, facts)).toBe("50 it's ours false true");
  });
});

describe("what only a superuser may", () => {
  test("roles and memberships that a file makes are there, and its rights are given", async () => {
    await using copy =
      await copyOf(`DO $$ BEGIN CREATE ROLE watcher LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
      CREATE ROLE crew; GRANT crew TO CURRENT_USER; GRANT crew TO watcher;
      CREATE TABLE boats (id INT); GRANT SELECT ON boats TO watcher;
      CREATE POLICY p ON boats TO crew USING (true);
      ALTER TABLE boats OWNER TO crew;`);
    const rights = `SELECT has_table_privilege('watcher', 'boats', 'SELECT'), pg_has_role('watcher', 'crew', 'MEMBER'),
      (SELECT tableowner FROM pg_tables WHERE tablename = 'boats'),
      (SELECT rolcanlogin FROM pg_roles WHERE rolname = 'watcher')`;
    expect(await run(copy.url, rights)).toBe("true true loadtest false");
  });

  test("an extension that is not trusted is made beforehand, in its own schema", async () => {
    await using copy =
      await copyOf(`CREATE SCHEMA extensions; CREATE EXTENSION pageinspect WITH SCHEMA extensions;
      COMMENT ON EXTENSION pageinspect IS 'x'; CREATE EXTENSION IF NOT EXISTS citext; CREATE EXTENSION nothing_known;`);
    expect(
      await run(copy.url, "SELECT extname, extnamespace::regnamespace FROM pg_extension ORDER BY 1"),
    ).toBe("citext public\npageinspect extensions\nplpgsql pg_catalog");
    expect(steps).toContain("creating the extension pageinspect first, because that needs a superuser");
    expect(steps).toContain("seed.sql: skipped what does not apply here: EXTENSION nothing_known");
  });

  test("so is one that a command wants: its data are made again", async () => {
    const runs: string[] = [];
    const migrate: RunSeedCommands = async (kind, url) => {
      if (kind !== "migrate") return;
      runs.push(url);
      await run(url, "CREATE TABLE runs (id INT)", "CREATE EXTENSION IF NOT EXISTS pgstattuple").catch(
        (error: Error) => {
          throw new EnvironmentError("seed", "migrate-command failed (code 1)", {
            logTail: `ERROR: ${error.message}`,
          });
        },
      );
    };
    await using copy = await copyOf("SELECT 1;", migrate);
    expect(runs).toHaveLength(2);
    expect(await run(copy.url, "SELECT extname FROM pg_extension WHERE extname LIKE 'pgs%'")).toBe(
      "pgstattuple",
    );
    expect(steps.at(-2)).toBe(
      "the extension pgstattuple needs a superuser, so seeding starts again after creating it (database-extensions)",
    );
    // A database that tests make for themselves has it, too.
    const other = new URL(copy.url);
    other.pathname = "/own";
    const make = ["CREATE EXTENSION IF NOT EXISTS pgstattuple", "SELECT 1"] as const;
    await run(copy.url, "CREATE DATABASE early");
    await copy.shareExtensions?.();
    await run(copy.url, "CREATE DATABASE own");
    expect(await run(other.href, ...make)).toBe("1");
    other.pathname = "/early";
    await expect(run(other.href, ...make)).rejects.toThrow("permission denied");
  });

  test("foreign keys may be switched off, as pg_dump does for data alone", async () => {
    await using copy = await copyOf(`CREATE TABLE a (id INT PRIMARY KEY, b INT REFERENCES a);
      ALTER TABLE a DISABLE TRIGGER ALL; INSERT INTO a VALUES (1, 2); ALTER TABLE a ENABLE TRIGGER ALL;`);
    expect(await run(copy.url, "SELECT count(*) FROM a")).toBe("1");
    await expect(run(copy.url, "INSERT INTO a VALUES (3, 4)")).rejects.toThrow("foreign key");
  });
});
