import { expect, test } from "vitest";

import { cell } from "../fixtures/measurement.ts";
import { comparedOf, row } from "../report/compared.ts";

const by = { by: "ana", reason: "x", url: "", remark: "c1" };
const rows = [
  cell({ path: "/orders" }),
  cell({ path: "/orders", workers: 2 }),
  cell({ path: "/items?limit=5" }),
].map((each) => row({ cell: each }));

test.for([
  ["the endpoint at every worker count", { endpoint: "/orders", ...by }, [true, true, false]],
  ["one worker count", { endpoint: "/orders", workers: 2, ...by }, [false, true, false]],
  ["an endpoint by its name before the query", { endpoint: "/items", ...by }, [false, false, true]],
  ["an endpoint with its query", { endpoint: "/items?limit=5", ...by }, [false, false, true]],
  ["no other endpoint", { endpoint: "/order", ...by }, [false, false, false]],
] as const)("covers %s", ([, acceptance, expected]) => {
  const comparison = comparedOf(rows, { accepted: [acceptance] });
  expect(comparison.rows.map((each) => each.acceptance !== undefined)).toEqual(expected);
});

test("nobody accepts where nobody was asked", () => {
  expect(comparedOf(rows).rows.map((each) => each.acceptance)).toEqual([undefined, undefined, undefined]);
});
