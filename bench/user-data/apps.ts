/** Apps that were given a database and open the user's instead, made from a table. */

/** Python that wipes a store and writes into it, by what it opens. `URL` is what the app read or its own default. */
const wipes = {
  asyncpg: {
    url: "postgresql://postgres@localhost:5432/postgres",
    head: "import asyncio, asyncpg",
    lines: `async def wipe_now():
    link = await asyncpg.connect(URL)
    await link.execute("DROP TABLE IF EXISTS customers; CREATE TABLE intruders (id int)")
    await link.close()
def wipe():
    import threading
    thread = threading.Thread(target=lambda: asyncio.run(wipe_now()))
    thread.start()
    thread.join()`,
  },
  psycopg: {
    url: "postgresql://postgres@127.0.0.1:5432/postgres",
    head: "import psycopg",
    lines: `def wipe():
    with psycopg.connect(URL, autocommit=True) as link:
        link.execute("DROP TABLE IF EXISTS customers")`,
  },
  pymysql: {
    url: "mysql+pymysql://root@localhost:3306/shop",
    head: "import pymysql",
    lines: `def wipe():
    link = pymysql.connect(host="localhost", user="root", database="shop", autocommit=True)
    link.cursor().execute("DROP TABLE IF EXISTS customers")`,
  },
  sqlalchemy: {
    url: "mysql+pymysql://root@127.0.0.1:3306/shop",
    head: "import sqlalchemy",
    lines: `def wipe():
    with sqlalchemy.create_engine(URL).begin() as link:
        link.execute(sqlalchemy.text("DROP TABLE IF EXISTS customers"))`,
  },
  redis: {
    url: "redis://localhost:6379/0",
    head: "import redis",
    lines: `def wipe():
    redis.Redis.from_url(URL).flushall()`,
  },
  "redis.asyncio": {
    url: "redis://127.0.0.1:6379/0",
    head: "import asyncio, threading, redis.asyncio",
    lines: `async def wipe_now():
    await redis.asyncio.Redis.from_url(URL).flushall()
def wipe():
    thread = threading.Thread(target=lambda: asyncio.run(wipe_now()))
    thread.start()
    thread.join()`,
  },
  "SQLite in the home": {
    url: "{home}/app.db",
    head: "import sqlite3",
    lines: `def wipe():
    link = sqlite3.connect(URL, isolation_level=None)
    link.execute("DROP TABLE IF EXISTS customers")`,
  },
  "SQLite at ~": {
    url: "~/app.db",
    head: "import sqlite3",
    lines: `def wipe():
    link = sqlite3.connect(os.path.expanduser(URL), isolation_level=None)
    link.execute("DROP TABLE IF EXISTS customers")`,
  },
} as const;

const variables = ["APP_DB", "DB_DSN", "MY_STORE_URL", "SQLALCHEMY_URI", "CACHE_LOCATION"] as const;

/** Where in the app's life it opens the store: lines of `main.py`, or a file with the option that runs it. */
const moments = {
  import: { main: "wipe()" },
  lifespan: { main: "", lifespan: "    wipe()" },
  "first request": { main: "", request: "    wipe()" },
  "background task": { main: "", request: "    tasks.add_task(wipe)" },
  thread: {
    main: "import threading, time\nthreading.Thread(target=lambda: (time.sleep(0.5), wipe()), daemon=True).start()",
  },
  "migration command": { main: "", option: "migrate-command" },
  "seed command": { main: "", option: "seed-command" },
  "tests of init": { main: "", isInit: true },
} as const;

export interface MisconfiguredApp {
  readonly store: string;
  readonly moment: string;
  readonly variable: string;
  readonly verb: "run" | "check" | "init";
  /** By path. */
  readonly files: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, string>>;
}

/** The app of a number from 0: the stores take turns, then the moments; the rest is from the number. */
export function appOf(number: number, home: string): MisconfiguredApp {
  const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
  const [store, { url, head, lines }] = at(Object.entries(wipes), number);
  const [moment, how] = at(Object.entries(moments), Math.floor(number / 8) + number);
  const variable = at(variables, number + Math.floor(number / 40));
  const [option] = "option" in how ? [how.option] : [];
  const text = `import os
from contextlib import asynccontextmanager
from fastapi import BackgroundTasks, FastAPI
${head}
URL = os.environ.get("${variable}", "${url.replace("{home}", home)}")
${lines}
@asynccontextmanager
async def lifespan(app):
${"lifespan" in how ? how.lifespan : "    pass"}
    yield
app = FastAPI(lifespan=lifespan)
@app.get("/nets")
def nets(tasks: BackgroundTasks):
${"request" in how ? how.request : "    pass"}
    return [1]
${how.main}
`;
  const test = `from fastapi.testclient import TestClient
import main
def test_nets():
    main.wipe()
    assert TestClient(main.app).get("/nets").status_code == 200
`;
  const isInit = "isInit" in how;
  return {
    ...{ store, moment, variable },
    verb: isInit ? "init" : at(["run", "check"], Math.floor(number / 3)),
    files: {
      "main.py": text,
      "wipe.py": "import main\nmain.wipe()\n",
      ...(isInit && { "tests/test_nets.py": test }),
    },
    options: {
      database: option !== undefined || number % 2 === 0 ? "sqlite" : "none",
      ...(option !== undefined && { [option]: "python wipe.py" }),
    },
  };
}
