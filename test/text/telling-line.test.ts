import { expect, test } from "vitest";

import { exceptionIn, tellingLine } from "../../src/text/telling-line.ts";

const uvicorn = `INFO:     Waiting for application startup.
ERROR:    Traceback (most recent call last):
  File "/app/main.py", line 3, in lifespan
    raise RuntimeError("first")
RuntimeError: first

During handling of the above exception, another exception occurred:

  File "/app/db.py", line 9, in connect
psycopg.errors.DuplicateTable: relation "song" already exists

ERROR:    Application startup failed. Exiting.
`;

test.for<readonly [name: string, log: string, exception: string | undefined, line: string | undefined]>([
  [
    "uvicorn's",
    uvicorn,
    'psycopg.errors.DuplicateTable: relation "song" already exists',
    'psycopg.errors.DuplicateTable: relation "song" already exists',
  ],
  ["a plain sentence", "starting\nno such option: --x\n\n", undefined, "no such option: --x"],
  ["errors and what follows", "INFO: on\nERROR: off\nERROR: child\nINFO: end", undefined, "ERROR: off"],
  ["gunicorn's", "[2026] [7] [INFO] on\n[2026] [7] [ERROR] off\nend", undefined, "[2026] [7] [ERROR] off"],
  ["nothing", " \n", undefined, undefined],
  [
    "one with nothing but information",
    "INFO: up\n12:01 | INFO | app | waiting for Redis\n",
    undefined,
    undefined,
  ],
  [
    "one whose last lines inform",
    "2026-01-02 10:00:01,123 - shop - ERROR - no SECRET_KEY\n2026-01-02 10:00:01,124 - shop - INFO - bye",
    undefined,
    "2026-01-02 10:00:01,123 - shop - ERROR - no SECRET_KEY",
  ],
  [
    "one with an earlier error",
    "[error    ] no DSN\n[info     ] starting\n[critical ] no database\nERROR:    Application startup failed. Exiting.",
    undefined,
    "[critical ] no database",
  ],
  [
    "JSON's",
    '{"level": "error", "message": "no queue"}\n{"level": "info", "message": "bye"}\n{"level": "odd"}',
    undefined,
    '{"level": "error", "message": "no queue"}',
  ],
  ["a warning's", "WARNING: no CPU is left\nINFO: bye", undefined, "WARNING: no CPU is left"],
  [
    "an app's that ends itself",
    'INFO: on\nSet I_READ_THE_DOCS first.\nTraceback (most recent call last):\n  File "a.py"\nSystemExit: 66',
    "SystemExit: 66",
    "Set I_READ_THE_DOCS first. (SystemExit: 66)",
  ],
  [
    "one that said nothing",
    "Traceback (most recent call last):\nSystemExit: 2",
    "SystemExit: 2",
    "SystemExit: 2",
  ],
  [
    "a long one",
    `ValueError: ${"x".repeat(400)}`,
    `ValueError: ${"x".repeat(287)}…`,
    `ValueError: ${"x".repeat(287)}…`,
  ],
])("of %s log", ([, log, exception, line]) => {
  expect(exceptionIn(log)).toBe(exception);
  expect(tellingLine(log)).toBe(line);
});
