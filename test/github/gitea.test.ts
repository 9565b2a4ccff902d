import { expect, test } from "vitest";

import { isGitea } from "../../src/github/gitea.ts";

test.for([
  ["https://gitea.example/api/v1", true],
  ["https://forge.example/git/api/v1", true],
  ["https://api.github.com", false],
  ["https://ghes.example/api/v3", false],
  ["https://api.octo.ghe.com", false],
] as const)("the API at %s is Gitea's: %j", ([apiUrl, expected]) => {
  expect(isGitea(apiUrl)).toBe(expected);
});
