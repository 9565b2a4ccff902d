import { expect, test } from "vitest";
import { readServices } from "../../src/config/file/service-forms.ts";
import type { AppCommand } from "../../src/ports/app.ts";
import type { TestRun } from "../../src/ports/trial.ts";
import { recordTests, type Suite } from "../../src/trial/recording.ts";
import { requestOf } from "../init/tests/recorded.ts";
import { workloadOf } from "../measure/run-measure.ts";
import { trialPorts } from "./fake-trial.ts";

const tests = {
  folder: "tests",
  files: ["test_a.py"],
  needs: ["pytest"],
  variables: { MODE: "test", DATABASE_URL: "theirs" },
  onSqlite: [] as string[],
};
const recorded = JSON.stringify(requestOf());

async function ran(
  raw: Record<string, string> = {},
  choice?: Suite["choice"],
  {
    inside = ".",
    found = true,
    services,
    lacking = [],
    document,
    readsAddress = false,
    onSqlite = [],
  }: {
    inside?: string;
    found?: boolean;
    services?: string;
    lacking?: readonly string[];
    document?: unknown;
    readsAddress?: boolean;
    onSqlite?: string[];
  } = {},
) {
  const base = { ...workloadOf(raw), ...(services !== undefined && { services: readServices(services) }) };
  const workload = { ...base, app: { ...base.app, folder: inside === "." ? "/repo" : `/repo/${inside}` } };
  const runs: TestRun[] = [];
  const commands: AppCommand[] = [];
  const asked: string[] = [];
  const missed: (readonly string[])[] = [];
  const ports = trialPorts(workload, { recorded, ...(found && { tests: { ...tests, onSqlite } }) });
  const recording = await recordTests(
    workload,
    { inside, choice, document, readsAddress },
    {
      ...ports,
      copyApp: async (app, files) => ({ ...app, folder: `/${files}${app.folder}` }),
      findTests: async (folders, environment, missing) => {
        asked.push(folders.app, folders.repository);
        missed.push([...missing]);
        const known = await ports.findTests(folders, environment, missing);
        const more = missing.filter((each) => each !== "unknown");
        return known && { ...known, needs: [...known.needs, ...more] };
      },
      runCommand: async (command) => void commands.push(command),
      recordTests: async (run) => {
        runs.push(run);
        await run.start(["python", "record"], { HOME: "/empty" });
        const module = lacking[runs.length - 1];
        const first = `ModuleNotFoundError: No module named '${module}.a'`;
        const outcome = { kind: "outcome", passed: 0, failed: 1, first, missing: [module] };
        return module === undefined ? recorded : JSON.stringify(outcome);
      },
    },
  );
  return { recording, run: runs[0], runs, command: commands.at(-1), commands, asked, missed };
}

test("tests run in a copy, on a database of ours, and reach nothing else", async () => {
  const { recording, run, command } = await ran();
  expect(recording?.requests).toEqual([requestOf()]);
  expect(run).toMatchObject({
    folder: "/shared/repo",
    database: expect.stringContaining(":5555/"),
    portVariables: ["DATABASE_URL"],
    only: ["test_a.py"],
    seconds: 90,
    testSeconds: 20,
    quietSeconds: 10,
  });
  expect(command).toMatchObject({
    ...{ text: "python record", folder: "/shared/repo/tests", ownFolders: ["/empty"] },
    variables: {
      HOME: "/empty",
      TEST_DATABASE_URL: expect.stringContaining(":5555/"),
      DATABASE_URL: expect.stringContaining(":5555/"),
      MODE: "test",
    },
  });
});

test("the recorder knows the app's routes, where it has a document", async () => {
  const document = { paths: { "/items/{id}": { get: {}, delete: {} } } };
  expect((await ran({}, undefined, { document })).run?.routes).toEqual([
    "GET /items/{id}",
    "DELETE /items/{id}",
  ]);
  expect((await ran()).run?.routes).toEqual([]);
});

test("a variable that only a suite reads keeps the suite's own default", async () => {
  const { command } = await ran({ "database-env": "DB_HOST={host}\nDB_PORT={port}" });
  expect(command?.variables).toMatchObject({ DB_PORT: "5555" });
  expect(command?.variables).toMatchObject({ DATABASE_URL: "theirs" });
  const read = await ran({ "database-env": "DB_HOST={host}" }, undefined, { readsAddress: true });
  expect(read.command?.variables).toMatchObject({ DATABASE_URL: expect.stringContaining(":5555/") });
  const other = await ran({ "database-env": "SYNC_URL=postgresql://{user}@{host}:{port}/{database}" });
  expect(other.command?.variables).toMatchObject({ DATABASE_URL: expect.stringContaining(":5555/") });
});

test("a suite that takes SQLite where nobody gives a database gets none", async () => {
  const { command } = await ran({}, undefined, { onSqlite: ["DATABASE_URL"] });
  expect(Object.keys(command?.variables ?? {}).toSorted()).toEqual([
    ...["DATABASE_URL_TEST", "HOME", "MODE", "PGPORT", "TEST_DATABASE_URL"],
  ]);
});

test.for([
  ["their value of one that only sets up the app", { MODE: "live", MORE: "1" }, { MODE: "test", MORE: "1" }],
  ["ours of the database", { MORE: "1" }, { DATABASE_URL: expect.stringContaining(":5555/") }],
  [
    "ours of their own database, too",
    { TEST_DATABASE_URL: "made-up" },
    { TEST_DATABASE_URL: expect.stringContaining(":5555/") },
  ],
] as const)("tests get %s", async ([, given, expected]) => {
  const { command } = await ran({
    "app-env": Object.entries(given)
      .map((pair) => pair.join("="))
      .join("\n"),
  });
  expect(command?.variables).toMatchObject(expected);
});

test.for([
  ["one module", ["one"], [[], ["one"]], 1],
  ["module after module", ["a", "b", "c", "d"], [[], ["a"], ["a", "b"], ["a", "b", "c"]], 0],
  ["a module that nobody has", ["unknown"], [[], ["unknown"]], 0],
] as const)("tests that lack %s", async ([, lacking, asked, requests]) => {
  const { missed, runs, recording } = await ran({}, undefined, { lacking });
  expect(missed).toEqual(asked);
  expect(runs.at(-1)?.needs).toEqual([
    "pytest",
    ...(asked.at(-1) ?? []).filter((each) => each !== "unknown"),
  ]);
  expect(recording?.requests).toHaveLength(requests);
});

test("the tables are made, but not filled", async () => {
  const { commands } = await ran({ "migrate-command": "migrate", "seed-command": "fill" });
  expect(commands.map(({ text }) => text)).toEqual(["migrate", "python record"]);
});

test("a folder of the repository", async () => {
  const { asked, run } = await ran({}, undefined, { inside: "backend" });
  expect(asked).toEqual(["/repo/backend", "/repo"]);
  expect(run?.folder).toBe("/shared/repo");
});

test.for<readonly [what: string, raw: Record<string, string>, choice: Suite["choice"], expected: object]>([
  ["without a database", { database: "none" }, undefined, { portVariables: [] }],
  ["with a path", {}, { kind: "path", path: "tests/api" }, { only: ["/shared/repo/tests/api"] }],
  [
    "with words",
    {},
    { kind: "words", words: "api and not slow" },
    { only: ["test_a.py", "-k", "api and not slow"] },
  ],
])("%s", async ([, raw, choice, expected]) => {
  expect((await ran(raw, choice)).run).toMatchObject(expected);
});

test("with services", async () => {
  const { run, command } = await ran({ database: "none" }, undefined, { services: "redis" });
  expect(run?.portVariables).toEqual(["REDIS_URL"]);
  expect(command?.wanted?.services).toHaveLength(1);
});

test("nothing is run without tests", async () => {
  const { recording, run } = await ran({}, undefined, { found: false });
  expect([recording, run]).toEqual([undefined, undefined]);
});

test("the database is gone when its tables cannot be made", async () => {
  const workload = workloadOf({ "migrate-command": "migrate" });
  const ports = trialPorts(workload, { tests, recorded, commandFails: () => "no table" });
  const suite = { inside: ".", document: undefined, readsAddress: true };
  await expect(recordTests(workload, suite, ports)).rejects.toThrow("migrate-command");
});
