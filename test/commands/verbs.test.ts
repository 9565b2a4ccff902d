import { describe, expect, test } from "vitest";

import { again } from "../../src/commands/again.ts";
import { measure } from "../../src/commands/measure.ts";
import { plan } from "../../src/commands/plan.ts";
import { report } from "../../src/commands/report.ts";
import { fillInEndpoints } from "../../src/commands/request.ts";
import { run } from "../../src/commands/run.ts";
import { parseConfigurationFile } from "../../src/config/file/configuration-file.ts";
import { EnvironmentError, InputError } from "../../src/errors/errors.ts";
import type { MeasurePorts } from "../../src/ports/measure.ts";
import type { ReportPorts } from "../../src/ports/report.ts";
import type { RunPorts } from "../../src/ports/run.ts";
import { explainSchema } from "../../src/report/explain/explain-schema.ts";
import { comparingPorts, fakeProbe, recordingPorts } from "../measure/fake-ports.ts";
import { keepingPorts } from "./keeping-ports.ts";

const one = { app: "app.main:app", endpoints: "/", workers: "1,2", database: "none", diagnose: "never" };
const two = {
  config: "shop.yml\ntill.yml",
  endpoints: "/",
  workers: "1",
  database: "none",
  diagnose: "never",
};
const token = { GITHUB_ACTIONS: "true", GITHUB_TOKEN: "ghs_x" };

/** Ports of one machine: what measuring saves, reporting reads. `steps`: what was done, in order. */
function machine(
  overrides: {
    readonly run?: Partial<RunPorts>;
    readonly measure?: Partial<MeasurePorts>;
    readonly report?: Partial<ReportPorts>;
  } = {},
) {
  const steps: string[] = [];
  const documents = new Map<string, string>();
  const save: MeasurePorts["save"] = async (name, text) => {
    steps.push(`measured ${name.split("/")[0]}`);
    documents.set(name, text);
  };
  const kept = keepingPorts({
    readPlan: async () => documents.get("plan.json"),
    readCells: async () => [...documents].filter(isCell).map(([name, text]) => ({ name, text })),
    print: (text) => void steps.push(text.startsWith("Report: ") ? "named the page" : "reported"),
    ...overrides.report,
  });
  const ports: RunPorts = {
    environment: {},
    request: {
      files: { resolve: (path) => path, isFile: () => true, isFolder: () => true, findApps: () => [] },
      pullRequest: { kind: "none", reason: "a run on this machine" },
      unpackPlan: (text) => text.replace(/^packed /, ""),
      readConfigurationFile: async (name) =>
        name === ""
          ? undefined
          : parseConfigurationFile(name, "/repo", `app: ${name.replace(".yml", "")}.main:app\n`),
    },
    endpointPorts: () => ({
      progress: () => undefined,
      readTable: () => Promise.reject(new Error("there are no tables")),
      readOpenApi: async () => ({ problem: "it cannot be imported" }),
    }),
    planPorts: ({ forMatrix }) => ({
      forMatrix,
      progress: () => undefined,
      pack: (text) => `packed ${text}`,
      setOutputs: async () => void steps.push("planned"),
    }),
    measurePorts: async () => recordingPorts({ save, ...overrides.measure }).ports,
    reportPorts: () => kept.ports,
    print: (text) => void steps.push(text),
    answer: (text) => void steps.push(text),
    ...overrides.run,
  };
  return { ...kept, steps, ports };
}

function isCell([name]: readonly [string, string]): boolean {
  return name.startsWith("cells/");
}

const noK6 = { findGenerator: () => Promise.reject(new EnvironmentError("load", "k6 is not installed")) };
const noShop: Partial<MeasurePorts> = {
  tryImport: async (_environment, app) =>
    app.importString.startsWith("shop") ? { problem: "no module named shop" } : {},
};

test("run goes the whole way once, in order", async () => {
  const { ports, steps, outputs } = machine();
  expect(await run(one, ports)).toBe(0);
  expect(steps).toEqual([
    "planned",
    "measured plan.json",
    "measured cells",
    "measured cells",
    "reported",
    "named the page",
  ]);
  expect(outputs.get("verdict")).toBe("complete");
});

test("run prints what explain would, last, when JSON is wanted", async () => {
  const { ports, steps } = machine();
  expect(await run(one, ports, { isJson: true })).toBe(0);
  expect(JSON.parse(steps.at(-1) ?? "")).toMatchObject({ schemaVersion: 1, outcome: "complete" });
});

describe("again", () => {
  const compared = { ...one, "base-ref": "main" };
  const idOf = async (raw: Readonly<Record<string, string>>) => {
    const { ports, steps } = machine();
    await run({ ...raw, "base-ref": "none" }, ports, { isJson: true });
    return explainSchema.parse(JSON.parse(steps.at(-1) ?? "")).cells.map(({ id }) => id);
  };

  test("measures the one cell, and ends with whether its slowdown is gone", async () => {
    const [cell = ""] = await idOf(one);
    const { save: _, ...measure } = unreached();
    const { ports, steps } = machine({ measure });
    const thresholds = "/: avg<1000\n/:  slower than base by 5%";
    expect(await again({ cell, raw: { ...compared, thresholds } }, ports)).toBe(0);
    expect(steps.filter((step) => step === "measured cells")).toHaveLength(1);
    expect(steps.at(-1)).toBe("The slowdown is gone: / runs none of the changed code.\n");
  });

  test("answers a program on standard output", async () => {
    const [, cell = ""] = await idOf(one);
    const { save: _, ...measure } = unreached();
    const { ports, steps } = machine({ measure });
    await again({ cell, raw: compared, isJson: true }, ports);
    expect(JSON.parse(steps.at(-2) ?? "")).toMatchObject({
      answer: "gone",
      cells: [{ id: cell, workers: 2 }],
    });
  });

  test("has no answer without a base", async () => {
    const [cell = ""] = await idOf(one);
    const { ports, steps } = machine();
    expect(await again({ cell, raw: one }, ports)).toBe(3);
    expect(steps.at(-1)).toBe("named the page");
  });

  test("takes the cell of one app among several", async () => {
    const [, till = ""] = await idOf(two);
    const { ports, steps } = machine();
    await again({ cell: till, raw: two }, ports);
    expect(steps.filter((step) => step === "measured cells")).toHaveLength(1);
  });

  test("names the cells that there are", async () => {
    const { ports } = machine();
    await expect(again({ cell: "get-gone-w1-00", raw: one }, ports)).rejects.toThrow(
      /again: this configuration has no cell get-gone-w1-00; .*choose from get-w1-\w+, get-w2-\w+/,
    );
  });
});

test("run shows what could not be measured, and says so by its exit status", async () => {
  const { ports, steps, outputs } = machine({ measure: noK6 });
  expect(await run(one, ports)).toBe(3);
  expect([steps.at(-1), outputs.get("verdict")]).toEqual(["named the page", "incomplete"]);
});

test("run reports the other apps before it tells what is wrong with one", async () => {
  const { ports, steps } = machine({ measure: noShop });
  await expect(run(two, ports)).rejects.toThrow("app: no module named shop");
  expect(steps.at(-1)).toBe("named the page");
});

test.for<readonly [what: string, measure: Partial<MeasurePorts>, status: number]>([
  ["every cell has figures", {}, 0],
  ["one has none", noK6, 3],
])("measure says by its exit status that %s", async ([, overrides, status]) => {
  const { ports, steps } = machine({ measure: overrides });
  expect(await measure(one, ports)).toBe(status);
  expect(steps).not.toContain("reported");
});

/** Ports of a comparison in which the change reaches nothing. */
function unreached(overrides: Partial<MeasurePorts> = {}): Partial<MeasurePorts> {
  const windows = { schemaVersion: 1, windows: ["start", "cell 0"], doubts: [], opened: [], files: [] };
  const probe = fakeProbe(
    (_, value) => Promise.resolve(value),
    [{ name: "worker-1-ab.json", text: JSON.stringify(windows) }],
  );
  return comparingPorts({
    changesSince: async () => ({
      topFolder: "/repository",
      prefix: "",
      files: [{ path: "README.md", lines: { base: [], head: [] } }],
    }),
    openProbe: async () => probe,
    ...overrides,
  }).ports;
}

test("measure is content with cells that the change does not reach", async () => {
  const saved: string[] = [];
  const { ports } = machine({ measure: unreached({ save: async (_, text) => void saved.push(text) }) });
  expect(await measure({ ...one, "base-ref": "main" }, ports)).toBe(0);
  expect(saved.filter((text) => text.includes('"status":"not reached"'))).toHaveLength(2);
});

test("measure tells at its end what is wrong with one of several apps", async () => {
  const { ports, steps } = machine({ measure: noShop });
  await expect(measure(two, ports)).rejects.toThrow("app: no module named shop");
  expect(steps.filter((step) => step === "measured cells")).toHaveLength(2);
});

test("plan lists the cells and starts nothing", async () => {
  const { ports, steps } = machine();
  expect(await plan(one, ports)).toBe(0);
  expect(steps).toEqual(["planned", "  /, 1 worker\n  /, 2 workers\n"]);
});

describe("report", () => {
  test("says by its exit status that a cell is missing", async () => {
    const readPlan = async () => {
      const { ports, outputs } = machine({
        run: {
          planPorts: ({ forMatrix }) => ({
            forMatrix,
            progress: () => undefined,
            pack: (text) => text,
            setOutputs: async ({ plan: made = "" }) => void outputs.set("plan", made),
          }),
        },
      });
      await plan(one, ports);
      return outputs.get("plan");
    };
    const { ports, outputs } = machine({ report: { readPlan } });
    expect(await report({}, ports)).toBe(3);
    expect(outputs.get("verdict")).toBe("incomplete");
  });

  test("reads a plan that was packed, and corrects its comment where that was lost", async () => {
    const handed = new Map<string, string>();
    const { ports, outputs, texts } = machine({
      report: { readPlan: () => Promise.reject(new Error("there is none in the folder")) },
      run: {
        planPorts: ({ forMatrix }) => ({
          forMatrix,
          progress: () => undefined,
          pack: (text) => `packed ${text}`,
          setOutputs: async ({ plan: made = "" }) => void handed.set("plan", made),
        }),
      },
    });
    await plan(one, ports);
    expect(handed.get("plan")).toMatch(/^packed \{/);
    expect(await report({ plan: handed.get("plan") }, ports)).toBe(3);
    expect(outputs.get("verdict")).toBe("incomplete");
    const unpackPlan = () => {
      throw new InputError(["plan: was lost"]);
    };
    const lost = { ...ports, request: { ...ports.request, unpackPlan } };
    await expect(report({ plan: "lost" }, lost)).rejects.toThrow("plan: was lost");
    expect(texts.at(-1)).toContain("ended before anything was measured");
  });

  test("leaves no comment that still says that something is measured when its inputs are wrong", async () => {
    const { ports, texts } = machine();
    await expect(report({ "max-slowdown": "much" }, ports)).rejects.toThrow(InputError);
    expect(texts).toEqual([expect.stringContaining("<!-- marker -->")]);
  });

  test("comments nothing when not even the report's name can be read", async () => {
    const { ports, texts } = machine();
    await expect(report({ "report-id": "no name!" }, ports)).rejects.toThrow(InputError);
    expect(texts).toEqual([]);
  });

  test("takes a fault of ours for what it is", async () => {
    const { ports, texts } = machine();
    const request = { ...ports.request, files: { ...ports.request.files, resolve: fault } };
    await expect(report({}, { ...ports, request })).rejects.toThrow(TypeError);
    expect(texts).toEqual([]);
  });
});

function fault(): never {
  throw new TypeError("a fault of ours");
}

describe("a token in the environment", () => {
  test.for([
    ["run", run, one],
    ["measure", measure, one],
    ["plan, where it asks the app", plan, { ...one, endpoints: "auto" }],
  ] as const)("is refused before %s starts anything", async ([, verb, raw]) => {
    const { ports, steps } = machine({ run: { environment: token } });
    await expect(verb(raw, ports)).rejects.toThrow("GITHUB_TOKEN holds a token");
    expect(steps).toEqual([]);
  });

  test("is none of plan's business where no code of the app runs", async () => {
    const { ports } = machine({ run: { environment: token } });
    expect(await plan(one, ports)).toBe(0);
  });
});

test("of several apps the one whose endpoints cannot be read is named", async () => {
  const { ports } = machine();
  await expect(plan({ ...two, endpoints: "auto" }, ports)).rejects.toThrow(/ - shop: .*cannot be imported/);
  await expect(plan({ ...one, endpoints: "auto" }, ports)).rejects.toThrow(
    / - endpoints: .*cannot be imported/,
  );
});

test("nothing can be filled in where there is no app", async () => {
  const { ports } = machine();
  const reporting = {
    resultsDirectory: "/results",
    reportId: "default",
    comment: "never",
    planText: undefined,
    check: { failOn: undefined, maxSlowdown: undefined },
  } as const;
  await expect(fillInEndpoints({ verb: "report", apps: [], reporting }, ports)).rejects.toThrow(
    "may have no app",
  );
});
