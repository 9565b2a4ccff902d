import { execFile } from "node:child_process";
import { appendFile, chmod, cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parse } from "yaml";

import { makeRepository, root } from "./act.ts";
import { runProgram as run } from "./program.ts";

// Two at a time: each starts servers of its own. The first run on a machine installs everything.
vi.setConfig({ testTimeout: 600_000, maxConcurrency: 2 });

const execute = promisify(execFile);
const all = process.env["LOADTEST_LONG"] !== undefined;

interface SampleApp {
  /** Configuration file that `init` writes; `.github/loadtest.yml` unless there are several apps. */
  readonly config?: string;
  /** What `init` must have found, besides the endpoints. */
  readonly found: Readonly<Record<string, unknown>>;
  readonly endpoints: readonly string[];
  /** What is measured, where that is something else. */
  readonly rows?: readonly string[];
  /** Lines that the file shows without effect. */
  readonly shown?: readonly string[];
}

interface Sample extends SampleApp {
  readonly name: string;
  /** Makes the lock file that its owners would have. */
  readonly lock?: "uv" | "poetry" | "pdm";
  /** Options of `init`. */
  readonly options?: readonly string[];
  /** A load as long as its users take to begin; otherwise a second. */
  readonly duration?: string;
  /** Its other apps. */
  readonly beside?: readonly SampleApp[];
}

const quick: readonly Sample[] = [
  {
    name: "shop-uv",
    lock: "uv",
    found: {
      app: "shop.main:app",
      "database-variable": "SHOP_DATABASE_URL",
      "database-url-style": "postgresql+asyncpg",
      "database-extensions": ["uuid-ossp"],
      "migrate-command": "alembic upgrade head",
      "seed-command": "python -m shop.seed",
    },
    endpoints: ["/items", "/items/{item_id}", "/health"],
  },
  {
    name: "stock-pip-tools",
    found: {
      app: "stock.api:app",
      server: "gunicorn",
      "database-variable": "STOCK_DB_DSN",
      seed: ["sql/01_tables.sql", "sql/02_warehouses.sql"],
    },
    endpoints: ["/warehouses", "/ping"],
  },
  {
    name: "echo-starlette",
    found: { app: "server:app", install: "requirements/prod.txt", database: "none" },
    endpoints: ["/echo", "/"],
  },
  {
    // Migrations with a fixed address; no rows; accounts for anybody; a number that is no key.
    name: "board-empty",
    found: {
      app: "board.main:app",
      "database-variable": "BOARD_DATABASE_URL",
      "database-url-style": "postgresql+psycopg",
      "database-env": { ALEMBIC_URL: "postgresql+psycopg://{user}:{password}@{host}:{port}/{database}" },
      "migrate-command": expect.stringContaining("command.upgrade(settings, 'heads')"),
      "seed-request": [
        'POST /register {"member":{"username":"loadtest","password":"Load-test-1!"}}',
        'POST /posts {"title":"text{n}"}',
      ],
      login: {
        path: "/login",
        json: { "member.username": "loadtest", "member.password": "Load-test-1!" },
        token: "member.token",
        scheme: "Token",
      },
    },
    endpoints: ["/me", "/posts", "/posts/{post_id}", "/double/{number}"],
  },
  {
    // A token of its own in a required header, known to its tests alone, which roll their rows back.
    name: "lending-tested",
    found: {
      app: "lending.main:app",
      "database-variable": "DATABASE_URL",
      "app-env": { LENDING_KEY: expect.any(String) },
      "migrate-command": expect.stringContaining("app.router.lifespan_context(app)"),
      seed: [".github/loadtest-rows.sql"],
      login: {
        ...{ path: "/desk", form: { card: "ada", secret: "open sesame" } },
        ...{ token: "pass", header: "X-Member", scheme: "Card" },
      },
    },
    endpoints: ["/tools?of=saw", "/tools/{tool_id}", "/desk", "/tools", "/tools/{tool_id}"],
  },
  {
    // A file that must be migrated before the first page answers; no rows, and their keys are random.
    name: "recipes-sqlite",
    found: {
      app: "recipes.main:app",
      database: "sqlite",
      "migrate-command": "alembic upgrade head",
      "seed-request": ['POST /recipes {"title":"text{n}"}'],
    },
    endpoints: ["/", "/recipes", "/recipes/{recipe_id}"],
  },
];

const others: readonly Sample[] = [
  {
    // No requirements; passwords that the newest bcrypt does not take; a cookie as login; a limit of requests.
    name: "clubs-bare",
    found: {
      app: "clubs.main:app",
      "install-command": [
        "pip install fastapi[standard] sqlalchemy psycopg2-binary passlib[bcrypt] bcrypt<5",
      ],
      "database-variable": "DATABASE_URL",
      "app-env": { RATE_LIMIT_ENABLED: "false" },
      "seed-request": ['POST /register {"username":"text","password":"Load-test-1!"}'],
      login: {
        path: "/login",
        form: { username: "text", password: "Load-test-1!" },
        token: { cookie: "clubs" },
      },
    },
    endpoints: ["/clubs", "/me"],
  },
  {
    // Requirements in a deeper folder; a model of all of the environment, with a pattern, a choice and a cache's part; an
    // app by a name of its own; the first user logs in by JSON; an endpoint that fails now and then.
    name: "depot-nested",
    found: {
      app: "depot.main:depot_app",
      install: "infra/requirements/prod.txt",
      "database-env": {
        DEPOT_DB_HOST: "{host}",
        DEPOT_DB_USER: "{user}",
        DEPOT_DB_PASSWORD: "{password}",
        DEPOT_DB_PORT: "{port}",
        DEPOT_DB_NAME: "{database}",
      },
      "app-env": {
        DEPOT_NAME: "harbour",
        DEPOT_REGION: "en",
        DEPOT_MODE: "open",
        DEPOT_CACHE_DB: "1",
      },
      login: {
        path: "/auth/login",
        json: { email: "admin@example.com", password: "Harbour-1" },
        token: "data.access_token",
      },
    },
    endpoints: ["/crates", "/me"],
    shown: [expect.stringMatching(/^# {2}- \/weather # answered 503/)],
  },
  {
    name: "notes-poetry",
    lock: "poetry",
    found: {
      app: "app.main:app",
      "database-variable": "DATABASE_URL",
      "database-url-style": "postgresql+psycopg",
      "seed-command": "python -m app.initial_data",
    },
    endpoints: ["/notes", "/notes/{note_id}"],
  },
  {
    name: "tracker-pdm",
    lock: "pdm",
    found: {
      app: "tracker.web:app",
      server: "hypercorn",
      "database-env": {
        POSTGRES_HOST: "{host}",
        POSTGRES_USER: "{user}",
        POSTGRES_DB: "{database}",
        POSTGRES_PORT: "{port}",
        POSTGRES_PASSWORD: "{password}",
      },
      seed: ["db/schema.sql", "db/sample_data.sql"],
    },
    endpoints: ["/issues/open"],
  },
  {
    // A database at the import, a variable without a default, no documentation, a mounted app, a first user.
    name: "diary-import-time",
    found: {
      app: "diary.main:app",
      "database-variable": "DATABASE_URL",
      "database-url-style": "postgresql+psycopg",
      "app-env": { DIARY_TITLE: "The diary" },
      login: { path: "/token", form: { username: "admin", password: "of the diary" } },
    },
    endpoints: ["/api/entries/", "/api/entries/{entry_id}", "/me", "/feed/latest"],
  },
  {
    // A first page that nobody has built, a version that only git knows, a name and password in one variable, modules
    // that are imported from another folder.
    name: "gallery-frontend",
    found: {
      app: "gallery.app:app",
      "database-env": {
        DATABASE_CREDENTIALS: "{user}:{password}",
        DATABASE_HOSTNAME: "{host}",
        DATABASE_PORT: "{port}",
        DATABASE_NAME: "{database}",
      },
      seed: ["pictures.sql"],
      "app-env": { GALLERY_PRODUCTION: "true", PYTHONPATH: "gallery" },
      "ready-path": "/api/health",
    },
    endpoints: ["/api/pictures", "/api/health"],
  },
  {
    name: "weather-requirements",
    found: { app: "main:create_app()", server: "granian", database: "none" },
    endpoints: ["/forecast/{city}", "/cities"],
  },
  {
    // A Redis that each start has for itself.
    name: "cache-redis",
    found: {
      app: "main:app",
      database: "none",
      services: { redis: { "app-env": { REDIS_HOST: "{host}", REDIS_PORT: "{port}" } } },
    },
    endpoints: ["/rates", "/visits"],
  },
  {
    // A queue in Redis, and a worker that a Procfile starts.
    name: "jobs-celery",
    found: {
      app: "jobs.main:app",
      database: "none",
      services: { redis: { "app-env": { REDIS_URL: "{url}" } } },
      processes: { worker: "celery -A jobs.tasks worker --concurrency 1 --loglevel WARNING" },
    },
    endpoints: ["/say", "/tallies"],
  },
  {
    // A stream, a WebSocket that answers and one that does not, load tests of its own, somebody else's service.
    name: "ticker-streams",
    found: {
      app: "main:app",
      database: "none",
      stubs: {
        rates: {
          "app-env": { RATES_API_URL: "{url}/v1" },
          routes: [{ path: "/v1/*", delay: "50ms", body: {} }],
        },
      },
    },
    endpoints: ["/ticks", "/rates", "WS /echo"],
    shown: [
      "# /ticks is a stream of events: its first byte and its data per second are measured, too.",
      "#  - WS /orders # opens, but does not answer `ping`: set what is sent (`body`), docs/endpoints.md",
      "# script: load/visit.js # for k6",
      "# script: tests/load/locustfile.py # for Locust, which must be installed in the app's environment, e.g. with install: requirements-dev.txt",
    ],
  },
  {
    // A service of others, in whose place a stub answers as the team has written down.
    name: "prices-outside",
    found: {
      app: "main:app",
      database: "none",
      stubs: {
        supplier: {
          "app-env": { SUPPLIER_API_URL: "{url}/v2" },
          routes: [{ path: "/v2/*", delay: "50ms", body: { net: 100, tax_rate: 0.19 } }],
        },
      },
    },
    endpoints: ["/offer", "/tax"],
  },
  {
    // Users in a file, from which the seed makes them: each virtual user is one of them.
    name: "desk-users",
    found: {
      app: "desk.main:app",
      database: "sqlite",
      "seed-command": "python -m desk.seed",
      login: {
        path: "/token",
        form: { username: "{name}", password: "{password}" },
        users: { csv: "desk/users.csv" },
      },
    },
    endpoints: ["/me", "/tickets"],
  },
  {
    // The team's own k6 script, with two scenarios and replies of 200 and 201.
    name: "tour-k6",
    options: ["--script", "load/tour.js"],
    found: { app: "main:app", database: "none", script: "load/tour.js" },
    endpoints: [],
    rows: ["load/tour.js"],
    shown: ["# Without `script`, these are measured:", "#  - /tours"],
  },
  {
    // A Locust file, and the requirements that bring Locust.
    name: "walk-locust",
    options: ["--script", "load/locustfile.py"],
    found: {
      app: "main:app",
      install: "requirements-dev.txt",
      database: "none",
      script: "load/locustfile.py",
    },
    endpoints: [],
    rows: ["load/locustfile.py"],
    duration: "10s",
    shown: ["# Without `script`, these are measured:", "#  - /places"],
  },
  {
    // A server of MariaDB for each start, whose data are a copy of those that migrations and a module made.
    name: "guests-mysql",
    found: {
      app: "guests.main:app",
      database: "mysql",
      "database-variable": "GUESTS_DB_URL",
      "database-url-style": "mysql+pymysql",
      "migrate-command": "alembic upgrade head",
      "seed-command": "python -m guests.seed",
    },
    endpoints: ["/guests", "/guests/{guest_id}"],
  },
  {
    // A MongoDB of its own for each start, filled by a module.
    name: "shelf-mongo",
    found: {
      app: "shelf.main:app",
      database: "none",
      services: {
        mongodb: {
          "app-env": { MONGODB_URL: "{url}", MONGODB_NAME: "{database}" },
          seed: "python -m shelf.seed",
        },
      },
    },
    endpoints: ["/books", "/books/{book_id}"],
  },
  {
    name: "links-pyproject",
    found: {
      app: "links.web:app",
      server: "fastapi",
      database: "none",
      "app-env": { LINKS_ADMIN_TOKEN: "made-up-for-the-load-test-of-32-or-more" },
    },
    endpoints: ["/links"],
  },
  {
    name: "workspace-uv",
    lock: "uv",
    found: { app: "quotes.api:app", "working-directory": "services/quotes", database: "none" },
    endpoints: ["/quotes/{pieces}", "/discounts"],
  },
  {
    name: "monorepo",
    config: "services/billing/loadtest.yml",
    found: {
      name: "billing",
      app: "billing:app",
      "database-variable": "DATABASE_URL",
      seed: ["seed.sql"],
    },
    endpoints: ["/invoices/{invoice_id}"],
    beside: [
      {
        config: "services/catalog/loadtest.yml",
        found: { name: "catalog", app: "catalog.app:app", database: "none" },
        endpoints: ["/products"],
      },
    ],
  },
  {
    name: "monorepo",
    options: ["--working-directory", "services/billing"],
    found: {
      app: "billing:app",
      "working-directory": "services/billing",
      "database-variable": "DATABASE_URL",
      seed: ["services/billing/seed.sql"],
    },
    endpoints: ["/invoices/{invoice_id}"],
  },
];

/** Of a line, or of a whole endpoint. */
function pathOf(endpoint: string | { readonly path: string }): string {
  return typeof endpoint === "string" ? endpoint : endpoint.path;
}

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "samples-test-"));
  await chmod(folder, 0o711); // as the system's own: Postgres may run as another user
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.concurrent("a new user's first table", () => {
  const chosen = (all ? [...quick, ...others] : quick).map((each) => [titleOf(each), each] as const);
  test.for(chosen)("of %s", async ([title, sample]) => {
    const repository = await copyOf(sample);
    const started = performance.now();
    const init = await run(repository, ["init", ...(sample.options ?? [])]);
    expect(init.status, init.output).toBe(0);
    expect(init.output).toContain("wrote .github/workflows/loadtest.yml");
    const left = await readdir(repository, { recursive: true });
    expect(left.filter((path) => path.endsWith("__pycache__"))).toEqual([]);
    for (const { config = usualConfig, ...expected } of appsOf(sample)) {
      const text = await readFile(join(repository, config), "utf8");
      const { endpoints = [], workers, ...found } = parse(text);
      expect(text.split("\n")).toEqual(expect.arrayContaining([...(expected.shown ?? [])]));
      expect(found).toEqual(expected.found);
      expect([endpoints.map(pathOf), workers]).toEqual([expected.endpoints, [1, 2]]);
    }
    const initialised = performance.now();
    const tiny = [
      "--duration",
      sample.duration ?? "1s",
      "--warmup",
      "200ms",
      "--workers",
      "1",
      "--diagnose",
      "never",
    ];
    // Of several apps as the last line of `init` says.
    const configs =
      sample.beside === undefined ? [] : appsOf(sample).flatMap(({ config = "" }) => ["--config", config]);
    expect(init.output).toContain(configs.join(" "));
    const { status, output } = await run(repository, ["run", ...configs, ...tiny]);
    expect(status, output).toBe(0);
    const ended = performance.now();
    for (const path of appsOf(sample).flatMap(rowsOf))
      expect(output).toMatch(new RegExp(`${escaped(path)} .*\\d`));
    const before = await readFile(join(repository, sample.config ?? usualConfig), "utf8");
    expect((await run(repository, ["init", ...(sample.options ?? [])])).output).toContain(
      `left ${sample.config ?? usualConfig} unchanged`,
    );
    expect(await readFile(join(repository, sample.config ?? usualConfig), "utf8")).toBe(before);
    const kept = init.output.includes("installing")
      ? ""
      : ", with a Python environment that was there already";
    process.stdout.write(
      `${title}: ${seconds(started, ended)} s from clone to first table` +
        ` (init ${seconds(started, initialised)} s, run ${seconds(initialised, ended)} s${kept})\n`,
    );
  });
});

describe.runIf(all)("the written workflow", () => {
  test.for([...quick, ...others].map((each) => [titleOf(each), each] as const))(
    "of %s runs as it is",
    async ([title, sample]) => {
      await using repository = await makeRepository([], async (app) => {
        await fill(app, sample);
        const init = await run(app, ["init", ...(sample.options ?? [])]);
        expect(init.status, init.output).toBe(0);
      });
      const started = performance.now();
      const { succeeded, output } = await repository.runWorkflow({
        event: "pull_request",
        payload: { pull_request: { number: 1 } },
        apiUrl: "http://127.0.0.1:1",
        runNumber: 1,
      });
      process.stdout.write(`${title}: ${seconds(started, performance.now())} s for its workflow\n`);
      expect(succeeded, output).toBe(true);
      const artifacts = [...(await repository.artifactsOf(1))];
      const [[artifact, files] = ["", []], ...more] = artifacts.filter(([name]) => !name.endsWith(".html"));
      expect([artifact, more]).toEqual([expect.stringMatching(/^loadtest-report-default\+/), []]);
      expect(artifacts.map(([name]) => name)).toContain(`${artifact}-1.html`);
      const report = files.find(({ name }) => name.endsWith("report.md"))?.content.toString() ?? "";
      for (const { found } of sample.beside === undefined ? [] : appsOf(sample))
        expect(report).toContain(`\n### \`${found["name"]}\` – 2 cells measured\n`);
      for (const path of appsOf(sample).flatMap(rowsOf))
        for (const workers of [1, 2])
          expect(report).toMatch(new RegExp(`^\\| \`${escaped(path)}\` \\| ${workers} \\| [\\d,.]+`, "m"));
    },
  );
});

test("a monorepo's apps are named when a folder has none", async () => {
  const repository = await copyOf({ name: "monorepo", found: {}, endpoints: [] });
  const { status, output } = await run(repository, ["init", "--working-directory", "services/bills/"]);
  expect(status).toBe(2);
  expect(output).toContain(
    "app = FastAPI(), in services/bills; name it with --app: init --app billing:app --working-directory services/billing, or init --app catalog.app:app --working-directory services/catalog\n",
  );
});

const usualConfig = ".github/loadtest.yml";

function appsOf(sample: Sample): readonly SampleApp[] {
  return [sample, ...(sample.beside ?? [])];
}

function rowsOf({ endpoints, rows = endpoints }: SampleApp): readonly string[] {
  return rows;
}

function titleOf({ name, options = [] }: Sample): string {
  return [name, ...options].join(" ");
}

/** A repository with git's files and, where it wants one, its lock file. */
async function copyOf(sample: Sample): Promise<string> {
  const repository = await mkdtemp(join(folder, `${sample.name}-${sample.options?.length ?? 0}-`));
  await chmod(repository, 0o755);
  await fill(repository, sample);
  return repository;
}

async function fill(repository: string, { name, lock }: Sample): Promise<void> {
  await cp(join(root, "test/samples", name), repository, { recursive: true });
  await execute("git", ["init", "--quiet", "--initial-branch=main"], { cwd: repository });
  await execute("git", ["add", "--all"], { cwd: repository });
  if (lock !== undefined) await lockIn(repository, lock);
}

async function lockIn(repository: string, tool: "uv" | "poetry" | "pdm"): Promise<void> {
  const uv = join(root, ".tools/python/bin/uv");
  if (tool === "uv") {
    await execute(uv, ["lock"], { cwd: repository });
    return;
  }
  const tools = join(folder, tool);
  await execute("python3", ["-m", "venv", tools]);
  const python = join(tools, "bin", "python");
  await execute(uv, ["pip", "install", "--quiet", `--python=${python}`, lockers[tool]]);
  // Poetry asks an interface of the package index that mirrors lack, unless the index is named.
  if (tool === "poetry") await appendFile(join(repository, "pyproject.toml"), await indexOf(python));
  const env = { ...process.env, VIRTUAL_ENV: tools };
  await execute(join(tools, "bin", tool), ["lock"], { cwd: repository, env });
}

/** The versions that the program installs. */
const lockers = { poetry: "poetry==2.5.1", pdm: "pdm[locked]==2.28.2" };

/** The usual index as a source of Poetry's, by the name that pip has for it. */
async function indexOf(python: string): Promise<string> {
  const script = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)";
  const { stdout } = await execute(python, ["-c", script]);
  return `\n[[tool.poetry.source]]\nname = "index"\nurl = "${stdout.trim()}"\npriority = "primary"\n`;
}

function seconds(from: number, to: number): string {
  return ((to - from) / 1_000).toFixed(1);
}

function escaped(path: string): string {
  return path.replaceAll(/[{}?]/g, "\\$&");
}
