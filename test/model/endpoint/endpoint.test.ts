import { expect, test } from "vitest";

import {
  byTurns,
  endpointLabel,
  pauseSecondsPerRequest,
  type Requested,
  requestedSchema,
  stepsOf,
} from "../../../src/model/endpoint/endpoint.ts";

const root = { method: "GET", path: "/" } as const;
const order = { method: "POST", path: "/orders" } as const;
const mix = {
  mix: [
    { weight: 3, endpoint: root },
    { weight: 1, endpoint: order },
  ],
};

test.for<[requested: Requested, label: string, pauseSeconds: number]>([
  [root, "/", 0],
  [order, "POST /orders", 0],
  [{ steps: [root] }, "/", 0],
  [mix, "75% /, 25% POST /orders", 0],
  [{ steps: [root, { pauseSeconds: 0.1 }, order, root] }, "/ → sleep 100 ms → POST /orders → /", 0.1 / 3],
  [{ steps: [{ pauseSeconds: 1.5 }, root, { pauseSeconds: 60 }] }, "sleep 1.5 s → / → sleep 60 s", 61.5],
  // The parser refuses it, but a document may claim it.
  [{ steps: [{ pauseSeconds: 1 }] }, "sleep 1 s", 0],
])("%j", ([requested, label, pauseSeconds]) => {
  expect(endpointLabel(requested)).toBe(label);
  expect(pauseSecondsPerRequest(requested)).toBeCloseTo(pauseSeconds, 9);
  expect(requestedSchema.parse(requested)).toEqual(requested);
});

test.for<[name: string, requested: unknown]>([
  ["no step", { steps: [] }],
  ["too many steps", { steps: Array(21).fill(root) }],
  ["no pause", { steps: [{ pauseSeconds: 0 }] }],
  ["too long a pause", { steps: [{ pauseSeconds: 61 }] }],
  ["a relative path", { steps: [{ method: "GET", path: "a" }] }],
  ["a step that is both", { steps: [{ ...root, pauseSeconds: 1 }] }],
  ["an endpoint that is also an iteration", { ...root, steps: [root] }],
])("refuses %s", ([, requested]) => {
  expect(requestedSchema.safeParse(requested).success).toBe(false);
});

test("the steps of what is requested", () => {
  expect(stepsOf(root)).toEqual([root]);
  expect(stepsOf(mix)).toEqual([root, order]);
  expect(stepsOf({ steps: [order, { pauseSeconds: 1 }] })).toEqual([order, { pauseSeconds: 1 }]);
});

test("by turns: a mix of the plain endpoints, or the only one as it is", () => {
  const root = { method: "GET", path: "/" } as const;
  const order = { method: "POST", path: "/orders" } as const;
  const iteration = { steps: [root, { pauseSeconds: 1 }] };
  const of = (endpoint: typeof root | typeof order) => ({ weight: 1, endpoint });
  expect(byTurns([root, order, iteration])).toEqual({ mix: [of(root), of(order)] });
  expect(byTurns([iteration])).toEqual(iteration);
  expect(byTurns([root])).toEqual(root);
  expect(byTurns([])).toBeUndefined();
});
