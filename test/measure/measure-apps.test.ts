import { describe, expect, test } from "vitest";
import { compare } from "../../src/compare/compare.ts";
import { measureApps } from "../../src/measure/measure.ts";
import { measurementSchema } from "../../src/model/measurement/measurement.ts";
import { mergePlans } from "../../src/model/plan/apps-plan.ts";
import { makePlan } from "../../src/model/plan/plan.ts";
import { renderComment } from "../report/forms.ts";
import { comparingPorts, recordingPorts } from "./fake-ports.ts";
import { keepingTime, workloadOf } from "./run-measure.ts";

const shop = workloadOf({ name: "shop", workers: "1" });
const till = workloadOf({ name: "till", workers: "1" });
const whole = mergePlans([
  { name: "shop", plan: makePlan(shop) },
  { name: "till", plan: makePlan(till) },
]);

describe("several apps", () => {
  test("are measured one after the other, into one folder with the plan of all", async () => {
    const saved = new Map<string, string>();
    const { calls, ports } = recordingPorts();
    const keeping: typeof ports.save = async (name, text) => {
      saved.set(name, text);
      return await ports.save(name, text);
    };
    const { measurements: measured, problems } = await measureApps(whole, [shop, till], async () => ({
      ...ports,
      save: keeping,
    }));
    expect(measured.map(({ cell, status }) => [cell.app, status])).toEqual([
      ["shop", "measured"],
      ["till", "measured"],
    ]);
    expect(problems).toEqual([]);
    expect(calls.filter((call) => call === "clear results")).toHaveLength(1);
    expect(calls.filter((call) => call === "start postgres")).toHaveLength(2);
    expect(JSON.parse(saved.get("plan.json") ?? "")).toEqual(whole);
    expect([...saved.keys()].toSorted()).toEqual(
      ["plan.json", ...whole.cells.map(({ id }) => `cells/${id}.json`)].toSorted(),
    );
  });

  test("know which changes are another app's", async () => {
    const made = comparingPorts({
      changesSince: (folder) =>
        Promise.resolve({
          topFolder: "/repository",
          prefix: folder.replace("/repository/", ""),
          files: [{ path: "shop/uv.lock", lines: { base: [], head: [] } }],
        }),
    });
    const appOf = (name: string) =>
      workloadOf({ name, workers: "1", "working-directory": `/repository/${name}`, "base-ref": "main" });
    const [one, other] = [appOf("shop"), appOf("till")];
    const plan = mergePlans([
      { name: "shop", plan: makePlan(one) },
      { name: "till", plan: makePlan(other) },
    ]);
    await measureApps(plan, [one, other], async () => keepingTime(made.ports));
    const judged = made.events.flatMap((event) => {
      if (event.kind === "phase started") return [event.phase];
      return event.kind === "step" && event.text.startsWith("measuring all") ? [event.text] : [];
    });
    expect(judged.slice(0, 2)).toEqual([
      'measuring all cells: the effect of a change to "shop/uv.lock" cannot be traced',
      "reach check",
    ]);
  });

  test("an app that cannot be imported keeps no other from being measured, and its cells say why", async () => {
    const saved = new Map<string, string>();
    const { ports } = recordingPorts();
    const tryImport: typeof ports.tryImport = async (_, app) =>
      app === shop.app ? { problem: "no module named shop" } : {};
    const save: typeof ports.save = async (name, text) => void saved.set(name, text);
    const { measurements, problems } = await measureApps(whole, [shop, till], async () => ({
      ...ports,
      tryImport,
      save,
    }));
    expect(problems).toEqual(["shop: app: no module named shop"]);
    expect(measurements.map(({ cell, status }) => [cell.app, status])).toEqual([
      ["shop", "failed"],
      ["till", "measured"],
    ]);
    const [ofShop] = whole.cells;
    const document = measurementSchema.parse(JSON.parse(saved.get(`cells/${ofShop?.id}.json`) ?? ""));
    expect(document.failure).toEqual({
      phase: "start app",
      reason: "app: no module named shop",
      logTail: "",
    });
    const report = compare(whole, measurements);
    expect(renderComment(report, { marker: "<!-- x -->" })).toMatch(/### `shop`[^#]*no module named shop/);
  });

  test("nothing else is swallowed, and none is begun after a signal", async () => {
    const { ports } = recordingPorts();
    const broken = async () => ({
      ...ports,
      findGenerator: () => Promise.reject(new Error("a fault of ours")),
    });
    await expect(measureApps(whole, [shop, till], broken)).rejects.toThrow("a fault of ours");
    const stopped = async () => ({ ...ports, signal: AbortSignal.abort() });
    const nothing = { measurements: [], problems: [] };
    expect(await measureApps(whole, [shop, till], stopped)).toEqual(nothing);
    expect(await measureApps(whole, [], stopped)).toEqual(nothing);
  });
});

test("one app is measured as ever", async () => {
  const { ports } = recordingPorts();
  const workload = workloadOf({ workers: "1" });
  const { measurements } = await measureApps(makePlan(workload), [workload], async () => ports);
  expect(measurements.map(({ cell }) => cell.app)).toEqual([undefined]);
  const tryImport = async () => ({ problem: "no module named app" });
  await expect(
    measureApps(makePlan(workload), [workload], async () => ({ ...ports, tryImport })),
  ).rejects.toThrow("app: no module named app");
});
