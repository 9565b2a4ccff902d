import { expect, test } from "vitest";

import { readsElsewhere } from "../../../src/model/workload/seed.ts";

test.for<[string, boolean]>([
  ["INSERT INTO t SELECT 1 FROM generate_series(1, 2)", false],
  ["COPY (SELECT 1) TO '/dev/null'", false],
  ["COPY t FROM '/data/rows.csv'", true],
  ["copy t (a, b)\nfrom program 'curl x'", true],
  ["COPY t FROM $$/data/rows.csv$$", true],
  ["SELECT pg_read_file('x')", true],
  ["CREATE EXTENSION postgres_fdw", true],
])("%s: %s", ([text, expected]) => {
  expect(readsElsewhere(["SELECT 1", text])).toBe(expected);
});
