import { expect, test } from "vitest";

import { hostsOfServices, sharedServices } from "../../../src/model/workload/service.ts";

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

test.for<readonly [address: string, hosts: readonly string[]]>([
  ["redis://:sec@ret@Cache:6379/0", ["cache"]],
  ["redis://127.0.0.1", ["127.0.0.1"]],
  ["postgresql+asyncpg://u:p@[::1]:5432/app?ssl=1", ["::1"]],
  ["mongodb://one:27017,two/app", ["one", "two"]],
  ["https://api.example.com", []],
  ["info", []],
])("hosts of %s", ([address, hosts]) => {
  expect(hostsOfServices([address])).toEqual(hosts);
});
