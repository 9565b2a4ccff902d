import { expect, test } from "vitest";

import { addressInCode } from "../../src/repository/address-in-code.ts";
import { isUnreachable, overruledAddress } from "../../src/repository/overruled-address.ts";

const given = {
  DATABASE_URL: "postgresql://loadtest:secret@127.0.0.1:41234/loadtest",
  REDIS_URL: "redis://127.0.0.1:45678/0",
  MODE: "test",
};
const env = (text: string, path = ".env") => [{ path, text }];
const gone = "socket.gaierror: [Errno -2] Name or service not known";
const overrules = (file: string, name: string, address: string) =>
  `${file} sets ${name} to ${address}, and the app uses that instead of the ${name} of this run; let existing variables take precedence, e.g. load_dotenv(override=False)`;

test.for<
  readonly [what: string, reason: string, files: { path: string; text: string }[], hint: string | undefined]
>([
  [
    "a name that is not said",
    gone,
    env("DATABASE_URL=postgresql://harbour:harbour@db:5432/harbour\nLOG_LEVEL=info"),
    overrules(".env", "DATABASE_URL", "db:5432"),
  ],
  [
    "a name, with quotes and a comment",
    "psycopg.OperationalError: failed to resolve host 'db': [Errno -2] Name or service not known",
    env('export DATABASE_URL="postgresql+asyncpg://a:b@db/harbour" # ours', "config/.env.local"),
    overrules("config/.env.local", "DATABASE_URL", "db"),
  ],
  [
    "a port of this machine",
    "ConnectionRefusedError: [Errno 111] Connect call failed ('127.0.0.1', 5432)",
    env("DATABASE_URL=postgresql://a@localhost:5432/harbour"),
    overrules(".env", "DATABASE_URL", "localhost:5432"),
  ],
  [
    "a variable that is not given",
    "redis.exceptions.ConnectionError: Error -2 connecting to cache:6379. Name or service not known.",
    env("DATABASE_URL=postgresql://a@db/harbour\nCACHE_HOST=cache"),
    "cache is the CACHE_HOST of .env: set CACHE_HOST in `app-env`",
  ],
  [
    "a variable of the configuration",
    "redis.exceptions.ConnectionError: Error -2 connecting to cache:6379. Name or service not known.",
    [],
    "cache:6379 is the QUEUE_URL that the configuration sets",
  ],
  ["the same address as given", gone, env("REDIS_URL=redis://127.0.0.1:45678/1"), undefined],
  [
    "another host than the one that is meant",
    "failed to resolve host 'queue'",
    env("DATABASE_URL=postgresql://a@db/x"),
    undefined,
  ],
  [
    "an address that is none",
    gone,
    env("DATABASE_URL=:memory:\nMODE=prod\nREDIS_URL=redis://\nX=a b"),
    undefined,
  ],
  ["no place at all", gone, [], undefined],
  [
    "a refused login",
    "FATAL: password authentication failed",
    env("DATABASE_URL=postgresql://a@db/x"),
    undefined,
  ],
])("an app that cannot reach %s", ([, reason, files, hint]) => {
  const own = reason.includes("cache") && files.length === 0 ? { QUEUE_URL: "redis://cache:6379/0" } : {};
  expect(overruledAddress(reason, { ...given, ...own }, files)).toBe(hint);
});

test("a database that the app opened in the place of its own comes from a file, too", () => {
  const given = { DATABASE_URL: "postgresql://127.0.0.1:45678/x" };
  const files = [{ path: ".env", text: "DATABASE_URL=postgresql://a@db:5432/x\n" }];
  const reason = "the app opens Postgres at db:5432";
  expect(overruledAddress(reason, given, files)).toMatch(/^\.env sets DATABASE_URL to db:5432, and the app/);
});

test("only some failures are about an address", () => {
  expect(isUnreachable(gone)).toBe(true);
  expect(isUnreachable("FATAL: password authentication failed")).toBe(false);
});

const unknown =
  "redis.exceptions.ConnectionError: Error -2 connecting to redis:6379. Name or service not known.";

test.for<readonly [what: string, line: string, named: string | undefined]>([
  ["an address", 'def __init__(self, url: str = "redis://redis:6379/1"):', "redis:6379"],
  ["an address with a login", "BROKER = 'redis://:pw@redis/0'", "redis"],
  ["a host", 'client = Redis(host="redis", port=6379)', "redis"],
  ["a host with its port", 'pool = connect("redis:6379")', "redis:6379"],
  ["a host as a setting", 'SERVER: str = "redis"', "redis"],
  ["a host by its key", '{"port": 6379, "host": "redis"}', "redis"],
  ["a key that is a word of the error, too", 'host = settings["name"]', undefined],
  ["a word of the error near a server", 'log("connecting", server)', undefined],
  ["a word that is no host", 'kinds = ["redis", "memory"]', undefined],
  ["another host", 'client = Redis(host="cache")', undefined],
  ["what a variable is without a value", 'host = os.getenv("REDIS_HOST", "redis")', undefined],
  ["this machine", 'url = "redis://localhost:6379"', "localhost:6379"],
  ["this machine at another port", 'url = "redis://127.0.0.1:6380"', undefined],
  ["this machine without a port", 'url = "redis://localhost"', undefined],
])("the code names %s", ([, line, named]) => {
  const files = [
    { path: "app/main.py", text: "import redis\n" },
    { path: "app/cache.py", text: `import redis\n\n${line}\n` },
  ];
  expect(addressInCode(unknown, files)).toBe(
    named &&
      `app/cache.py:3 names ${named}: let an environment variable set it, and give that in \`app-env\` or \`services\``,
  );
});
