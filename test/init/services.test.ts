import { expect, test } from "vitest";

import { lackingServices } from "../../src/init/services.ts";

const read = (name: string) => ({
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
  const said = lackingServices({ has: (each) => each === name }, variables.map(read));
  expect(said.map((text, index) => text.endsWith(ends[index] ?? "-"))).toEqual(ends.map(() => true));
});
