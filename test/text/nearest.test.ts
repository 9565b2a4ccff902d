import { expect, test } from "vitest";

import { nearest } from "../../src/text/nearest.ts";

test.for<[name: string, candidates: readonly string[], meant: string | undefined]>([
  ["wokers", ["workers", "working-directory"], "workers"],
  ["base", ["name", "base-ref", "database"], "base-ref"],
  ["base", ["name", "base-ref", "base-url"], "base-ref"],
  ["completely-else", ["name", "base-ref"], undefined],
])("%s among %j", ([name, candidates, meant]) => {
  expect(nearest(name, candidates)).toBe(meant);
});
