import { expect, test } from "vitest";

import { sharedServices } from "../../../src/model/workload/shared-services.ts";

test.for<readonly [value: string, called: string | undefined]>([
  ["redis://:secret@cache:6379/0", "Redis"],
  ["amqp://guest@queue/", "RabbitMQ"],
  ["mongodb+srv://cluster/app", "MongoDB"],
  ["mysql+aiomysql://u:p@db/app", "MySQL"],
  ["postgresql+asyncpg://u:p@db/app", "Postgres"],
  ["redis:///0", undefined],
  ["https://example.org", undefined],
  ["redis", undefined],
])("what %s names is shared", ([value, called]) => {
  const said = sharedServices({ ADDRESS: value, LEVEL: "info" });
  expect(said).toEqual(called === undefined ? [] : [`${called} (ADDRESS)`]);
});
