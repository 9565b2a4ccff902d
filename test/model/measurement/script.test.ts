import { expect, test } from "vitest";
import { parametersOf } from "../../../reproduce/cases/cases.ts";
import { phaseLoad } from "../../../src/diagnosis/diagnosis-phase.ts";
import { endpointLabel, pauseSecondsPerRequest, stepsOf } from "../../../src/model/endpoint/endpoint.ts";
import { loadLabel, loadSeconds, makeCell, openFilesProblem } from "../../../src/model/plan/cell.ts";

const load = { kind: "script" } as const;
const endpoint = { script: "load/x.js" };

test("a script says nothing of its requests and its load beforehand", () => {
  expect(endpointLabel(endpoint)).toBe("load/x.js");
  expect(stepsOf(endpoint)).toEqual([]);
  expect(pauseSecondsPerRequest(endpoint)).toBe(0);
  expect(loadSeconds(load)).toBeUndefined();
  expect(loadLabel(load)).toBe("as defined by the k6 script");
  expect(loadLabel({ ...load, locust: { users: 8, durationSeconds: 10 } })).toBe("8 Locust users for 10 s");
  expect(openFilesProblem(load, 1_024)).toBeUndefined();
  expect(phaseLoad(load, 3)).toMatchObject({ kind: "constant", virtualUsers: 1 });
  const cell = makeCell({ endpoint, load, workers: 2, server: "uvicorn {app} --port {port}" });
  expect(parametersOf(cell)).toEqual({ W: 2 });
});
