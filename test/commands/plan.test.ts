import { expect, test } from "vitest";

import { plan } from "../../src/commands/plan.ts";
import type { Verb } from "../../src/core/config/config.ts";
import { parseConfig } from "../../src/core/config/config-parser.ts";
import type { PlanPorts, ProgressEvent } from "../../src/ports.ts";

const files = { resolve: (path: string) => path, isFile: () => true, isFolder: () => true };

function run(raw: Record<string, string>, forMatrix: boolean, verb: Verb = "plan") {
  const outputs: Record<string, string> = {};
  const events: ProgressEvent[] = [];
  const ports: PlanPorts = {
    forMatrix,
    progress: (event) => void events.push(event),
    setOutputs: (all) => Promise.resolve(void Object.assign(outputs, all)),
  };
  const { workload } = parseConfig(verb, { app: "a:b", ...raw }, files);
  if (workload === undefined) throw new Error("plan has a workload");
  return { made: plan(workload, ports), outputs, events };
}

test("hands the cells to a job matrix", async () => {
  const { made, outputs, events } = run({ workers: "1,2", endpoints: "/a\nPOST /b" }, true);
  const { cells } = await made;
  expect(cells).toHaveLength(4);
  expect(JSON.parse(outputs["worker-counts"] ?? "")).toEqual([1, 2]);
  expect(JSON.parse(outputs["endpoints"] ?? "")).toEqual(["/a", "POST /b"]);
  expect(JSON.parse(outputs["plan"] ?? "").cells).toEqual(cells);
  expect(events.map(({ kind }) => kind)).toEqual(["plan"]);
});

test("refuses more cells than a matrix may have, but only for a matrix", async () => {
  const many = {
    endpoints: Array.from({ length: 129 }, (_, index) => `/${index}`).join("\n"),
    workers: "1,2",
  };
  await expect(run(many, true).made).rejects.toThrow(/make 258 cells, but a matrix has at most 256 jobs/);
  expect((await run(many, false).made).cells).toHaveLength(258);
});

test("says how base and head are to be compared, before anything is measured", async () => {
  const { made, outputs, events } = run({ "base-ref": "main", "max-minutes": "5" }, false);
  const told = await made;
  expect(told.design).toMatchObject({ kind: "comparison", maxMinutes: 5, looks: [4, 5, 6, 8, 12, 18] });
  expect(told.estimatedSeconds).toBe(300);
  expect(events).toEqual([{ kind: "plan", plan: told }]);
  expect(JSON.parse(outputs["plan"] ?? "")).toEqual(told);
  expect((await run({ control: "true" }, false).made).design?.kind).toBe("control");
});

test("measures a part of a plan by the design of the whole", async () => {
  const whole = await run({ "base-ref": "main", workers: "1,2,3" }, true).made;
  const part = run({ "base-ref": "main", workers: "2", plan: JSON.stringify(whole) }, false, "measure");
  expect((await part.made).design).toEqual(whole.design);
  expect((await part.made).cells).toEqual([whole.cells[1]]);
});

test("refuses a plan that is none", async () => {
  await expect(run({ plan: "{}" }, false, "measure").made).rejects.toThrow(
    /^invalid input:\n {2}- plan: is not a plan/,
  );
});
