import * as z from "zod";
import { mysqlStyles, urlStyles } from "../../model/choices.ts";
import { templateProblem } from "../../model/workload/database-variables.ts";
import * as kinds from "../file/value-kinds.ts";
import * as values from "../input-values.ts";
import type { InputRow } from "./row.ts";

const styles = [...urlStyles, ...mysqlStyles] as const;
const databaseKinds = ["postgres", "mysql", "sqlite", "none"] as const;

/** The app's database and its data. */
export const databaseInputs = {
  database: {
    description:
      "`postgres`: the app gets a fresh, seeded database for each cell. `mysql`: the same of MySQL or MariaDB, with a server for each start. `sqlite`: the same for the files of SQLite in its folder, of which it gets a copy. `none`: the app gets no database.",
    fallback: "postgres",
    reader: z.enum(databaseKinds, `must be one of ${databaseKinds.join(", ")}`),
    form: { schema: kinds.choice(databaseKinds), example: "database: none" },
  },
  "database-url": {
    description:
      "A Postgres server to use, e.g. `postgresql://user:password@127.0.0.1:5432/postgres`. The user must be allowed to create databases. Empty: a private one is started.",
    reader: values.postgresUrl.optional(),
    form: {
      schema: kinds.text("postgresql://user:password@127.0.0.1:5432/postgres"),
      example: "database-url: postgresql://postgres:postgres@127.0.0.1:5432/postgres",
    },
    isSecret: true,
    door: "both",
  },
  "database-variable": {
    description: "Variable in which the app finds the URL of its database.",
    fallback: "DATABASE_URL",
    reader: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of a variable"),
    form: { schema: kinds.text("POSTGRES_DSN"), example: "database-variable: POSTGRES_DSN" },
  },
  "database-url-style": {
    description:
      "Beginning of that URL, as the app's driver wants it: `postgresql`, `postgres`, `postgresql+asyncpg`, `postgresql+psycopg`, `postgresql+psycopg2`, `postgresql+psycopg_async` or `postgresql+pg8000`; with `database: mysql` it is `mysql`, `mysql+pymysql`, `mysql+mysqldb`, `mysql+mysqlconnector`, `mysql+aiomysql` or `mysql+asyncmy`.",
    fallback: "postgresql",
    reader: z.enum(styles, `must be one of ${styles.join(", ")}`),
    form: { schema: kinds.choice(styles), example: "database-url-style: postgresql+asyncpg" },
  },
  "database-env": {
    description:
      "More variables by which the app finds its database, one `NAME=template` a line, e.g. `PGHOST={host}`. Templates may hold `{host}`, `{port}`, `{user}`, `{password}`, `{database}` and `{url}`.",
    reader: values.templates(templateProblem).optional(),
    form: {
      schema: kinds.variables,
      example:
        'database-env:\n  PGHOST: "{host}"\n  PGPORT: "{port}"\n  PGUSER: "{user}"\n  PGPASSWORD: "{password}"\n  PGDATABASE: "{database}"',
    },
    isSecret: true,
  },
  "database-extensions": {
    description:
      "Extensions of Postgres, one a line, e.g. `uuid-ossp`. Each database has them before anything fills it.",
    reader: values.extensions.optional(),
    form: { schema: kinds.lines("[uuid-ossp]"), example: "database-extensions: [uuid-ossp, citext]" },
  },
  "migrate-command": {
    description:
      "Commands that make the tables, one a line, e.g. `alembic upgrade head`. They run before the SQL files, for each arm in its own `working-directory` and environment, with the app's variables. No shell is involved.",
    reader: values.commands.optional(),
    form: { schema: kinds.lines("alembic upgrade head"), example: "migrate-command: alembic upgrade head" },
  },
  seed: {
    description: "SQL files that make and fill the tables, one a line, run in this order.",
    reader: values.lines.optional(),
    form: { schema: kinds.lines("[sql/schema.sql]"), example: "seed: [sql/schema.sql, sql/data.sql]" },
    door: "both",
  },
  "seed-command": {
    description:
      "Commands that fill the tables, one a line, e.g. `python -m app.seed`. They run after the SQL files, like `migrate-command`. The variable `LOADTEST_SCALE` holds `scale`.",
    reader: values.commands.optional(),
    form: {
      schema: kinds.lines("python -m app.seed"),
      example: "seed-command:\n  - python -m app.seed --users 1000\n  - python -m app.seed_orders",
    },
  },
  "seed-request": {
    description:
      'Requests to the app that fill its tables, one a line: a method, a path and JSON, e.g. `POST /notes {"title": "Note {n}"}`. With `{n}` it is sent 20 times, with the numbers 1 to 20. They come after `seed-command`, to each arm\'s own app; those that ask for a login get one.',
    reader: values.seedRequests.optional(),
    form: {
      schema: kinds.lines('[POST /notes {"title": "Note {n}"}]'),
      example: 'seed-request:\n  - \'POST /notes {"title": "Note {n}"}\'',
    },
  },
  scale: {
    description: "Size of the data, given to the SQL files as the setting `loadtest.scale`.",
    fallback: "0.01",
    reader: values.positiveNumber(1_000),
    form: { schema: kinds.number("0.1"), example: "scale: 0.1" },
  },
} as const satisfies Readonly<Record<string, InputRow>>;
