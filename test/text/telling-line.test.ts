import { expect, test } from "vitest";

import { exceptionIn, tellingLine, troublesIn } from "../../src/text/telling-line.ts";

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
  [
    "of logging itself",
    '--- Logging error ---\nTraceback (most recent call last):\n  File "/a.py", line 1, in emit\n    f()\nValueError: no such field\nCall stack:\n  File "/a.py", line 2, in f\n    log({})\nMessage: {\'a\': 1}\nArguments: ()\n',
    "ValueError: no such field",
    "ValueError: no such field",
  ],
  ["a plain sentence", "starting\nno such option: --x\n\n", undefined, "no such option: --x"],
  ["errors and what follows", "INFO: on\nERROR: off\nERROR: child\nINFO: end", undefined, "ERROR: off"],
  ["gunicorn's", "[2026] [7] [INFO] on\n[2026] [7] [ERROR] off\nend", undefined, "[2026] [7] [ERROR] off"],
  [
    "uvicorn's of two workers",
    "ERROR:    Error loading ASGI app.\nINFO:     Waiting for child process [7]\nERROR:    Child process [7] failed to start, stopping the parent process.\nINFO:     Stopping parent process [6]",
    undefined,
    "ERROR: Error loading ASGI app.",
  ],
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

/** A frame of the app's, or of a library, with its line of code. */
const at = (file: string, line: number, code: string, bars = "") =>
  `${bars}  File "/srv/${file}", line ${line}, in start\n${bars}    ${code}`;
const head = "Traceback (most recent call last):";
const library = at(
  "lib/python3.12/site-packages/starlette/routing.py",
  661,
  "async with self.lifespan(app):",
);

test.for<readonly [what: string, log: readonly string[], line: string]>([
  [
    "without a message",
    [
      head,
      at("main.py", 4, 'raise ValueError("first")'),
      "ValueError: first",
      "",
      "During handling of the above exception, another exception occurred:",
      "",
      head,
      library,
      at("main.py", 6, "raise TimeoutError"),
      "TimeoutError",
      "",
    ],
    "TimeoutError at main.py:6: raise TimeoutError",
  ],
  [
    "of an assertion, deep in a library",
    [head, at("main.py", 9, "connect(key)"), library, "AssertionError"],
    "AssertionError at main.py:9: connect(key)",
  ],
  [
    "of a library alone",
    [head, library.split("\n")[0] ?? "", "TimeoutError"],
    "TimeoutError at routing.py:661",
  ],
  [
    "with marks below the code",
    [
      head,
      `${library}\n           ^^^^^^^^^^^^`,
      "  [Previous line repeated 9 more times]",
      "RecursionError: maximum",
    ],
    "RecursionError: maximum",
  ],
  [
    "with a lower-case name",
    [head, library, "socket.gaierror: [Errno -2] No address"],
    "socket.gaierror: [Errno -2] No address",
  ],
  [
    "of a nested class",
    [head, library, "main.start.<locals>.Broken: no gate"],
    "main.start.<locals>.Broken: no gate",
  ],
  ["with no frame that is left of a long one", [library, "struct.error: 4 bytes"], "struct.error: 4 bytes"],
  ["without a frame", [head, "key.missing: API_KEY"], "key.missing: API_KEY"],
  [
    "raised from another one",
    [
      `ERROR:    ${head}`,
      at("db.py", 3, "connect()"),
      "ConnectionRefusedError: [Errno 111] Connect call failed",
      "",
      "The above exception was the direct cause of the following exception:",
      "",
      head,
      at("main.py", 5, 'raise RuntimeError("no database") from error'),
      "RuntimeError: no database",
      "",
      "ERROR:    Application startup failed. Exiting.",
    ],
    "RuntimeError: no database",
  ],
  [
    "in a group",
    [
      "ERROR:      + Exception Group Traceback (most recent call last):",
      at("main.py", 5, "raise ExceptionGroup", "  | "),
      "  | ExceptionGroup: start (1 sub-exception)",
      "  +-+---------------- 1 ----------------",
      "    | RuntimeError: no gate",
      "    +------------------------------------",
    ],
    "RuntimeError: no gate",
  ],
  [
    "in a group, with a traceback of its own and another group",
    [
      "  + Exception Group Traceback (most recent call last):",
      at("main.py", 5, "async with TaskGroup() as group:", "  | "),
      "  | ExceptionGroup: unhandled errors in a TaskGroup (2 sub-exceptions)",
      "  +-+---------------- 1 ----------------",
      "    | asyncio.exceptions.CancelledError",
      "    +---------------- 2 ----------------",
      "    | Exception Group Traceback (most recent call last):",
      at("main.py", 8, "raise ExceptionGroup", "    | "),
      "    | ExceptionGroup: inner (1 sub-exception)",
      "    +-+---------------- 1 ----------------",
      `      | ${head}`,
      at("keys.py", 2, "assert key", "      | "),
      "      | AssertionError",
      "      +------------------------------------",
    ],
    "AssertionError at keys.py:2: assert key",
  ],
  [
    "before gunicorn's own",
    [
      `[2026-01-02 10:00:00 +0000] [7] [ERROR] ${head}`,
      library,
      "ValueError: no harbour",
      "[2026-01-02 10:00:00 +0000] [7] [INFO] Worker exiting (pid: 7)",
      head,
      library,
      "gunicorn.errors.HaltServer: <HaltServer 'Worker failed to boot.' 3>",
    ],
    "ValueError: no harbour",
  ],
  [
    "with a note, and a link that helps nobody",
    [head, library, "KeyError: 'HARBOUR'", "see docs/setup.md", "INFO: bye"],
    "KeyError: 'HARBOUR' see docs/setup.md",
  ],
  [
    "of pydantic",
    [
      head,
      library,
      "pydantic_core.ValidationError: 1 validation error for Settings",
      "harbour_key",
      "  Field required [type=missing]",
      "    For further information visit https://errors.example/missing",
    ],
    "pydantic_core.ValidationError: 1 validation error for Settings harbour_key Field required [type=missing]",
  ],
  [
    "in a line of JSON",
    [
      JSON.stringify({
        level: "error",
        message: "off",
        exc_info: `${head}\n${library}\nsocket.timeout: slow`,
      }),
      '{"level": "info"}',
      '{"Traceback (most recent call last)',
    ],
    "socket.timeout: slow",
  ],
  [
    "that was logged later, without a traceback",
    [head, library, "ValueError: first", "", "sqlalchemy.exc.ArgumentError: last"],
    "sqlalchemy.exc.ArgumentError: last",
  ],
  ["that is nothing but a server's", [head, library, "KeyboardInterrupt: 2"], "KeyboardInterrupt: 2"],
])("an exception %s", ([, log, line]) => {
  expect(tellingLine(log.join("\n"))).toBe(line);
});

test("a traceback that ends in no exception is passed over", () => {
  expect(tellingLine([head, library, "", "-- end --"].join("\n"))).toBe("-- end --");
});

test.for<readonly [what: string, log: readonly string[], troubles: readonly [text: string, times: number][]]>(
  [
    [
      "exceptions",
      [
        ...Array(3).fill([head, library, "TimeoutError: pool"]).flat(),
        head,
        library,
        "KeyError: 'a'",
        "WARNING: slow",
      ],
      [
        ["TimeoutError: pool", 3],
        ["KeyError: 'a'", 1],
      ],
    ],
    [
      "exceptions with other numbers",
      [head, library, "OSError: 41233 at 0x7f12", head, library, "OSError: 55555 at 0x7f99"],
      [["OSError: … at …", 2]],
    ],
    [
      "warnings",
      [
        "WARNING:  Exceeded concurrency limit.",
        "[2026-01-02] [7] [WARNING] Exceeded concurrency limit.",
        "INFO: on",
      ],
      [["Exceeded concurrency limit.", 2]],
    ],
    ["nothing", ["INFO: up"], []],
  ],
)("a log's %s are counted", ([, log, troubles]) => {
  expect(troublesIn(log.join("\n")).map(({ text, times }) => [text, times])).toEqual(troubles);
});
