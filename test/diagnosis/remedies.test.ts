import { expect, test } from "vitest";

import { remedyIn } from "../../src/diagnosis/remedies.ts";

test.for([
  "psycopg.OperationalError: connection failed: FATAL:  sorry, too many clients already",
  "asyncpg.exceptions.TooManyConnectionsError: remaining connection slots are reserved for roles with the SUPERUSER attribute",
  'FATAL:  too many connections for role "app"',
  'FATAL:  too many connections for database "app"',
  "ERROR: no more connections allowed (max_client_conn)",
])("F11: %s names the database's limit", (log) => {
  expect(remedyIn(`Traceback (most recent call last):\n${log}\n`)).toMatch(
    /^the database ran out of connections: .* smaller pools or fewer workers/,
  );
});

test.for(["", "FATAL:  password authentication failed", `too many clients already${"x".repeat(20_000)}`])(
  "F11: any other log does not",
  (log) => {
    expect(remedyIn(log)).toBe("");
  },
);

test.for([
  ['ConnectionError: PostgreSQL server at "127.0.0.1:34863" rejected SSL upgrade', "does not support TLS"],
  ["psycopg.OperationalError: server does not support SSL, but SSL was required", "does not support TLS"],
  [
    "sqlalchemy.exc.TimeoutError: QueuePool limit of size 5 overflow 10 reached",
    "pool is too small for the load",
  ],
  ["psycopg_pool.PoolTimeout: couldn't get a connection after 30.00 sec", "pool is too small for the load"],
  ["Exceeded concurrency limit.", "`--limit-concurrency` is below"],
  ["INFO:  Maximum request limit of 50 exceeded. Terminating process.", "remove `--limit-max-requests`"],
  ["OSError: [Errno 24] Too many open files", "file descriptors"],
] as const)("%s: %s", ([log, words]) => {
  expect(remedyIn(log)).toContain(words);
});
