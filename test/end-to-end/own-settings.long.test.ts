import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

import { root } from "./act.ts";
import { folder, isSaid, ran, run, starting, venv } from "./own.ts";

const failed = (words: string) => `failed while starting the app: ${words}`;
const group = 'raise ExceptionGroup("start", [OSError("odd"), RuntimeError("no quay")])';

describe("K: the line that explains a failed start", () => {
  isSaid(
    (
      [
        [
          "no message, after another one",
          "try:\n    raise ValueError('first')\nexcept ValueError:\n    raise TimeoutError",
          "TimeoutError at main.py:12: raise TimeoutError",
        ],
        [
          "an assertion",
          'assert os.environ.get("QUAY_KEY")',
          'AssertionError at main.py:9: assert os.environ.get("QUAY_KEY")',
        ],
        ["a lower-case name", 'struct.unpack("I", b"")', "struct.error: unpack requires a buffer of 4 bytes"],
        ["a group", group, "RuntimeError: no quay"],
        [
          "a note",
          'error = KeyError("QUAY")\nerror.add_note("see docs/quay.md")\nraise error',
          "KeyError: 'QUAY' see docs/quay.md",
        ],
        [
          "another one as its cause",
          'try:\n    {}["a"]\nexcept KeyError as error:\n    raise RuntimeError("no chart") from error',
          "RuntimeError: no chart",
        ],
        [
          "a task group",
          "async with asyncio.TaskGroup() as tasks:\n    tasks.create_task(asyncio.wait_for(asyncio.sleep(9), 0.01))",
          "TimeoutError at ",
        ],
      ] as const
    ).flatMap(([name, lines, words]) => [
      { name: `${name}, uvicorn`, files: { "main.py": starting(lines) }, exit: 3, says: [failed(words)] },
      ...(name === "a group" || name === "an assertion"
        ? [
            {
              ...{
                name: `${name}, gunicorn`,
                files: { "main.py": starting(lines) },
                exit: 3,
                says: [failed(words)],
              },
              options: { server: "gunicorn", workers: "2" },
            },
          ]
        : []),
    ]),
  );
  const opening = 'pool = await asyncpg.create_pool(os.environ["DATABASE_URL"], min_size=1)';
  isSaid([
    {
      name: "an address that .env overrules",
      files: {
        "main.py": starting(
          opening,
          "import asyncpg\nfrom dotenv import load_dotenv\nload_dotenv(override=True)",
        ),
        ".env": "DATABASE_URL=postgresql://quay:hidden-word@db:5432/quay\nMODE=test\n",
      },
      options: { database: "postgres" },
      exit: 3,
      says: [
        /(?:socket\.gaierror: |opens Postgres at db:5432, ).*; \.env sets DATABASE_URL to db:5432, and the app uses that instead/,
      ],
      saysNot: ["hidden-word"],
    },
    {
      name: "an address that .env alone names",
      files: {
        "main.py": starting(
          'socket.create_connection((os.environ["CACHE_HOST"], 6379))',
          "from dotenv import load_dotenv\nload_dotenv()",
        ),
        ".env": "CACHE_HOST=127.0.0.1:9\n",
      },
      exit: 3,
      says: [failed("socket.gaierror")],
    },
    {
      name: "a server without TLS",
      files: { "main.py": starting(opening.replace("min_size=1", 'ssl="require"'), "import asyncpg") },
      options: { database: "postgres" },
      exit: 3,
      says: ["rejected SSL upgrade", "the database started for the load test does not support TLS: make TLS"],
    },
    {
      name: "a log without an ending",
      files: {
        "main.py": starting("raise RuntimeError('no keel')"),
        "log.ini":
          "[loggers]\nkeys=root\n[handlers]\nkeys=f\n[formatters]\nkeys=\n[logger_root]\nlevel=INFO\nhandlers=f\n[handler_f]\nclass=FileHandler\nargs=('server-output',)\n",
      },
      options: { server: "uvicorn {app} --host {host} --port {port} --log-config log.ini" },
      exit: 3,
      says: [failed("RuntimeError: no keel, in server-output")],
    },
    {
      name: "a log that the app writes itself",
      files: {
        "main.py": starting(
          "try:\n    raise RuntimeError('no rope')\nexcept RuntimeError:\n    logging.exception('off')\n    os._exit(4)",
          "import logging\nos.makedirs('logs', exist_ok=True)\nlogging.basicConfig(filename='logs/quay.log')",
        ),
      },
      exit: 3,
      says: [failed("RuntimeError: no rope, in logs/quay.log")],
    },
  ]);
});

const gunicorn = { server: "gunicorn" };
const odd = `daemon = True
pidfile = "./run/quay.pid"
errorlog = "./log/error.txt"
accesslog = "/nowhere/access.txt"
capture_output = True
bind = "127.0.0.1:80"
workers = 7
user = "nobody"
max_requests = 5
preload_app = True
raw_env = ["DATABASE_URL=postgresql://u@db/x", "MODE=quay"]
`;
const k6Settings = '{"vus": 7, "iterations": 7, "thresholds": {"http_reqs": ["count<1"]}}';
const k6Script = `import http from "k6/http";
export const options = { vus: 1, duration: "1s" };
export default () => http.get(__ENV.BASE_URL + "/nets");
`;
describe("D: files of settings next to the app", () => {
  isSaid([
    {
      name: "gunicorn: all that would end or hide the server",
      files: { "gunicorn.conf.py": odd },
      options: gunicorn,
      exit: 0,
      says: [
        /gunicorn\.conf\.py: (?=.*daemon)(?=.*errorlog)(?=.*accesslog)(?=.*bind)(?=.*user)(?=.*max_requests).* the measurement overrides/,
        /\/nets +1 +[\d,]+/,
      ],
    },
    {
      name: "gunicorn: the same in a file that the command names",
      files: { "deploy/g.py": odd },
      options: {
        server:
          "gunicorn -c deploy/g.py {app} --bind {host}:{port} --workers {workers} -k uvicorn_worker.UvicornWorker",
      },
      exit: 0,
      says: [/deploy\/g\.py: .*daemon/, /\/nets +1 +[\d,]+/],
    },
    {
      name: "gunicorn: the reason of a failure, wherever the log would go",
      files: { "gunicorn.conf.py": odd, "main.py": starting("raise RuntimeError('no tide')") },
      options: gunicorn,
      exit: 3,
      says: [failed("RuntimeError: no tide")],
    },
    {
      name: "gunicorn: what raw_env adds is kept, and what the run sets, too",
      files: {
        "gunicorn.conf.py": odd,
        "main.py": starting(
          'assert os.environ["MODE"] == "quay"\nassert "@db" not in os.environ["DATABASE_URL"]',
        ),
      },
      options: { ...gunicorn, database: "postgres" },
      exit: 0,
      says: [/\/nets +1 +[\d,]+/],
    },
    {
      name: "gunicorn: a file that is broken",
      files: { "gunicorn.conf.py": "workers = os.cpu_count()\n" },
      options: gunicorn,
      exit: 3,
      says: [failed("NameError: name 'os' is not defined")],
    },
    ...(
      [
        [
          "locust.conf",
          "locust.conf",
          "master = true\nexpect-workers = 2\nusers = 20\nrun-time = 1m\n",
          "expect-workers, master, run-time, users",
        ],
        [
          "pyproject.toml",
          "pyproject.toml",
          '[tool.locust]\nmaster = true\nusers = 9\nhost = "http://localhost:1"\n',
          "host, master, users",
        ],
        [
          "a log and tables",
          "locust.conf",
          "logfile = a.log\ncsv = out\nhtml = out.html\nprocesses = 3\n",
          "csv, html, logfile, processes",
        ],
        [
          "a page",
          "locust.conf",
          "web-port = 8089\nautostart = true\nheadless = false\n",
          "autostart, headless, web-port",
        ],
        ["nothing of ours", "locust.conf", "stop-timeout = 2\nloglevel = WARNING\n", undefined],
      ] as const
    ).map(([name, path, text, names]) => ({
      name: `Locust: ${name}`,
      files: {
        [path]: text,
        "load.py":
          'from locust import HttpUser, task\nclass A(HttpUser):\n    @task\n    def a(self): self.client.get("/nets")\n',
      },
      options: { script: "load.py" },
      exit: 0,
      says:
        names === undefined
          ? [/load\.py +1 +[\d,]+/]
          : [`Locust's configuration file sets ${names}, which is ignored`],
      ...(names === undefined && { saysNot: ["Locust's configuration file sets"] }),
    })),
    {
      name: "k6: settings in the home",
      files: {
        ".config/k6/config.json": k6Settings,
        ".config/loadimpact/k6/config.json": k6Settings,
        "load.js": k6Script,
      },
      options: { script: "load.js" },
      isAtHome: true,
      exit: 0,
      says: [/load\.js +1 +[\d,]+/],
      saysNot: ["Threshold not met"],
    },
    {
      name: "k6: variables",
      files: { "load.js": k6Script },
      options: { script: "load.js" },
      variables: { K6_VUS: "9", K6_ITERATIONS: "2", K6_OUT: "json=a.json" },
      exit: 0,
      says: [/load\.js +1 +[\d,]+/],
    },
    {
      name: "k6: both, for endpoints",
      files: { ".config/k6/config.json": k6Settings },
      isAtHome: true,
      variables: { K6_VUS: "9", K6_ITERATIONS: "2", K6_OUT: "json=a.json", K6_HTTP_DEBUG: "full" },
      exit: 0,
      says: [/\/nets +1 +[\d,]+/],
    },
    ...([".pgpass", "PG*"] as const).map((what) => ({
      name: `libpq: ${what}`,
      files: {
        "main.py": starting(
          'pool = await asyncpg.connect(os.environ["DATABASE_URL"])\nassert await pool.fetchval("SHOW search_path") == \'"$user", public\'',
          "import asyncpg",
        ),
        "rows.sql": "CREATE TABLE nets (id INT);\n",
        ".pgpass": "*:*:*:*:wrong\n",
        ".pg_service.conf": "[nowhere]\nhost=nowhere\n",
      },
      options: { database: "postgres", seed: "rows.sql" },
      isAtHome: true,
      variables:
        what === ".pgpass"
          ? { PGPASSFILE: ".pgpass" }
          : {
              ...{
                PGHOST: "nowhere",
                PGPORT: "1",
                PGUSER: "nobody",
                PGDATABASE: "none",
                PGPASSWORD: "wrong",
              },
              ...{ PGOPTIONS: "-c search_path=nowhere", PGSERVICE: "nowhere", PGSSLMODE: "verify-full" },
            },
      exit: 0,
      says: [/\/nets +1 +[\d,]+/],
    })),
    ...(["PIP_*", "pip.conf"] as const).map((what) => ({
      name: `pip: ${what}`,
      files: {
        "requirements.txt": "fastapi\nuvicorn\n",
        "pip.conf": "[install]\nuser = true\ntarget = /nowhere\n",
      },
      options: { install: "requirements.txt" },
      variables:
        what === "PIP_*"
          ? { PIP_TARGET: "/nowhere", PIP_USER: "1", PIP_NO_DEPS: "1", PIP_DRY_RUN: "1" }
          : { PIP_CONFIG_FILE: "pip.conf" },
      exit: 0,
      says: [/\/nets +1 +[\d,]+/],
    })),
    ...[
      ["uvicorn: workers in its --env-file", "uvicorn {app} --host {host} --port {port} --env-file quay.env"],
      [
        "hypercorn: workers in its file",
        "hypercorn {app} -c quay.toml --bind {host}:{port} --workers {workers}",
      ],
    ].map(([name = "", server = ""]) => ({
      name,
      files: {
        "quay.env": "WEB_CONCURRENCY=3\nUVICORN_WORKERS=3\n",
        "quay.toml": 'bind = "127.0.0.1:1"\nworkers = 3\n',
      },
      options: { server },
      exit: 0,
      says: [/\/nets +1 +[\d,]+/],
      saysNot: ["accepted connections"],
    })),
    {
      name: "hypercorn: workers in its file, and no number in the command",
      files: { "quay.toml": "workers = 3\n" },
      options: { server: "hypercorn {app} -c quay.toml --bind {host}:{port}" },
      exit: 0,
      says: [
        "3 of the head's processes accepted connections, not 1: use {workers} in server to set their number",
      ],
    },
    {
      name: "uvicorn: an --env-file that is not there",
      options: { server: "uvicorn {app} --host {host} --port {port} --env-file quay.env" },
      exit: 3,
      says: ["quay.env"],
    },
  ]);
});

describe("L: failures under load have their exception and a remedy", () => {
  const pooled = `from sqlalchemy import create_engine, text
engine = create_engine(os.environ["DATABASE_URL"].replace("postgresql://", "postgresql+psycopg://"), pool_size=1, max_overflow=0, pool_timeout=0.2)`;
  const slow = `
@app.get("/slow")
def slow():
    with engine.connect() as connection:
        return [connection.execute(text("SELECT pg_sleep(0.1)")).rowcount]
`;
  isSaid([
    {
      name: "a pool that is too small",
      files: { "main.py": `${starting("pass", pooled)}${slow}` },
      options: { database: "postgres", endpoints: "/slow", vus: "15" },
      exit: 0,
      says: [
        /the app's log has "sqlalchemy\.exc\.TimeoutError: QueuePool limit .*" \d+ times: the app's connection pool is too small for the load/,
      ],
    },
    {
      name: "a limit of concurrency",
      options: { vus: "20", server: "uvicorn {app} --host {host} --port {port} --limit-concurrency 3" },
      exit: 0,
      says: [
        /the app's log has "Exceeded concurrency limit\." [\d,]+ times: `?--limit-concurrency`? is below the number of virtual users/,
      ],
    },
    {
      name: "an exception of the app's own",
      files: {
        "main.py": `${starting("pass")}\n@app.get("/odd")\nasync def odd():\n    odd.n = getattr(odd, "n", 0) + 1\n    if odd.n % 2 == 0: raise LookupError("no buoy")\n`,
      },
      options: { endpoints: "/odd" },
      exit: 0,
      says: [/the app's log has "LookupError: no buoy" [\d,]+ times/],
    },
  ]);
});

describe("L: two versions on one machine", () => {
  async function compared(
    before: Readonly<Record<string, string>>,
    more: Readonly<Record<string, string>> = {},
  ) {
    const git = (...words: string[]) =>
      run("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...words], { cwd: folder });
    for (const [name, text] of Object.entries({
      "main.py": starting("pass"),
      ".gitignore": "results/\nkept/\n*.bin\n",
      ...before,
    }))
      await writeFile(join(folder, name), text);
    await git("init", "--quiet", "--initial-branch=main");
    await git("add", "--all");
    await git("commit", "--quiet", "--message=base");
    const main = before["main.py"]?.replace("return [1]", "return [1, 2]") ?? "";
    await writeFile(join(folder, "main.py"), main);
    await git("commit", "--quiet", "--all", "--message=head");
    return await ran({
      files: { ...before, "main.py": main, ...more },
      options: { "base-ref": "HEAD~1", "max-minutes": "0.5" },
    });
  }
  const lock = (path: string) =>
    `import fcntl\nheld = open(${JSON.stringify(path)}, "w")\nfcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)`;
  test.for<readonly [what: string, lines: string, says: RegExp, more?: Readonly<Record<string, string>>]>([
    [
      "a port",
      'listener = socket.create_server(("127.0.0.1", 9107))',
      /No comparison: both versions listen on port 9107, which only one/,
    ],
    [
      "a lock file",
      lock("/tmp/loadtest-own-settings.lock"),
      /No comparison: each version starts only without the other, so both need something/,
    ],
    [
      "a socket's path",
      'listener = socket.socket(socket.AF_UNIX)\nlistener.bind("\\0loadtest-own-settings")',
      /No comparison: (?:both versions|each version starts only without the other)/,
    ],
    [
      "a port that one does without",
      'try:\n    app.state.listener = socket.create_server(("127.0.0.1", 9108))\nexcept OSError:\n    pass',
      /only the (?:base|head) listens on port 9108; if the (?:head|base) needs it, too/,
    ],
    [
      "a file",
      'app.state.cache = open("/tmp/loadtest-own-settings.cache", "a")',
      /both versions write to \/tmp\/loadtest-own-settings\.cache/,
    ],
    [
      "an ignored folder",
      'assert os.listdir("kept")',
      /No comparison: .*No such file or directory: 'kept'.*; the base lacks kept, which is here but not in Git/,
      { "kept/a.txt": "a" },
    ],
    [
      "an ignored file",
      'open("words.bin").read()',
      /the base lacks words\.bin, which is here but not in Git/,
      { "words.bin": "a" },
    ],
  ])("both want %s", async ([, lines, says, more]) => {
    const { exit, text } = await compared({ "main.py": starting(lines) }, more);
    expect(text).toMatch(says);
    expect(text).not.toMatch(/the base failed \(start app\): OSError/);
    expect(exit, text).toBe(0);
  });
});

const overTls = `${starting(
  "pass",
  "from starlette.middleware.httpsredirect import HTTPSRedirectMiddleware",
)}app.add_middleware(HTTPSRedirectMiddleware)\n`;
describe("I: a redirect is not the endpoint", () => {
  isSaid([
    {
      name: "run",
      options: { endpoints: "/old" },
      exit: 0,
      says: ["GET /old answered 307 to /nets: measure that"],
    },
    {
      name: "auto",
      options: { endpoints: "auto" },
      exit: 0,
      says: ["GET /old answered 307 to /nets: measure that"],
    },
    {
      name: "a slash at the end",
      options: { endpoints: "/nets/" },
      exit: 0,
      says: ["GET /nets/ answered 307 to /nets: measure that"],
    },
    {
      name: "to TLS",
      files: {
        "main.py": overTls,
      },
      exit: 0,
      says: [
        /GET \/nets answered 307 to https:\/\/127\.0\.0\.1:\d+\/nets: send the header X-Forwarded-Proto: https/,
      ],
    },
    {
      name: "to TLS, with the header that it expects",
      files: {
        "main.py": overTls,
        "own.yml": "endpoints: [/nets]\nlogin: { headers: { X-Forwarded-Proto: https } }\n",
      },
      options: { config: "own.yml" },
      exit: 0,
      says: [/\/nets +1 +[\d,]+/],
      saysNot: ["answered 307"],
    },
    {
      name: "to another host",
      files: {
        "main.py": starting("pass").replace(
          'RedirectResponse("/nets")',
          'RedirectResponse("https://nets.example/old")',
        ),
      },
      options: { endpoints: "/old" },
      exit: 0,
      says: ["answered 307 to https://nets.example/old: send the headers, such as Host, or the login"],
    },
  ]);
  test("check", async () => {
    await writeFile(
      join(folder, "own.yml"),
      `app: main:app\ninstall: ${venv}\ndatabase: none\nendpoints: [/nets, /old]\n`,
    );
    await writeFile(join(folder, "main.py"), starting("pass"));
    const cli = join(root, "dist", "cli.js");
    const done = await run("node", [cli, "check", "--config", "own.yml"], { cwd: folder }).catch(
      (error) => error,
    );
    expect(`${done.stdout}${done.stderr}`).toContain("GET /old answered 307 to /nets: measure that");
    expect(done.code).toBe(2);
  });
});
