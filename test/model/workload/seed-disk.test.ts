import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { diskProblem, seedDiskBytes } from "../../../src/model/workload/seed.ts";

test.for<[string, readonly string[], number, number]>([
  ["nothing is said", ["SELECT 1;"], 1, 0],
  ["one file says it", ["a", "-- loadtest: disk 2.3 GB at scale 1\n"], 1, 2.3e9],
  ["it grows with the scale", ["-- loadtest: disk 200 MB at scale 1"], 0.1, 2e7],
  [
    "several files say it",
    ["-- loadtest: disk 1 GB at scale 1", "-- loadtest: disk 2 GB at scale 1\r\n"],
    1,
    3e9,
  ],
])("%s", ([, texts, scale, bytes]) => {
  expect(seedDiskBytes(texts, scale)).toBeCloseTo(bytes);
});

test("our own data say what they need", () => {
  expect(seedDiskBytes([readFileSync("sql/01-schema.sql", "utf8")], 1)).toBeGreaterThan(2e9);
});

test("room for the template and for twice a copy of each arm is enough", () => {
  const place = { folder: "/tmp", scale: 1 };
  expect(diskProblem(2e9, { ...place, arms: 1, freeBytes: 6e9 })).toBeUndefined();
  expect(diskProblem(0, { ...place, arms: 2, freeBytes: 0 })).toBeUndefined();
  expect(diskProblem(2e9, { ...place, arms: 2, freeBytes: 6e9 })).toBe(
    "scale: at 1 the databases need 10.0 GB of disk and /tmp has 6.0 GB free; " +
      "free some space, set TMPDIR to a folder on a larger disk, or lower scale",
  );
});
