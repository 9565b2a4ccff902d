import type * as z from "zod";
import { diagnoseChoices, failChoices, urlStyles } from "../../model/choices.ts";
import { inputs } from "../inputs.ts";
import { endpointsSchema } from "./endpoint-forms.ts";
import { loginSchema } from "./login-form.ts";
import * as kinds from "./value-kinds.ts";

/** One key of the configuration file. */
export interface Key {
  readonly name: string;
  readonly description: string;
  /** What holds without it, as the documentation says it; empty: nothing. */
  readonly fallback: string;
  /** YAML of the whole entry. */
  readonly example: string;
  readonly schema: z.ZodType;
}

/**
 * Inputs that the file may say, with how they are written there. Where results go and who comments on what is not up to
 * the file: that is decided where no code of the pull request has a say.
 */
const ofInputs: readonly (readonly [name: string, example: string, schema: z.ZodType])[] = [
  ["name", "name: shop", kinds.text("shop")],
  ["app", "app: app.main:app", kinds.text("app.main:app")],
  ["app-folder", "app-folder: services/shop", kinds.text("services/shop")],
  ["app-env", "app-env:\n  LOG_LEVEL: warning\n  WITH_CACHE: false", kinds.variables],
  ["python", "python: python3.12", kinds.text("python3.12")],
  ["install", "install: requirements/production.txt", kinds.text("requirements/production.txt")],
  [
    "install-command",
    "install-command:\n  - pip install --requirement requirements/base.txt\n  - pip install --no-deps .",
    kinds.lines("[pip install .]"),
  ],
  [
    "server",
    "server: gunicorn {app} --bind {host}:{port} --workers {workers} --worker-class uvicorn_worker.UvicornWorker",
    kinds.text("uvicorn {app} --port {port}"),
  ],
  ["port", "port: 8000", kinds.number("8000")],
  ["ready-path", "ready-path: /health", kinds.text("/health")],
  ["ready-timeout", "ready-timeout: 1m", kinds.duration("30s")],
  ["workers", "workers: [1, 2, 4]", kinds.counts],
  [
    "endpoints",
    "endpoints:\n  - /health\n  - POST /orders\n  - path: /items/{item_id}\n    params:\n      item_id: { from: 1, to: 1000 }",
    endpointsSchema,
  ],
  ["iteration", "iteration: [/, sleep 100ms, /api]", kinds.lines("[/, sleep 100ms, /api]")],
  ["script", "script: load/checkout.js", kinds.text("load/checkout.js")],
  ["vus", "vus: 16", kinds.number("16")],
  ["duration", "duration: 20s", kinds.duration("20s")],
  ["stages", 'stages: "1s:50,30s:50"', kinds.text('"1s:50,30s:50"')],
  ["requests", "requests: 1000", kinds.number("1000")],
  ["rate", "rate: 250", kinds.number("250")],
  ["connections", "connections: new", kinds.choice(["reuse", "new"])],
  ["request-timeout", "request-timeout: 10s", kinds.duration("10s")],
  ["graceful-stop", "graceful-stop: 5s", kinds.duration("5s")],
  ["solo-first", "solo-first: true\nrequests: 1000", kinds.flag],
  ["warmup", "warmup: 2s", kinds.duration("2s")],
  ["base-ref", "base-ref: main", kinds.text("main")],
  ["control", "control: true", kinds.flag],
  ["smallest-effect", "smallest-effect: 5%", kinds.percentage("5%")],
  ["false-alarm-rate", "false-alarm-rate: 5%", kinds.percentage("5%")],
  ["max-minutes", "max-minutes: 10", kinds.number("10")],
  ["separate-cpus", "separate-cpus: false", kinds.flag],
  ["diagnose", "diagnose: never", kinds.choice(diagnoseChoices)],
  ["database", "database: none", kinds.choice(["postgres", "none"])],
  [
    "database-url",
    "database-url: postgresql://postgres:postgres@127.0.0.1:5432/postgres",
    kinds.text("postgresql://user:password@127.0.0.1:5432/postgres"),
  ],
  ["database-variable", "database-variable: POSTGRES_DSN", kinds.text("POSTGRES_DSN")],
  ["database-url-style", "database-url-style: postgresql+asyncpg", kinds.choice(urlStyles)],
  [
    "database-env",
    'database-env:\n  PGHOST: "{host}"\n  PGPORT: "{port}"\n  PGUSER: "{user}"\n  PGPASSWORD: "{password}"\n  PGDATABASE: "{database}"',
    kinds.variables,
  ],
  ["migrate-command", "migrate-command: alembic upgrade head", kinds.lines("alembic upgrade head")],
  ["seed", "seed: [sql/schema.sql, sql/data.sql]", kinds.lines("[sql/schema.sql]")],
  [
    "seed-command",
    "seed-command:\n  - python -m app.seed --users 1000\n  - python -m app.seed_orders",
    kinds.lines("python -m app.seed"),
  ],
  ["scale", "scale: 0.1", kinds.number("0.1")],
  ["fail-on", "fail-on: slower", kinds.choice(failChoices)],
  ["fail-threshold", "fail-threshold: 10%", kinds.percentage("10%")],
  [
    "thresholds",
    "thresholds:\n  http_req_duration: [p(95)<300, p(99)<800]\n  http_req_failed: rate<0.01\n  GET /items: slower than base by 5%",
    kinds.thresholds,
  ],
];

/** What only the file can say. */
const ofFileAlone: readonly Key[] = [
  {
    name: "login",
    description:
      "How each server is logged in to when it has started (`path` with `form` or `json`), and headers that go with every request. Secrets come from variables whose names begin with `LOADTEST_`; see [endpoints.md](endpoints.md#logging-in).",
    fallback: "",
    example:
      "login:\n  path: /token\n  form:\n    username: load-test\n    password: { secret: LOADTEST_PASSWORD }",
    schema: loginSchema,
  },
];

/** Every key there is: those of the inputs, in their order, then those of the file alone. */
export const keys: readonly Key[] = [
  ...ofInputs.map(([name, example, schema]) => {
    const input = inputs.find((each) => each.name === name);
    return { name, example, schema, description: input?.description ?? "", fallback: input?.fallback ?? "" };
  }),
  ...ofFileAlone,
];

/** Whether an input may also be said by the file. */
export function isKey(name: string): boolean {
  return keys.some((key) => key.name === name);
}
