import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

import { root } from "./files.ts";

const folder = join(root, "src", "wiring");

/** Choices that a file of wiring may make, by the number of its statements. */
const allowed: Readonly<Record<string, number>> = {
  "measure.ts": 1, // whose databases they are
};

test("wiring joins adapters to ports, and decides nothing", () => {
  const found = readdirSync(folder).flatMap((name) => {
    const text = readFileSync(join(folder, name), "utf8").replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, "");
    const count = [...text.matchAll(/\b(?:if|for|while|switch) \(|\btry \{/g)].length;
    return count === 0 ? [] : [[name, count] as const];
  });
  expect(Object.fromEntries(found)).toEqual(allowed);
});
