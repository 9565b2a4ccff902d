import { parseConfig } from "../../src/config/config-parser.ts";
import { measure } from "../../src/measure/measure.ts";
import type { Measurement } from "../../src/model/measurement/measurement.ts";
import { makePlan } from "../../src/model/plan/plan.ts";
import type { Workload } from "../../src/model/workload/workload.ts";
import type { MeasurePorts } from "../../src/ports/measure.ts";

const files = {
  resolve: (path: string) => path,
  isFile: () => true,
  isFolder: () => true,
  findApps: () => [],
};

/** The workload that `measure` gets from inputs. */
export function workloadOf(raw: Record<string, string> = {}): Workload {
  const { workload } = parseConfig(
    "measure",
    {
      app: "app.main:app",
      workers: "2",
      diagnose: "never",
      soak: "0s",
      "count-instructions": "never",
      ...raw,
    },
    files,
  );
  if (workload === undefined) throw new Error("measure has a workload");
  return workload;
}

/** Measures the head alone. */
export function run(ports: MeasurePorts, raw: Record<string, string> = {}): Promise<Measurement[]> {
  const workload = workloadOf(raw);
  return measure(makePlan(workload), workload, ports);
}

/** Measures one cell, or as many as the inputs name, against the base `main`. */
export function compare(ports: MeasurePorts, raw: Record<string, string> = {}): Promise<Measurement[]> {
  return run(ports, { "base-ref": "main", workers: "1", ...raw });
}

/** Clock and load of a machine on which each load takes as long as it should. */
export function keepingTime(ports: MeasurePorts): MeasurePorts {
  let now = 100;
  return {
    ...ports,
    clock: () => now,
    generateLoad: (request, signal) => {
      if ("durationSeconds" in request.load) now += request.load.durationSeconds;
      return ports.generateLoad(request, signal);
    },
  };
}
