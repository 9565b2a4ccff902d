import { expect, test } from "vitest";

import { endpointLabel, type Load, loadLabel, loadSeconds } from "../../../src/core/measurement/cell.ts";

test.for<[load: Load, label: string, seconds: number | undefined]>([
  [{ kind: "constant", virtualUsers: 8, durationSeconds: 10 }, "8 VUs for 10 s", 10],
  [
    {
      kind: "stages",
      stages: [
        { durationSeconds: 1, virtualUsers: 50 },
        { durationSeconds: 30, virtualUsers: 50 },
      ],
    },
    "stages 1 s to 50 VUs, 30 s to 50 VUs",
    31,
  ],
  [{ kind: "requests", virtualUsers: 100, requests: 1000 }, "1000 requests by 100 VUs", undefined],
  [{ kind: "rate", requestsPerSecond: 2.5, virtualUsers: 4, durationSeconds: 5 }, "2.5 req/s for 5 s", 5],
])("%j", ([load, label, seconds]) => {
  expect([loadLabel(load), loadSeconds(load)]).toEqual([label, seconds]);
});

test("a label leaves GET out", () => {
  expect(endpointLabel({ method: "GET", path: "/a" })).toBe("/a");
  expect(endpointLabel({ method: "PUT", path: "/a" })).toBe("PUT /a");
});
