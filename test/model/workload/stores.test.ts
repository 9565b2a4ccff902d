import { expect, test } from "vitest";

import { otherStoreSentence, pathsIn, placesIn } from "../../../src/model/workload/stores.ts";

test.for<readonly [variables: Record<string, string>, places: readonly string[]]>([
  [{ A: "postgresql+asyncpg://u:p%40@127.0.0.1:54321/app" }, ["127.0.0.1:54321"]],
  [{ A: "redis://localhost/0" }, ["127.0.0.1:6379"]],
  [{ A: "rediss://:secret@Cache.Internal./0" }, ["cache.internal:6379"]],
  [{ A: "mongodb://a.example:1,b.example/?replicaSet=x" }, ["a.example:1", "b.example:27017"]],
  [{ A: "amqps://u@[::1]:9/" }, ["127.0.0.1:9"]],
  [{ A: "amqp://u:a@b@rabbit/" }, ["rabbit:5672"]],
  [{ BROKERS: "kafka-1:9092, kafka-2:9093" }, ["kafka-1:9092", "kafka-2:9093"]],
  [{ A: "http://api.example.com/x" }, []],
  [{ DB_HOST: "127.0.0.1", DB_PORT: "4000" }, ["127.0.0.1:4000"]],
  [{ A: "-x db=postgres://h/y" }, ["h:5432"]],
  [{ A: "plain words", B: "" }, []],
])("places that %j names", ([variables, places]) => {
  expect(placesIn(variables)).toEqual(places);
});

test("a host of the configuration means the usual port of what the variable is called after", () => {
  expect(placesIn({ REDIS_HOST: "localhost" }, true)).toEqual(["127.0.0.1:6379"]);
  expect(placesIn({ DB_HOST: "db.internal" }, true)).toEqual(["db.internal:5432", "db.internal:3306"]);
  expect(placesIn({ REDIS_DB: "0" }, true)).toEqual([]);
  expect(placesIn({ DB_HOST: "127.0.0.1" })).toEqual([]); // ours: the app may ignore the port
});

test.for<readonly [value: string, paths: readonly string[]]>([
  ["sqlite:///data/app.db", ["data/app.db"]],
  ["sqlite+aiosqlite:////srv/app.db?timeout=5", ["/srv/app.db"]],
  ["file:app.db?mode=rw", ["app.db"]],
  ["/var/run/postgresql", ["/var/run/postgresql"]],
  ["app.sqlite3", ["app.sqlite3"]],
  ["postgresql://u@h/app.db", []],
  ["words", []],
])("paths that %s names", ([value, paths]) => {
  expect(pathsIn({ A: value })).toEqual(paths);
});

test("the sentence names the variable, if the app was given a database", () => {
  expect(otherStoreSentence("Redis at 127.0.0.1:6379", { named: {}, variable: "X" })).toBe(
    "the app opens Redis at 127.0.0.1:6379, which this run did not start. Describe it in services, or name it under env if the load may use it",
  );
  expect(otherStoreSentence("SQLite at /x.db", { named: {}, variable: "DATABASE_URL" })).toBe(
    "the app opens SQLite at /x.db, not the database that it was given in DATABASE_URL. Set database-variable to the variable that it reads, or name it under env if the load may use it",
  );
  expect(otherStoreSentence("MySQL at db:3306", { named: {} })).toBe(
    "the app opens MySQL at db:3306, which this run did not start. Describe it in database, or name it under env if the load may use it",
  );
});
