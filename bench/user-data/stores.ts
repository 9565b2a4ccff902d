import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The user's own servers, at the ports where apps look for them by default, and files in the home. */
export interface UserStores extends AsyncDisposable {
  readonly home: string;
  /** Hashes of all that they hold, by store. */
  contents(): Promise<Readonly<Record<string, string>>>;
  /** Connections so far, by server, without ours. */
  connections(): Promise<Readonly<Record<string, number>>>;
}

/** @param programs a folder into which Debian's redis-server and mariadb-server are unpacked */
export async function startUserStores(folder: string, programs: string): Promise<UserStores> {
  const home = join(folder, "home");
  await mkdir(home, { recursive: true });
  await chmod(folder, 0o755);
  const end = () => started.map((child) => child.kill("SIGTERM"));
  process.once("exit", end); // also where one of them does not start
  const libraries = join(programs, "usr", "lib", "x86_64-linux-gnu");
  const env = { ...process.env, LD_LIBRARY_PATH: libraries };
  const started = [
    spawn(
      join(programs, "usr/bin/redis-server"),
      ["--port", "6379", "--dir", folder, "--appendonly", "yes", "--save", ""],
      { env, stdio: "ignore" },
    ),
  ];
  const mysql = join(folder, "mysql");
  const share = join(programs, "usr", "share", "mysql");
  const common = [
    "--no-defaults",
    `--datadir=${mysql}`,
    `--lc-messages-dir=${share}`,
    `--character-sets-dir=${join(share, "charsets")}`,
  ];
  await mkdir(join(mysql, "shop"), { recursive: true });
  const server = [
    ...common,
    "--user=root",
    "--skip-grant-tables",
    "--port=3306",
    "--bind-address=127.0.0.1",
    `--socket=${folder}/mysql.sock`,
    `--pid-file=${folder}/mysql.pid`,
    `--plugin-dir=${join(programs, "usr/lib/mysql/plugin")}`,
  ];
  started.push(spawn(join(programs, "usr/sbin/mariadbd"), server, { env, stdio: "ignore" }));
  const postgres = join(folder, "postgres");
  const binaries =
    readdirSync("/usr/lib/postgresql").map((version) => join("/usr/lib/postgresql", version, "bin"))[0] ?? "";
  await mkdir(postgres);
  await run("chown", ["postgres", postgres]);
  const asPostgres = (...argv: string[]) => ["-u", "postgres", "--", ...argv];
  await run(
    "runuser",
    asPostgres(join(binaries, "initdb"), "-D", postgres, "--auth=trust", "-U", "postgres"),
  );
  started.push(
    spawn(
      "runuser",
      asPostgres(
        join(binaries, "postgres"),
        "-D",
        postgres,
        "-p",
        "5432",
        "-k",
        postgres,
        "-c",
        "autovacuum=off",
      ),
      { stdio: "ignore", detached: true },
    ),
  );
  for (const port of [6379, 3306, 5432]) await opened(port);
  await run(join(binaries, "pg_isready"), ["-h", postgres, "-t", "30"]).catch(() => sleep(3_000));
  await sleep(1_000);
  const psql = async (query: string) =>
    (await run(join(binaries, "psql"), ["-h", postgres, "-U", "postgres", "-Atc", query])).stdout;
  const maria = async (query: string) =>
    (
      await run(
        join(programs, "usr/bin/mariadb"),
        ["--no-defaults", `--socket=${folder}/mysql.sock`, "-N", "-e", query, "shop"],
        { env },
      )
    ).stdout;
  const redis = async (...words: string[]) =>
    (await run(join(programs, "usr/bin/redis-cli"), words, { env })).stdout;
  await psql("CREATE TABLE customers AS SELECT generate_series(1, 1000) AS id, md5(random()::text) AS name");
  await maria(
    "CREATE TABLE customers (id int primary key, name text); INSERT INTO customers VALUES (1, 'Ana'), (2, 'Bo')",
  );
  for (let key = 0; key < 100; key++) await redis("SET", `customer:${key}`, `value ${key}`);
  const made =
    "import sqlite3, sys; l = sqlite3.connect(sys.argv[1]); l.execute('CREATE TABLE customers (id int)'); l.execute('INSERT INTO customers VALUES (1)'); l.commit()";
  await run("python3", ["-c", made, join(home, "app.db")]);
  await writeFile(join(home, ".profile"), "# the user's\n");
  return {
    home,
    contents: async () => ({
      postgres: hash(
        (await run(join(binaries, "pg_dumpall"), ["-h", postgres, "-U", "postgres"])).stdout.replaceAll(
          /^\\(?:un)?restrict .*$/gm,
          "",
        ),
      ),
      mariadb: hash(
        (
          await run(
            join(programs, "usr/bin/mariadb-dump"),
            [
              "--no-defaults",
              `--socket=${folder}/mysql.sock`,
              "--all-databases",
              "--skip-dump-date",
              "--skip-lock-tables",
            ],
            { env, maxBuffer: 1e9 },
          ).catch(async () => ({
            stdout: await maria("SHOW DATABASES; SHOW TABLES; SELECT * FROM customers"),
          }))
        ).stdout,
      ),
      redis: hash(filesBelow(join(folder, "appendonlydir"))),
      home: hash(filesBelow(home)),
    }),
    connections: async () => ({
      postgres: Number(await psql("SELECT sessions FROM pg_stat_database WHERE datname = 'postgres'")),
      mariadb: Number((await maria("SHOW STATUS LIKE 'Connections'")).split("\t")[1]),
      redis: Number(/total_connections_received:(\d+)/.exec(await redis("INFO", "stats"))?.[1]),
    }),
    [Symbol.asyncDispose]: async () => {
      for (const child of started) {
        const ended = new Promise((resolve) => child.once("exit", resolve));
        child.kill("SIGTERM");
        await Promise.race([ended, sleep(5_000)]);
      }
    },
  };
}

async function opened(port: number): Promise<void> {
  for (const endMs = performance.now() + 60_000; performance.now() < endMs; await sleep(100)) {
    const is = await new Promise<boolean>((resolve) => {
      const socket = createConnection(port, "127.0.0.1", () => resolve(socket.destroy() !== undefined));
      socket.once("error", () => resolve(false));
    });
    if (is) return;
  }
  throw new Error(`nothing listens at port ${port}`);
}

/** Names and bytes of all files below a folder, in order; without what pip's own look at the machine's Rust leaves. */
function filesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(folder, ".rustup")))
    .toSorted()
    .map((path) => `${path}\n${existsSync(path) && dirname(path) !== path ? textOf(path) : ""}`)
    .join("\n");
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // a folder
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
