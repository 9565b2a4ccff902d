import { expect, test } from "vitest";
import type { Step } from "../../../src/model/endpoint/endpoint.ts";
import {
  cellSchema,
  type Load,
  loadLabel,
  loadSchema,
  loadSeconds,
  makeCell,
  withSendingOf,
} from "../../../src/model/plan/cell.ts";

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
  [
    { kind: "requests", virtualUsers: 20, requests: 50, firstRequestAlone: true },
    "50 requests by 20 VUs, the first alone",
    undefined,
  ],
  [
    { kind: "requests", virtualUsers: 20, requests: 50, firstRequestAlone: true, connections: "new" },
    "50 requests by 20 VUs, the first alone, a new connection each",
    undefined,
  ],
  [
    { kind: "constant", virtualUsers: 8, durationSeconds: 10, connections: "new" },
    "8 VUs for 10 s, a new connection each",
    10,
  ],
  [{ kind: "rate", requestsPerSecond: 2.5, virtualUsers: 4, durationSeconds: 5 }, "2.5 req/s for 5 s", 5],
])("%j", ([load, label, seconds]) => {
  expect([loadLabel(load), loadSeconds(load)]).toEqual([label, seconds]);
  expect(loadSchema.parse(load)).toEqual(load);
});

test("all phases of a cell make connections as its load does", () => {
  const load = { kind: "constant", virtualUsers: 8, durationSeconds: 10 } as const;
  expect(withSendingOf(load, load)).toEqual(load);
  expect(withSendingOf({ ...load, timeoutSeconds: 5 }, load)).toEqual({ ...load, timeoutSeconds: 5 });
  expect(withSendingOf({ ...load, connections: "new" }, load)).toEqual({ ...load, connections: "new" });
});

const parts = {
  endpoint: { method: "GET", path: "/" },
  workers: 2,
  server: "uvicorn {app} --port {port}",
  load: { kind: "constant", virtualUsers: 8, durationSeconds: 10 },
} as const;

test("a cell of an iteration has an id with its steps in it, which differs with their order", () => {
  const [root, api] = [parts.endpoint, { method: "GET", path: "/api" } as const];
  const idOf = (...steps: Step[]) => makeCell({ ...parts, endpoint: { steps } }).id;
  const id = idOf(root, { pauseSeconds: 0.1 }, api, root);
  expect(id).toMatch(/^iteration-sleep-100-ms-api-w2-[0-9a-f]{8}$/);
  expect(idOf(root, api, { pauseSeconds: 0.1 }, root)).not.toBe(id);
  expect(idOf(root)).not.toBe(makeCell(parts).id);
  const cell = makeCell({ ...parts, endpoint: { steps: [root, { pauseSeconds: 0.1 }] } });
  expect(cellSchema.parse(JSON.parse(JSON.stringify(cell)))).toEqual(cell);
});
