import { expect, test } from "vitest";

import { uvVariables } from "../../../src/adapters/python/installer.ts";

test.for<readonly [what: string, settings: string, variables: Readonly<Record<string, string>> | undefined]>([
  ["nothing", "", {}],
  ["what changes no packages", "global.cert='/etc/ca.crt'\n:env:.default-timeout='60'\n", {}],
  [
    "an index and a folder",
    "global.index-url='https://mirror.example/simple'\n:env:.find-links='/opt/wheels'\n",
    { UV_DEFAULT_INDEX: "https://mirror.example/simple", UV_FIND_LINKS: "/opt/wheels" },
  ],
  [
    "a second index, whose packages uv might take elsewhere",
    "global.extra-index-url='https://own.example'",
    undefined,
  ],
  ["several values", "global.find-links='/a /b'", undefined],
  ["several values on lines", "global.find-links='\\n/a\\n/b'", undefined],
  ["what only pip knows", "install.constraint='c.txt'", undefined],
  ["what cannot be read", "odd", undefined],
])("uv stands in for pip with %s", ([, settings, variables]) => {
  expect(uvVariables(settings)).toEqual(variables);
});
