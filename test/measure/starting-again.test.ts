import { expect, test } from "vitest";

import { EnvironmentError } from "../../src/errors/errors.ts";
import { comparingPorts } from "./fake-ports.ts";
import { compare } from "./run-measure.ts";

const race = 'asyncpg.exceptions.DuplicateTableError: relation "users" already exists';

/** The status of a cell whose first start fails, and how often its head was started. */
async function startedAfter(logTail: string, workers: string, failures = 1) {
  const failure = new EnvironmentError("start app", "1 of 2 workers ended", { logTail });
  const names: string[] = [];
  const { ports } = comparingPorts();
  const startApp: typeof ports.startApp = (command, python, name) => {
    names.push(name);
    const isFirst =
      names.filter((each) => each.endsWith("-head")).length <= failures && name.endsWith("-head");
    return isFirst
      ? Promise.reject(failure)
      : ports.startApp({ ...command, workers: Number(workers) }, python, name);
  };
  const [measurement] = await compare({ ...ports, startApp }, { workers });
  return { status: measurement?.status, heads: names.filter((name) => name.endsWith("-head")).length };
}

test.for([
  race,
  'psycopg2.errors.UniqueViolation: duplicate key value violates unique constraint "pg_type_typname_nsp_index"',
  'asyncpg.exceptions.UniqueViolationError: duplicate key value violates unique constraint "users_email_key"',
])("workers that made the same tables at once start once more: %s", async (logTail) => {
  expect(await startedAfter(logTail, "2")).toEqual({ status: "measured", heads: 4 });
});

test.for([
  { name: "one worker races with nobody", logTail: race, workers: "1" },
  { name: "another reason stays", logTail: 'relation "users" does not exist', workers: "2" },
])("$name", async ({ logTail, workers }) => {
  expect(await startedAfter(logTail, workers)).toEqual({ status: "failed", heads: 1 });
});

test("there are a race for the tables and one for their rows, and no third", async () => {
  expect(await startedAfter(race, "2", 2)).toEqual({ status: "measured", heads: 5 });
  expect(await startedAfter(race, "2", 3)).toEqual({ status: "failed", heads: 3 });
});
