import { amongOtherApps } from "../diagnosis/reach/changed-files.ts";
import { InputError } from "../errors/errors.ts";
import type { Failure, Measurement } from "../model/measurement/measurement.ts";
import { type Plan, planForPart } from "../model/plan/plan.ts";
import type { Workload } from "../model/workload/workload.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import { failAll, measure } from "./measure.ts";

/** All measurements, and the problems that kept whole apps from being measured. */
export interface MeasuredApps {
  readonly measurements: readonly Measurement[];
  /** One sentence for each problem, with its app's name; shown after the report on the other apps. */
  readonly problems: readonly string[];
}

/**
 * Measures one or several apps, one after the other, into one folder of results. An app that cannot be imported does
 * not stop the others: its cells fail, with the reason. A single app throws that `InputError`.
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
    const beside = workloads.filter((each) => each !== workload).map(({ app }) => app.folder);
    const ports = withinWhole(workload === first ? firstPorts : await portsOf(workload), whole, beside);
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

/**
 * Ports of one app among several: they keep the other apps' results in the folder, save the plan of all apps, and know
 * which changes are those apps'.
 *
 * @param others absolute folders of the other apps
 */
function withinWhole(ports: MeasurePorts, whole: Plan, others: readonly string[]): MeasurePorts {
  return {
    ...ports,
    changesSince: async (folder, base) => {
      const changes = await ports.changesSince(folder, base);
      return changes && amongOtherApps(changes, others);
    },
    clearResults: async () => undefined,
    save: (name, text) => ports.save(name, name === "plan.json" ? `${JSON.stringify(whole)}\n` : text),
  };
}
