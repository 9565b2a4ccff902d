import { describe, expect, test } from "vitest";
import { readVariables } from "../../../src/adapters/python/index.ts";
import { chooseApps, placeApps } from "../../../src/init/read/apps.ts";
import { findProject, ownFiles } from "../../../src/init/read/repository.ts";
import { findRequirements } from "../../../src/init/read/requirements.ts";
import { findApps } from "../../../src/repository/apps.ts";

const fastapi = "from fastapi import FastAPI\n\napp = FastAPI()\n";
const signal = new AbortController().signal;
const pg = "fastapi\nuvicorn\npsycopg[binary]\n";

/** Keys and values that are found of the only app, without the app itself. */
async function found(
  files: Readonly<Record<string, string>>,
  presets?: readonly string[],
): Promise<Record<string, unknown>> {
  const { findings } = await projectOf(files, presets);
  return Object.fromEntries(
    findings.filter(({ key }) => key !== "app").map(({ key, value }) => [key, value]),
  );
}

async function projectOf(files: Readonly<Record<string, string>>, presets: readonly string[] = ["redis"]) {
  const all = Object.entries({ "main.py": fastapi, ...files }).map(([path, text]) => ({ path, text }));
  const apps = findApps(all);
  const [only] = placeApps(chooseApps(apps, { apps: [], appFolders: [] }));
  expect(apps).toHaveLength(1);
  const variables = await readVariables(ownFiles(only.app, all, apps), signal);
  return findProject(only, all, apps, variables, new Set(presets));
}

test.for<readonly [code: string, isTold: boolean]>([
  ['URL = "postgresql+asyncpg://me:secret@localhost/app"\n', true],
  ['URL = f"postgresql://{user}@{host}/app"\n', false],
  ["", false],
])("an address in the code is told, without its password: %s", async ([code, isTold]) => {
  const { lacks } = await projectOf({ "requirements.txt": "fastapi\nasyncpg\n", "db.py": code });
  expect(lacks).toEqual(isTold ? [expect.stringMatching(/^db\.py has the address .* in the code/)] : []);
  expect(lacks.join()).not.toContain("secret");
});

test("limits of requests are switched off, beside the variables that the app needs", async () => {
  const { findings } = await projectOf({
    "main.py": `import os\n${fastapi}key = os.environ["KEY"]\n`,
    "requirements.txt": "fastapi\nslowapi\n",
  });
  expect(findings.find(({ key }) => key === "app-env")).toEqual({
    key: "app-env",
    value: { KEY: "made-up-for-the-load-test-of-32-or-more", RATELIMIT_ENABLED: "false" },
    reason:
      "main.py requires them; the values are invented; RATELIMIT_ENABLED: a rate limit would refuse most of the load",
  });
});

test("mail is sent to nobody where the load test has no server for it", async () => {
  const { findings } = await projectOf({ "requirements.txt": "fastapi\nfastapi-mail\n" });
  expect(findings.find(({ key }) => key === "app-env")).toEqual({
    key: "app-env",
    value: { SUPPRESS_SEND: "1" },
    reason: "SUPPRESS_SEND: fastapi-mail connects to no mail server",
  });
  const served = {
    "requirements.txt": "fastapi\nfastapi-mail\n",
    "mail.py": 'import os\nos.environ["MAIL_SERVER"], os.environ["MAIL_PORT"]\n',
  };
  expect((await found(served, ["mailpit"]))["app-env"]).toBeUndefined();
});

test("what a committed file of variables gives the app by itself is not set again", async () => {
  const { findings } = await projectOf({
    "main.py": `import os\nfrom dotenv import load_dotenv\n${fastapi}load_dotenv()\na, b = os.environ["KEY"], os.environ["OTHER"]\n`,
    ".env": "KEY=1\n",
  });
  expect(findings.find(({ key }) => key === "app-env")?.value).toEqual({
    OTHER: "made-up-for-the-load-test",
  });
});

describe("how the environment is made", () => {
  test.for<readonly [expected: string | undefined, files: Record<string, string>]>([
    ["uv (uv.lock)", { "pyproject.toml": "[project]", "uv.lock": "" }],
    ["Poetry (poetry.lock)", { "pyproject.toml": "[tool.poetry]", "poetry.lock": "" }],
    ["PDM (pdm.lock)", { "pyproject.toml": "[project]", "pdm.lock": "", "requirements.txt": "" }],
    ["pip-tools (requirements.txt)", { "requirements.in": "", "requirements.txt": "" }],
    ["pip (requirements.txt)", { "requirements.txt": "", "pyproject.toml": "[tool.ruff]" }],
    [
      "pip (requirements.txt and pyproject.toml)",
      {
        "requirements.txt": "gunicorn\n",
        "pyproject.toml": '[project]\nname = "x"\ndependencies = [\n  "fastapi",\n]\n',
      },
    ],
    ["Pipenv (Pipfile.lock)", { Pipfile: "", "Pipfile.lock": "{}" }],
    ["pip (pyproject.toml)", { "pyproject.toml": "[project]\nname = 'x'\n" }],
    ["pip (pyproject.toml)", { "pyproject.toml": "[tool.poetry.dependencies]\nfastapi = '^0.78'\n" }],
    ["pip", {}],
    [undefined, { "setup.py": "" }],
  ])("is seen: %s", async ([expected, files]) => {
    expect((await projectOf(files)).installer).toBe(expected);
    expect((await found(files))["install"]).toBeUndefined();
  });

  test.for<readonly [command: string | undefined, code: string]>([
    ["pip install fastapi[standard]", fastapi],
    [
      "pip install fastapi[standard] sqlalchemy psycopg2-binary",
      `import psycopg2\nfrom sqlalchemy.orm import Session\nimport made_up_name\n${fastapi}`,
    ],
    [undefined, "from flask import Flask\napp = Flask()\n"],
  ])("is what the app imports, without any requirements: %s", async ([command, code]) => {
    const tests = { "tests/test_a.py": "import numpy\n" };
    const findings = await found({ "main.py": code, ...tests });
    expect(findings["install-command"]).toEqual(command && [command]);
    expect(findings["database-variable"] ?? findings["database"]).toBe(
      code.includes("psycopg2") ? "DATABASE_URL" : "none",
    );
  });

  test("is seen in the lock file of a workspace around it", async () => {
    const lock = '[[package]]\nname = "x"\nversion = "1"\nsource = { virtual = "api" }\n';
    const workspace = { "pyproject.toml": '[tool.uv.workspace]\nmembers = ["api"]\n', "uv.lock": lock };
    const member = { "main.py": "", "api/main.py": fastapi, "api/pyproject.toml": "[project]\nname = 'x'\n" };
    expect((await projectOf({ ...workspace, ...member })).installer).toBe("uv (uv.lock of the workspace)");
    const installers = await Promise.all(
      [{ "pyproject.toml": "" }, { "api/uv.lock": "" }].map(
        async (other) => (await projectOf({ ...workspace, ...member, ...other })).installer,
      ),
    );
    expect(installers).toEqual(["pip (pyproject.toml)", "uv (uv.lock)"]);
    expect((await projectOf({ "pyproject.toml": workspace["pyproject.toml"], ...member })).installer).toBe(
      "pip (pyproject.toml)",
    );
  });

  test.for<readonly [what: string, files: Record<string, string>, expected: string]>([
    ["a member", {}, "uv (uv.lock of the workspace)"],
    [
      "another spelling",
      { "pyproject.toml": "[tool.uv]\nworkspace = { members = ['*'] }\n" },
      "uv (uv.lock of the workspace)",
    ],
    ["no member", { "uv.lock": 'source = { virtual = "backend/other" }\n' }, "pip (requirements/prod.txt)"],
    ["no workspace", { "pyproject.toml": "[project]\n" }, "pip (requirements/prod.txt)"],
    [
      "a member of a nearer one",
      {
        "backend/pyproject.toml": "[tool.uv.workspace]\n",
        "backend/uv.lock": 'source = { editable = "api" }\n',
        "uv.lock": "",
      },
      "uv (uv.lock of the workspace)",
    ],
    [
      "no member of a nearer one",
      { "backend/pyproject.toml": "[tool.uv.workspace]\n", "backend/uv.lock": "" },
      "pip (requirements/prod.txt)",
    ],
  ])("is seen in a workspace's lock file that names it: %s", async ([, files, expected]) => {
    const usual = {
      "main.py": "",
      "pyproject.toml": "[tool.uv.workspace]\n",
      "uv.lock": 'source = { virtual = "backend/api" }\n',
      "backend/api/main.py": fastapi,
      "backend/api/pyproject.toml": "[tool.ruff]\n",
      "backend/api/requirements/prod.txt": "fastapi\n",
    };
    const { installer, findings } = await projectOf({ ...usual, ...files });
    expect(installer).toBe(expected);
    expect(findings.some(({ key }) => key === "install")).toBe(expected.startsWith("pip"));
  });

  test("is said where the program would not look, production's first", async () => {
    const files = { "requirements/dev.txt": "", "requirements/base.txt": "", "requirements/prod.txt": "" };
    expect(await found(files)).toMatchObject({ install: "requirements/prod.txt", database: "none" });
    const deeper = { "infra/requirements/base.txt": "", "infra/requirements/prod.txt": "fastapi\n" };
    const tools = { "pyproject.toml": "[tool.ruff]\n" };
    expect(await found({ ...tools, ...deeper })).toMatchObject({ install: "infra/requirements/prod.txt" });
    const stated = { "pyproject.toml": "[project]\ndependencies = ['fastapi']\n" };
    expect(await found({ ...stated, ...deeper })).not.toHaveProperty("install");
    const below = { "pyproject.toml": "", "api/setup.py": "", "api/main.py": fastapi, "main.py": "" };
    expect(await found({ ...below, "api/requirements-api.txt": "" })).toMatchObject({
      "working-directory": "api",
      install: "api/requirements-api.txt",
    });
  });
});

describe("the database", () => {
  test("of Tortoise has its own word for Postgres", async () => {
    const files = { "requirements.txt": "tortoise-orm\nasyncpg\n", "db.py": 'os.environ["DATABASE_URL"]\n' };
    expect(await found(files)).toMatchObject({ "database-url-style": "postgres" });
    const engine = { ...files, "other.py": "create_async_engine(url)\n" };
    expect(await found(engine)).toMatchObject({ "database-url-style": "postgresql+asyncpg" });
  });

  const settings = "class Settings(BaseSettings):\n    model_config = x(env_prefix='APP_')\n";
  test.for<readonly [what: string, files: Record<string, string>, expected: Record<string, unknown>]>([
    ["none without a driver", { "requirements.txt": "fastapi\nsqlalchemy\n" }, { database: "none" }],
    [
      "an extra of another package in a lock file is no driver",
      { "pyproject.toml": "[project]\ndependencies = ['fastapi']", "poetry.lock": 'postgres = ["asyncpg"]' },
      { database: "none" },
    ],
    [
      "a driver in a table of its own",
      { "pyproject.toml": "[tool.poetry.dependencies.psycopg]\nextras = ['binary']\n", "poetry.lock": "" },
      { "database-variable": "DATABASE_URL" },
    ],
    [
      "the usual variable",
      {
        "requirements.txt": pg,
        "db.py": "url = os.environ['DATABASE_URL']\nother = getenv('AUDIT_DB_URL', '')",
      },
      {
        "database-variable": "DATABASE_URL",
        "database-env": { AUDIT_DB_URL: "postgresql://{user}:{password}@{host}:{port}/{database}" },
      },
    ],
    [
      "a form that is written out somewhere",
      {
        "requirements.txt": pg,
        "db.py": "url = os.environ['DATABASE_URL'] # postgresql+psycopg://user@host/shop",
      },
      { "database-variable": "DATABASE_URL", "database-url-style": "postgresql+psycopg" },
    ],
    [
      "settings with mixed-in fields and a prefix, beside what only a newer Python can read",
      {
        "requirements.txt": pg,
        "mixed.py":
          "class Parts(BaseModel):\n    HOST: str\n    USER: str\n    PASSWORD: str\n    PORT: int\n",
        "a.py":
          "type Name[T] = list[T]\ndef load[S: BaseSettings](kind: type[S]) -> S: ...\nclass Own(BaseSettings, Parts):\n    model_config = usual | SettingsConfigDict(env_prefix='POSTGRES_')\n",
      },
      {
        "database-env": {
          POSTGRES_HOST: "{host}",
          POSTGRES_USER: "{user}",
          POSTGRES_PASSWORD: "{password}",
          POSTGRES_PORT: "{port}",
        },
      },
    ],
    [
      "names that are nearly its name",
      {
        "requirements.txt": pg,
        "a.py":
          "class Own(BaseSettings):\n    POSTGRE_HOST: str\n    POSTGRE_USER: str\n    POSTGRE_PASSWORD: str\n",
      },
      {
        "database-env": { POSTGRE_HOST: "{host}", POSTGRE_USER: "{user}", POSTGRE_PASSWORD: "{password}" },
      },
    ],
    [
      "no part but the port is a number",
      {
        "requirements.txt": pg,
        "a.py":
          "class Own(BaseSettings):\n    POSTGRES_HOST: str\n    POSTGRES_PORT: int\n    QUEUE_DB: int\n",
      },
      {
        "database-env": { POSTGRES_HOST: "{host}", POSTGRES_PORT: "{port}" },
        "app-env": { QUEUE_DB: "1" },
      },
    ],
    [
      "no part of it is a cache's",
      {
        "requirements.txt": pg,
        "a.py":
          "class Own(BaseSettings):\n    CACHE_DB: int\n    DB_HOST: str\n    DB_USER: str\n    DB_PASSWORD: str\n    DB_PORT: int\n",
      },
      {
        "database-env": {
          DB_HOST: "{host}",
          DB_USER: "{user}",
          DB_PASSWORD: "{password}",
          DB_PORT: "{port}",
        },
        "app-env": { CACHE_DB: "1" },
      },
    ],
    [
      "settings whose prefix has a name and a type",
      {
        "requirements.txt": pg,
        "a.py":
          "class Own(BaseSettings):\n    _prefix: ClassVar[str] = 'PG_'\n    model_config: ClassVar[X] = SettingsConfigDict(env_prefix=_prefix)\n    HOST: str\n    USER: str\n    PASSWORD: str\n    PORT: int\n",
      },
      {
        "database-env": {
          PG_HOST: "{host}",
          PG_USER: "{user}",
          PG_PASSWORD: "{password}",
          PG_PORT: "{port}",
        },
      },
    ],
    ...[
      "values = {**dict(os.environ)}\nown = Own(**values)\n",
      "own = Own(**os.environ)\n",
      "values = {k: v for k, v in os.environ.items()}\nown = Own(**values)\n",
    ].map((filled): readonly [string, Record<string, string>, Record<string, unknown>] => [
      `a model that is filled from all of the environment: ${filled}`,
      {
        "requirements.txt": pg,
        "a.py": `class Own(BaseModel):\n    DB_HOST: str\n    DB_USER: str\n    DB_PASSWORD: str\n    DB_PORT: int\n\n${filled}`,
      },
      {
        "database-env": {
          DB_HOST: "{host}",
          DB_USER: "{user}",
          DB_PASSWORD: "{password}",
          DB_PORT: "{port}",
        },
      },
    ]),
    [
      "parts, where a URL is empty unless somebody sets it",
      {
        "requirements.txt": pg,
        "a.py":
          "class Own(BaseSettings):\n    DB_URI: PostgresDsn | str = ''\n    DB_HOST: str\n    DB_USER: str\n    DB_PASSWORD: str\n    DB_PORT: int\n",
      },
      {
        "database-variable": undefined,
        "database-env": {
          DB_HOST: "{host}",
          DB_USER: "{user}",
          DB_PASSWORD: "{password}",
          DB_PORT: "{port}",
        },
      },
    ],
    [
      "settings, with a prefix, of an async engine",
      {
        "pyproject.toml": "[project]\ndependencies = ['sqlalchemy>=2', \"asyncpg\"]",
        "settings.py": `${settings}    pg_dsn: PostgresDsn\n    debug: bool = False\n\nx: int\n`,
        "db.py": "engine = create_async_engine(str(settings.pg_dsn))",
      },
      { "database-variable": "APP_PG_DSN", "database-url-style": "postgresql+asyncpg" },
    ],
    [
      "another engine's own variable",
      {
        "requirements.txt": `${pg}asyncpg\nsqlalchemy`,
        "db.py": "engine = create_async_engine(environ['DB_URL'])",
        "migrations/env.py": "create_engine(os.environ['ALEMBIC_URL'])",
      },
      {
        "database-variable": "DB_URL",
        "database-url-style": "postgresql+asyncpg",
        "database-env": { ALEMBIC_URL: "postgresql+psycopg://{user}:{password}@{host}:{port}/{database}" },
      },
    ],
    [
      "psycopg 3 by SQLAlchemy",
      { "requirements.txt": `${pg}sqlmodel`, "db.py": "create_engine(os.environ.get('DATABASE_URL'))" },
      { "database-variable": "DATABASE_URL", "database-url-style": "postgresql+psycopg" },
    ],
    [
      "psycopg 2 by SQLAlchemy, which is the usual form",
      { "requirements.txt": "psycopg2-binary\n", "db.py": "create_engine(config('DATABASE_URL'))" },
      { "database-variable": "DATABASE_URL" },
    ],
    [
      "pg8000",
      { "requirements.txt": "pg8000\n", "db.py": "create_engine(config('DB_DSN', cast=str))" },
      { "database-variable": "DB_DSN", "database-url-style": "postgresql+pg8000" },
    ],
    [
      "a form that an example states",
      {
        "requirements.txt": pg,
        ".env.example": "DSN=postgresql+psycopg_async://a:b@c/d",
        "a.py": "environ['DSN']",
      },
      { "database-variable": "DSN", "database-url-style": "postgresql+psycopg_async" },
    ],
    [
      "an app that changes the beginning by itself",
      {
        "requirements.txt": pg,
        "a.py": "create_engine(environ['DATABASE_URL'].replace('postgresql://', 'postgresql+psycopg://'))",
      },
      { "database-variable": "DATABASE_URL" },
    ],
    [
      "parts of an address",
      {
        "requirements.txt": pg,
        "a.py":
          "class S(BaseSettings):\n    POSTGRES_SERVER: str\n    POSTGRES_PORT: int = 5432\n    POSTGRES_USER: str\n    POSTGRES_PASSWORD: str = ''\n    POSTGRES_DB: str\n    POSTGRES_POOL: int = 5\n",
      },
      {
        "database-env": {
          POSTGRES_SERVER: "{host}",
          POSTGRES_PORT: "{port}",
          POSTGRES_USER: "{user}",
          POSTGRES_PASSWORD: "{password}",
          POSTGRES_DB: "{database}",
        },
      },
    ],
    [
      "parts of an address beside the choice of an engine",
      {
        "requirements.txt": pg,
        "a.py":
          "class S(BaseSettings):\n    DB: str = 'postgresql'\n    DB_HOST: str\n    DB_USER: str\n    DB_PASSWORD: str = 'mysql'\n    DB_NAME: str = 'postgres'\n",
      },
      {
        "database-env": {
          DB_HOST: "{host}",
          DB_USER: "{user}",
          DB_PASSWORD: "{password}",
          DB_NAME: "{database}",
        },
      },
    ],
    [
      "an address that only an example has, of a variable of any name",
      {
        "requirements.txt": `${pg}aiosqlite\n`,
        ".env.example": "STORE=postgresql+psycopg://a:b@c/d\n",
        "a.py":
          "class S(BaseSettings):\n    prefix: str = 'postgresql://'\n    store: str = ''\n    database: DatabaseSection = 1\n",
      },
      { "database-variable": "STORE", "database-url-style": "postgresql+psycopg" },
    ],
    [
      "addresses for other drivers and for tests, which the app requires",
      {
        "requirements.txt": "asyncpg\npsycopg[binary]\nsqlalchemy\n",
        "a.py":
          "create_async_engine(S().database_url)\nclass S(BaseSettings):\n    database_url: str\n    sync_database_url: str\n    test_database_url: str\n    celery_url: str\n",
      },
      {
        "app-env": { CELERY_URL: "http://127.0.0.1:1" },
        "database-variable": "DATABASE_URL",
        "database-url-style": "postgresql+asyncpg",
        "database-env": {
          SYNC_DATABASE_URL: "postgresql+psycopg://{user}:{password}@{host}:{port}/{database}",
          TEST_DATABASE_URL: "postgresql+asyncpg://{user}:{password}@{host}:{port}/{database}",
        },
      },
    ],
    [
      "parts of an address beside a URL that they make, and that each start has",
      {
        "requirements.txt": "asyncpg\nsqlalchemy\n",
        "a.py":
          "H = config('DB_HOST')\nU = config('DB_USER')\nP = config('DB_PASSWORD')\nURL = config('DATABASE_URL', default=f'postgresql+asyncpg://{U}:{P}@{H}/a')\n",
      },
      {
        "database-variable": "DATABASE_URL",
        "database-url-style": "postgresql+asyncpg",
        "database-env": { DB_HOST: "{host}", DB_USER: "{user}", DB_PASSWORD: "{password}" },
      },
    ],
    [
      "parts of an address, in other words",
      {
        "requirements.txt": pg,
        "a.py":
          "class S(BaseSettings):\n    db_address: str = 'a'\n    db_user: str = ''\n    db_password: str = ''\n    db_name: str = ''\n",
      },
      {
        "database-env": {
          DB_ADDRESS: "{host}",
          DB_USER: "{user}",
          DB_PASSWORD: "{password}",
          DB_NAME: "{database}",
        },
      },
    ],
    [
      "parts of an address, two of them in one",
      {
        "requirements.txt": pg,
        "a.py":
          "host = config('DATABASE_HOSTNAME')\nwho = config('DATABASE_CREDENTIALS', cast=Secret)\nbase = config('APP_DB_BASE', default='a')\n",
      },
      {
        "database-env": {
          DATABASE_HOSTNAME: "{host}",
          DATABASE_CREDENTIALS: "{user}:{password}",
          APP_DB_BASE: "{database}",
        },
      },
    ],
    [
      "parts beside a URL that may take their place, and a switch from SQLite",
      {
        "requirements.txt": pg,
        "a.py":
          "class S(BaseSettings):\n    DB_ENGINE: str = 'sqlite'\n    POSTGRES_SERVER: str = 'db'\n    POSTGRES_USER: str = 'a'\n    POSTGRES_PASSWORD: str = 'a'\n    POSTGRES_DB: str = 'a'\n    POSTGRES_URL: str | None = None\nif s.DB_ENGINE == 'postgres': ...",
      },
      {
        "database-env": {
          POSTGRES_SERVER: "{host}",
          POSTGRES_USER: "{user}",
          POSTGRES_PASSWORD: "{password}",
          POSTGRES_DB: "{database}",
          DB_ENGINE: "postgres",
        },
      },
    ],
    [
      "parts and a URL, both of which are read, each in its form",
      {
        "requirements.txt": `${pg}asyncpg`,
        ".env.example": "DATABASE_URL=postgresql://a\nASYNC_DATABASE_URL=postgresql+asyncpg://a\n",
        "a.py":
          "class S(BaseSettings):\n    DATABASE_URL: PostgresDsn\n    ASYNC_DATABASE_URL: PostgresDsn\n    PG_HOST: str\n    PG_USER: str\n    PG_PASSWORD: str\n",
      },
      {
        "database-variable": "DATABASE_URL",
        "database-env": {
          ASYNC_DATABASE_URL: "postgresql+asyncpg://{user}:{password}@{host}:{port}/{database}",
          PG_HOST: "{host}",
          PG_USER: "{user}",
          PG_PASSWORD: "{password}",
        },
      },
    ],
    ["another database", { "requirements.txt": "fastapi\nmotor\n" }, { database: "none" }],
    ["MySQL without its program", { "requirements.txt": "fastapi\naiomysql\n" }, { database: "none" }],
    ["nothing that names it", { "requirements.txt": pg }, { "database-variable": "DATABASE_URL" }],
  ])("%s", async ([, files, expected]) => {
    expect(await found(files)).toEqual(expected);
  });
});

describe("what fills it", () => {
  const code = { "requirements.txt": `${pg}alembic\ndjango\n` };
  test.for<readonly [what: string, files: Record<string, string>, expected: Record<string, unknown>]>([
    ["Alembic", { "alembic.ini": "" }, { "migrate-command": "alembic upgrade head" }],
    [
      "Alembic elsewhere",
      { "db/alembic.ini": "" },
      { "migrate-command": "alembic --config db/alembic.ini upgrade head" },
    ],
    ["Django", { "manage.py": "" }, { "migrate-command": "python manage.py migrate --no-input" }],
    ["Aerich", { "pyproject.toml": "[tool.aerich]\n" }, { "migrate-command": "aerich upgrade" }],
    [
      "Alembic whose settings nobody committed",
      {
        "moves/env.py":
          "async_engine_from_config(a)\nfileConfig(config.config_file_name)\ncontext.configure()\n",
        "moves/versions/1.py": "",
      },
      {
        "migrate-command": expect.stringMatching(
          /fileConfig = lambda .*'script_location', 'moves'.*'sqlalchemy\.url', os\.environ\['ALEMBIC_URL'\]/,
        ),
        "database-env": { ALEMBIC_URL: "postgresql+asyncpg://{user}:{password}@{host}:{port}/{database}" },
      },
    ],
    ...(
      [
        ["asyncpg", "postgresql+asyncpg", "?async_fallback=True"],
        ["psycopg", "postgresql+psycopg", ""],
        ["psycopg2-binary", "postgresql", ""],
      ] as const
    ).map(([driver, style, end]): [string, Record<string, string>, Record<string, unknown>] => [
      `the same for an engine that is not asynchronous, by ${driver}`,
      {
        "requirements.txt": `fastapi\nuvicorn\nalembic\n${driver}\n`,
        "moves/env.py": "engine_from_config(a)\ncontext.configure()\n",
        "moves/versions/1.py": "",
      },
      {
        "migrate-command": expect.stringContaining("command.upgrade(settings, 'heads')"),
        "database-env": { ALEMBIC_URL: `${style}://{user}:{password}@{host}:{port}/{database}${end}` },
      },
    ]),
    [
      "Aerich with migrations",
      {
        "pyproject.toml": '[tool.aerich]\ntortoise_orm = "app.db.ORM"\nlocation = "./moves"\n',
        "moves/models/0_init.py": "",
      },
      { "migrate-command": "aerich upgrade" },
    ],
    [
      "Aerich without",
      { "pyproject.toml": '[tool.aerich]\ntortoise_orm = "app.db.ORM"\nlocation = "./moves"\n' },
      { "migrate-command": expect.stringContaining("from app.db import ORM;") },
    ],
    ...[
      'parser.add_argument("op", choices=["drop", "seed"])',
      'commands.add_parser("seed")',
      '@cli.command("seed")',
      "@app.command()\ndef seed():",
    ].map((code): [string, Record<string, string>, Record<string, string>] => [
      `a program whose command is seed: ${code}`,
      { "manage_db.py": `${code}\nif __name__ == "__main__":` },
      { "seed-command": "python -m manage_db seed" },
    ]),
    [
      "SQL files, data last",
      {
        "db/data.sql": "INSERT INTO a VALUES (1)",
        "db/schema.sql": "-- a\nCREATE TABLE a ()",
        "db/queries/x.sql": "INSERT INTO b",
        "db/mysql/data.sql": "INSERT INTO a VALUES (1)",
        "db/read.sql": "SELECT 1",
      },
      { seed: ["db/schema.sql", "db/data.sql"] },
    ],
    [
      "numbered SQL files",
      { "sql/02-data.sql": "INSERT INTO a VALUES (1)", "sql/01-tables.sql": "CREATE TABLE a ()" },
      { seed: ["sql/01-tables.sql", "sql/02-data.sql"] },
    ],
    [
      "data alone beside migrations",
      { "alembic.ini": "", "schema.sql": "CREATE TABLE a ()", "seed.sql": "COPY a FROM b" },
      { "migrate-command": "alembic upgrade head", seed: ["seed.sql"] },
    ],
    [
      "too many SQL files to guess",
      Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`v${n}.sql`, "CREATE TABLE a ()"])),
      {},
    ],
    [
      "a module",
      { "src/shop/seed_items.py": "if __name__ == '__main__': pass" },
      { "seed-command": "python -m shop.seed_items" },
    ],
    [
      "a script",
      { "my-scripts/seed.py": "if __name__ == '__main__': pass" },
      { "seed-command": "python my-scripts/seed.py" },
    ],
    [
      "a module that sets the database up, with rows",
      {
        "scripts/init_db.py": "INSERT INTO users\nif __name__ == '__main__': pass",
        "scripts/setup.py": "Base.metadata.create_all()\nif __name__ == '__main__': pass",
      },
      { "seed-command": "python -m scripts.init_db" },
    ],
    [
      "a program that a script starts after the migrations",
      {
        "app/setup/rows.py": "if __name__ == '__main__': pass",
        "app/setup/wait.py": "if __name__ == '__main__': pass",
        "app/first.py": "if __name__ == '__main__': pass",
        "prestart.sh":
          "python app/first.py\nalembic upgrade head\npython ./app/setup/wait.py\npython app/setup/rows.py\n",
      },
      { "seed-command": "python -m app.setup.rows" },
    ],
    [
      "a module that a script starts after the migrations",
      {
        "app/__main__.py": "if __name__ == '__main__': pass",
        "app/serve.py": "uvicorn.run(\n  'app.main:app')\nif __name__ == '__main__': pass",
        "start.sh":
          "alembic upgrade head && exec python3 -m app\n# python -m app.none\npython -m app.serve\n",
      },
      { "seed-command": "python -m app.__main__" },
    ],
    [
      "modules that make what comes first",
      {
        "src/scripts/create_first_tier.py": "if __name__ == '__main__': pass",
        "src/scripts/create_first_superuser.py": "if __name__ == '__main__': pass",
      },
      {
        "seed-command": ["python -m scripts.create_first_superuser", "python -m scripts.create_first_tier"],
      },
    ],
    [
      "Alembic with its scripts beside its file",
      {
        "src/alembic.ini": "script_location = migrations\n",
        "src/migrations/env.py": "context.configure()\nsettings.url",
      },
      {
        "migrate-command":
          "python -c \"import os; os.chdir('src'); from alembic.config import main; main(['upgrade', 'heads'])\"",
      },
    ],
    [
      "Alembic with an address of its own",
      {
        "db/alembic.ini": "script_location = migrations\nsqlalchemy.url = postgresql://a@b/c\n",
        "db/migrations/env.py": "context.configure(connection)",
      },
      {
        "migrate-command":
          "python -c \"import os; os.chdir('db'); from alembic import command, config; settings = config.Config('alembic.ini'); settings.set_main_option('sqlalchemy.url', os.environ['ALEMBIC_URL'].replace('%', '%%')); command.upgrade(settings, 'heads')\"",
        "database-env": { ALEMBIC_URL: "postgresql://{user}:{password}@{host}:{port}/{database}" },
      },
    ],
    [
      "Alembic with an address of its own, where one looks for it",
      {
        "alembic.ini": "script_location = migrations\nsqlalchemy.url = postgresql://a@b/c\n",
        "migrations/env.py": "context.configure(connection)",
      },
      {
        "migrate-command":
          "python -c \"import os; from alembic import command, config; settings = config.Config('alembic.ini'); settings.set_main_option('sqlalchemy.url', os.environ['ALEMBIC_URL'].replace('%', '%%')); command.upgrade(settings, 'heads')\"",
        "database-env": { ALEMBIC_URL: "postgresql://{user}:{password}@{host}:{port}/{database}" },
      },
    ],
    [
      "Alembic with an address in its code, beside an app that puts its own together",
      {
        "alembic.ini": "script_location = migrations\n",
        "migrations/env.py":
          'context.configure(c)\nasync_engine_from_config\nconfig.set_main_option("sqlalchemy.url", "sqlite:///x")',
        "settings.py": 'import os\nos.environ["DB_HOST"], os.environ["DB_USER"], os.environ["DB_PASSWORD"]\n',
      },
      {
        "database-variable": undefined,
        "database-env": {
          DB_HOST: "{host}",
          DB_USER: "{user}",
          DB_PASSWORD: "{password}",
          ALEMBIC_URL: "postgresql+asyncpg://{user}:{password}@{host}:{port}/{database}",
        },
        "migrate-command":
          "python -c \"import os; from alembic import command, config; settings = config.Config('alembic.ini'); settings.set_main_option('sqlalchemy.url', os.environ['ALEMBIC_URL'].replace('%', '%%')); settings.set_main_option = lambda *each: None; command.upgrade(settings, 'heads')\"",
      },
    ],
    [
      "no module that takes a seed away",
      { "scripts/cleanup_seeds.py": "if __name__ == '__main__': pass" },
      {},
    ],
    ["no module that cannot be run", { "seed.py": "def seed(): pass" }, {}],
  ])("%s", async ([, files, expected]) => {
    expect(await found({ ...code, ...files })).toEqual({ "database-variable": "DATABASE_URL", ...expected });
  });

  test("is named from the repository, and run in the app's folder", async () => {
    const files = {
      "api/requirements.txt": pg,
      "api/main.py": fastapi,
      "main.py": "",
      "other.sql": "CREATE TABLE",
    };
    const data = { "api/db.sql": "CREATE TABLE a ()", "api/seed.py": "if __name__ == '__main__': pass" };
    expect(await found({ ...files, ...data })).toMatchObject({
      "working-directory": "api",
      seed: ["api/db.sql"],
      "seed-command": "python -m seed",
    });
  });
});

test("a Redis of its own takes the place of a variable that is needed", async () => {
  const code = `${fastapi}import os\nos.environ["REDIS_URL"], os.environ["MODE"]\n`;
  expect(await found({ "requirements.txt": "fastapi\nredis\n", "main.py": code })).toMatchObject({
    services: { redis: { "app-env": { REDIS_URL: "{url}" } } },
    "app-env": { MODE: "made-up-for-the-load-test" },
  });
});

const revision = { "migrations/versions/1.py": 'revision = "1"\n', "alembic.ini": "[alembic]\n" };
test.for<readonly [what: string, files: Record<string, string>, expected: Record<string, unknown>]>([
  ["a file in code", { "db.py": 'URL = "sqlite:///./app.db"\n' }, { database: "sqlite" }],
  ["a name in a text", { "db.py": 'URL = f"sqlite:///{name}"\n' }, { database: "sqlite" }],
  ["a driver's own call", { "db.py": 'sqlite3.connect("app.db")\n' }, { database: "sqlite" }],
  ["Tortoise's form", { "db.py": 'URL = "sqlite://db.sqlite3"\n' }, { database: "sqlite" }],
  [
    "an example of the variables",
    { ".env.example": "DATABASE_URL=sqlite:///./app.db\n", "db.py": 'os.environ["DATABASE_URL"]\n' },
    { database: "sqlite", "app-env": { DATABASE_URL: "sqlite:///./app.db" } },
  ],
  [
    "an example of a field whose default is empty",
    {
      "requirements.txt": "sqlalchemy\n",
      ".env.example": "DATABASE_URL=sqlite:///./app.db\n",
      "db.py": 'class Own(BaseSettings):\n    Database_url: str = ""\n',
    },
    { database: "sqlite", "app-env": { DATABASE_URL: "sqlite:///./app.db" } },
  ],
  [
    "migrations, and a module that fills it",
    {
      ...revision,
      "requirements.txt": "fastapi\nalembic\n",
      "db.py": 'URL = "sqlite:///./app.db"\n',
      "seed.py": "if __name__ == '__main__': ...\n",
      "data.sql": "INSERT INTO a VALUES (1)",
    },
    { database: "sqlite", "migrate-command": "alembic upgrade head", "seed-command": "python -m seed" },
  ],
  [
    "migrations with an address of their own",
    {
      ...revision,
      "requirements.txt": "fastapi\nalembic\n",
      "alembic.ini": "[alembic]\nscript_location = migrations\nsqlalchemy.url = sqlite:///app.db\n",
      "migrations/env.py": "context.configure(c)\nengine_from_config\n",
    },
    { database: "sqlite", "migrate-command": "alembic upgrade head" },
  ],
  [
    "nothing but a variable that must be set",
    { "requirements.txt": "fastapi\nsqlalchemy\n", "db.py": 'create_engine(os.environ["DATABASE_URL"])\n' },
    { database: "sqlite", "app-env": { DATABASE_URL: "sqlite:///./loadtest.db" } },
  ],
  [
    "the same for asynchronous engines",
    { "requirements.txt": "sqlmodel\naiosqlite\n", "db.py": 'os.environ["DB_URL"]\n' },
    { database: "sqlite", "app-env": { DB_URL: "sqlite+aiosqlite:///./loadtest.db" } },
  ],
  [
    "a driver of nothing else, in an app whose library names the file",
    { "requirements.txt": "fastapi\nsome-admin\naiosqlite\n", "a.py": "import some_admin\n" },
    { database: "sqlite" },
  ],
  [
    "the same for Tortoise",
    { "requirements.txt": "tortoise-orm\n", "db.py": 'os.environ["DATABASE_URL"]\n' },
    { database: "sqlite", "app-env": { DATABASE_URL: "sqlite://loadtest.db" } },
  ],
  [
    "a driver for Postgres that no code has use for",
    { "requirements.txt": pg, "db.py": 'URL = "sqlite:///./app.db"\n' },
    { database: "sqlite" },
  ],
  [
    "Postgres, with a file by default",
    { "requirements.txt": pg, "db.py": 'os.getenv("DATABASE_URL", "sqlite:///./app.db")\n' },
    { "database-variable": "DATABASE_URL" },
  ],
  [
    "variables of another database, in code that knows no Postgres",
    {
      "requirements.txt": "fastapi\npsycopg2\nmysqlclient\n",
      "db.py":
        'class S(BaseSettings):\n    database_hostname: str = "a"\nA = "sqlite:///./a.db"\nB = "mysql://b"\n',
    },
    { database: "sqlite" },
  ],
  ["the memory only", { "db.py": 'URL = "sqlite://"\nOTHER = "sqlite:///:memory:"\n' }, { database: "none" }],
  ["a place elsewhere", { "db.py": 'URL = "sqlite:////data/app.db"\n' }, { database: "none" }],
  [
    "tests only",
    { "tests/db.py": 'URL = "sqlite:///./t.db"', "conftest.py": '"sqlite:///t"' },
    { database: "none" },
  ],
])("SQLite: %s", async ([, files, expected]) => {
  const all = await found({ "requirements.txt": "fastapi\n", ...files });
  expect(all).toMatchObject(expected);
  expect(
    Object.keys(all)
      .filter((key) => /^(?:database|migrate|seed|app-env)/.test(key))
      .toSorted(),
  ).toEqual(Object.keys(expected).toSorted());
});

test("a secret without a default is made up, and so is a number; other things are nothing", async () => {
  const code =
    'os.getenv("JWT_SECRET")\nos.environ.get("ALGORITHM")\nint(os.getenv("TOKEN_MINUTES"))\nint(os.getenv("SIZE", 5))\nos.getenv("SENTRY_DSN")\nos.getenv("SECRET", "s")\n';
  expect(await found({ "requirements.txt": "fastapi\n", "auth.py": code })).toMatchObject({
    "app-env": {
      JWT_SECRET: "made-up-for-the-load-test-of-32-or-more",
      ALGORITHM: "HS256",
      TOKEN_MINUTES: "3600",
    },
  });
  const { variables } = await projectOf({ "requirements.txt": "fastapi\n", "auth.py": code });
  expect(variables.filter(({ isNeeded }) => isNeeded).map(({ name }) => name)).toEqual(["TOKEN_MINUTES"]);
});

test("decouple's names may be in small letters, others' may not", async () => {
  const code = "config('secret')\nconfig('algorithm', default='HS256')\n";
  const named = async (text: string) => {
    const { variables } = await projectOf({ "requirements.txt": "fastapi\n", "auth.py": text });
    return variables.map(({ name, isNeeded }) => [name, isNeeded]);
  };
  expect(await named(`from decouple import config\n${code}`)).toEqual([
    ["secret", true],
    ["algorithm", false],
  ]);
  expect(await named(code)).toEqual([]);
  const renamed = "from decouple import config as read\nread('DB_URL')\nother('DB_NAME')\n";
  expect(await named(renamed)).toEqual([["DB_URL", true]]);
});

test("an alembic.ini with several sections has a command for each", async () => {
  const files = {
    "requirements.txt": `${pg}alembic\n`,
    "alembic.ini":
      "[alembic]\nfile_template = x\n[core]\nscript_location = core\n[tenant]\nscript_location = tenant\n",
    "core/env.py": "context.configure(c)\n",
    "core/versions/1.py": 'revision = "1"\n',
  };
  expect(await found(files)).toMatchObject({
    "migrate-command": ["alembic --name core upgrade head", "alembic --name tenant upgrade head"],
  });
});

test("a default may be in the type that hides it", async () => {
  const code =
    "class S(BaseSettings):\n    a: SecretStr = SecretStr('admin')\n    b: X = SecretStr('1', '2')\n    c: X = Other('3')\n";
  const { variables } = await projectOf({ "requirements.txt": "fastapi\n", "settings.py": code });
  expect(variables.map(({ name, value }) => [name, value])).toEqual([
    ["A", "admin"],
    ["B", undefined],
    ["C", undefined],
  ]);
});

test("the first user's name may begin with an underscore, and no variable sets it", async () => {
  const code = "class S(BaseSettings):\n    _DEFAULT_EMAIL: str = 'a@b.c'\n    _OTHER: str\n    TITLE: str\n";
  const { variables, findings } = await projectOf({ "requirements.txt": "fastapi\n", "settings.py": code });
  expect(variables.map(({ name, isNeeded, value }) => [name, isNeeded, value])).toEqual([
    ["_DEFAULT_EMAIL", false, "a@b.c"],
    ["_OTHER", false, undefined],
    ["TITLE", true, undefined],
  ]);
  expect(findings.find(({ key }) => key === "app-env")?.value).toEqual({
    TITLE: "made-up-for-the-load-test",
  });
});

test("of several apps each has a name, its own files, and paths from its own folder", async () => {
  const sql = "CREATE TABLE a ()";
  const all = Object.entries({
    "main.py": `${fastapi}import os\nos.environ["SECRET"]\n`,
    "requirements.txt": "fastapi\n",
    "api/main.py": fastapi,
    "api/setup.py": "",
    "api/requirements-api.txt": pg,
    "api/db.sql": sql,
    "api/admin/setup.py": "",
    "api/admin/main.py": fastapi,
    "api/admin/admin.sql": sql,
    "apis/other.sql": sql,
  }).map(([path, text]) => ({ path, text }));
  const apps = findApps(all);
  const folders = ["api/admin", "api", "."];
  const projects = await Promise.all(
    placeApps(chooseApps(apps, { apps: [], appFolders: folders })).map(async (each) =>
      findProject(
        each,
        all,
        apps,
        await readVariables(ownFiles(each.app, all, apps), signal),
        new Set(["redis"]),
      ),
    ),
  );
  const said = projects.map(({ findings }) =>
    Object.fromEntries(findings.map(({ key, value }) => [key, value])),
  );
  expect(said).toEqual([
    { name: "admin", app: "main:app", install: "../../requirements.txt", database: "none" },
    {
      name: "api",
      app: "main:app",
      install: "requirements-api.txt",
      "database-variable": "DATABASE_URL",
      seed: ["db.sql"],
    },
    {
      name: "main",
      app: "main:app",
      database: "none",
      "app-env": { SECRET: "made-up-for-the-load-test-of-32-or-more" },
    },
  ]);
  expect(projects.map(({ files }) => files.map(({ path }) => path))).toEqual([
    ["setup.py", "main.py", "admin.sql"],
    ["main.py", "setup.py", "requirements-api.txt", "db.sql"],
    ["main.py", "requirements.txt", "apis/other.sql"],
  ]);
});

describe("the server", () => {
  const gunicornWith = (options: string, text: string) => ({
    ...{ "requirements.txt": "gunicorn\nuvicorn", Procfile: `web: gunicorn ${options} a:b` },
    "gunicorn.conf.py": text,
  });
  test.for<readonly [expected: string | undefined, files: Record<string, string>]>([
    [undefined, { "requirements.txt": "uvicorn\ngunicorn" }],
    [undefined, { "requirements.txt": "fastapi[standard]" }],
    ["hypercorn", { "requirements.txt": "hypercorn" }],
    ["granian", { "requirements.txt": "granian" }],
    ["fastapi", { "requirements.txt": "fastapi-cli" }],
    ["gunicorn", { "requirements.txt": "uvicorn-worker\ngunicorn\nuvicorn", Procfile: "web: gunicorn a:b" }],
    [
      "gunicorn",
      {
        "requirements.txt": "uvicorn-worker\ngunicorn\nuvicorn",
        Procfile: "web: gunicorn -k uvicorn_worker.UvicornWorker a:b",
      },
    ],
    [
      "gunicorn {app} --bind {host}:{port} --workers {workers} --worker-class uvicorn.workers.UvicornWorker",
      {
        "requirements.txt": "gunicorn\nuvicorn",
        "start.sh": "exec gunicorn main:app -k uvicorn.workers.UvicornWorker",
      },
    ],
    [
      "gunicorn {app} --bind {host}:{port} --workers {workers}",
      { "requirements.txt": "gunicorn", "main.py": "app = Flask(__name__)" },
    ],
    [
      "gunicorn {app} --bind {host}:{port} --workers {workers} --worker-class uvicorn.workers.UvicornWorker --max-requests 0",
      {
        "requirements.txt": "gunicorn\nuvicorn",
        Procfile: "web: gunicorn a:b",
        "gunicorn.conf.py": "max_requests = 1000\nmax_requests_jitter = 50\n",
      },
    ],
    [
      "gunicorn",
      {
        "requirements.txt": "uvicorn-worker\ngunicorn\nuvicorn",
        Procfile: "web: gunicorn a:b",
        "gunicorn.conf.py": "# max_requests = 1000\nmax_requests_jitter = 50\nmax_requests = 0\n",
      },
    ],
    ...(
      [
        ["asgi", { "requirements.txt": "fastapi[standard]\ngunicorn", Procfile: "web: gunicorn a:b" }],
        ["asgi", { "requirements.txt": "fastapi\ngunicorn" }],
        ["asgi", { "requirements.txt": "gunicorn\nuvicorn", Procfile: "web: gunicorn -k asgi a:b" }],
        ["asgi", { Dockerfile: 'CMD ["gunicorn", "--worker-class", "asgi", "a:b"]' }],
        ["asgi", { Dockerfile: 'CMD gunicorn a:b --worker-class="asgi"' }],
        ["a.b.Own", { "start.sh": "gunicorn -c conf/web.py a:b", "conf/web.py": "worker_class = 'a.b.Own'" }],
        ["asgi", { "requirements.txt": "gunicorn\nuvicorn", "gunicorn.conf.py": 'worker_class = "asgi"' }],
        // Neither is known before it runs.
        ["uvicorn.workers.UvicornWorker", gunicornWith("-k $CLASS", "worker_class = os.environ['A']")],
        ["uvicorn.workers.UvicornWorker", gunicornWith("-c python:a.b", "# worker_class = 'asgi'")],
      ] satisfies [string, Record<string, string>][]
    ).map(([kind, files]): [string, Record<string, string>] => [
      `gunicorn {app} --bind {host}:{port} --workers {workers} --worker-class ${kind}`,
      files,
    ]),
    [
      "hypercorn {app} --bind {host}:{port} --workers {workers} --worker-class uvloop",
      { Procfile: "web: hypercorn a:b -k uvloop" },
    ],
    ["fastapi", { Dockerfile: 'FROM python\nRUN pip install gunicorn\nCMD ["fastapi", "run", "a.py"]' }],
    [undefined, { Dockerfile: "FROM python\n# hypercorn\n" }],
  ])("is %s", async ([expected, files]) => {
    expect((await found(files))["server"]).toBe(expected);
  });
});

test("variables that the app cannot do without get some value", async () => {
  const code = `
class Settings(pydantic_settings.BaseSettings):
    secret_key: str
    limit: int
    debug: bool = Field(...)
    mail: EmailStr
    hosts: list[str]
    redis_url: RedisUrl
    name: str = "shop"
    kind: str = Field("a", alias="KIND")
    size: int = Field(default=1)
    token: str = Field(validation_alias="API_TOKEN")

    def nothing(self) -> None: ...
SMTP_PORT = environ["SMTP_PORT"]
region = os.getenv("REGION")
region = env.str("REGION")
scale = environ["LOADTEST_SCALE"]
`;
  expect(await found({ "requirements.txt": "fastapi", "settings.py": code })).toEqual({
    database: "none",
    "app-env": {
      SECRET_KEY: "made-up-for-the-load-test-of-32-or-more",
      LIMIT: "1",
      DEBUG: "false",
      MAIL: "user@example.com",
      HOSTS: "[]",
      REDIS_URL: "redis://127.0.0.1:6379/0",
      API_TOKEN: "made-up-for-the-load-test-of-32-or-more",
      SMTP_PORT: "1",
      REGION: "made-up-for-the-load-test",
    },
  });
});

test.for<readonly [what: string, code: string, isRead: boolean]>([
  ["a library's own settings of the same name", "class Settings(admin.Settings):\n    shop_key: str\n", true],
  ["settings of another name", "class Own(AdminSettings):\n    shop_key: str\n", true],
  [
    "settings of this repository that read nothing",
    "class AdminSettings:\n    a = 1\nclass Own(AdminSettings):\n    shop_key: str\n",
    false,
  ],
])("variables of %s", async ([, code, isRead]) => {
  const { "app-env": env } = await found({ "requirements.txt": "fastapi", "settings.py": code });
  expect(Object.keys(Object(env))).toEqual(isRead ? ["SHOP_KEY"] : []);
});

describe("MySQL", () => {
  const my = "fastapi\npymysql\n";
  const engine = "from sqlalchemy import create_engine\n";
  test.for<readonly [what: string, files: Record<string, string>, expected: Record<string, unknown>]>([
    [
      "two addresses",
      {
        "requirements.txt": my,
        "db.py": `${engine}class S(BaseSettings):\n    writer_db_url: str = "mysql+pymysql://a@b/c"\n    reader_db_url: str = "mysql+pymysql://a@b/c"\n`,
      },
      {
        "database-variable": "WRITER_DB_URL",
        "database-url-style": "mysql+pymysql",
        "database-env": { READER_DB_URL: "mysql+pymysql://{user}:{password}@{host}:{port}/{database}" },
      },
    ],
    [
      "an address with a default",
      {
        "requirements.txt": my,
        "db.py": `${engine}import os\ncreate_engine(os.getenv("GUESTS_URL_DB"), 1)\nclass S(BaseSettings):\n    db_url: str = "mysql+pymysql://a@b/c"\n`,
      },
      { "database-variable": "DB_URL", "database-url-style": "mysql+pymysql" },
    ],
    [
      "an address without one, for another driver",
      {
        "requirements.txt": "fastapi\nasyncmy\n",
        "db.py": 'import os\ncreate_async_engine(os.environ["DATABASE_URL"])\nos.getenv("OTHER_DB_URL")\n',
      },
      { "database-variable": "DATABASE_URL", "database-url-style": "mysql+asyncmy" },
    ],
    [
      "an address that is needed, before others",
      {
        "requirements.txt": my,
        "db.py": 'import os\nos.getenv("OTHER_DB_URL")\nos.environ["MAIN_DB_URL"]\n',
      },
      { "database-variable": "MAIN_DB_URL" },
    ],
    [
      "parts of an address",
      {
        "requirements.txt": "fastapi\naiomysql\n",
        "db.py":
          'import os\nfor name in ():\n    pass\nos.environ["MYSQL_HOST"]\nos.environ["MYSQL_USER_NAME"]\nos.environ["MYSQL_PASSWORD"]\nos.environ["MYSQL_ROOT_PASSWORD"]\n',
      },
      {
        "database-env": { MYSQL_HOST: "{host}", MYSQL_USER_NAME: "{user}", MYSQL_PASSWORD: "{password}" },
        "app-env": { MYSQL_ROOT_PASSWORD: expect.any(String) },
      },
    ],
    [
      "both",
      {
        "requirements.txt": my,
        "db.py": 'import os\nos.environ["MYSQL_URL"]\nos.environ["MYSQL_HOST"]\n',
      },
      { "database-variable": "MYSQL_URL", "database-env": { MYSQL_HOST: "{host}" } },
    ],
    ["nothing that names it", { "requirements.txt": my }, { "database-variable": "DATABASE_URL" }],
    [
      "migrations with a fixed address, and no SQL files",
      {
        "requirements.txt": `${my}alembic\n`,
        "alembic.ini": "[alembic]\nscript_location = m\nsqlalchemy.url = mysql+pymysql://a@b/c\n",
        "m/env.py": "from alembic import context\ncontext.configure()\nengine_from_config(config)\n",
        "data.sql": "INSERT INTO a VALUES (1)",
      },
      {
        "database-variable": "DATABASE_URL",
        "database-url-style": "mysql+pymysql",
        "database-env": { ALEMBIC_URL: "mysql+pymysql://{user}:{password}@{host}:{port}/{database}" },
        "migrate-command": expect.stringContaining("command.upgrade(settings, 'heads')"),
      },
    ],
  ])("%s", async ([, files, expected]) => {
    expect(await found(files, ["mysql"])).toEqual({ database: "mysql", ...expected });
  });

  test("only a file of SQLite", async () => {
    const files = { "requirements.txt": my, "db.py": 'A = "sqlite:///./a.db"\n' };
    expect(await found(files, ["mysql"])).toEqual({ database: "sqlite" });
    const both = { ...files, ".env.example": "DB_URL=mysql://a@b/c\n" };
    expect(await found(both, ["mysql"])).toMatchObject({ database: "mysql" });
  });

  test("that cannot be started here is told, with its package", async () => {
    const { lacks } = await projectOf({ "requirements.txt": my });
    expect(lacks).toEqual([
      "the app's database of MySQL cannot be started here: put mariadbd on PATH (sudo apt-get install --yes mariadb-server), and run `init` again; until then, endpoints that use it cannot be measured",
    ]);
  });
});

test.for<readonly [what: string, around: Record<string, string>, install: string | undefined]>([
  ["in the folder above", { "services/requirements.txt": "fastapi\nredis\n" }, "../requirements.txt"],
  [
    "at the top",
    { "services/requirements.txt": "black\n", "requirements.txt": "fastapi\nredis\n" },
    "../../requirements.txt",
  ],
  ["nowhere", { "other/requirements.txt": "fastapi\n" }, undefined],
])("an app without requirements of its own has those %s", ([, around, install]) => {
  const files = Object.entries(around).map(([path, text]) => ({ path, text }));
  const { findings, has } = findRequirements([], "services/api", files);
  expect(findings.find(({ key }) => key === "install")?.value).toBe(install);
  expect(has("redis")).toBe(install !== undefined);
});
