import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { findPostgresBinaries } from "../../../src/adapters/postgres/binaries.ts";
import {
  type DatabaseServerOptions,
  openDatabaseServer,
} from "../../../src/adapters/postgres/database-server.ts";
import { installPostgresPackages } from "../../../src/adapters/postgres/packages.ts";
import { startPrivatePostgres } from "../../../src/adapters/postgres/private-server.ts";
import type { RunningPostgres } from "../../../src/adapters/postgres/running-server.ts";
import { makeServerFolder, writePrivately } from "../../../src/adapters/postgres/server-folder.ts";
import { startServer } from "../../../src/adapters/postgres/server-start.ts";
import { serverUser } from "../../../src/adapters/postgres/server-user.ts";
import { gentleOwnerVariable, ownCpus, threadCpus } from "../../../src/adapters/process/index.ts";
import { EnvironmentError, messageOf } from "../../../src/errors/errors.ts";
import { formatCpuList } from "../../../src/model/measurement/environment.ts";
import type { DatabaseCopy, DatabaseServer, DatabaseTemplate } from "../../../src/ports/database.ts";

const isRoot = process.getuid?.() === 0;
const hasProcfs = existsSync("/proc/self/stat");
const never = new AbortController().signal;

let folder: string;
let server: DatabaseServer;
/** Stands in for a server of the caller's, whose URL names a superuser. */
let theirs: RunningPostgres;
let template: DatabaseTemplate;
let copy: DatabaseCopy;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-postgres-"));
  await chmod(folder, 0o711); // as the command line does for its work folder
  const file = await seedFile("CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('seeded');");
  server = await openDatabaseServer({ kind: "private", ...seedOf([file]) }, optionsIn(folder));
  template = await server.seed(seedOf([file]));
  copy = await template.copy();
  theirs = await startPrivatePostgres(optionsIn(folder), seedOf([]));
});
afterAll(async () => {
  await theirs?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function optionsIn(workFolder: string, more: Partial<DatabaseServerOptions> = {}): DatabaseServerOptions {
  const toolsFolder = join(folder, "tools");
  return { workFolder, toolsFolder, signal: never, onStep: () => undefined, ...more };
}

function seedOf(seedFiles: readonly string[]) {
  return { seedFiles, scale: 0.5, variable: "DATABASE_URL" };
}

async function seedFile(sql: string): Promise<string> {
  const path = join(await mkdtemp(join(folder, "seed-")), "seed.sql");
  await writeFile(path, sql);
  return path;
}

/** Runs statements as the app would, and returns the rows of the last one. */
async function run(url: string, ...statements: readonly string[]): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    let rows: unknown[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    // Also after a refusal: Postgres makes whoever drops a database wait for those that are still logging in.
    await client.end();
  }
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

/** The same server, other parts of the URL. */
function altered(url: string, parts: Partial<Pick<URL, "username" | "password" | "pathname">>): string {
  return Object.assign(new URL(url), parts).href;
}

function existing(parts: Parameters<typeof altered>[1] = {}) {
  const url = altered(theirs.url, parts);
  return { kind: "existing", url, ...seedOf([]) } as const;
}

function databaseNames(of = theirs.url): Promise<unknown[]> {
  return run(altered(of, { pathname: "/postgres" }), "SELECT datname FROM pg_database ORDER BY datname");
}

async function failureOf(action: Promise<unknown>): Promise<EnvironmentError> {
  const error = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof EnvironmentError) return error;
  throw new Error(`not an EnvironmentError: ${messageOf(error)}`);
}

/** Pids of processes whose command line names the folder. */
function processesNaming(text: string): string[] {
  if (!hasProcfs) return [];
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text);
    } catch {
      return false;
    }
  });
}

describe("a private server", () => {
  test("answers a query with the names of its columns, up to so many rows", async () => {
    const query = "SELECT n, 'x' || n AS \"a word\", NULL AS none FROM generate_series(1, 3) AS n ORDER BY n";
    expect(await copy.readTable(query, 2)).toEqual({
      columns: ["n", "a word", "none"],
      rows: [
        [1, "x1", null],
        [2, "x2", null],
      ],
    });
    expect(await copy.readColumn(query, 10)).toEqual([1, 2, 3]);
    await expect(copy.readTable("SELECT 1; DROP TABLE note", 1)).rejects.toThrow("multiple commands");
  });

  test("tells its version and counts statements", () => {
    expect(server.version).toMatch(/^\d+\.\d+$/);
    expect(server.statementStatistics).toBe(true);
  });

  test("listens on loopback alone", async () => {
    const { hostname, port } = new URL(theirs.url);
    expect(hostname).toBe("127.0.0.1");
    expect(
      await run(
        theirs.url,
        "SELECT name, setting FROM pg_settings WHERE name IN ('listen_addresses', 'unix_socket_directories') ORDER BY name",
      ),
    ).toEqual([
      { name: "listen_addresses", setting: "127.0.0.1" },
      { name: "unix_socket_directories", setting: "" },
    ]);
    if (!hasProcfs) return;
    const suffix = `:${Number(port).toString(16).toUpperCase().padStart(4, "0")}`;
    const sockets = ["tcp", "tcp6"].flatMap((name) => readFileSync(`/proc/net/${name}`, "utf8").split("\n"));
    const listening = sockets.map((line) => line.trim().split(/\s+/)).filter((fields) => fields[3] === "0A");
    const ours = listening.flatMap(([, local = ""]) => (local.endsWith(suffix) ? [local] : []));
    expect(ours).toEqual([`0100007F${suffix}`]);
  });

  test.for([
    ["no password", ""],
    ["a wrong password", "guess"],
  ] as const)("refuses %s", async ([, password]) => {
    await expect(run(altered(copy.url, { password }), "SELECT 1")).rejects.toThrow(/password/);
  });

  test.runIf(hasProcfs)("does not run as root, and its data are closed to others", async () => {
    const [{ pid, data }] = (await run(
      theirs.url,
      "SELECT pg_backend_pid() AS pid, current_setting('data_directory') AS data, pg_sleep(0)",
    )) as [{ pid: number; data: string }];
    expect(data.startsWith(folder)).toBe(true);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    expect(pid).toBeGreaterThan(0);
    const owner = statSync(data).uid;
    if (isRoot) expect(owner).not.toBe(0);
    else expect(owner).toBe(process.getuid?.());
  });

  test("writes to one copy reach neither the other nor the template", { tags: ["smoke"] }, async () => {
    await using first = await template.copy();
    await using second = await template.copy();
    await run(first.url, "INSERT INTO note VALUES ('mine')");
    await using third = await template.copy();
    const texts = "SELECT string_agg(text, ',' ORDER BY text) AS texts FROM note";
    const found = await Promise.all([first, second, third].map(({ url }) => run(url, texts)));
    expect(found.flat()).toEqual([{ texts: "mine,seeded" }, { texts: "seeded" }, { texts: "seeded" }]);
  });

  test("copies may be made at once, and are gone once disposed of, even while in use", async () => {
    const before = await databaseNames(copy.url);
    const copies = await Promise.all([template.copy(), template.copy(), template.copy()]);
    const client = new Client({ connectionString: copies[0]?.url });
    client.on("error", () => undefined);
    await client.connect();
    expect(await databaseNames(copy.url)).toHaveLength(before.length + 3);
    for (const each of copies) await each[Symbol.asyncDispose]();
    await copies[0]?.[Symbol.asyncDispose]();
    expect(await databaseNames(copy.url)).toEqual(before);
    await client.end();
  });

  test("a copy that was made beforehand is whole, and another's writes are not in it", async () => {
    expect(template.prepareCopy).toBeDefined();
    await template.prepareCopy?.();
    await using one = await template.copy();
    await run(one.url, "INSERT INTO note VALUES ('written')");
    await template.prepareCopy?.();
    await using other = await template.copy();
    expect(await run(other.url, "SELECT text FROM note")).toEqual([{ text: "seeded" }]);
  });

  test("counts the statements of one copy since the last reset, and not ours", async () => {
    await using first = await template.copy();
    await using second = await template.copy();
    await first.resetStatements();
    await second.resetStatements();
    await run(first.url, "SELECT 1", "SELECT 2", "INSERT INTO note VALUES ('x')");
    const counts = [await first.countStatements(), await second.countStatements()];
    expect(counts).toMatchObject([{ statements: 3, rows: 3 }, { statements: 0 }]);
    await run(first.url, "BEGIN", "SELECT 3", "COMMIT");
    expect(await first.countStatements()).toMatchObject({ statements: 6, transactionStatements: 2, rows: 4 });
    await first.resetStatements();
    expect(await first.countStatements()).toEqual({
      statements: 0,
      transactionStatements: 0,
      rows: 0,
      blocks: 0,
      totalMs: 0,
    });
  });

  test("counts the sessions of one copy, and not ours", async () => {
    await using first = await template.copy();
    await using second = await template.copy();
    const client = new Client({ connectionString: first.url });
    await client.connect();
    expect([await first.countConnections(), await second.countConnections()]).toEqual([1, 0]);
    await client.end();
  });

  test("counts rows and blocks, of temporary tables too", async () => {
    await using made = await template.copy();
    // So wide that ten rows fill a block.
    await run(made.url, "CREATE TABLE wide (id INT, text CHAR(770))");
    await run(made.url, "INSERT INTO wide SELECT id, 'x' FROM generate_series(1, 100) id", "VACUUM wide");
    const read = await countsOf(made, ["SELECT id FROM wide", "SELECT count(*) FROM wide"]);
    expect(read).toMatchObject({ statements: 2, rows: 101, blocks: 20 });
    const temporary = ["CREATE TEMPORARY TABLE mine AS SELECT id FROM wide", "SELECT id FROM mine"];
    const local = await countsOf(made, temporary);
    expect(local).toMatchObject({ statements: 2, rows: 200 });
    expect(local?.blocks).toBeGreaterThan(10 + 1); // the table, its copy, and what making it changes
    expect((await countsOf(made, ["UPDATE wide SET id = id WHERE id > 90"]))?.rows).toBe(10);
  });

  test("says how a copy was used while it was watched", async () => {
    const other = await server.seed(
      seedOf([await seedFile("CREATE TABLE wide AS SELECT generate_series(1, 1000) AS id")]),
    );
    await using made = await other.copy();
    await using watch = await made.watch();
    await run(made.url, "SELECT 1");
    await watch.begin();
    const clients = await Promise.all(Array.from({ length: 3 }, () => connected(made.url)));
    await delay(250); // it looks each tenth of a second
    for (const client of clients) await client.end();
    await run(made.url, "SELECT count(*) FROM wide", "SELECT pg_stat_force_next_flush()");
    const { facts, unseen } = await watch.read();
    expect(unseen).toEqual([]);
    expect(facts).toEqual({
      connectionsAllowed: 300 - 3,
      connectionsPeak: 3,
      statements: 2,
      statementsMs: expect.any(Number),
      cpuWaitMs: expect.any(Number),
      tables: [{ name: "wide", rows: 1_000, sequentialScans: 1, sequentialRows: 1_000 }],
    });
  });

  test("says how long its sessions waited for a processor, and not how long for anything else", async () => {
    await using made = await template.copy();
    const waitedFor = async (sql: string, sessions: number) => {
      await using watch = await made.watch();
      const clients = await Promise.all(Array.from({ length: sessions }, () => connected(made.url)));
      await watch.begin();
      await Promise.all(clients.map((client) => client.query(sql)));
      await delay(250); // it looks each tenth of a second
      const { facts } = await watch.read();
      for (const client of clients) await client.end();
      return facts.cpuWaitMs ?? Number.NaN;
    };
    const busy = availableParallelism() * 4;
    const waited = await waitedFor("SELECT count(*) FROM generate_series(1, 1000000)", busy);
    expect(waited).toBeGreaterThan(100);
    expect(await waitedFor("SELECT pg_sleep(0.5)", busy)).toBeLessThan(waited / 2);
  });

  test("says for how long the server executed statements", async () => {
    await using made = await template.copy();
    await using watch = await made.watch();
    await watch.begin();
    await run(made.url, "SELECT pg_sleep(0.2)");
    const { statementsMs } = (await watch.read()).facts;
    expect(statementsMs).toBeGreaterThan(199);
    expect(statementsMs).toBeLessThan(2_000);
  });

  test("watches also a copy whose app takes every connection, and says what it could not see", async () => {
    await using made = await template.copy();
    await using watch = await made.watch();
    const clients: Client[] = [];
    try {
      for (let left = 400; left > 0; left -= 1) clients.push(await connected(made.url));
      expect.unreachable("all were granted");
    } catch (error) {
      expect(messageOf(error)).toMatch(/remaining connection slots are reserved/);
      await watch.begin();
      const { facts, unseen } = await watch.read();
      // Some are held by other tests' servers of the same process, and by the watch.
      expect(facts).toMatchObject({ connectionsAllowed: 297, statements: 0, tables: [] });
      expect(facts.connectionsPeak).toBe(clients.length);
      expect(facts.connectionsPeak).toBeGreaterThan(280);
      expect(unseen).toEqual([expect.stringMatching(/^tables: .*remaining connection slots/)]);
      // Those reserved for a superuser are left for us.
      await made.resetStatements();
      expect(await made.countStatements()).toMatchObject({ statements: 0 });
      expect(await made.countConnections()).toBe(clients.length);
    } finally {
      for (const client of clients) await client.end();
    }
  });

  test("holds templates of different content at once", async () => {
    const other = await server.seed(seedOf([await seedFile("CREATE TABLE other (id INT)")]));
    await using mine = await template.copy();
    await using its = await other.copy();
    await using again = await template.copy();
    const tables = "SELECT string_agg(tablename, ',') AS names FROM pg_tables WHERE schemaname = 'public'";
    const found = await Promise.all([mine, its, again].map(({ url }) => run(url, tables)));
    expect(found.flat()).toEqual([{ names: "note" }, { names: "other" }, { names: "note" }]);
  });

  test.runIf(hasProcfs)("is charged for its CPU time, also of sessions that ended", async () => {
    const before = server.cpuSeconds() ?? Number.NaN;
    await run(copy.url, "SELECT count(*) FROM generate_series(1, 2000000)");
    await vi.waitFor(() => expect((server.cpuSeconds() ?? 0) - before).toBeGreaterThan(0.08), 2_000);
    expect((server.cpuSeconds() ?? 0) - before).toBeLessThan(10);
  });

  test.runIf(ownCpus().length > 1)("is kept to the CPUs that it gets, its sessions too", async () => {
    const workFolder = await mkdtemp(join(folder, "work-"));
    await chmod(workFolder, 0o711);
    const cpus = String(ownCpus().at(-1));
    await using kept = await openDatabaseServer(
      { kind: "private", ...seedOf([]) },
      optionsIn(workFolder, { cpus }),
    );
    await using its = await (await kept.seed(seedOf([]))).copy();
    const client = new Client({ connectionString: its.url });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const pids = [...processesNaming(`${workFolder}/`).map(Number), rows[0]?.pid ?? 0];
    expect(pids.length).toBeGreaterThan(1);
    for (const pid of pids) expect(formatCpuList(threadCpus(pid).flat())).toBe(cpus);
    await client.end();
  });
});

/** What some statements, run on a connection that has run them before, count as. */
async function countsOf(made: DatabaseCopy, statements: readonly string[]) {
  const client = new Client({ connectionString: made.url });
  await client.connect();
  const drop = "DROP TABLE IF EXISTS mine";
  try {
    for (const statement of [...statements, drop]) await client.query(statement);
    await made.resetStatements();
    for (const statement of statements) await client.query(statement);
    return await made.countStatements();
  } finally {
    await client.end();
  }
}

describe("seeding", () => {
  test("the files run in order, in sessions of their own, with the scale set", async () => {
    const files = [
      await seedFile("CREATE TABLE seen (scale TEXT); SET search_path = pg_catalog;"),
      await seedFile("\uFEFFINSERT INTO seen VALUES (current_setting('loadtest.scale'))"),
    ];
    await using filled = await (await server.seed(seedOf(files))).copy();
    expect(await run(filled.url, "SELECT scale FROM seen")).toEqual([{ scale: "0.5" }]);
  });

  test.for([
    [
      "a syntax error",
      "SELECT 'é😀';\nSELECT 1;\nSELEC 2;",
      /seed\.sql, line 3: syntax error.* \(at: SELEC 2;\)/,
    ],
    [
      "a row that is refused",
      "CREATE TABLE t (id INT PRIMARY KEY);\n-- ; no end\nINSERT INTO t VALUES (1);\n\nINSERT INTO t\nVALUES (1);",
      /seed\.sql, line 5: duplicate key.*already exists.* \(at: INSERT INTO t\)/,
    ],
    [
      "an exception in a block",
      "SELECT ';';\nDO $body$ BEGIN\n RAISE EXCEPTION 'scale % is odd', 1;\nEND $body$;",
      /seed\.sql, line 2: scale 1 is odd; PL\/pgSQL function inline_code_block line 2 at RAISE \(at: DO \$body\$ BEGIN\)/,
    ],
    [
      "a row that does not fit",
      "CREATE TABLE t (id INT);\n\nCOPY t FROM stdin;\n1\nx\n\\.\nSELECT 1;",
      /seed\.sql, line 3: invalid input syntax.*; COPY t, line 2, column id: "x" \(at: COPY t FROM stdin;\)/,
    ],
    [
      "a statement after rows",
      "CREATE TABLE t (id INT);\nCOPY t FROM stdin;\n1\n\\.\nSELECT 1;\nSELEC 2;",
      /seed\.sql, line 6: syntax error.* \(at: SELEC 2;\)/,
    ],
    [
      "a file of the server",
      "CREATE TABLE t (id INT);\nCOPY t FROM '/etc/passwd';",
      /seed\.sql, line 2: must be superuser.*Put the rows into the seed file, below COPY \.\.\. FROM stdin/,
    ],
    [
      "a dump of a newer server",
      "-- Dumped from database version 99.1\nSELECT new_feature();",
      /seed\.sql, line 2: function new_feature\(\) does not exist.*\. The dump is from PostgreSQL 99, and this server is \d+: use that version\.$/,
    ],
    ["a command of psql", "SELECT 1;\n\\! id", /seed\.sql, line 2: \\! is not run/],
    ["a second database", "\\c a\n\\c b", /seed\.sql, line 2: \\connect leads to a second database/],
    ["an open transaction", "BEGIN;\nSELECT 1;", /seed\.sql begins a transaction and does not end it/],
  ] as const)("%s is told with file, line and statement", async ([, sql, text]) => {
    const before = await databaseNames(copy.url);
    const error = await failureOf(server.seed(seedOf([await seedFile(sql)])));
    expect(error.phase).toBe("seed");
    expect(error.message).toMatch(text);
    expect(await databaseNames(copy.url)).toEqual(before);
  });

  test("a file that cannot be read is named", async () => {
    const path = join(folder, "missing.sql");
    const error = await failureOf(server.seed(seedOf([path])));
    expect([error.phase, error.message]).toEqual(["seed", expect.stringContaining(path)]);
  });
});

describe("a server of the caller's", () => {
  test("gets databases of its own, and loses them all", async () => {
    const before = await databaseNames();
    const steps: string[] = [];
    const onStep = (text: string) => void steps.push(text);
    const made = await openDatabaseServer(existing(), optionsIn(folder, { onStep }));
    expect(steps).toContainEqual(
      expect.stringMatching(/^the app connects as ".+" of database-url, who bypasses/),
    );
    const [one, other] = [await made.seed(seedOf([])), await made.seed(seedOf([]))];
    const [first, second] = [await one.copy(), await other.copy()];
    await first.resetStatements();
    await run(first.url, "SELECT 1");
    expect(one.prepareCopy).toBeUndefined(); // no more databases of ours than are in use
    expect([made.version, made.statementStatistics]).toEqual([server.version, true]);
    expect([made.maxConnections, server.maxConnections]).toEqual([297, undefined]);
    expect(await first.countStatements()).toMatchObject({ statements: 1, rows: 1, blocks: 0 });
    expect(made.cpuSeconds()).toBeUndefined();
    await second[Symbol.asyncDispose]();
    await made[Symbol.asyncDispose]();
    await made[Symbol.asyncDispose]();
    expect(await databaseNames()).toEqual(before);
  });

  test("a plain user can use it, without the counting of statements", async () => {
    await run(theirs.url, "CREATE ROLE maker LOGIN CREATEDB PASSWORD 'pass word'");
    const plain = existing({ username: "maker", password: "pass word" });
    const before = await databaseNames();
    {
      const steps: string[] = [];
      const onStep = (text: string) => void steps.push(text);
      await using made = await openDatabaseServer(plain, optionsIn(folder, { onStep }));
      expect(steps.filter((each) => each.startsWith("the app connects as"))).toEqual([]);
      await using empty = await (await made.seed(seedOf([]))).copy();
      expect(made.statementStatistics).toBe(false);
      expect(await empty.countStatements()).toBeUndefined();
      expect(await run(empty.url, "SELECT current_user AS name")).toEqual([{ name: "maker" }]);
    }
    expect(await databaseNames()).toEqual(before);
  });

  test("a user who may not create databases is told so", async () => {
    await run(theirs.url, "CREATE ROLE reader LOGIN PASSWORD 'pw'");
    const error = await failureOf(
      openDatabaseServer(existing({ username: "reader", password: "pw" }), optionsIn(folder)),
    );
    expect(error.phase).toBe("start postgres");
    expect(error.message).toBe(
      'user "reader" of database-url is not allowed to create databases; allow it with ALTER ROLE ... CREATEDB',
    );
  });

  test.for([
    ["nobody listens", { port: "1" }, "connect ECONNREFUSED 127.0.0.1:1"],
    [
      "the password is wrong",
      { password: "s3cr%2Ft-guess" },
      'password authentication failed for user "loadtest_server"',
    ],
    ["the database is missing", { pathname: "/nowhere" }, 'database "nowhere" does not exist'],
  ] as const)("%s: told in the server's words, without the password", async ([, parts, words]) => {
    const url = Object.assign(new URL(theirs.url), parts);
    const error = await failureOf(openDatabaseServer({ ...existing(), url: url.href }, optionsIn(folder)));
    expect(error.phase).toBe("start postgres");
    expect(error.message).toContain(words);
    const everything = `${error.message}${error.logTail}${error.stack}${messageOf(error.cause)}`;
    expect(everything).not.toContain(url.password);
    expect(everything).not.toContain(decodeURIComponent(url.password));
  });
});

/** As `measure` does: whatever happens on the way, the server goes. */
async function openAndSeed(...[database, options]: Parameters<typeof openDatabaseServer>): Promise<void> {
  await using opened = await openDatabaseServer(database, options);
  await opened.seed(database);
}

describe("when it goes wrong", () => {
  test("a server that cannot start is seen at once, with its own words", async () => {
    const workFolder = await mkdtemp(join(folder, "work-"));
    await chmod(workFolder, 0o711);
    const user = await serverUser();
    const binaries = await findPostgresBinaries(optionsIn(workFolder), user);
    const own = await makeServerFolder(workFolder, user);
    await mkdir(join(own, "data"), { mode: 0o700 });
    await writePrivately(join(own, "data", "PG_VERSION"), "9.0\n", user);
    if (user !== undefined) await chown(join(own, "data"), user.uid, user.gid);
    const started = performance.now();
    const error = await failureOf(
      startServer({
        programs: binaries.folder,
        major: Number.parseInt(binaries.version, 10),
        folder: own,
        logPath: join(workFolder, "postgres.log"),
        user,
        signal: never,
      }),
    );
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(error.message).toMatch(/^postgres exited \(code \d\) before it was ready$/);
    expect(error.logTail).toMatch(/postgresql\.conf|data directory|PG_VERSION/);
  });

  test.for([0, 30, 200, 500, 900])(
    "an abort after %i ms leaves no process and no folder",
    async (delayMs) => {
      const workFolder = await mkdtemp(join(folder, "work-"));
      await chmod(workFolder, 0o711);
      const slow = await seedFile("SELECT pg_sleep(20)");
      const reason = new Error("cancelled");
      const controller = new AbortController();
      const opening = openAndSeed(
        { kind: "private", ...seedOf([slow]) },
        optionsIn(workFolder, { signal: controller.signal }),
      );
      setTimeout(() => controller.abort(reason), delayMs);
      await expect(opening).rejects.toBe(reason);
      expect((await readdir(workFolder)).filter((name) => !name.endsWith(".log"))).toEqual([]);
      expect(processesNaming(workFolder)).toEqual([]);
    },
  );

  test("extensions are there before anything fills the database, and one that nobody has is named", async () => {
    const seed = seedOf([await seedFile("CREATE TABLE t (id UUID DEFAULT uuid_generate_v4(), mail CITEXT)")]);
    const seeded = (extensions: readonly string[]) =>
      openAndSeed({ ...existing(), ...seed, extensions }, optionsIn(folder));
    await seeded(["uuid-ossp", "citext"]);
    const { message } = await failureOf(seeded(["none-such"]));
    expect(message).toContain("database-extensions: none-such");
  });

  test("an abort while a server of the caller's seeds leaves no database", async () => {
    const before = await databaseNames();
    const controller = new AbortController();
    const slow = await seedFile("CREATE TABLE t (id INT); SELECT pg_sleep(20)");
    const options = optionsIn(folder, { signal: controller.signal });
    const opening = openAndSeed({ ...existing(), seedFiles: [slow] }, options);
    setTimeout(() => controller.abort(new Error("cancelled")), 700);
    await expect(opening).rejects.toThrow("cancelled");
    expect(await databaseNames()).toEqual(before);
  });

  test("what a killed run left on a server of the caller's is dropped by the next, and nothing else", async () => {
    const before = await databaseNames();
    const orphan = "loadtest_copy_6000000000000000_1";
    const others = ["loadtest_of_theirs", "loadtest_copy_6000000000000001_1"];
    await run(
      existing().url,
      ...[orphan, ...others].map((name) => `CREATE DATABASE ${name}`),
      `COMMENT ON DATABASE ${orphan} IS 'fastapi-loadtest elsewhere 1.1 1700000000'`,
      `COMMENT ON DATABASE ${others[1]} IS 'fastapi-loadtest elsewhere 1.1 9900000000'`,
    );
    await (await openDatabaseServer(existing(), optionsIn(folder)))[Symbol.asyncDispose]();
    const after = await databaseNames();
    await run(existing().url, ...others.map((name) => `DROP DATABASE ${name}`));
    const left = after.filter((each) => !before.some((one) => JSON.stringify(one) === JSON.stringify(each)));
    expect(left).toEqual(others.toSorted().map((datname) => ({ datname })));
  });

  test("a server that was killed is told by its log, and its disposal is quiet", async () => {
    const workFolder = await mkdtemp(join(folder, "work-"));
    await chmod(workFolder, 0o711);
    await using doomed = await openDatabaseServer({ ...existing(), kind: "private" }, optionsIn(workFolder));
    const its = await doomed.seed(seedOf([]));
    await using one = await its.copy();
    await run(one.url, "SELECT 1");
    for (const pid of processesNaming(`${workFolder}/`)) process.kill(Number(pid), "SIGQUIT");
    await vi.waitFor(() => expect(run(one.url, "SELECT 1")).rejects.toThrow("ECONNREFUSED"), 5_000);
    const error = await failureOf(its.copy());
    expect([error.phase, error.message]).toEqual([
      "copy database",
      expect.stringMatching(/^copying the seeded database: connect ECONNREFUSED/),
    ]);
    expect(error.logTail).toContain("received immediate shutdown request");
    await doomed[Symbol.asyncDispose]();
    expect((await readdir(workFolder)).filter((name) => !name.endsWith(".log"))).toEqual([]);
  });
});

describe("the programs", () => {
  test("a wrapper on PATH does not pass for Postgres", async () => {
    const wrappers = await mkdtemp(join(folder, "wrappers-"));
    for (const name of ["postgres", "initdb"]) {
      await writeFile(join(wrappers, name), "#!/bin/sh\necho 'postgres (PostgreSQL) 18.4'\n", {
        mode: 0o755,
      });
    }
    vi.stubEnv("PATH", `${wrappers}:${process.env["PATH"]}`);
    const found = await findPostgresBinaries(optionsIn(folder), await serverUser());
    vi.unstubAllEnvs();
    expect(found.folder).not.toContain("wrappers-");
    expect(readdirSync(found.folder)).toEqual(expect.arrayContaining(["initdb", "postgres"]));
  });

  test("come from npm where the machine has none, also when two install them at once", async () => {
    const workFolder = await mkdtemp(join(folder, "work-")); // closed to the server's user: it moves elsewhere
    const steps: string[] = [];
    const options = optionsIn(workFolder, { binaries: "npm", onStep: (text) => steps.push(text) });
    const [first, second] = await Promise.all([
      installPostgresPackages(options),
      installPostgresPackages(options),
    ]);
    expect(first).toBe(second);
    expect(await readdir(options.toolsFolder)).toHaveLength(1);

    const orphan = spawn("sleep", ["60"], { env: { ...process.env, [gentleOwnerVariable]: "4194304.1" } });
    const orphanEnd = once(orphan, "exit");
    await once(orphan, "spawn");
    const seed = await seedFile("CREATE TABLE note (text TEXT)");
    const npm = await openDatabaseServer({ ...existing(), kind: "private" }, options);
    const its = await (await npm.seed(seedOf([seed]))).copy();
    expect([npm.version, npm.statementStatistics]).toEqual(["18.4", true]);
    expect(await run(its.url, "SELECT count(*)::INT FROM note")).toEqual([{ count: 0 }]);
    const [pid] = processesNaming(`port=${new URL(its.url).port}\0`);
    const [, data = ""] = (pid === undefined ? "" : readFileSync(`/proc/${pid}/cmdline`, "utf8")).split(
      /\0-D\0|\0-c/,
    );
    expect(existsSync(data)).toBe(hasProcfs);
    await npm[Symbol.asyncDispose]();
    expect(existsSync(data)).toBe(false);
    expect(steps.at(0)).toBe("downloading PostgreSQL");
    if (hasProcfs)
      expect(await orphanEnd).toEqual([null, "SIGQUIT"]); // its owner, by its own word, is gone
    else orphan.kill();
  });

  test("are locked by hash, and no registry is named", () => {
    const lock = readFileSync(resolve("tools/postgres/package-lock.json"), "utf8");
    const { packages } = JSON.parse(lock) as { packages: Record<string, { integrity?: string }> };
    const { "": _, ...locked } = packages;
    expect(Object.keys(locked).length).toBeGreaterThanOrEqual(5);
    for (const { integrity } of Object.values(locked)) expect(integrity).toMatch(/^sha512-/);
    expect(lock).not.toMatch(/resolved|https?:/);
  });
});
