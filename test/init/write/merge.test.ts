import { expect, test } from "vitest";

import { withAdded } from "../../../src/init/write/configuration.ts";

const written = `app: main:app
stubs:
  rates:
    app-env:
      RATES_URL: "{url}"
`;

test.for<readonly [what: string, kept: string, isAdded: boolean]>([
  ["is added", "app: main:app\n", true],
  ["is added beside other services", "app: main:app\nservices: redis\n", true],
  ["is not added where its variable has a value", "app: main:app\napp-env: { RATES_URL: http://a }\n", false],
  ["is not added where a comment has it", "app: main:app\n# RATES_URL: later\n", false],
  [
    "is not added beside a service of its name",
    "app: main:app\nservices: { rates: { preset: redis } }\n",
    false,
  ],
])("a stub %s", ([, kept, isAdded]) => {
  expect(withAdded("a.yml", kept, written)).toMatchObject({ added: isAdded ? ["stubs"] : [] });
});

test("stubs without variables are added", () => {
  const odd = "stubs: { a: {}, b: 1 }\n";
  expect(withAdded("a.yml", "app: a:b\n", odd)).toMatchObject({ added: ["stubs"] });
  expect(withAdded("a.yml", "app: a:b\n", "stubs: 1\n")).toMatchObject({ added: ["stubs"] });
});
