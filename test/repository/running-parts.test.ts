import { expect, test } from "vitest";

import { runningParts } from "../../src/repository/frameworks.ts";

test.for<readonly [what: string, always: string[], parts: Record<string, string[]>, expected: string[]]>([
  ["a server in a group of its own", ["fastapi", "uvicorn>=0.2"], { prod: ["gunicorn (>=20)"] }, ["prod"]],
  ["a driver in an extra", ["fastapi"], { pgsql: ["psycopg2_binary"], mysql: ["aiomysql"] }, ["pgsql"]],
  ["one driver is enough", ["asyncpg"], { pgsql: ["psycopg[binary]"] }, []],
  ["what is there already", ["Gunicorn"], { prod: ["gunicorn"] }, []],
  ["tools", [], { dev: ["uvicorn"], "test-server": ["uvicorn"], docs: ["uvicorn"], all: ["uvicorn"] }, []],
  ["the only driver, of the developers", ["SQLAlchemy"], { dev: ["aiosqlite"], lint: ["ruff"] }, ["dev"]],
  ["no driver of the developers beside one", ["sqlmodel", "asyncpg"], { dev: ["aiosqlite"] }, []],
  ["no driver of the developers without a mapper", ["fastapi"], { dev: ["aiosqlite"] }, []],
  ["nothing of the kind", ["fastapi"], { aws: ["boto3"] }, []],
])("what an app needs to run besides: %s", ([, always, parts, expected]) => {
  expect(runningParts(always, parts)).toEqual(expected);
});
