import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import {
  findFreePort,
  printedBy,
  runAppCommand,
  startAppServer,
} from "../../../src/adapters/server/index.ts";
import { appStarts } from "../../../src/adapters/services/index.ts";
import type { Stores } from "../../../src/model/workload/stores.ts";

// "The user" has a home with a database, one in the repository, and servers on this machine. None of them may notice the
// app: no byte of a file differs afterwards, and no server hears a word.

vi.setConfig({ testTimeout: 30_000 });

let folder: string;
let home: string;
let server: Server;
let heard: string;
let port: number;
const data = "SQLite format 3\0 of the user";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loadtest-stores-"));
  home = join(folder, "home-of-the-user");
  for (const each of ["repository", "home-of-the-user", "work"]) await mkdir(join(folder, each));
  await writeFile(join(home, "app.db"), data);
  await writeFile(join(folder, "repository", "dev.db"), data);
  vi.stubEnv("HOME", home);
  heard = "";
  server = createServer((socket) => socket.on("data", (bytes) => (heard += bytes.toString("latin1"))));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  server.close();
  expect(await readFile(join(home, "app.db"), "latin1")).toBe(data);
  expect(await readFile(join(folder, "repository", "dev.db"), "latin1")).toBe(data);
  expect(await readdir(home)).toEqual(["app.db"]);
  await rm(folder, { recursive: true, force: true });
});

const environment = { binFolder: "/env/bin", interpreter: "python3", version: "", packages: {} };
const given = { DATABASE_URL: "postgresql://u:p@127.0.0.1:1/app" };
const unnamed: Stores = { variable: "DATABASE_URL", named: {} };

const starts = () =>
  appStarts({
    workFolder: join(folder, "work"),
    logFolder: join(folder, "logs"),
    stubServer: "",
    signal: new AbortController().signal,
    progress: () => undefined,
    servers: { findFreePort, startAppServer, runAppCommand, printedBy },
    hideInFile: async () => undefined,
  });

test("a command's own folder may hold a database", async () => {
  const own = join(folder, "own");
  await mkdir(own);
  const text = `python3 -c "import time; f = open('${own}/a.db', 'w'); time.sleep(1)"`;
  const command = { input: "tests", text, folder: join(folder, "repository"), variables: {} };
  await expect(starts().runCommand(command, environment, "tests")).rejects.toThrow(
    "opens a database file at",
  );
  await starts().runCommand({ ...command, ownFolders: [own] }, environment, "tests");
});

async function run(lines: string, stores: Stores = unnamed): Promise<void> {
  const path = join(folder, "repository", "migrate.py");
  await writeFile(path, lines);
  const place = { input: "migrate-command", text: "python3 migrate.py", folder: join(folder, "repository") };
  await starts().runCommand({ ...place, variables: given, stores }, environment, "migrate");
}

/** What drivers of Postgres in C look like to Python. */
const driver = (call: string) => `
import sys, types, os
os.makedirs("psycopg", exist_ok=True)
open("psycopg/__init__.py", "w").close()
open("psycopg/generators.py", "w").write("def connect(conninfo, *, timeout=0): raise SystemExit('connected')")
sys.path.insert(0, os.getcwd())
from psycopg import generators
${call}`;

/** What a driver of stores in Python does. */
const pythonDriver = (name: string, at: number, isAsync = false) => `
import os, sys
os.makedirs("${name}", exist_ok=True)
open("${name}/__init__.py", "w").close()
open("${name}/wire.py", "w").write("""${
  isAsync
    ? `
import asyncio
def connect(port): asyncio.run(asyncio.open_connection('localhost', port))`
    : `
import socket
def connect(port): socket.create_connection(('127.0.0.1', port)).sendall(b'FLUSHALL')`
}""")
sys.path.insert(0, os.getcwd())
from ${name} import wire
wire.connect(${at})`;

test.for<readonly [name: string, lines: string | ((port: number) => string), told: RegExp]>([
  ["Redis at any port, by its driver", (at) => pythonDriver("redis", at), /Redis at 127\.0\.0\.1:\d+/],
  ["MySQL at any port, by its driver", (at) => pythonDriver("pymysql", at), /MySQL at 127\.0\.0\.1:\d+/],
  [
    "Postgres at any port, by a driver of asyncio",
    (at) => pythonDriver("asyncpg", at, true),
    /Postgres at 127\.0\.0\.1:\d+/,
  ],
  ["MongoDB at any port, by its driver", (at) => pythonDriver("pymongo", at), /MongoDB at 127\.0\.0\.1:\d+/],
  ["a broker at any port, by its driver", (at) => pythonDriver("pika", at), /RabbitMQ at 127\.0\.0\.1:\d+/],
  [
    "SQLite in the repository",
    "import sqlite3\nsqlite3.connect('dev.db')",
    /opens SQLite at \S+\/dev\.db, not/,
  ],
  [
    "a new file in the repository",
    "import sqlite3\nsqlite3.connect('new.db').execute('CREATE TABLE x (y)')",
    /SQLite at \S+new\.db/,
  ],
  [
    "SQLite at a fixed path",
    "import sqlite3, os\nsqlite3.connect(os.path.join(os.getcwd(), '..', 'home-of-the-user', 'app.db'))",
    /SQLite at \S+app\.db/,
  ],
  [
    "SQLite in its home, which is not the user's, instead of the database",
    "import sqlite3, os\nsqlite3.connect(os.path.expanduser('~/app.db')).execute('CREATE TABLE x (y)')",
    /SQLite at \S+\/home\/app\.db, not the database that it was given in DATABASE_URL/,
  ],
  [
    "a server that its library connects to by itself",
    (at) => driver(`generators.connect("host=127.0.0.1 port=${at} dbname=app")`),
    /Postgres at 127\.0\.0\.1:\d+/,
  ],
  [
    "the same by a URL",
    (at) => driver(`generators.connect("postgresql://u@localhost:${at}/app")`),
    /Postgres at 127\.0\.0\.1:\d+/,
  ],
  [
    "one that it would try again for ever",
    "import sqlite3, time\nwhile True:\n    try: sqlite3.connect('dev.db')\n    except OSError: time.sleep(1)",
    /SQLite at/,
  ],
  [
    "one that a child opens",
    "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'import sqlite3; sqlite3.connect(\"dev.db\")'])",
    /SQLite at/,
  ],
])("refuses %s", async ([, lines, told]) => {
  const error = await run(typeof lines === "string" ? lines : lines(port)).catch((each: unknown) => each);
  expect(error).toMatchObject({ phase: "seed", detail: { kind: "other store" } });
  expect(String(error)).toMatch(told);
  expect(String(error)).toContain("name it under env");
  expect(heard).toBe("");
});

test.for<
  readonly [name: string, lines: string | ((port: number) => string), named?: (port: number) => string]
>([
  ["a database in memory", "import sqlite3\nsqlite3.connect(':memory:')"],
  ["reading alone", "import sqlite3\nsqlite3.connect('file:dev.db?mode=ro', uri=True)"],
  [
    "a file of its own",
    "import sqlite3, tempfile\nsqlite3.connect(tempfile.mkdtemp() + '/x.db')\nsqlite3.connect('../work/y.db')",
  ],
  [
    "a server that is not there",
    (at) =>
      driver(`generators.connect("host=127.0.0.1 port=${at === 1 ? 2 : 1}")`)
        .replaceAll("SystemExit('connected')", "OSError")
        .replace(/generators\.connect\(.*$/, (call) => `try: ${call}\nexcept OSError: pass`),
  ],
  [
    "a file that the configuration names",
    "import sqlite3\nsqlite3.connect('other.db')",
    () => "sqlite:///other.db",
  ],
  [
    "a server that the configuration names",
    (at) => `import socket\nsocket.create_connection(("localhost", ${at})).close()`,
    (at) => `redis://localhost:${at}/0`,
  ],
])("lets pass %s", async ([, lines, named]) => {
  const values: Record<string, string> = named === undefined ? {} : { OTHER: named(port) };
  await run(typeof lines === "string" ? lines : lines(port), { ...unnamed, named: values });
});

test("a program that is no Python is seen from outside", async () => {
  const file = join(folder, "repository", "made.sqlite");
  const code = `require("node:fs").openSync(${JSON.stringify(file)}, "w"); setTimeout(() => {}, 20000)`;
  const place = { input: "seed-command", folder: join(folder, "repository") };
  const text = `'${process.execPath}' -e '${code}'`;
  const running = starts().runCommand(
    { ...place, text, variables: given, stores: unnamed },
    environment,
    "seed",
  );
  await expect(running).rejects.toThrow(/database file at \S+made\.sqlite/);
});

/** Starts a server of Python that runs these lines when `/do` is requested. */
async function serving(lines: string) {
  const at = await findFreePort();
  const code = `
import http.server, json, os, socket, sqlite3
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_GET(self):
        if self.path == "/do":
            try: ${lines}
            except OSError: pass
        self.send_response(200); self.end_headers()
        self.wfile.write(json.dumps(dict(os.environ)).encode())
http.server.HTTPServer(("127.0.0.1", ${at}), Handler).serve_forever()`;
  await writeFile(join(folder, "repository", "server.py"), code);
  return await starts().startApp(
    {
      argv: ["python3", "server.py"],
      folder: join(folder, "repository"),
      variables: given,
      baseUrl: `http://127.0.0.1:${at}`,
      readyPath: "/",
      readyWithinSeconds: 20,
      cpus: undefined,
      stores: unnamed,
    },
    environment,
    "head",
  );
}

test("a server is refused as soon as it opens one, and its home and temporary files are its own", async () => {
  await using server = await serving('sqlite3.connect("dev.db")');
  const seen: unknown = await (await fetch(`${server.baseUrl}/`)).json();
  expect(seen).toMatchObject({
    HOME: join(folder, "work", "home"),
    TMPDIR: join(folder, "work", "tmp"),
    PIP_CACHE_DIR: join(home, ".cache", "pip"),
  });
  expect(await server.otherStore?.()).toBeUndefined();
  await fetch(`${server.baseUrl}/do`);
  expect(await server.otherStore?.()).toMatch(/SQLite at \S+dev\.db/);
});

test("the line of code that names a store of somebody else is told with it", async () => {
  await writeFile(
    join(folder, "repository", "cache.py"),
    `import redis\nURL = "redis://localhost:${port}/1"\n`,
  );
  await mkdir(join(folder, "repository", "redis"));
  const wire = "import socket\ndef connect(port): socket.create_connection(('127.0.0.1', port))\n";
  await writeFile(join(folder, "repository", "redis", "__init__.py"), wire);
  await using server = await serving(`__import__("redis").connect(${port})`);
  await fetch(`${server.baseUrl}/do`);
  expect(await server.otherStore?.()).toMatch(
    /^the app opens Redis at 127\.0\.0\.1:\d+, .*; cache\.py:2 names localhost:\d+: let an environment variable/,
  );
});
