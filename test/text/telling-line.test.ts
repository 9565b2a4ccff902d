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
