import { expect, test } from "vitest";

import { connectionLimitHint } from "../../src/diagnosis/connection-limit.ts";

test.for([
  "psycopg.OperationalError: connection failed: FATAL:  sorry, too many clients already",
  "asyncpg.exceptions.TooManyConnectionsError: remaining connection slots are reserved for roles with the SUPERUSER attribute",
  'FATAL:  too many connections for role "app"',
  'FATAL:  too many connections for database "app"',
  "ERROR: no more connections allowed (max_client_conn)",
])("F11: %s names the database's limit", (log) => {
  expect(connectionLimitHint(`Traceback (most recent call last):\n${log}\n`)).toMatch(
    /^the database ran out of connections: .* smaller pools or fewer workers/,
  );
});

test.for(["", "FATAL:  password authentication failed", `too many clients already${"x".repeat(20_000)}`])(
  "F11: any other log does not",
  (log) => {
    expect(connectionLimitHint(log)).toBe("");
  },
);
