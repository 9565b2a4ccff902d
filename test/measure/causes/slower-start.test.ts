import { describe, expect, test } from "vitest";
import { addSlowStart, slowerStart } from "../../../src/measure/causes/added-lines.ts";
import { prepare } from "../../../src/measure/preparation/index.ts";
import type { StackDocument } from "../../../src/model/findings/stack-document.ts";
import type { ArmName, Measurement } from "../../../src/model/measurement/measurement.ts";
import { makePlan } from "../../../src/model/plan/plan.ts";
import type { MeasurePorts } from "../../../src/ports/measure.ts";
import { design, replicate } from "../../compare/two-arms.ts";
import { frame, stacks } from "../../diagnosis/functions/samples.ts";
import { measurement } from "../../fixtures/measurement.ts";
import { armIn, comparingPorts, fakeProbe } from "../fake-ports.ts";
import { workloadOf } from "../run-measure.ts";

const starts = (base: number, head: number) =>
  Array.from({ length: 4 }, () =>
    replicate({ arms: { base: { startCpuSeconds: base }, head: { startCpuSeconds: head } } }),
  );

describe("slowerStart", () => {
  const of = (changes: Partial<Measurement>) =>
    slowerStart(measurement({ replicates: starts(1.2, 2.4), ...changes }), design());

  test("is what one worker takes more, with its interval", () => {
    const { cell } = measurement();
    expect(of({ cell: { ...cell, workers: 2 } })?.value).toBeCloseTo(0.6, 6);
    const { low = 0, high = 0 } = of({ cell: { ...cell, workers: 2 } })?.interval ?? {};
    expect(low).toBeGreaterThan(0.35);
    expect(high).toBeLessThan(0.85);
  });

  test("is nothing where it takes no more, nothing was compared, or nothing measured", () => {
    expect(of({ replicates: starts(1.2, 1.25) })).toBeUndefined();
    expect(of({ status: "failed" })).toBeUndefined();
    expect(slowerStart(measurement({ replicates: starts(1.2, 2.4) }), undefined)).toBeUndefined();
  });
});

const module = frame({ file: "app/main.py", function: "<module>", first: 1, last: 40, names: [] });

async function told(
  overrides: Partial<MeasurePorts> = {},
  change: (document: StackDocument) => object = (document) => document,
) {
  const made = comparingPorts();
  let arm: ArmName = "base";
  const ports: MeasurePorts = {
    ...made.ports,
    startApp: (command, python, name) => {
      arm = armIn(name) as ArmName;
      return made.ports.startApp(command, python, name);
    },
    openProbe: (purpose) => {
      let window = "";
      return made.call(`open probe for ${purpose}`, {
        ...fakeProbe(made.call),
        openWindow: (name) => {
          window = name;
          return made.call(`open window ${name.replace(/^.*-start/, "start")}`, undefined);
        },
        readFiles: () => {
          const seconds = arm === "head" ? 0.6 : 0;
          const lines = [{ stack: [[module, 3]] as const, microseconds: (seconds * 1e6) / 8 }];
          const document = change(stacks(lines, { window: window.replace(/ after$/, "") }));
          return Promise.resolve([{ name: "worker-1-ab.json", text: JSON.stringify(document) }]);
        },
      });
    },
    ...overrides,
  };
  const workload = workloadOf({ "base-ref": "main", workers: "2", endpoints: "/orders" });
  const [cell] = makePlan(workload).cells;
  if (cell === undefined) throw new Error("there is one");
  await using prepared = await prepare(workload, {}, ports);
  const found = await addSlowStart(
    measurement({ cell }),
    { value: 0.6, interval: undefined },
    undefined,
    prepared,
    ports,
  );
  return { ...made, found };
}

test("each arm starts once more, with one worker, and is looked at from the first moment on", async () => {
  const { found, calls, events } = await told();
  expect(found?.head?.unseen).toEqual([]);
  expect(found?.head?.findings).toMatchObject([
    { cause: "slower start", place: { file: "app/main.py", line: 3 }, path: "api/app/main.py" },
  ]);
  const arm = (name: string) => [
    ...[
      "open probe for stacks",
      "open window start",
      `start ${name}, seed undefined`,
      "open window start after",
    ],
  ];
  expect(calls.filter((call) => /^(?:open (?:probe|window)|start (?:base|head))/.test(call))).toEqual([
    ...arm("head"),
    ...arm("base"),
  ]);
  expect(events).toContainEqual({ kind: "step", text: "finding the lines that slow the start" });
});

test("where nothing can be seen, that is told and nothing else lost", async () => {
  const failing = { startApp: () => Promise.reject(new Error("no port is free")) };
  expect((await told(failing)).found?.head).toEqual({
    findings: [],
    unseen: ["the lines that slow the start: no port is free"],
  });
  const strange = await told({}, () => ({ schemaVersion: 2 }));
  expect(strange.found?.head?.unseen).toEqual([
    "the lines that slow the start: Ignored worker-1-ab.json: it was not written by this version of the probe.",
  ]);
});

test("a user who cancels gets no half of it", async () => {
  const cancel = new AbortController();
  const startApp = () => {
    cancel.abort(new Error("cancelled"));
    return Promise.reject(new Error("cancelled"));
  };
  expect((await told({ signal: cancel.signal, startApp })).found).toBeUndefined();
});
