import { describe, expect, test } from "vitest";
import type { AppFailure, FoundSetting, Project } from "../../../src/init/project.ts";
import { exampleValues } from "../../../src/init/read/variables.ts";
import { repair } from "../../../src/init/repair/repair.ts";
import { withTablesToFill } from "../../../src/init/repair/tables.ts";

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
    variables: [],
    examples: new Map(),
    lacks: [],
    proposals: [],
    ...more,
  };
}

const failureOf = (failure: string | Partial<AppFailure>): AppFailure => ({
  ...{ phase: "start app", log: "it failed" },
  ...(typeof failure === "string" ? { log: failure } : failure),
});
const failedCommand = (input: string, log: string, more: { readonly stopped?: string } = {}) => ({
  ...{ phase: "seed" as const, log },
  detail: { kind: "command" as const, input, ...more },
});

/** The settings after a failure, and the message. */
function repaired(before: Project, failure: string | Partial<AppFailure>) {
  const after = repair(before, failureOf(failure));
  return (
    after && [Object.fromEntries(after.project.findings.map(({ key, value }) => [key, value])), after.message]
  );
}

test("a variable that is asked for is added to those that are there, once", () => {
  const variables = [read("AA"), read("BB")];
  const before = project([finding("app-env", { AA: "1" })], { variables });
  const told = "the app requires BB; `app-env` sets a value";
  expect(repaired(before, "KeyError: 'BB'")).toEqual([
    { "app-env": { AA: "1", BB: "made-up-for-the-load-test" } },
    told,
  ]);
  expect(repaired(before, "KeyError: 'AA'")).toBeUndefined();
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
  const said = failedCommand("migrate-command", `sqlalchemy.exc.ProgrammingError: ${words}\nLINE 4`);
  const before = project([
    finding("database-variable", "DB"),
    finding("migrate-command", "alembic upgrade head"),
  ]);
  const after = repair(before, said);
  expect(after?.project.findings.map(({ key, value }) => [key, value])).toEqual([
    ["database-variable", "DB"],
    ["database-extensions", [extension]],
    ["migrate-command", "alembic upgrade head"],
  ]);
  expect(after?.message).toContain(`extension ${extension}`);
  const again = after && repair(after.project, said)?.project.findings.map(({ key }) => key);
  expect(again).not.toContain("migrate-command"); // it was made, and did not help
});

test("a command that does not end is left out at once", () => {
  const examples = new Map([["MODE", { value: "1", path: ".env.example" }]]);
  const before = project([finding("migrate-command", "alembic upgrade head")], {
    examples,
    variables: [read("MODE")],
  });
  const said = failedCommand("migrate-command", "INFO [alembic] Will assume", {
    stopped: "python was still running after 180 s and was stopped",
  });
  expect(repaired(before, said)).toEqual([
    {},
    expect.stringContaining(
      "replace it with one that works: python was still running after 180 s and was stopped",
    ),
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
  expect(repaired(before, said)).toEqual(
    style && [
      { "database-variable": "DB", "database-url-style": style },
      `the app's engine is asynchronous, and psycopg2 is not, so \`database-url-style\` is ${style}`,
    ],
  );
  const known = project([...before.findings, finding("database-url-style", style ?? "")], { files });
  expect(repaired(known, said)).toBeUndefined();
});

test.for<[said: string, style: string]>([
  ["sqlalchemy.exc.NoSuchModuleError: Can't load plugin: sqlalchemy.dialects:postgres", "postgresql"],
  [
    'invalid DSN: scheme is expected to be either "postgresql" or "postgres", got \'postgresql+asyncpg\'',
    "postgresql",
  ],
  ['psycopg.ProgrammingError: missing "=" after "postgresql+psycopg://a" in connection info', "postgresql"],
  ["tortoise.exceptions.ConfigurationError: Unknown DB scheme: postgresql", "postgres"],
])("the address begins as the error wants it: %s", ([said, style]) => {
  const before = project([
    finding("database-variable", "DB"),
    finding("database-url-style", "postgresql+psycopg"),
  ]);
  expect(repaired(before, said)?.[0]).toEqual({ "database-variable": "DB", "database-url-style": style });
});

test("one more extension stands beside the first", () => {
  const before = project([finding("database-extensions", ["citext"])]);
  expect(repaired(before, 'type "ltree" does not exist')?.[0]).toEqual({
    "database-extensions": ["citext", "ltree"],
  });
  expect(repaired(before, 'relation "citext" does not exist')).toBeUndefined();
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
  expect(repaired(project(findings, { variables, examples }), "it failed")).toEqual([
    {
      "database-variable": "URL",
      "database-env": { MINE: "{host}" },
      services,
      "app-env": { ENVIRONMENT: "1" },
    },
    "the app did not start, so it is tried with ENVIRONMENT as .env.example has them",
  ]);
});

test.for<readonly [what: string, command: string, failing: string, expected: unknown]>([
  [
    "a command that fails is left out",
    "alembic upgrade head",
    "migrate-command",
    [
      {},
      "`migrate-command: alembic upgrade head` fails here and is left out; replace it with one that works: no such table",
    ],
  ],
  ["another command does not matter", "alembic upgrade head", "seed-command", undefined],
])("%s", ([, command, failing, expected]) => {
  const failure = failedCommand(failing, `seed: ${failing} failed\nno such table\n`);
  expect(repaired(project([finding("migrate-command", command)]), failure)).toEqual(expected);
});

test.for<readonly [files: readonly string[], log: string, expected: unknown]>([
  [
    ["a/init.sql", "a/data.sql"],
    'seed: seed file /repo/a/init.sql, line 28: column "x" does not exist\nmore',
    [
      { seed: ["a/data.sql"] },
      'a/init.sql fails here and is left out of `seed`: line 28: column "x" does not exist',
    ],
  ],
  [
    ["a/init.sql"],
    "seed: seed file /repo/a/init.sql: it has no end",
    [{}, "a/init.sql fails here and is left out of `seed`: it has no end"],
  ],
  [["a/init.sql"], "seed: seed file /repo/b/init.sql, line 1: no", undefined],
])("of the seed files %s one that fails is left out", ([files, log, expected]) => {
  expect(repaired(project([finding("seed", files)]), { phase: "seed", log })).toEqual(expected);
  expect(repaired(project([finding("seed", files)]), { phase: "load", log })).toBeUndefined();
});

test("another start is no help where the packages could not be installed", () => {
  const examples = new Map([["MODE", { value: "1", path: ".env.example" }]]);
  const before = project([], { variables: [read("MODE")], examples });
  expect(repaired(before, "start app: it failed")).toBeDefined();
  expect(repaired(before, { phase: "install" })).toBeUndefined();
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
  const said = { detail: { kind: "failing page" }, document: { paths } } as const;
  const told = `the app's first page fails here, so \`${path}\` shows when it is ready (\`ready-path\`)`;
  expect(repaired(project([]), said)).toEqual(path && [{ "ready-path": path }, told]);
  expect(repaired(project([finding("ready-path", "/z")]), said)).toBeUndefined();
  expect(repaired(project([]), { document: { paths } })).toBeUndefined();
});

test("an app that is still starting gets more time, once", () => {
  const said = { detail: { kind: "slow start" } } as const;
  const told = "the app had not started after half a minute, so it gets 3m (`ready-timeout`)";
  expect(repaired(project([]), said)).toEqual([{ "ready-timeout": "3m" }, told]);
  expect(repaired(project([finding("ready-timeout", "1m")]), said)).toBeUndefined();
  expect(repaired(project([]), {})).toBeUndefined();
});

test("a secret whose default the app refuses gets a value, and none that is no secret yet", () => {
  const said = "ValueError: SECRET_KEY is weak; generate one (DB_HOST, OTHER_KEY2)";
  // Code may ask for any text, also one that is no pattern.
  const odd = [read("A(B"), read("(a+)+$")];
  const variables = [...odd, read("SECRET_KEY", false, "CHANGE_ME"), read("DB_HOST"), read("OTHER_KEY")];
  const example = (value: string) => exampleValues([{ path: ".env.example", text: `SECRET_KEY=${value}` }]);
  const told = "the app's error names SECRET_KEY; `app-env` sets a value";
  const madeUp = { "app-env": { SECRET_KEY: "made-up-for-the-load-test-of-32-or-more" } };
  expect(repaired(project([], { variables }), said)).toEqual([madeUp, told]);
  const placed = project([], { variables, examples: example("CHANGE_ME_generate_one") });
  expect(repaired(placed, said)).toEqual([madeUp, told]);
  const usable = project([], { variables, examples: example("1f0a9c") });
  expect(repaired(usable, said)).toEqual([{ "app-env": { SECRET_KEY: "1f0a9c" } }, told]);
  expect(repaired(project([finding("app-env", { SECRET_KEY: "x" })], { variables }), said)).toBeUndefined();
});

test("a server that an image brings along gives way to uvicorn", () => {
  const said = { detail: { kind: "missing program", program: "gunicorn" } } as const;
  const told = "gunicorn is not in the app's requirements, so uvicorn is used instead";
  expect(repaired(project([finding("server", "gunicorn {app} --bind {host}:{port}")]), said)).toEqual([
    {},
    told,
  ]);
  expect(repaired(project([finding("server", "hypercorn {app}")]), said)).toBeUndefined();
});

test("an old fastapi-cli gives way to the uvicorn that it calls", () => {
  const said = "start app: Usage: fastapi run [OPTIONS] [PATH]\nNo such option: --entrypoint";
  const told = "the app's fastapi-cli is too old to take the app as an argument, so uvicorn is used instead";
  expect(repaired(project([finding("server", "fastapi")]), said)).toEqual([{}, told]);
  expect(repaired(project([finding("server", "fastapi")]), "No such option: --other")).toBeUndefined();
});

test("a gunicorn without a worker for ASGI gives way to uvicorn", () => {
  const said = "start app: ImportError: Entry point ('gunicorn.workers', 'asgi') not found ]";
  const server = finding("server", "gunicorn {app} --bind {host}:{port} --worker-class asgi");
  const told = "the app's gunicorn is too old to have an ASGI worker, so uvicorn is used instead";
  expect(repaired(project([server]), said)).toEqual([{}, told]);
});

test("an old uvicorn that cannot start the newest uvloop gets the usual loop", () => {
  const said =
    "start app: RuntimeError: There is no current event loop in thread 'MainThread'. (server exited)";
  const server =
    "uvicorn {app} --host {host} --port {port} --workers {workers} --no-access-log --loop asyncio";
  const told = "the app's uvicorn cannot use the installed uvloop, so it runs on asyncio (`server`)";
  expect(repaired(project([]), said)).toEqual([{ server }, told]);
  expect(repaired(project([finding("server", "fastapi")]), said)).toBeUndefined();
});

test.for<readonly [what: string, paths: readonly string[], folder: string | undefined]>([
  ["a package beside the app's module", ["app/main.py", "app/api/routes.py"], "app"],
  ["a module, the nearest", ["deep/er/api.py", "lib/api.py"], "lib"],
  ["no Python", ["app/api/data.sql"], undefined],
  ["one in the project's folder", ["api/a.py"], undefined],
  ["one in a package that hides Python's own", ["app/api.py", "app/token.py", "app/__init__.py"], undefined],
  ["one that hides Python's own, in no package", ["app/api.py", "app/token.py"], "app"],
  [
    "one of several that hides none",
    ["app/api.py", "app/token.py", "app/__init__.py", "lib/b/api.py"],
    "lib/b",
  ],
])("modules that are imported from another folder are found: %s", ([, paths, folder]) => {
  const files = paths.map((path) => ({ path, text: "" }));
  const said = "ModuleNotFoundError: No module named 'api.routes'";
  const told = `the app imports \`api\`, which is in ${folder}, so PYTHONPATH has that folder`;
  const before = (findings: readonly FoundSetting[]) => project(findings, { files });
  expect(repaired(before([]), said)).toEqual(folder && [{ "app-env": { PYTHONPATH: folder } }, told]);
  expect(repaired(before([finding("app-env", { PYTHONPATH: "x" })]), said)).toBeUndefined();
});

test.for([
  ["api", ".."],
  ["services/api", ".."],
  ["api/src", "../.."],
  ["other", undefined],
] as const)(
  "an app in %s that imports that folder's name gets the folder around it: %s",
  ([folder, around]) => {
    const said = "ModuleNotFoundError: No module named 'api.routes'";
    const repair = repaired(project([finding("working-directory", folder)]), said);
    expect(repair?.[0]).toEqual(around && { "working-directory": folder, "app-env": { PYTHONPATH: around } });
  },
);

test("a command finds the modules of the folder in which it runs", () => {
  const files = ["lib/api.py", "api/a.py"].map((path) => ({ path, text: "" }));
  const said = failedCommand("migrate-command", "ModuleNotFoundError: No module named 'api'");
  expect(repaired(project([], { files }), said)?.[0]).toEqual({ "app-env": { PYTHONPATH: "." } });
});

const missing = (name: string) => `ModuleNotFoundError: No module named '${name}'`;

test.for<readonly [what: string, requirements: string, name: string, code: string, style: unknown]>([
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
])("a URL gets a driver that is required: %s", ([, requirements, name, code, style]) => {
  const files = [
    { path: "requirements.txt", text: requirements },
    { path: "db.py", text: code },
  ];
  const styleAfter = (findings: readonly FoundSetting[]) => {
    const after = repair(project(findings, { files }), failureOf(missing(name)));
    return after?.project.findings.find(({ key }) => key === "database-url-style")?.value;
  };
  const variable = finding("database-variable", "DATABASE_URL");
  expect(styleAfter([variable])).toBe(style);
  const own = finding("database-url-style", String(style));
  expect(styleAfter([variable, own])).toBe(own.value);
  expect(styleAfter([])).toBeUndefined();
});

const ended = (name: string) => ({ detail: { kind: "process", name } }) as const;

test.for<readonly [what: string, failure: string | Partial<AppFailure>, isTried: boolean]>([
  ["a name that is gone", "ImportError: cannot import name 'x' from 'y'", true],
  ["what Pydantic refuses", "pydantic.errors.PydanticUserError: `model_config` cannot be used", true],
  ["a worker that ends", ended("worker"), true],
  ["another driver of SQLAlchemy's", "ModuleNotFoundError: No module named 'psycopg'", true],
  ["a name that a package lost", "NameError: name 'SecretStr' is not defined", true],
  ["a variable", "RuntimeError: SECRET is not set", false],
  ["what passlib bears", "AttributeError: module 'bcrypt' has no attribute '__about__'", false],
  ["another attribute that is gone", "AttributeError: module 'jose' has no attribute 'x'", true],
  ["an app of another framework", "AttributeError: app:app has no OpenAPI document of its own", false],
  ["a worker process of the server", "worker process 7 of the server ended after it had become ready", false],
])("packages of the day of the requirements are tried after %s", ([, said, isTried]) => {
  const failure = failureOf(said);
  const before = project([], { openRequirements: ["requirements.txt"], requiredOn: "2024-01-26" });
  const after = repair(before, failure);
  expect(after?.project.findings).toEqual(
    isTried
      ? [
          {
            key: "exclude-newer",
            value: "2024-01-26",
            reason: "it does not start with newer packages; requirements.txt last changed on that day",
          },
        ]
      : undefined,
  );
  const { requiredOn: _, ...rest } = before;
  expect(after?.otherwise).toEqual(isTried ? rest : undefined);
  expect(after && repair(after.project, failure)?.otherwise).toBeUndefined(); // once
});

test.for<readonly [requiredOn: string, day: string]>([
  ["2025-11-02", "2025-09-24"],
  ["2024-01-26", "2024-01-26"],
])("passlib gets a bcrypt that it knows, with requirements of %s", ([requiredOn, day]) => {
  const said =
    'File ".../passlib/handlers/bcrypt.py", line 655\nValueError: password cannot be longer than 72 bytes, truncate';
  const before = project([], { openRequirements: ["requirements.txt"], requiredOn });
  expect(repair(before, failureOf(said))?.project.findings).toMatchObject([
    { key: "exclude-newer", value: day },
  ]);
  expect(repair(before, failureOf(said.replace("passlib", "own")))).toBeUndefined();
});

test.for<readonly [said: string, distribution: string]>([
  ["passlib/handlers/bcrypt.py\nValueError: password cannot be longer than 72 bytes, truncate", "bcrypt<5"],
  ["requires that the Python 'greenlet' library is installed.", "greenlet"],
])("what is pinned gets what fits beside it: %s", ([said, distribution]) => {
  for (const findings of [[], [finding("install-command", "pip install .")]]) {
    const openRequirements = findings.map(() => "pyproject.toml");
    const before = project(findings, { openRequirements, requiredOn: "2026-11-02" });
    const after = repair(before, failureOf(said));
    expect(after?.project.findings).toMatchObject([
      ...findings,
      { key: "extra-packages", value: [distribution] },
    ]);
    expect(after && repair(after.project, failureOf(said))).toBeUndefined();
  }
});

test("commands that install take packages of a day as well", () => {
  const before = project([finding("install-command", "pip install .")], {
    openRequirements: ["requirements.txt"],
    requiredOn: "2024-01-26",
  });
  expect(repaired(before, "ImportError: cannot import name 'x' from 'y'")?.[0]).toEqual({
    "install-command": "pip install .",
    "exclude-newer": "2024-01-26",
  });
});

test.for([
  "botocore.exceptions.NoRegionError: You must specify a region.",
  "NoCredentialsError: Unable to locate credentials",
])("a client of a cloud gets what it wants to know at its start: %s", (said) => {
  const before = project([finding("app-env", { AWS_DEFAULT_REGION: "eu-west-1" })]);
  const found = repaired(before, said);
  expect(found).toEqual([
    {
      "app-env": {
        AWS_DEFAULT_REGION: "eu-west-1",
        AWS_ACCESS_KEY_ID: "made-up-for-the-load-test",
        AWS_SECRET_ACCESS_KEY: "made-up-for-the-load-test",
      },
    },
    "the app makes a client of AWS when it starts; `app-env` sets AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY for it",
  ]);
  const after = repair(before, failureOf(said));
  expect(after && repair(after.project, failureOf(said))).toBeUndefined();
});

describe("an app that is set up for its tests", () => {
  const parts = { DB_PORT: "{port}", DB_USER: "{user}" };
  const variables = ["DB_PORT", "DB_PORT_TEST", "TEST_DB_USER"].map((name) => read(name));
  const refused = "ConnectionRefusedError: [Errno 111] Connection refused";

  test("gets our database's address there, too", () => {
    const before = project([finding("database-env", parts)], { variables });
    expect(repaired(before, refused)).toEqual([
      { "database-env": { ...parts, DB_PORT_TEST: "{port}", TEST_DB_USER: "{user}" } },
      "the app may use its database for tests, so DB_PORT_TEST, TEST_DB_USER have our address as well (`database-env`)",
    ]);
  });

  test.for<readonly [what: string, before: Project, said: string]>([
    ["it has no such variables", project([finding("database-env", parts)]), refused],
    ["it has no parts", project([], { variables }), refused],
    ["it fails otherwise", project([finding("database-env", parts)], { variables }), "OSError: disk full"],
  ])("stays as it is where %s", ([, before, said]) => {
    expect(repaired(before, said)).toBeUndefined();
  });
});

test("SQLAlchemy gets back the version that installs greenlet", () => {
  const said =
    "ImportError: The SQLAlchemy asyncio module requires that the Python 'greenlet' library is installed.";
  const before = project([], { openRequirements: ["pyproject.toml"], requiredOn: "2026-11-02" });
  expect(repair(before, failureOf(said))?.project.findings).toMatchObject([
    { key: "exclude-newer", value: "2026-09-23" },
  ]);
});

test.for<readonly [processes: FoundSetting["value"], left: unknown]>([
  [{ worker: "celery worker" }, {}],
  [{ worker: "celery worker", mails: "arq mails" }, { processes: { mails: "arq mails" } }],
])("a process that ends by itself is left out of %j", ([processes, left]) => {
  const before = project([finding("processes", processes)]);
  expect(repaired(before, ended("worker"))).toEqual([
    left,
    "the process worker exits here and is left out of `processes`; set a command that works",
  ]);
  expect(repaired(before, ended("other"))).toBeUndefined();
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
  const [settings, told] = repaired(before, `FileNotFoundError: ${said}`) ?? [];
  expect(settings).toEqual(place && { "env-file": place });
  if (place !== undefined)
    expect(told).toBe(
      `the app does not start without the file \`${place}\`, so it gets an empty one (\`env-file\`)`,
    );
  const again = project([finding("env-file", ".env")], { files: before.files });
  expect(repaired(again, `FileNotFoundError: ${said}`)).toBeUndefined();
});

test.for<readonly [said: string, place: string | undefined]>([
  ["RuntimeError: Directory 'static/assets' does not exist", "static/assets/"],
  ["RuntimeError: Directory 'dist/' does not exist", "dist/"],
  ["RuntimeError: Directory '/srv/dist' does not exist", undefined],
  ["RuntimeError: Directory '../dist' does not exist", undefined],
  ["FileNotFoundError: [Errno 2] No such file or directory: '/x/copy/logs/app.log'", "logs/"],
  ["FileNotFoundError: [Errno 2] No such file or directory: '/x/copy/src/var/logs/app.log'", "src/var/logs/"],
  ["FileNotFoundError: [Errno 2] No such file or directory: '/x/copy/data.csv'", undefined],
])("a folder that the app serves, or writes its log into, may be empty: %s", ([said, place]) => {
  expect(repaired({ ...project([]), files: [{ path: "src/main.py", text: "" }] }, said)).toEqual(
    place && [
      { "env-file": place },
      `the app does not start without the folder \`${place}\`, so it gets an empty one (\`env-file\`)`,
    ],
  );
  expect(repaired(project([finding("env-file", ".env")]), said)).toBeUndefined();
});

const files = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([path, text]) => ({ path, text }));
const lacking = 'asyncpg.exceptions.UndefinedTableError: relation "users" does not exist';
const models = {
  "app/__init__.py": "",
  "app/core/db.py": "class Base(AsyncAttrs, DeclarativeBase):\n    ...\nengine = create_async_engine(url)\n",
  "tests/conftest.py": "engine = create_engine(url)\n",
};
const ofModels =
  'python -c "import app.main; import asyncio; from sqlalchemy.util import greenlet_spawn; from app.core.db import Base; from app.core.db import engine; asyncio.run(greenlet_spawn(Base.metadata.create_all, engine.sync_engine))"';
const plain = {
  "src/shop/__init__.py": "engine: Engine = sa.create_engine(url)\n",
  "src/shop/old/db.py": "old = create_engine(url)\n",
  "src/shop/models.py": "Model = declarative_base()\n",
};
test.for<
  readonly [
    what: string,
    log: string,
    texts: Readonly<Record<string, string>>,
    command: string | undefined,
    before?: readonly [key: string, value: string],
  ]
>([
  ["an asynchronous engine", lacking, models, ofModels],
  [
    "migrations that are not committed",
    lacking,
    models,
    ofModels,
    ["migrate-command", "alembic upgrade head"],
  ],
  [
    "another engine",
    "sqlite3.OperationalError: no such table: users",
    plain,
    'python -c "import app.main; from shop.models import Model; from shop import engine; Model.metadata.create_all(engine)"',
  ],
  [
    "SQLModel",
    "pymysql.err.ProgrammingError: (1146, \"Table 'a.users' doesn't exist\")",
    { "db.py": "from sqlmodel import Field, SQLModel\nengine = create_engine(url)\n" },
    'python -c "import app.main; from sqlmodel import SQLModel; from db import engine; SQLModel.metadata.create_all(engine)"',
  ],
  [
    "a registry, instead of migrations that fail and were left out",
    "sqlite3.OperationalError: no such table: users",
    {
      "migrations/versions/1_a.py": "",
      "db.py": "engine = create_engine(url)\n",
      "models.py": "table_registry = registry()\n",
    },
    'python -c "import app.main; from models import table_registry; from db import engine; table_registry.metadata.create_all(engine)"',
  ],
  [
    "an engine that a function of theirs makes",
    lacking,
    {
      "db.py":
        "def get_engine():\n    return create_engine(url)\nengine = get_engine()\nBase = declarative_base()\n",
    },
    'python -c "import app.main; from db import Base; from db import engine; Base.metadata.create_all(engine)"',
  ],
  [
    "an asynchronous engine that a function of theirs makes",
    lacking,
    {
      "models.py": "Base = declarative_base()\n",
      "db.py": "def make():\n    return create_async_engine(url)\ndb_engine = a.make_engine()\n",
    },
    'python -c "import app.main; import asyncio; from sqlalchemy.util import greenlet_spawn; from models import Base; from db import db_engine; asyncio.run(greenlet_spawn(Base.metadata.create_all, db_engine.sync_engine))"',
  ],
  ["no engine", lacking, { "db.py": "class Base(DeclarativeBase): ...\n" }, undefined],
  ["no models", lacking, { "db.py": "engine = create_engine(url)\n" }, undefined],
  ["SQL files", lacking, models, undefined, ["seed", "tables.sql"]],
  [
    "migrations",
    lacking,
    { ...models, "alembic/versions/1_a.py": "" },
    undefined,
    ["migrate-command", "alembic upgrade head"],
  ],
  ["another command", lacking, models, undefined, ["migrate-command", "python manage.py migrate"]],
])("tables that nothing makes come from the models: %s", ([, log, texts, command, before]) => {
  const findings = [finding("app", "app.main:app"), ...(before === undefined ? [] : [finding(...before)])];
  const after = repair(project(findings, { files: files(texts) }), failureOf(log));
  const made = after?.project.findings.find(({ key }) => key === "migrate-command")?.value;
  expect(made).toBe(command ?? (before?.[0] === "migrate-command" ? made : undefined));
  const message = expect(after?.message ?? "");
  const words = "created from the app's models";
  if (command === undefined) message.not.toContain(words);
  else message.toContain(words);
});

const [migrating, filling] = [
  finding("migrate-command", "alembic upgrade head"),
  finding("seed-command", "python -m app.seed"),
];
test.for<
  readonly [what: string, findings: readonly FoundSetting[], texts: Record<string, string>, command: unknown]
>([
  ["before they are filled", [migrating, filling], models, ofModels],
  ["not if nothing fills them", [migrating], models, migrating.value],
  ["not if nothing migrates them", [filling], models, undefined],
  ["not beside migrations", [migrating, filling], { ...models, "m/versions/1.py": "" }, migrating.value],
  ["not without models", [migrating, filling], {}, migrating.value],
])("tables of a project without migrations come from the models: %s", ([, findings, texts, command]) => {
  const after = withTablesToFill(
    project([finding("app", "app.main:app"), ...findings], { files: files(texts) }),
  );
  expect(after.findings.find(({ key }) => key === "migrate-command")?.value).toBe(command);
});

test.for<readonly [what: string, log: string, specifier: string | undefined]>([
  ["known", missing("aiohttp"), "aiohttp"],
  ["part of one that has another name", missing("jwt.algorithms"), "pyjwt"],
  [
    "what pydantic asks for",
    "ImportError: email-validator is not installed, run `pip install pydantic[email]`",
    "email-validator",
  ],
  [
    "what FastAPI asks for",
    'RuntimeError: Form data requires "python-multipart" to be installed.',
    "python-multipart",
  ],
  ["no longer part of another", missing("pkg_resources"), "setuptools<81"],
  ["unknown", missing("gone"), undefined],
])("a package that the requirements lack is added when it is %s", ([, log, specifier]) => {
  const install = finding("install", "prod.txt");
  const after = repair(project([install], { installer: "pip (prod.txt)" }), failureOf(log));
  expect(after?.project.findings).toEqual(
    specifier && [install, { key: "extra-packages", value: [specifier], reason: expect.any(String) }],
  );
});

test.for([
  ["pip (requirements.txt)", "requirements.txt"],
  ["Poetry (poetry.lock)", "poetry.lock"],
  ["uv (uv.lock of the workspace)", "uv.lock of the workspace"],
  ["pip", "its requirements"],
  [undefined, "its requirements"],
])("a package is added to those of %s", ([installer, lacking]) => {
  const after = repair(project([], { installer }), failureOf(missing("aiohttp")));
  const lack = `the app imports aiohttp, which is not in ${lacking}`;
  expect(after).toMatchObject({
    project: { findings: [{ reason: `${lack}; add it there, and remove this` }] },
    message: `${lack}, so aiohttp is installed in addition (\`extra-packages\`)`,
  });
});

test.for<
  readonly [what: string, more: Partial<Project>, findings: readonly FoundSetting[], install: unknown]
>([
  ["as they are", {}, [], "requirements.txt"],
  ["in the app's folder", {}, [finding("working-directory", "api")], "api/requirements.txt"],
  ["not without a lock file", { installer: "pip (pyproject.toml)" }, [], undefined],
  ["not without the package", { files: files({ "requirements.txt": "fastapi" }) }, [], undefined],
  ["not without requirements", { files: [] }, [], undefined],
  ["not where another file is chosen", {}, [finding("install", "a.txt")], "a.txt"],
])("requirements replace a lock file that lacks a module: %s", ([, more, findings, install]) => {
  const before = project(findings, {
    installer: "Poetry (poetry.lock)",
    files: files({ "requirements.txt": "fastapi\npython-logging-loki==0.3.1\n" }),
    ...more,
  });
  const after = repair(before, failureOf("ModuleNotFoundError: No module named 'logging_loki'"));
  const found = (after?.project ?? before).findings.find(({ key }) => key === "install");
  expect(found?.value).toBe(install);
});

test("a second package is added to the first, and none twice", () => {
  const first = repair(project([]), failureOf(missing("aiohttp")));
  const second = first && repair(first.project, failureOf(missing("yaml")));
  expect(second?.project.findings).toMatchObject([{ key: "extra-packages", value: ["aiohttp", "pyyaml"] }]);
  expect(second && repair(second.project, failureOf(missing("yaml")))).toBeUndefined();
});
