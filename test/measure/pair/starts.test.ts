import { describe, expect, test } from "vitest";

import { EnvironmentError } from "../../../src/errors/errors.ts";
import { armIn, comparingPorts, recordingPorts } from "../fake-ports.ts";
import { compare, run } from "../run-measure.ts";

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

const refused = new EnvironmentError("start app", "connection refused", { logTail: "Traceback" });

describe("an app that cannot be started", () => {
  test("is tried once, and not for each cell", async () => {
    let starts = 0;
    const { ports } = recordingPorts({ startApp: () => Promise.reject(++starts && refused) });
    const measurements = await run(ports, { workers: "1,2,4", endpoints: "/a\n/b" });
    expect(starts).toBe(1);
    expect(new Set(measurements.map(({ failure }) => failure?.reason))).toEqual(
      new Set(["connection refused"]),
    );
    expect(measurements).toHaveLength(6);
  });

  test("with two workers is tried with one", async () => {
    const tried: (number | undefined)[] = [];
    const made = recordingPorts();
    const ports = {
      ...made.ports,
      startApp: (...[command, python, name]: Parameters<typeof made.ports.startApp>) => {
        tried.push(command.workers);
        if (command.workers !== 1) return Promise.reject(refused);
        return made.ports.startApp(command, python, name);
      },
    };
    const measurements = await run(ports, { workers: "2,1", endpoints: "/a\n/b" });
    expect(tried.filter((workers) => workers === 2)).toHaveLength(1);
    expect(measurements.map(({ cell, status }) => `${cell.workers} ${status}`).toSorted()).toEqual([
      "1 measured",
      "1 measured",
      "2 failed",
      "2 failed",
    ]);
  });

  test("but was before is tried again: it was that start", async () => {
    let starts = 0;
    const made = recordingPorts();
    const ports = {
      ...made.ports,
      startApp: (...args: Parameters<typeof made.ports.startApp>) =>
        ++starts === 2 ? Promise.reject(refused) : made.ports.startApp(...args),
    };
    const measurements = await run(ports, { workers: "1", endpoints: "/a\n/b\n/c" });
    expect(measurements.map(({ status }) => status)).toEqual(["measured", "failed", "measured"]);
  });

  test("in the base costs the comparison, and is met once", async () => {
    let starts = 0;
    const made = comparingPorts();
    const ports = {
      ...made.ports,
      startApp: (...[command, python, name]: Parameters<typeof made.ports.startApp>) => {
        if (armIn(name) !== "base") return made.ports.startApp(command, python, name);
        starts += 1;
        return Promise.reject(refused);
      },
    };
    const measurements = await compare(ports, { endpoints: "/a\n/b" });
    expect(starts).toBe(1);
    expect(measurements.map(({ loneArm }) => loneArm?.reason)).toEqual([
      "the base failed (start app): connection refused",
      "the base failed (start app): connection refused",
    ]);
  });
});
