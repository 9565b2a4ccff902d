import { expect, test } from "vitest";

import { dialectOf } from "../../../src/model/workload/database-variables.ts";
import { serverKindOf } from "../../../src/model/workload/seed.ts";

test("a database's URL tells the language of its queries", () => {
  const urls = ["postgresql://a@b/c", "mysql://a@b/c", "sqlite:/a"];
  expect(urls.map(dialectOf)).toEqual(["postgres", "mysql", "sqlite"]);
});

test("a job has no server of Postgres to start for another database", () => {
  const seed = { seedFiles: [], scale: 1, variable: "DATABASE_URL" };
  expect([serverKindOf({ kind: "mysql", ...seed }), serverKindOf({ kind: "private", ...seed })]).toEqual([
    "none",
    "private",
  ]);
});
