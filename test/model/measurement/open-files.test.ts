import { describe, expect, test } from "vitest";
import { type Load, openFilesProblem } from "../../../src/model/plan/cell.ts";

const stages: Load = {
  kind: "stages",
  stages: [
    { durationSeconds: 1, virtualUsers: 10_000 },
    { durationSeconds: 30, virtualUsers: 50 },
  ],
};
const constant: Load = { kind: "constant", virtualUsers: 924, durationSeconds: 1 };

describe("openFilesProblem", () => {
  test.for([
    { load: constant, limit: 1_024, problem: undefined },
    { load: stages, limit: undefined, problem: undefined },
    { load: stages, limit: 20_000, problem: undefined },
    {
      load: { ...constant, virtualUsers: 925 },
      limit: 1_024,
      problem: /^vus: 925 virtual users need 1,025 open files/,
    },
    { load: stages, limit: 4_096, problem: /^stages: 10,000 .* 10,100 .* 4,096 here .*`ulimit -n 10100`/ },
  ])("$load.kind, limit $limit", ({ load, limit, problem }) => {
    const said = openFilesProblem(load, limit);
    if (problem === undefined) expect(said).toBeUndefined();
    else expect(said).toMatch(problem);
  });
});
