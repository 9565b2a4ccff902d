import { expect, test } from "vitest";

import { parseConfig } from "../../../src/config/config-parser.ts";
import { InputError } from "../../../src/errors/errors.ts";
import { type AppPlan, mergePlans } from "../../../src/model/plan/apps-plan.ts";
import { makePlan, planForPart, planSchema } from "../../../src/model/plan/plan.ts";

const files = {
  resolve: (path: string) => path,
  isFile: () => true,
  isFolder: () => true,
  findApps: () => [],
};

function workloadOf(name: string, raw: Record<string, string>) {
  const { workload } = parseConfig("plan", { app: "a:b", workers: "1", name, ...raw }, files);
  if (workload === undefined) throw new Error("plan has a workload");
  return workload;
}

function planOf(name: string, raw: Record<string, string> = {}): AppPlan {
  return { name, plan: makePlan(workloadOf(name, raw)) };
}

function problemsOf(...[shop, till]: readonly [AppPlan, AppPlan]): readonly string[] {
  try {
    mergePlans([shop, till]);
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

test("one app's plan is the plan", () => {
  const app = planOf("shop");
  expect(mergePlans([app])).toBe(app.plan);
});

test("all cells share the false alarms of one report, and each app measures its own by that", () => {
  const base = { "base-ref": "main", "max-minutes": "5", "min-change": "2%" };
  const whole = mergePlans([planOf("shop", { ...base, workers: "1,2" }), planOf("till", base)]);
  expect(whole.design).toMatchObject({ cells: 3, minChange: 0.02, maxMinutes: 5 });
  expect(new Set(whole.cells.map(({ id }) => id)).size).toBe(3);
  expect(whole.cells.map(({ id }) => id.replace(/-w.*/, ""))).toEqual(["shop-get", "shop-get", "till-get"]);
  expect(whole.estimatedSeconds).toBe(300 + 263.5 + 14 + 2 * 35); // the till's one cell ends by its replicates
  expect(planSchema.parse(JSON.parse(JSON.stringify(whole)))).toEqual(whole);
  const part = planForPart(whole, workloadOf("till", base));
  expect(part).toMatchObject({ cells: [whole.cells[2]], design: { cells: 3 } });
  expect(() => planForPart(whole, workloadOf("tills", base))).toThrow(
    "plan: lacks the cell tills: / with workers 1; run measure with the same inputs as plan",
  );
});

test("an app that cannot be compared, though that was wanted, does not keep the others from it", () => {
  const base = { "base-ref": "main", "max-minutes": "5" };
  const { design: _, ...alone } = planOf("shop", base).plan;
  const whole = mergePlans([
    { name: "shop", plan: alone, isAlone: true },
    planOf("till", base),
    planOf("desk", base),
  ]);
  expect(whole.design).toMatchObject({ cells: 3, maxMinutes: 5 });
  const none = mergePlans([
    { name: "shop", plan: alone, isAlone: true },
    { name: "till", plan: { ...planOf("till").plan }, isAlone: true },
  ]);
  expect(none.design).toBeUndefined();
});

test("the thresholds of each app are its own, and what the check is stays", () => {
  const never = { "fail-on": "never" };
  const whole = mergePlans([planOf("shop", { ...never, thresholds: "p(95)<300" }), planOf("till", never)]);
  expect(whole.check).toMatchObject({ failOn: "never", thresholds: [{ app: "shop" }] });
  expect(mergePlans([planOf("shop"), planOf("till")]).check).toBeUndefined();
  expect(mergePlans([planOf("shop", never), planOf("till", never)]).check).toEqual({
    failOn: "never",
    maxSlowdown: 0.05,
  });
});

test("how long it takes is not known where one app ends by count", () => {
  expect(mergePlans([planOf("shop"), planOf("till", { requests: "9" })]).estimatedSeconds).toBeUndefined();
});

test.for<readonly [Record<string, string>, Record<string, string>, string[]]>([
  [{}, {}, []],
  [
    { "fail-on": "slower" },
    { "max-slowdown": "9%" },
    [
      "fail-on: applies to the whole report, but shop has slower and till regression; set it as an input, which applies to all apps",
      "max-slowdown: applies to the whole report, but shop has 5% and till 9%; set it as an input, which applies to all apps",
    ],
  ],
  [
    { "base-ref": "main", "max-minutes": "5" },
    { "base-ref": "main", "max-minutes": "6" },
    [
      "max-minutes: applies to the whole report, but shop has 5 and till 6; set it as an input, which applies to all apps",
    ],
  ],
  [
    { "base-ref": "main" },
    {},
    [
      "base-ref, control: applies to the whole report, but shop has a base and till none; set it as an input, which applies to all apps",
    ],
  ],
  [
    { control: "true" },
    { "base-ref": "main" },
    [
      "base-ref, control: applies to the whole report, but shop has the head itself and till a base; set it as an input, which applies to all apps",
    ],
  ],
])("what a report has one of must not differ: %j, %j", ([shop, till, problems]) => {
  expect(problemsOf(planOf("shop", shop), planOf("till", till))).toEqual(problems);
});

test("a difference between apps is told whatever they are called", () => {
  const base = { "base-ref": "main", "max-minutes": "5" };
  expect(problemsOf(planOf("none", base), planOf("none-2", { ...base, "max-minutes": "6" }))).toEqual([
    "max-minutes: applies to the whole report, but none has 5 and none-2 6; set it as an input, which applies to all apps",
  ]);
});

test("a report has a limit of cells and of thresholds", () => {
  const many = Array.from({ length: 256 }, (_, index) => String(index + 1)).join(",");
  const full = { workers: many, endpoints: "/a\n/b\n/c" };
  const bounds = { thresholds: Array.from({ length: 60 }, (_, index) => `p(95)<${index + 1}`).join("\n") };
  expect(problemsOf(planOf("shop", full), planOf("till", full))).toEqual([
    "config: the apps have 1536 cells; a report has at most 1024",
  ]);
  expect(problemsOf(planOf("shop", bounds), planOf("till", bounds))).toEqual([
    "thresholds: the apps have 120; a report has at most 100",
  ]);
});
