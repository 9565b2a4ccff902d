import { expect, test } from "vitest";

import { engineVariables } from "../../../src/adapters/services/service-way.ts";

test.for<readonly [name: string, isHandedOn: boolean]>([
  ["DOCKER_HOST", true],
  ["DOCKER_CONTEXT", true],
  ["DOCKER_TLS_VERIFY", true],
  ["CONTAINER_HOST", true],
  ["CONTAINERS_STORAGE_CONF", true],
  ["XDG_RUNTIME_DIR", true], // podman's socket of a user
  ["GITHUB_TOKEN", false],
  ["LOADTEST_PASSWORD", false],
  ["MY_DOCKER_HOST", false],
  ["XDG_CACHE_HOME", false],
])("the engine of containers is handed %s: %s", ([name, isHandedOn]) => {
  expect(engineVariables({ [name]: "x", OTHER: undefined })).toEqual(isHandedOn ? { [name]: "x" } : {});
});
