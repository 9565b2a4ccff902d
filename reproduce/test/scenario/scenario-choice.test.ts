import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/engine.ts";
import { casesOfClaims, chooseScenarios } from "../../scenario/scenario-choice.ts";
import { claims } from "../published.ts";

const scenarios = ["one-keyword", "three-waits"];
const choose = (...words: string[]) => chooseScenarios(words, scenarios, claims);

describe("chooseScenarios", () => {
  test.for([
    { words: ["three-waits"], whole: ["three-waits"], chosen: [] },
    { words: ["all"], whole: scenarios, chosen: [] },
    { words: ["J01", "K02"], whole: [], chosen: ["J01", "K02"] },
    { words: ["J01", "one-keyword"], whole: ["one-keyword"], chosen: ["J01"] },
    { words: ["one-keyword", "J01", "J01"], whole: ["one-keyword"], chosen: ["J01"] },
    { words: ["all", "J01"], whole: scenarios, chosen: ["J01"] },
  ])("$words: $whole whole, and $chosen", ({ words, whole, chosen }) => {
    expect(choose(...words)).toEqual({ whole: new Set(whole), claims: new Set(chosen) });
  });

  test.for([
    { words: [], problem: "name a report (one-keyword, three-waits), all, or claims" },
    { words: ["three-wait"], problem: 'reproduce: "three-wait" is neither a report' },
    { words: ["three-wait"], problem: "did you mean three-waits?" },
    { words: ["K99"], problem: "nor a claim (P01 to W17); did you mean P09?" },
    { words: ["something else"], problem: "nor a claim (P01 to W17)" },
  ])("$words: $problem", ({ words, problem }) => {
    expect(() => choose(...words)).toThrow(InputError);
    expect(() => choose(...words)).toThrow(problem);
  });
});

describe("casesOfClaims", () => {
  test.for([
    { wanted: "P01", cases: ["pena/async-io/2", "pena/async-io/1"] },
    { wanted: "J05", cases: ["junge/sync_baseline"] },
    // Its border is another claim's ratio.
    {
      wanted: "D05",
      cases: ["patel/users-async@c500", "patel/users-sync@c500", "patel/users-async", "patel/users-sync"],
    },
    { wanted: "Z99", cases: [] },
  ])("$wanted needs $cases", ({ wanted, cases }) => {
    expect([...casesOfClaims(new Set([wanted]), claims)].toSorted()).toEqual(cases.toSorted());
  });
});
