import { expect, test } from "vitest";
import { mend } from "../../src/init/mending.ts";
import { ownTables } from "../../src/init/migrating.ts";
import type { Project } from "../../src/init/project.ts";
import type { FoundSetting } from "../../src/init/source-file.ts";

const read = (name: string, isNeeded = false, value?: string) => ({
  name,
  path: "a.py",
  isNeeded,
  type: undefined,
  value,
  isField: false,
});

const finding = (key: string, value: FoundSetting["value"]): FoundSetting => ({ key, value, reason: "" });

function project(findings: readonly FoundSetting[], more: Partial<Project> = {}): Project {
  return {
    files: [],
    installer: undefined,
    openRequirements: [],
    findings,
    hasData: false,
    variables: [],
    examples: new Map(),
    lacks: [],
    proposals: [],
    ...more,
  };
}

/** The settings after a failure, and what is told. */
function mended(before: Project, said: string, document?: unknown) {
  const after = mend(before, said, document);
  return (
    after && [Object.fromEntries(after.project.findings.map(({ key, value }) => [key, value])), after.told]
  );
}

test("a variable that is asked for is added to those that are there, once", () => {
  const variables = [read("AA"), read("BB")];
  const before = project([finding("app-env", { AA: "1" })], { variables });
  const told = "the app asked for BB; a value is in `app-env`";
  expect(mended(before, "KeyError: 'BB'")).toEqual([
    { "app-env": { AA: "1", BB: "made-up-for-the-load-test" } },
    told,
  ]);
  expect(mended(before, "KeyError: 'AA'")).toBeUndefined();
});

test.for<[said: string, extension: string]>([
  ["function uuid_generate_v4() does not exist", "uuid-ossp"],
  ["function public.uuid_generate_v1mc() does not exist", "uuid-ossp"],
  ["function gen_salt(unknown) does not exist", "pgcrypto"],
  ['type "citext" does not exist', "citext"],
  ['type "public.hstore" does not exist', "hstore"],
  ['type "ltree" does not exist', "ltree"],
  ['operator class "gin_trgm_ops" does not exist for access method "gin"', "pg_trgm"],
  ['text search dictionary "unaccent" does not exist', "unaccent"],
])("an extension that the tables need is made first: %s", ([words, extension]) => {
  const said = `migrate-command: alembic upgrade head\nsqlalchemy.exc.ProgrammingError: ${words}\nLINE 4`;
  const before = project([
    finding("database-variable", "DB"),
    finding("migrate-command", "alembic upgrade head"),
  ]);
  const after = mend(before, said);
  expect(after?.project.findings.map(({ key, value }) => [key, value])).toEqual([
    ["database-variable", "DB"],
    ["database-extensions", [extension]],
    ["migrate-command", "alembic upgrade head"],
  ]);
  expect(after?.told).toContain(`extension ${extension}`);
  const again = after && mend(after.project, said)?.project.findings.map(({ key }) => key);
  expect(again).not.toContain("migrate-command"); // it was made, and did not help
});

test("a command that does not end is left out at once", () => {
  const examples = new Map([["MODE", { value: "1", path: ".env.example" }]]);
  const before = project([finding("migrate-command", "alembic upgrade head")], {
    examples,
    variables: [read("MODE")],
  });
  const said =
    'seed: migrate-command "alembic upgrade head" failed: python was still running after 180 s and was stopped\nINFO [alembic] Will assume';
  expect(mended(before, said)).toEqual([
    {},
    expect.stringContaining("write one that works: python was still running after 180 s and was stopped"),
  ]);
});

test.for<[required: string, style: string | undefined]>([
  ["asyncpg", "postgresql+asyncpg"],
  ["psycopg", "postgresql+psycopg"],
  ["psycopg2", undefined],
])("an asynchronous engine gets the driver that can wait: %s", ([required, style]) => {
  const files = [{ path: "requirements.txt", text: `fastapi\n${required}\n` }];
  const said =
    "sqlalchemy.exc.InvalidRequestError: The asyncio extension requires an async driver to be used. The loaded 'psycopg2' is not async.";
  const before = project([finding("database-variable", "DB")], { files });
  expect(mended(before, said)).toEqual(
    style && [
      { "database-variable": "DB", "database-url-style": style },
      `the app's engine is asynchronous, and psycopg2 is not, so \`database-url-style\` is ${style}`,
    ],
  );
  const known = project([...before.findings, finding("database-url-style", style ?? "")], { files });
  expect(mended(known, said)).toBeUndefined();
});

test("one more extension stands beside the first", () => {
  const before = project([finding("database-extensions", ["citext"])]);
  expect(mended(before, 'type "ltree" does not exist')?.[0]).toEqual({
    "database-extensions": ["citext", "ltree"],
  });
  expect(mended(before, 'relation "citext" does not exist')).toBeUndefined();
});

test("values that somebody wrote down are tried together, but not where the load test says more", () => {
  const variables = [
    read("ENVIRONMENT", false, "production"),
    read("SAME", false, "1"),
    read("NEEDED", true),
    read("DB_HOST"),
    read("MINE"),
    read("URL"),
    read("CACHE", false, "redis://"),
  ];
  const names = ["ENVIRONMENT", "SAME", "NEEDED", "DB_HOST", "MINE", "URL", "CACHE", "UNREAD"];
  const examples = new Map(names.map((name) => [name, { value: "1", path: ".env.example" }]));
  const services = { redis: { "app-env": { CACHE: "{url}" } } };
  const findings = [
    finding("database-variable", "URL"),
    finding("database-env", { MINE: "{host}" }),
    finding("services", services),
  ];
  expect(mended(project(findings, { variables, examples }), "it failed")).toEqual([
    {
      "database-variable": "URL",
      "database-env": { MINE: "{host}" },
      services,
      "app-env": { ENVIRONMENT: "1" },
    },
    "the app did not start, so it is tried with ENVIRONMENT as .env.example has them",
  ]);
});

test.for<readonly [what: string, command: string, said: string, expected: unknown]>([
  [
    "of several heads all are wanted",
    "alembic upgrade head",
    "migrate-command: Multiple head revisions are present",
    [
      { "migrate-command": "alembic upgrade heads" },
      "there are several heads of migrations: migrate-command: Multiple head revisions are present",
    ],
  ],
  [
    "a command that fails is left out",
    "alembic upgrade heads",
    "seed: migrate-command failed\nno such table\n",
    [
      {},
      "`migrate-command: alembic upgrade heads` fails here and is left out; write one that works: no such table",
    ],
  ],
  ["another command does not matter", "alembic upgrade heads", "seed: seed-command failed", undefined],
  ["nothing comes to mind", "make tables", "migrate: Multiple head revisions are present", undefined],
])("%s", ([, command, said, expected]) => {
  expect(mended(project([finding("migrate-command", command)]), said)).toEqual(expected);
});

test("another start is no help where the packages could not be installed", () => {
  const examples = new Map([["MODE", { value: "1", path: ".env.example" }]]);
  const before = project([], { variables: [read("MODE")], examples });
  expect(mended(before, "start app: it failed")).toBeDefined();
  expect(mended(before, "install: pip failed")).toBeUndefined();
});

test.for<readonly [what: string, paths: Readonly<Record<string, unknown>>, path: string | undefined]>([
  ["a health check", { "/a": { get: {} }, "/api/health": { get: {} } }, "/api/health"],
  [
    "the shortest",
    { "/longer": { get: {} }, "/b/{id}": { get: {} }, "/": { get: {} }, "/cc": { get: {} } },
    "/cc",
  ],
  ["none", { "/": { get: {} }, "/a": { post: {} } }, undefined],
])("a first page that fails is replaced by another one: %s", ([, paths, path]) => {
  const said = "start app: it failed (polled http://127.0.0.1:1/, last answer: HTTP 500)";
  const told = `the app's first page fails here, so \`${path}\` tells when it is ready (\`ready-path\`)`;
  expect(mended(project([]), said, { paths })).toEqual(path && [{ "ready-path": path }, told]);
  expect(mended(project([finding("ready-path", "/z")]), said, { paths })).toBeUndefined();
  expect(mended(project([]), "start app: it exited", { paths })).toBeUndefined();
});

const revision = (id: string, before: string, made: string) => ({
  path: `migrations/versions/${id}.py`,
  text: `"""${id}\n\nCreate Date: ${made}\n"""\nrevision: str = "${id}"\ndown_revision = ${before}\n`,
});
const twoTrees = [
  { path: "uv.lock", text: "revision = 1\n" },
  revision("aa", "None", "2021-01-01"),
  revision("bb", '"aa"', "2021-02-01"),
  revision("cc", "None", "2023-01-01"),
  revision("dd", "'cc'", "2023-02-01"),
];

function newestHead(path: string): string {
  return `python -c "from alembic import command, config, script; settings = config.Config('${path}'); command.upgrade(settings, max(script.ScriptDirectory.from_config(settings).get_revisions('heads'), key=lambda each: (each.module.__doc__ or '').partition('Create Date:')[2]).revision)"`;
}

const twice = "migrate-command: failed\npsycopg2.errors.DuplicateTable: relation exists";

test.for<
  readonly [
    what: string,
    files: Project["files"],
    command: string,
    said: string,
    expected: readonly [string | undefined, RegExp],
  ]
>([
  [
    "of two trees of migrations for the same tables each arm's newer one is taken",
    twoTrees,
    "alembic upgrade heads",
    twice,
    [
      newestHead("alembic.ini"),
      /^several migrations make the same tables, so only the newest and those before it/,
    ],
  ],
  [
    "settings elsewhere are named",
    twoTrees,
    "alembic --config db/alembic.ini upgrade heads",
    twice,
    [newestHead("db/alembic.ini"), /^several migrations make the same tables/],
  ],
  [
    "a command that changes the folder keeps doing so",
    twoTrees,
    "python -c \"import os; os.chdir('db'); from alembic.config import main; main(['upgrade', 'heads'])\"",
    twice,
    [
      newestHead("alembic.ini").replace('-c "', "-c \"import os; os.chdir('db'); "),
      /^several migrations make the same tables/,
    ],
  ],
  [
    "a command that puts an address keeps doing so",
    twoTrees,
    "python -c \"from alembic import command, config; settings = config.Config('alembic.ini'); settings.set_main_option('a', 'b'); command.upgrade(settings, 'heads')\"",
    twice,
    [
      newestHead("alembic.ini").replace("; command", "; settings.set_main_option('a', 'b'); command"),
      /^several migrations make the same tables/,
    ],
  ],
  [
    "a command for the newest head has no newer one",
    twoTrees,
    newestHead("alembic.ini"),
    twice,
    [undefined, /is left out/],
  ],
  [
    "one tree of migrations is run whole",
    twoTrees.slice(0, 3),
    "alembic upgrade heads",
    twice,
    [undefined, /is left out/],
  ],
  [
    "instead of migrations that fail the app makes its tables",
    [
      { path: "app/test_db.py", text: "def create():\n    create_all()\n" },
      { path: "app/a-b.py", text: "def create():\n    create_all()\n" },
      { path: "app/drop.py", text: "def init_db():\n    drop_all()\n    create_all()\n" },
      {
        path: "src/app/db/__init__.py",
        text: "async def init_db() -> None:\n    # drop_all()\n    await run(create_all)\n",
      },
    ],
    "alembic upgrade head",
    "migrate-command: OperationalError: no",
    [
      'python -c "import asyncio, app.main; from app.db import init_db; asyncio.run(init_db())"',
      /^the migrations fail, so `migrate-command` is init_db of src.app.db.__init__.py, which makes the tables: /,
    ],
  ],
  [
    "or its function that asks for the engine does",
    [
      { path: "app/database/core.py", text: "engine: Engine = create_engine(url)\n" },
      {
        path: "app/database/manage.py",
        text: 'def init_database(engine: Engine) -> None:\n    """Makes all."""\n    Base.metadata.create_all(engine)\n',
      },
    ],
    "alembic upgrade head",
    "migrate-command: OperationalError: no",
    [
      'python -c "import asyncio, app.main; from app.database.core import engine; from app.database.manage import init_database; init_database(engine)"',
      /^the migrations fail, so `migrate-command` is init_database of app.database.manage.py, which makes the tables: /,
    ],
  ],
  [
    "but not without that engine",
    [{ path: "app/db.py", text: "def create_tables(engine):\n    create_all(engine)\n" }],
    "alembic upgrade head",
    "migrate-command: OperationalError: no",
    [undefined, /is left out/],
  ],
  [
    "a function that fails, too, is left out",
    [{ path: "db.py", text: "def create_tables():\n    create_all()\n" }],
    'python -c "import asyncio, app.main; from db import create_tables; create_tables()"',
    "migrate-command: no",
    [undefined, /fails here and is left out/],
  ],
])("%s", ([, files, command, said, [value, sentence]]) => {
  const findings = [finding("app", "app.main:app"), finding("migrate-command", command)];
  const [settings, told] = mended(project(findings, { files }), said) ?? [];
  expect(Object(settings)["migrate-command"]).toBe(value);
  expect(told).toMatch(sentence);
});

test("an app that is still starting gets more time, once", () => {
  const said =
    "start app: server was not ready after 30.0 s; polled http://127.0.0.1:1/, last answer: connect ECONNREFUSED 127.0.0.1:1; processes alive: 7 (uvicorn)";
  const told = "the app had not started after half a minute, so it gets 3m (`ready-timeout`)";
  expect(mended(project([]), said)).toEqual([{ "ready-timeout": "3m" }, told]);
  expect(mended(project([]), "it was still being made after 60 s")).toEqual([
    { "ready-timeout": "3m" },
    told,
  ]);
  expect(mended(project([finding("ready-timeout", "1m")]), said)).toBeUndefined();
  expect(mended(project([]), said.replace(/; processes.*/, ""))).toBeUndefined();
});

test("a secret whose default the app refuses gets a value, and none that is no secret yet", () => {
  const said = "ValueError: SECRET_KEY is weak; generate one (DB_HOST, OTHER_KEY2)";
  const variables = [read("SECRET_KEY", false, "CHANGE_ME"), read("DB_HOST"), read("OTHER_KEY")];
  const example = (value: string) => new Map([["SECRET_KEY", { value, path: ".env.example" }]]);
  const told = "the app's failure names SECRET_KEY; a value is in `app-env`";
  const madeUp = { "app-env": { SECRET_KEY: "made-up-for-the-load-test-of-32-or-more" } };
  expect(mended(project([], { variables }), said)).toEqual([madeUp, told]);
  const placed = project([], { variables, examples: example("CHANGE_ME_generate_one") });
  expect(mended(placed, said)).toEqual([madeUp, told]);
  const usable = project([], { variables, examples: example("1f0a9c") });
  expect(mended(usable, said)).toEqual([{ "app-env": { SECRET_KEY: "1f0a9c" } }, told]);
  expect(mended(project([finding("app-env", { SECRET_KEY: "x" })], { variables }), said)).toBeUndefined();
});

test("a server that an image brings along gives way to uvicorn", () => {
  const said = 'start app: program "gunicorn" was not found; is it among the app\'s requirements?';
  const told = "gunicorn is not among the app's requirements, so uvicorn is called in its place";
  expect(mended(project([finding("server", "gunicorn {app} --bind {host}:{port}")]), said)).toEqual([
    {},
    told,
  ]);
  expect(mended(project([finding("server", "hypercorn {app}")]), said)).toBeUndefined();
});

test("an old fastapi-cli gives way to the uvicorn that it calls", () => {
  const said = "start app: Usage: fastapi run [OPTIONS] [PATH]\nNo such option: --entrypoint";
  const told =
    "the app's fastapi-cli is too old to be told which app to run, so uvicorn is called, as it would do";
  expect(mended(project([finding("server", "fastapi")]), said)).toEqual([{}, told]);
  expect(mended(project([finding("server", "fastapi run main.py")]), said)).toBeUndefined();
  expect(mended(project([finding("server", "fastapi")]), "No such option: --other")).toBeUndefined();
});

test("an old uvicorn that cannot start the newest uvloop gets the usual loop", () => {
  const said =
    "start app: RuntimeError: There is no current event loop in thread 'MainThread'. (server exited)";
  const server =
    "uvicorn {app} --host {host} --port {port} --workers {workers} --no-access-log --loop asyncio";
  const told = "the app's uvicorn cannot start the uvloop that is here, so it gets asyncio's loop (`server`)";
  expect(mended(project([]), said)).toEqual([{ server }, told]);
  expect(mended(project([finding("server", "fastapi")]), said)).toBeUndefined();
});

test.for<readonly [what: string, paths: readonly string[], folder: string | undefined]>([
  ["a package beside the app's module", ["app/main.py", "app/api/routes.py"], "app"],
  ["a module, the nearest", ["deep/er/api.py", "lib/api.py"], "lib"],
  ["no Python", ["app/api/data.sql"], undefined],
  ["one in the project's folder", ["api/a.py"], undefined],
])("modules that are imported from another folder are found: %s", ([, paths, folder]) => {
  const files = paths.map((path) => ({ path, text: "" }));
  const said = "ModuleNotFoundError: No module named 'api.routes'";
  const told = `the app imports \`api\`, which lies in ${folder}, so PYTHONPATH names that folder`;
  const before = (findings: readonly FoundSetting[]) => project(findings, { files });
  expect(mended(before([]), said)).toEqual(folder && [{ "app-env": { PYTHONPATH: folder } }, told]);
  expect(mended(before([finding("app-env", { PYTHONPATH: "x" })]), said)).toBeUndefined();
});

test("a command finds the modules of the folder in which it runs", () => {
  const files = ["lib/api.py", "api/a.py"].map((path) => ({ path, text: "" }));
  const said = "seed: migrate-command \"alembic upgrade head\"\nModuleNotFoundError: No module named 'api'";
  expect(mended(project([], { files }), said)?.[0]).toEqual({ "app-env": { PYTHONPATH: "." } });
});

test.for<readonly [what: string, requirements: string, missing: string, code: string, style: unknown]>([
  ["psycopg 2 where 3 was asked for", "psycopg2-binary\n", "psycopg", "", "postgresql+psycopg2"],
  ["psycopg 3 where 2 was asked for", "psycopg[binary]\n", "psycopg2", "", "postgresql+psycopg"],
  [
    "asyncpg for an asynchronous engine",
    "asyncpg\npsycopg2\n",
    "psycopg",
    "create_async_engine(u)",
    "postgresql+asyncpg",
  ],
  ["psycopg 2 beside it", "asyncpg\npsycopg2\n", "psycopg", "create_engine(u)", "postgresql+psycopg2"],
  ["the only one that is there", "asyncpg\n", "psycopg2", "", "postgresql+asyncpg"],
  ["none that is there", "fastapi\n", "psycopg", "", undefined],
  ["no driver", "psycopg2\n", "numpy", "", undefined],
])("a URL gets a driver that is required: %s", ([, requirements, missing, code, style]) => {
  const files = [
    { path: "requirements.txt", text: requirements },
    { path: "db.py", text: code },
  ];
  const before = project([finding("database-variable", "DATABASE_URL")], { files });
  const said = `ModuleNotFoundError: No module named '${missing}'`;
  const after = mended(before, said);
  expect(after?.[0]).toEqual(
    style === undefined ? undefined : { "database-variable": "DATABASE_URL", "database-url-style": style },
  );
  const again = project([finding("database-variable", "U"), finding("database-url-style", String(style))], {
    files,
  });
  expect(mended(again, said)).toBeUndefined();
  expect(mended(project([], { files }), said)).toBeUndefined();
});

test.for<readonly [what: string, said: string, isTried: boolean]>([
  ["a name that is gone", "ImportError: cannot import name 'x' from 'y'", true],
  ["what Pydantic refuses", "pydantic.errors.PydanticUserError: `model_config` cannot be used", true],
  ["a worker that ends", "process worker ended (code 0) while the app ran", true],
  ["another driver of SQLAlchemy's", "ModuleNotFoundError: No module named 'psycopg'", true],
  ["a variable", "RuntimeError: SECRET is not set", false],
  ["what passlib bears", "AttributeError: module 'bcrypt' has no attribute '__about__'", false],
  ["another attribute that is gone", "AttributeError: module 'jose' has no attribute 'x'", true],
  ["an app of another framework", "TypeError: app:app has no OpenAPI document of its own", false],
  ["a worker process of the server", "worker process 7 of the server ended after it had become ready", false],
])("packages of the day of the requirements are tried after %s", ([, said, isTried]) => {
  const before = project([], { openRequirements: ["requirements.txt"], requiredOn: "2024-01-26" });
  const after = mend(before, said);
  expect(after?.project.findings).toEqual(
    isTried
      ? [
          {
            key: "exclude-newer",
            value: "2024-01-26",
            reason: "with newer packages it does not start; requirements.txt was last changed on that day",
          },
        ]
      : undefined,
  );
  const { requiredOn: _, ...rest } = before;
  expect(after?.otherwise).toEqual(isTried ? rest : undefined);
  expect(after && mend(after.project, said)).toBeUndefined();
});

test.for<readonly [requiredOn: string, day: string]>([
  ["2025-11-02", "2025-09-24"],
  ["2024-01-26", "2024-01-26"],
])("passlib gets a bcrypt that it knows, with requirements of %s", ([requiredOn, day]) => {
  const said =
    'File ".../passlib/handlers/bcrypt.py", line 655\nValueError: password cannot be longer than 72 bytes, truncate';
  const before = project([], { openRequirements: ["requirements.txt"], requiredOn });
  expect(mend(before, said)?.project.findings).toMatchObject([{ key: "exclude-newer", value: day }]);
  expect(mend(before, said.replace("passlib", "own"))).toBeUndefined();
});

test.for<readonly [processes: FoundSetting["value"], left: unknown]>([
  [{ worker: "celery worker" }, {}],
  [{ worker: "celery worker", mails: "arq mails" }, { processes: { mails: "arq mails" } }],
])("a process that ends by itself is left out of %j", ([processes, left]) => {
  const before = project([finding("processes", processes)]);
  expect(mended(before, "process worker ended (code 0) while the app ran")).toEqual([
    left,
    "the process worker ends here by itself and is left out of `processes`; write a command that works",
  ]);
  expect(mended(before, "process other ended (code 0) while the app ran")).toBeUndefined();
});

test.for([
  ["Config file '/srv/repo/src/app/core/../../.env' not found.", "src/.env"],
  ["[Errno 2] No such file or directory: '/srv/src/x/.env.local'", ".env.local"],
  ["[Errno 2] No such file or directory: 'conf/app.env'", "conf/app.env"],
  ["[Errno 2] No such file or directory: '.env'", ".env"],
  ["[Errno 2] No such file or directory: '/srv/repo/src/model.bin'", undefined],
] as const)("an environment file that the app opens is named: %s", ([said, place]) => {
  const paths = ["src/app/core/config.py", "src/app/main.py", "conf/x.py", "main.py"];
  const before = project([], { files: paths.map((path) => ({ path, text: "" })) });
  const [settings, told] = mended(before, `FileNotFoundError: ${said}`) ?? [];
  expect(settings).toEqual(place && { "env-file": place });
  if (place !== undefined)
    expect(told).toBe(
      `the app does not start without the file \`${place}\`, so it gets an empty one (\`env-file\`)`,
    );
  const again = project([finding("env-file", ".env")], { files: before.files });
  expect(mended(again, `FileNotFoundError: ${said}`)).toBeUndefined();
});

test("an app whose module no import can name has no function of its own", () => {
  const files = [{ path: "app/db.py", text: "def init_db():\n    create_all()\n" }];
  expect(ownTables(files, "my-app.main:app")).toBeUndefined();
});
