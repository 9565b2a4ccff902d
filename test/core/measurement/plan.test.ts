import { expect, test } from "vitest";
import { parseConfig } from "../../../src/core/config/config-parser.ts";
import { makeCell } from "../../../src/core/measurement/cell.ts";
import { makePlan, matrixOf } from "../../../src/core/measurement/plan.ts";

const files = { resolve: (path: string) => path, isFile: () => true, isFolder: () => true };

function planFor(raw: Record<string, string>) {
  const { workload } = parseConfig("plan", { app: "a:b", ...raw }, files);
  if (workload === undefined) throw new Error("plan has a workload");
  return makePlan(workload);
}

test("has a cell for each endpoint and worker count, endpoints together", () => {
  const plan = planFor({ endpoints: "/a\nPOST /b", workers: "2,1" });
  expect(
    plan.cells.map(({ endpoint, workers }) => `${endpoint.method} ${endpoint.path} x${workers}`),
  ).toEqual(["GET /a x2", "GET /a x1", "POST /b x2", "POST /b x1"]);
  expect(matrixOf(plan)).toEqual({ workerCounts: [2, 1], endpoints: ["/a", "POST /b"] });
});

test("estimates the time, unless the load ends by count", () => {
  expect(planFor({ workers: "1,2", duration: "10s", warmup: "1s" }).estimatedSeconds).toBe(26);
  expect(planFor({ requests: "100" }).estimatedSeconds).toBeUndefined();
});

test("a cell's id is the same everywhere, readable, and differs when any part differs", () => {
  const parts = {
    endpoint: { method: "GET", path: "/items/1?q=é" },
    workers: 2,
    server: "uvicorn {app} --port {port}",
    load: { kind: "constant", virtualUsers: 8, durationSeconds: 10 },
  } as const;
  const ids = [
    parts,
    { ...parts, workers: 1 },
    { ...parts, server: `${parts.server} --loop asyncio` },
    { ...parts, endpoint: { method: "GET", path: "/items/1/q=é" } } as const,
    { ...parts, load: { ...parts.load, virtualUsers: 9 } },
  ].map((each) => makeCell(each).id);
  expect(ids[0]).toMatchInlineSnapshot(`"get-items-1-q-w2-0c84a064"`);
  expect(new Set(ids).size).toBe(ids.length);
});
