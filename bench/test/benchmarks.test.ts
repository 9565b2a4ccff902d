import { readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

import { median, rounded } from "../parts/timing.ts";
import { wilsonWords } from "../verdict/wilson.ts";

const folder = join(import.meta.dirname, "..");
const benchmarks = readdirSync(folder).filter((name) => name.endsWith(".ts"));

test.for(benchmarks)("%s finds all that it imports", async (name) => {
  const options = { bundle: true, packages: "external", platform: "node", format: "esm" } as const;
  const { errors } = await build({ ...options, entryPoints: [join(folder, name)], write: false });
  expect(errors).toEqual([]);
});

test("a median is the middle, or between both of them", () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([7])]).toEqual([2, 2.5, 7]);
});

test("figures have three significant digits unless asked for others", () => {
  expect([rounded(0.123456), rounded(12_345), rounded(1.23456, 2)]).toEqual([0.123, 12_300, 1.2]);
});

test("a share's interval stays between none and all", () => {
  expect([wilsonWords(0, 10), wilsonWords(5, 10), wilsonWords(10, 10)]).toEqual([
    "0 to 28%",
    "24 to 76%",
    "72 to 100%",
  ]);
});
