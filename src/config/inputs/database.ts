import * as z from "zod";
import { mysqlStyles, urlStyles } from "../../model/choices.ts";
import { templateProblem } from "../../model/workload/database-variables.ts";
import * as kinds from "../file/value-kinds.ts";
import * as values from "../input-values.ts";
import type { InputRow } from "./row.ts";

const styles = [...urlStyles, ...mysqlStyles] as const;
const databaseKinds = ["postgres", "mysql", "sqlite", "none"] as const;

export const databaseInputs = {
  database: {
    description:
      "The app's database. With `postgres`, `mysql` or `sqlite`, the app gets a fresh, seeded one each time it starts. `none`: no database.",
    details: "[seeding.md](seeding.md) explains each.",
    fallback: "postgres",
    reader: z.enum(databaseKinds, `must be one of ${databaseKinds.join(", ")}`),
    form: { schema: kinds.choice(databaseKinds), example: "database: none" },
  },
  "database-url": {
    description:
      "URL of a Postgres server to use, e.g. `postgresql://user:password@127.0.0.1:5432/postgres`. Its user must be allowed to create databases. Default: a private server is started.",
    reader: values.postgresUrl.optional(),
    form: {
      schema: kinds.text("postgresql://user:password@127.0.0.1:5432/postgres"),
      example: "database-url: postgresql://postgres:postgres@127.0.0.1:5432/postgres",
    },
    isSecret: true,
    door: "both",
  },
  "database-variable": {
    description: "Environment variable from which the app reads the URL of its database.",
    fallback: "DATABASE_URL",
    reader: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of a variable"),
    form: { schema: kinds.text("POSTGRES_DSN"), example: "database-variable: POSTGRES_DSN" },
  },
  "database-url-style": {
    description:
      "Scheme of the database URL that the app's driver expects, e.g. `postgresql+asyncpg` or `mysql+pymysql`.",
    details:
      "One of `postgresql`, `postgres`, `postgresql+asyncpg`, `postgresql+psycopg`, `postgresql+psycopg2`, `postgresql+psycopg_async` and `postgresql+pg8000`. With `database: mysql`, one of `mysql`, `mysql+pymysql`, `mysql+mysqldb`, `mysql+mysqlconnector`, `mysql+aiomysql` and `mysql+asyncmy`.",
    fallback: "postgresql",
    reader: z.enum(styles, `must be one of ${styles.join(", ")}`),
    form: { schema: kinds.choice(styles), example: "database-url-style: postgresql+asyncpg" },
  },
  "database-env": {
    description:
      "Additional environment variables that hold the address of the app's database, one `NAME=template` per line, e.g. `PGHOST={host}`.",
    details:
      "Templates may contain `{host}`, `{port}`, `{user}`, `{password}`, `{database}` and `{url}`. With Postgres, `PGPORT` is always set.",
    reader: values.templates(templateProblem).optional(),
    form: {
      schema: kinds.variables,
      example: 'database-env:\n  PGHOST: "{host}"\n  PGPORT: "{port}"',
    },
    isSecret: true,
  },
  "database-extensions": {
    description:
      "Postgres extensions to create in each database before it is filled, one per line, e.g. `uuid-ossp`.",
    reader: values.extensions.optional(),
    form: { schema: kinds.lines("[uuid-ossp]"), example: "database-extensions: [uuid-ossp, citext]" },
  },
  "migrate-command": {
    description:
      "Commands that create the tables, one per line, e.g. `alembic upgrade head`. They run before the SQL files, without a shell.",
    reader: values.commands.optional(),
    form: { schema: kinds.lines("alembic upgrade head"), example: "migrate-command: alembic upgrade head" },
  },
  seed: {
    description: "SQL files that create and fill the tables, one per line. They run in the order given.",
    reader: values.lines.optional(),
    form: { schema: kinds.lines("[sql/schema.sql]"), example: "seed: [sql/schema.sql, sql/data.sql]" },
    door: "both",
  },
  "seed-command": {
    description:
      "Commands that fill the tables, one per line, e.g. `python -m app.seed`. They run like `migrate-command`, but after the SQL files.",
    details: "The `LOADTEST_SCALE` variable holds `scale`.",
    reader: values.commands.optional(),
    form: {
      schema: kinds.lines("python -m app.seed"),
      example: "seed-command:\n  - python -m app.seed --users 1000\n  - python -m app.seed_orders",
    },
  },
  "seed-request": {
    description:
      'Requests that fill the tables, one per line: a method, a path and JSON, e.g. `POST /notes {"title": "Note {n}"}`.',
    details: "They are sent after `seed-command`; see [seeding.md](seeding.md#requests).",
    reader: values.seedRequests.optional(),
    form: {
      schema: kinds.lines('[POST /notes {"title": "Note {n}"}]'),
      example: 'seed-request:\n  - \'POST /notes {"title": "Note {n}"}\'',
    },
  },
  scale: {
    description: "Scale factor for the seed data. SQL files can read it as the `loadtest.scale` setting.",
    fallback: "0.01",
    reader: values.positiveNumber(1_000),
    form: { schema: kinds.number("0.1"), example: "scale: 0.1" },
  },
} as const satisfies Readonly<Record<string, InputRow>>;
