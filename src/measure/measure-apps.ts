import { InputError } from "../errors/errors.ts";
import type { Failure, Measurement } from "../model/measurement/measurement.ts";
import { type Plan, planForPart } from "../model/plan/plan.ts";
import type { Workload } from "../model/workload/workload.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { failAll, measure } from "./measure.ts";

/** What was measured, and what kept whole apps from it. */
export interface MeasuredApps {
  readonly measurements: readonly Measurement[];
  /** One sentence for each, with its app's name; to be told once the others are reported. */
  readonly problems: readonly string[];
}

/**
 * Measures one app, or several one after the other, into one folder of results. Of several, one that cannot be imported
 * keeps no other from being measured: its cells are failed ones, with the reason. Alone it throws that `InputError`.
 */
export async function measureApps(
  whole: Plan,
  workloads: readonly Workload[],
  portsOf: (workload: Workload) => Promise<MeasurePorts>,
): Promise<MeasuredApps> {
  const [first, ...others] = workloads;
  if (first === undefined) return { measurements: [], problems: [] };
  const firstPorts = await portsOf(first);
  if (others.length === 0) return { measurements: await measure(whole, first, firstPorts), problems: [] };
  const measurements: Measurement[] = [];
  const problems: string[] = [];
  await firstPorts.clearResults();
  for (const workload of workloads) {
    const ports = withinWhole(workload === first ? firstPorts : await portsOf(workload), whole);
    if (ports.signal.aborted) break;
    const part = planForPart(whole, workload);
    try {
      measurements.push(...(await measure(part, workload, ports)));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      measurements.push(...(await failAll(part, refusal(error), {}, ports)));
      problems.push(...error.problems.map((each) => `${workload.name}: ${each}`));
    }
  }
  return { measurements, problems };
}

function refusal({ problems }: InputError): Failure {
  return { phase: "start app", reason: problems.join("; ").slice(0, 1_000), logTail: "" };
}

/** The folder holds the other apps' results, too, and the plan of all of them. */
function withinWhole(ports: MeasurePorts, whole: Plan): MeasurePorts {
  return {
    ...ports,
    clearResults: async () => undefined,
    save: (name, text) => ports.save(name, name === "plan.json" ? `${JSON.stringify(whole)}\n` : text),
  };
}
