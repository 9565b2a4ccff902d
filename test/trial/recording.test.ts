import { expect, test } from "vitest";
import { readServices } from "../../src/config/file/service-forms.ts";
import type { AppCommand } from "../../src/ports/app.ts";
import type { TestRun } from "../../src/ports/trial.ts";
import { recordTests } from "../../src/trial/recording.ts";
import { requestOf } from "../init/tests/recorded.ts";
import { workloadOf } from "../measure/run-measure.ts";
import { trialPorts } from "./fake-trial.ts";

const tests = { folder: "tests", files: ["test_a.py"], needs: ["pytest"] };
const recorded = JSON.stringify(requestOf());

async function ran(
  raw: Record<string, string> = {},
  choice?: Parameters<typeof recordTests>[2],
  { inside = ".", found = true, services }: { inside?: string; found?: boolean; services?: string } = {},
) {
  const base = { ...workloadOf(raw), ...(services !== undefined && { services: readServices(services) }) };
  const workload = { ...base, app: { ...base.app, folder: inside === "." ? "/repo" : `/repo/${inside}` } };
  const runs: TestRun[] = [];
  const commands: AppCommand[] = [];
  const asked: string[] = [];
  const ports = trialPorts(workload, { recorded, ...(found && { tests }) });
  const recording = await recordTests(workload, inside, choice, {
    ...ports,
    copyApp: async (app, files) => ({ ...app, folder: `/${files}${app.folder}` }),
    findTests: async (folders, ...rest) => {
      asked.push(folders.app, folders.repository);
      return await ports.findTests(folders, ...rest);
    },
    runCommand: async (command) => void commands.push(command),
    recordTests: async (run) => {
      runs.push(run);
      await run.start(["python", "record"], { HOME: "/empty" });
      return recorded;
    },
  });
  return { recording, run: runs[0], command: commands.at(-1), commands, asked };
}

test("tests run in a copy, on a database of ours, and reach nothing else", async () => {
  const { recording, run, command } = await ran();
  expect(recording?.requests).toEqual([requestOf()]);
  expect(run).toMatchObject({
    folder: "/shared/repo",
    ports: [5555],
    portVariables: [],
    only: ["test_a.py"],
    seconds: 90,
    testSeconds: 20,
  });
  expect(command).toMatchObject({
    ...{ text: "python record", folder: "/shared/repo/tests" },
    variables: {
      HOME: "/empty",
      TEST_DATABASE_URL: expect.stringContaining(":5555/"),
      DATABASE_URL: expect.stringContaining(":5555/"),
    },
  });
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

test.for<
  readonly [
    what: string,
    raw: Record<string, string>,
    choice: Parameters<typeof recordTests>[2],
    expected: object,
  ]
>([
  ["without a database", { database: "none" }, undefined, { ports: [] }],
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
  await expect(recordTests(workload, ".", undefined, ports)).rejects.toThrow("migrate-command");
});
