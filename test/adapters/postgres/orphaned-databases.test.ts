import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

import { databaseName, isOrphaned } from "../../../src/adapters/postgres/orphaned-databases.ts";
import { machineMark, ownerMark } from "../../../src/adapters/process/index.ts";

const now = 1_800_000_000;
const name = `${databaseName("copy", "0123abcd", now - 4_000)}_1`;
const young = `${databaseName("copy", "0123abcd", now - 60)}_1`;
/** Of a process that has ended. */
const gone = `${spawnSync("true").pid}.1`;

test.for([
  ["of a run that lives", name, `fastapi-loadtest ${machineMark()} ${ownerMark()} ${now - 4_000}`, false],
  ["of a run that was killed here", young, `fastapi-loadtest ${machineMark()} ${gone} ${now}`, true],
  ["of another machine, just heard of", name, `fastapi-loadtest 0000 1.1 ${now - 60}`, false],
  ["of another machine, long silent", young, `fastapi-loadtest 0000 1.1 ${now - 301}`, true],
  ["that nothing is said of, young", young, "", false],
  ["that nothing is said of, an hour old", name, "", true],
  ["that somebody else says something of", name, "please keep", false],
] as const)("a database %s", ([, each, comment, expected]) => {
  expect(isOrphaned({ name: each, comment, nowSeconds: now })).toBe(expected);
});
