import type { Expectation } from "./expectation.ts";

/** One app under one load, and the finding that diagnosis must make. */
export interface Case {
  readonly name: string;
  readonly group: "report" | "small" | "healthy" | "cost";
  /** Folder in which the server is started; its files are the user's own. */
  readonly folder: string;
  /** Words after `python -m`; `{port}` and `{workers}` are filled. */
  readonly server: string;
  readonly workers: number;
  /** With more than one worker an app gets the whole machine, unless its single CPU is the cause to be found. */
  readonly onOneCpu?: boolean;
  readonly readyPath: string;
  /** Each user sends these in turn; a number is a pause in seconds. */
  readonly iteration: readonly (string | number)[];
  readonly users: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly data?: Data;
  /** Delay of the service that the app asks, at FAKE_DB_URL. */
  readonly serviceMs?: number;
  /** `undefined`: nothing at all may be found. */
  readonly expected?: Expectation | undefined;
}

/** Data of a database. */
export type Data = "e-commerce" | "ten users" | "shop";

type Choices = Partial<Omit<Case, "expected">>;

const uvicorn = "uvicorn {app} --port {port} --workers {workers} --log-level error";
const gunicorn = "gunicorn --no-control-socket --log-level error -b 127.0.0.1:{port} -w {workers} {app}";
const apps = "bench/diagnosis/apps";

/** An app of `target-app/`. Its files hold no marks: they stay as they were published. */
function report(name: string, app: string, expected: Case["expected"], choices: Choices): Case {
  const { server = uvicorn, ...others } = choices;
  const group = expected === undefined ? "healthy" : "report";
  return {
    ...{ name, group, folder: "target-app", readyPath: "/openapi.json", expected },
    ...{ workers: 1, users: 10, iteration: ["/"], variables: {} },
    server: server.replace("{app}", app),
    ...others,
  };
}

function small(name: string, choices: Choices = {}): Case {
  return own("small", name, { kind: "marker", file: `${name}.py` }, choices);
}

function healthy(name: string, choices: Choices = {}): Case {
  return own("healthy", `healthy/${name}`, undefined, choices);
}

/** Apps of `apps/`; served from there, so that marks in their files are at the places that findings name. */
function own(group: Case["group"], name: string, expected: Case["expected"], choices: Choices): Case {
  const server = uvicorn.replace("{app}", `${name.replaceAll("/", ".")}:app`);
  return {
    ...{ name, group, folder: apps, server, expected, readyPath: "/openapi.json" },
    ...{ workers: 1, users: 8, iteration: ["/"], variables: {} },
    ...choices,
  };
}

const blocked = "blocking call on the event loop";
const sleeps = "app/sleeps.py";
const asyncio = `${uvicorn} --loop asyncio`;
const simulations: Choices = {
  data: "e-commerce",
  variables: { FIB: "15", POOL_SIZE: "10" },
  server: asyncio,
  workers: 2,
};
const page = ["/", 0.1, "/api", "/"];
const orm: Choices = { data: "ten users", iteration: ["/users/1"], users: 100 };

/** The endpoints of the published reports that are slow on purpose, as their servers are started there. */
const reports: readonly Case[] = [
  report(
    "blocked loop (Pena)",
    "app.asgi:app",
    { kind: "code", cause: blocked, file: sleeps, after: "def wait_sync_in_async", code: "time.sleep" },
    { iteration: ["/async_endpoint_sync_processing?ms=100"] },
  ),
  report(
    "blocked loop (one keyword)",
    "reports.keyword_routes:app",
    { kind: "code", cause: blocked, file: "reports/keyword_routes.py", code: "time.sleep" },
    { iteration: ["/async-blocking?seconds=0.05"] },
  ),
  report(
    "saturated threads (Pena)",
    "app.asgi:app",
    {
      ...{ kind: "code", cause: "thread pool exhausted", file: sleeps },
      ...{ after: "def wait_sync_in_sync", code: "time.sleep" },
    },
    { iteration: ["/sync_endpoint_sync_processing?ms=100"], users: 200 },
  ),
  report(
    "saturated threads (one keyword)",
    "reports.keyword_routes:app",
    { kind: "code", cause: "thread pool exhausted", file: "reports/keyword_routes.py", code: "time.sleep" },
    { iteration: ["/sync-blocking?seconds=0.1"], users: 100 },
  ),
  report(
    "saturated threads (three waits)",
    "reports.waits:app",
    { kind: "code", cause: "thread pool exhausted", file: "reports/waits.py", code: "time.sleep" },
    { iteration: ["/sync_baseline?seconds=0.1"], users: 100, workers: 2 },
  ),
  report(
    "mixed, async (Pena)",
    "app.asgi:app",
    { kind: "code", cause: blocked, file: sleeps, after: "def wait_both_in_async", code: "time.sleep" },
    { iteration: ["/async_endpoint_mix_processing?ms=50"] },
  ),
  report(
    "mixed, sync (Pena)",
    "app.asgi:app",
    {
      ...{ kind: "code", cause: "event loop per request", file: sleeps },
      ...{ after: "def wait_both_in_sync", code: "anyio.run" },
    },
    { iteration: ["/sync_endpoint_mix_processing?ms=100"], users: 100 },
  ),
  report(
    "anyio.run in a thread (Pena)",
    "app.asgi:app",
    {
      ...{ kind: "code", cause: "event loop per request", file: sleeps },
      ...{ after: "def wait_async_in_sync", code: "anyio.run" },
    },
    { iteration: ["/sync_endpoint_async_processing?ms=100"], users: 100 },
  ),
  report(
    "executor per request (Pena)",
    "app.asgi:app",
    {
      ...{ kind: "code", cause: "executor per request", file: "app/simulations.py" },
      ...{ code: "with ThreadPoolExecutor" },
    },
    {
      ...{ ...simulations, server: uvicorn, workers: 1 },
      iteration: ["/sync_simulation?user_id=1"],
      users: 8,
    },
  ),
  report(
    "stupid async, 1 worker",
    "reports.stupid_asgi_app:app",
    { kind: "code", cause: blocked, file: "reports/parts/fake_db.py", code: "with OPENER.open" },
    { iteration: page, users: 10, readyPath: "/", serviceMs: 25 },
  ),
  report(
    "stupid async, 2 workers",
    "reports.stupid_asgi_app:app",
    { kind: "code", cause: blocked, file: "reports/parts/fake_db.py", code: "with OPENER.open" },
    { iteration: page, users: 10, readyPath: "/", serviceMs: 25, workers: 2 },
  ),
  report(
    "donkey-patched, 1 worker",
    "reports.donkey_patched_app:app",
    {
      ...{ kind: "code", cause: "event loop per request" },
      ...{ file: "reports/donkey_patched_app.py", code: "asyncio.run" },
    },
    { server: gunicorn, iteration: page, users: 10, readyPath: "/", serviceMs: 25 },
  ),
  report(
    "donkey-patched, 2 workers",
    "reports.donkey_patched_app:app",
    {
      ...{ kind: "code", cause: "event loop per request" },
      ...{ file: "reports/donkey_patched_app.py", code: "asyncio.run" },
    },
    { server: gunicorn, iteration: page, users: 10, readyPath: "/", serviceMs: 25, workers: 2 },
  ),
  report(
    "delayed ACK, no work",
    "app.asgi:app",
    { kind: "cause", cause: "delayed acknowledgements" },
    { server: asyncio, workers: 2, iteration: ["/async_endpoint_async_processing?ms=0"], users: 8 },
  ),
  report(
    "delayed ACK, simulation",
    "app.asgi:app",
    { kind: "cause", cause: "delayed acknowledgements" },
    { ...simulations, iteration: ["/async_simulation?user_id=1"], users: 8 },
  ),
  report(
    "pool exhaustion (Patel)",
    "reports.orm_sync:app",
    {
      ...{ kind: "code", cause: "pool too small", file: "reports/orm_sync.py" },
      ...{ code: "session.query(users)" },
    },
    orm,
  ),
  report(
    "one request at a time, gunicorn (WSGI and ASGI servers)",
    "reports.wsgi_app:app",
    {
      ...{ kind: "code", cause: "thread pool exhausted", file: "reports/parts/fake_db.py" },
      ...{ code: "with OPENER.open" },
    },
    { server: gunicorn, iteration: page, users: 10, readyPath: "/", serviceMs: 25 },
  ),
  report(
    "unpooled, sync (Patel)",
    "reports.orm_sync:app",
    {
      ...{ kind: "code", cause: "unpooled connections", file: "reports/orm_sync.py" },
      ...{ code: "session.query(users)" },
    },
    { ...orm, variables: { ORM_POOL: "none" }, users: 20 },
  ),
  report(
    "unpooled, async (Patel)",
    "reports.orm_async:app",
    {
      ...{ kind: "code", cause: "unpooled connections", file: "reports/orm_async.py" },
      ...{ code: "session.execute(select(users)" },
    },
    { ...orm, variables: { ORM_POOL: "none" }, users: 20 },
  ),
];

const shop: Choices = { data: "shop" };

const smalls: readonly Case[] = [
  small("blocking_client", { serviceMs: 40 }),
  small("big_json"),
  small("password_hash"),
  small("slow_template"),
  small("n_plus_one", shop),
  small("lazy_load", shop),
  small("missing_index", shop),
  small("index_and_pool", { ...shop, users: 40 }),
  small("pool_of_one", shop),
  small("pool_held", { ...shop, users: 30 }),
  small("unpooled", shop),
  small("pool_per_request", shop),
  small("client_per_request", { serviceMs: 5 }),
  small("executor_per_request"),
  small("loop_per_request"),
  small("subprocess_run"),
  small("sleep_in_dependency"),
  small("sync_dependency", { users: 100 }),
  small("blocking_middleware"),
  small("lock_held"),
  small("external_wait", { serviceMs: 80 }),
  small("rare_block"),
  small("log_handler"),
  small("file_middleware"),
  small("many_models"),
  small("growing_heap"),
  own(
    "small",
    "pool_too_large",
    { kind: "cause", cause: "pool larger than the database allows" },
    {
      ...{ ...shop, workers: 2, users: 400 },
    },
  ),
  own(
    "small",
    "healthy/hello_async",
    { kind: "cause", cause: "more workers than CPUs" },
    {
      ...{ name: "hello_async, 4 workers on one CPU", workers: 4, onOneCpu: true, users: 16 },
    },
  ),
];

const healthies: readonly Case[] = [
  healthy("hello_async"),
  healthy("hello_sync"),
  healthy("hello_async", { name: "healthy/hello_async, 2 workers", workers: 2, users: 16 }),
  healthy("models"),
  healthy("short_threads"),
  healthy("hash_in_thread"),
  healthy("one_statement", shop),
  healthy("eager_load", shop),
  healthy("indexed", shop),
  healthy("fast_lock", { users: 50 }),
  healthy("middlewares"),
  healthy("stream"),
  report("health, 2 workers (Pena)", "app.asgi:app", undefined, { iteration: ["/health"], workers: 2 }),
  report("pooled select, async (Pena)", "app.asgi:app", undefined, {
    ...{
      data: "e-commerce",
      variables: { POOL_SIZE: "10" },
      iteration: ["/async_select?user_id=1"],
      users: 8,
    },
  }),
  report("pooled select, sync (Pena)", "app.asgi:app", undefined, {
    ...{
      data: "e-commerce",
      variables: { POOL_SIZE: "10" },
      iteration: ["/sync_select?user_id=1"],
      users: 8,
    },
  }),
  report("pool that is full because the CPU is (Pena)", "app.asgi:app", undefined, {
    ...{
      data: "e-commerce",
      variables: { POOL_SIZE: "4" },
      iteration: ["/async_select?user_id=1"],
      users: 40,
    },
  }),
  report("pooled ORM, async (Patel)", "reports.orm_async:app", undefined, { ...orm, users: 8 }),
  report("page and service (WSGI and ASGI servers)", "reports.asgi_app:app", undefined, {
    ...{ iteration: page, users: 10, readyPath: "/", serviceMs: 1 },
  }),
  report("page in 10 threads (WSGI and ASGI servers)", "reports.wsgi_app:app", undefined, {
    ...{
      server: `${gunicorn} -k gthread --threads 10`,
      iteration: page,
      users: 8,
      readyPath: "/",
      serviceMs: 1,
    },
  }),
];

export const cases: readonly Case[] = [...reports, ...smalls, ...healthies];

/** Apps on which the probe's cost is measured: its share is largest where a request takes least. */
export const costCases: readonly Case[] = [
  report("cost/hello", "reports.keyword_routes:app", undefined, {
    group: "cost",
    iteration: ["/async"],
    users: 8,
  }),
  report("cost/database", "app.asgi:app", undefined, {
    ...{
      group: "cost",
      data: "e-commerce",
      variables: { POOL_SIZE: "10" },
      iteration: ["/async_select?user_id=1"],
      users: 8,
    },
  }),
  report("cost/waiting", "app.asgi:app", undefined, {
    ...{ group: "cost", iteration: ["/async_endpoint_async_processing?ms=50"], users: 20 },
  }),
];
