import { expect, test } from "vitest";
import { findRedis, lackingServices } from "../../src/init/services.ts";
import type { ReadVariable } from "../../src/init/variables.ts";

const read = (name: string): ReadVariable => ({
  name,
  path: "a.py",
  isNeeded: true,
  type: undefined,
  value: undefined,
  isField: true,
});

test.for<readonly [has: string, variables: string[], ends: readonly string[]]>([
  ["redis", ["REDIS_DB", "REDIS_URL"], ["name it in `app-env`: REDIS_URL: redis://127.0.0.1:6379/0"]],
  ["arq", ["REDIS_HOST"], ["name it in `app-env`: REDIS_HOST: 127.0.0.1"]],
  ["aio-pika", [], ["(`services:` of the job)"]],
  ["fastapi", ["REDIS_URL"], []],
])("of an app that requires %s what it may need is said", ([name, variables, ends]) => {
  const said = lackingServices({ has: (each) => each === name }, variables.map(read), {
    isKnown: false,
    isHere: true,
  });
  expect(said.map((text, index) => text.endsWith(ends[index] ?? "-"))).toEqual(ends.map(() => true));
});

test("an app whose variables for Redis are known is told to install one, or nothing where there is one", () => {
  const said = (isHere: boolean) =>
    lackingServices({ has: (each) => each === "redis" }, [], { isKnown: true, isHere });
  expect(said(true)).toEqual([]);
  expect(said(false)).toEqual([expect.stringContaining("put redis-server on PATH")]);
});

test.for<
  readonly [what: string, client: string, variables: readonly ReturnType<typeof read>[], expected: unknown]
>([
  ["a URL", "arq", [read("REDIS_URL")], { REDIS_URL: "{url}" }],
  [
    "host and port, by name and by default",
    "redis",
    [
      read("REDIS_CACHE_HOST"),
      read("REDIS_CACHE_PORT"),
      { ...read("BROKER_URL"), value: "redis://localhost:6379/2" },
      read("HOST"),
    ],
    { REDIS_CACHE_HOST: "{host}", REDIS_CACHE_PORT: "{port}", BROKER_URL: "{url}" },
  ],
  ["a type", "redis", [{ ...read("CACHE_URL"), type: "RedisDsn" }], { CACHE_URL: "{url}" }],
  ["a host alone", "redis", [read("REDIS_HOST")], undefined],
  ["no variable", "redis", [read("REDIS_DB")], undefined],
  ["no client", "fastapi", [read("REDIS_URL")], undefined],
])("a Redis of its own is found by %s", ([, client, variables, expected]) => {
  expect(findRedis({ has: (each) => each === client }, variables)?.value).toEqual(expected);
});
