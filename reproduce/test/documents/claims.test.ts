import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/engine.ts";
import { publishedFigures } from "../../cases/published-figures.ts";
import { claimsIn, conditionOf } from "../../documents/checks.ts";
import { parseClaimOverrides, scaleClaim } from "../../documents/claim-overrides.ts";
import { caseIdOf, parseClaims } from "../../documents/claims.ts";
import { claim, claims, results } from "../published.ts";

test("all published claims are read", () => {
  expect(claims).toHaveLength(75);
});

test("every side with a result has the value that the result prints", () => {
  const figures = new Map(results.map((result) => [result.id, publishedFigures(result)]));
  const wrong = claims.flatMap(({ id, metric, left, right }) =>
    [left, ...(right === null ? [] : [right])]
      .filter((side) => {
        if (side.result === null) return side.value !== null;
        const value = figures.get(side.result)?.[metric] ?? Number.NaN;
        return !(Math.abs(value - (side.value ?? Number.NaN)) <= 0.001 * Math.max(1, value));
      })
      .map((side) => `${id}: ${caseIdOf(side)}`),
  );
  expect(wrong).toEqual([]);
});

test("a side is named by its result, or else by its system", () => {
  expect([claim("P01").left, claim("P31").left].map(caseIdOf)).toEqual([
    "pena/async-io/2",
    "pena/sync-sleep@W=4",
  ]);
});

test("conditions and claims within checks are found", () => {
  expect(claims.flatMap(({ check }) => conditionOf(check) ?? [])).toEqual([
    "loop=asyncio and TCP_NODELAY unset",
  ]);
  const referring = claims.filter(({ check }) => claimsIn(check).length > 0);
  expect(referring.map(({ id, check }) => [id, claimsIn(check)])).toEqual([
    ["P20", ["P16", "P17", "P18", "P19"]],
    ["D05", ["D01"]],
  ]);
});

describe("a document of another form is refused, and says where", () => {
  const p04 = claim("P04");
  const text = (...all: readonly unknown[]) =>
    JSON.stringify({ about: "a test", count: all.length, claims: all });
  const withCheck = (check: unknown) => text({ ...p04, check });

  test.for([
    { name: "a claim twice", json: text(p04, p04), message: /claims\.json: P04 appears twice/ },
    {
      name: "a name of another form",
      json: text({ ...p04, id: "P4" }),
      message: /claims\.0\.id: a claim id is/,
    },
    { name: "an unknown metric", json: text({ ...p04, metric: "speed" }), message: /claims\.0\.metric: / },
    {
      name: "an unknown expectation",
      json: text({ ...p04, expect: "hope" }),
      message: /claims\.0\.expect: /,
    },
    {
      name: "a ratio without a right side",
      json: withCheck({ on: "ratio", op: ">=", value: 1 }),
      message: /P04 has no right side for its check/,
    },
    {
      name: "a series of claims that are not there",
      json: text({ ...claim("P20") }),
      message: /P20 refers to P16, which does not exist\n.*P20 refers to P17/,
    },
    { name: "a claim's ratio that is not there", json: text(claim("D05")), message: /D05 refers to D01/ },
    {
      name: "an unknown operator",
      json: withCheck({ on: "left", op: ">", value: 1 }),
      message: /claims\.0\.check\.op: Invalid discriminator value/,
    },
  ])("$name", ({ json, message }) => {
    expect(() => parseClaims(json)).toThrow(InputError);
    expect(() => parseClaims(json)).toThrow(message);
  });
});

describe("parseClaimOverrides", () => {
  test("reads what a scaled-down run changes", () => {
    const overrides = {
      P07: {
        check: { on: "left", op: "between", low: "0.9*(1 - 120*W/VUs)", high: 1 },
        predicted: "1 - 120*W/VUs",
        needs: "VUs above 120*W",
      },
      P01: { predicted: { low: 1, high: 1.2 }, cores: "W + 2", unfit: "too few users" },
      P02: { cores: 4 },
      J09: { among: "junge/" },
    };
    expect(parseClaimOverrides(overrides, claims)).toEqual(overrides);
  });

  test.for([
    {
      name: "an unknown claim",
      value: { Z99: {} },
      message: /claim overrides: there is no claim Z99/,
    },
    {
      name: "a formula that is none",
      value: { P07: { check: { on: "left", op: ">=", value: "1 -" } } },
      message: /claim overrides: P07\.check\.value: "1 -" is not a formula: something is missing at its end/,
    },
    {
      name: "a check that does not fit the claim",
      value: { P07: { check: { on: "ratio", op: ">=", value: 1 } } },
      message: /P07 has no right side for its check/,
    },
    {
      name: "cores by a formula that is none",
      value: { P01: { cores: "W +" } },
      message: /P01\.cores: "W \+" is not a formula: something is missing at its end/,
    },
    ...[0, true, []].map((cores) => ({
      name: `${JSON.stringify(cores)} for cores`,
      value: { P01: { cores } },
      message: /P01\.cores: must be a number from 1 on, or a formula such as "W \+ 2"/,
    })),
    {
      name: "the largest of cases where two sides are compared",
      value: { P01: { among: "pena/" } },
      message: /P01: among is for a check of the left side alone/,
    },
    {
      name: "no words for what is missing",
      value: { P01: { unfit: "" } },
      message: /P01\.unfit: /,
    },
    {
      name: "an unknown key",
      value: { P07: { expect: "open" } },
      message: /P07: Unrecognized key: "expect"/,
    },
    { name: "not an object", value: 3, message: /claim overrides: document: / },
  ])("refuses $name", ({ value, message }) => {
    expect(() => parseClaimOverrides(value, claims)).toThrow(InputError);
    expect(() => parseClaimOverrides(value, claims)).toThrow(message);
  });
});

describe("scaleClaim", () => {
  test("leaves a claim as it is", () => {
    expect(scaleClaim(claim("P01"), undefined, claims)).toEqual(claim("P01"));
  });

  test("takes over what another claim needs", () => {
    expect(scaleClaim(claim("P02"), {}, claims).needs).toBe(claim("P01").needs);
    expect(scaleClaim(claim("P02"), { needs: "4 cores" }, claims).needs).toBe("4 cores");
  });

  test("puts a value and a range in the place of the model's words", () => {
    expect(scaleClaim(claim("P01"), { predicted: 2 }, claims).prediction).toEqual({ low: 2, high: 2 });
    expect(scaleClaim(claim("P01"), { predicted: { low: 1, high: "W" } }, claims).prediction).toEqual({
      low: 1,
      high: "W",
    });
  });

  test("carries the cores it needs, and what is missing", () => {
    expect(scaleClaim(claim("P01"), { cores: "W + 2", unfit: "too few users" }, claims)).toEqual({
      ...claim("P01"),
      cores: "W + 2",
      unfit: "too few users",
    });
    expect(scaleClaim(claim("J09"), { among: "junge/" }, claims)).toEqual({
      ...claim("J09"),
      among: "junge/",
    });
  });

  test("puts another check in place", () => {
    const check = { on: "left", op: "<=", value: 1 } as const;
    expect(scaleClaim(claim("P07"), { check }, claims).check).toEqual(check);
  });
});
