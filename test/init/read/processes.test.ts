import { expect, test } from "vitest";

import { findProcesses } from "../../../src/init/read/compose.ts";

const compose = (command: string) =>
  `services:\n  web: { command: uvicorn main:app }\n  jobs: { command: ${command} }\n`;

test.for<readonly [what: string, path: string, text: string, expected: unknown]>([
  [
    "a Procfile",
    "Procfile",
    "web: uvicorn main:app\nworker: celery -A a worker\n",
    { worker: "celery -A a worker" },
  ],
  ["compose", "compose.yaml", compose("celery -A a worker -c 2"), { jobs: "celery -A a worker -c 2" }],
  [
    "no option of who edits the app",
    "compose.yaml",
    compose("celery --reload -A a worker --autoreload"),
    { jobs: "celery -A a worker" },
  ],
  [
    "a list in compose",
    "docker-compose.yml",
    compose("[celery, -A, a, worker]"),
    { jobs: "celery -A a worker" },
  ],
  ["another runner", "Procfile", "worker: uv run arq a.Settings\n", { worker: "arq a.Settings" }],
  ["python -m", "Procfile", "worker: python -m dramatiq a\n", { worker: "dramatiq a" }],
])("a worker is found in %s", ([, path, text, expected]) => {
  const [found] = findProcesses({ has: () => true }, [{ path, text }]);
  expect(found?.value).toEqual(expected);
  expect(found?.reason).toContain(path);
});

test("the same worker in two files, and another one", () => {
  const [found] = findProcesses({ has: () => true }, [
    { path: "Procfile", text: "worker: celery -A a worker\nagent: arq b\n" },
    { path: "compose.yml", text: compose("celery -A a worker") },
  ]);
  expect(found).toEqual({
    key: "processes",
    value: { worker: "celery -A a worker", agent: "arq b" },
    reason: "Procfile starts them with the app",
  });
});

test.for<readonly [what: string, path: string, text: string]>([
  ["a scheduler", "Procfile", "beat: celery -A a beat\n"],
  ["a dashboard", "Procfile", "flower: celery -A a flower\n"],
  ["a shell's work", "Procfile", "worker: celery -A a worker && echo\n"],
  ["a variable", "Procfile", "worker: celery -A $APP worker\n"],
  ["another program", "Procfile", "worker: python jobs.py\n"],
  ["a name of every object", "Procfile", "worker: toString worker\n"],
  ["no command", "compose.yml", "services: { a: { image: b } }\n"],
  ["no services", "compose.yml", "version: 3\n"],
  ["no YAML", "compose.yml", "services: [\n"],
  ["another file", "README.md", "worker: celery -A a worker\n"],
])("no worker is found in %s", ([, path, text]) => {
  expect(findProcesses({ has: () => true }, [{ path, text }])).toEqual([]);
});

test("a program that is not in the requirements is none of the app's", () => {
  const files = [{ path: "Procfile", text: "worker: celery -A a worker\nother: huey_consumer a\n" }];
  expect(findProcesses({ has: (name) => name === "huey" }, files)[0]?.value).toEqual({
    other: "huey_consumer a",
  });
});
