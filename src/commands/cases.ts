import type { Workload } from "../core/config/config.ts";
import { type Files, parseConfig } from "../core/config/config-parser.ts";
import { EnvironmentError, InputError } from "../core/errors.ts";
import type { Measurement } from "../core/measurement/measurement.ts";
import { makePlan } from "../core/measurement/plan.ts";
import { type Case, caseOf } from "../core/published/cases/cases.ts";
import { k6Figures } from "../core/published/cases/k6-figures.ts";
import { idsOf, type Scenario, type ScenarioCase } from "../core/scenario/scenario.ts";
import type { MeasurePorts } from "../ports.ts";
import { withBeside } from "./beside.ts";
import { measure } from "./measure.ts";
import { sharePorts } from "./shared-ports.ts";

/** A case of a scenario, ready to be measured. */
export interface ReadyCase {
  readonly of: ScenarioCase;
  readonly workload: Workload;
}

/** What became of a case. */
export interface DoneCase {
  /** Under each of its names. */
  readonly cases: readonly Case[];
  /** Absent when the case could not even be prepared. */
  readonly measurement: Measurement | undefined;
}

/** Reads every case's inputs before anything starts. Throws one `InputError` for all of them. */
export function readyCases(scenario: Scenario, files: Files): ReadyCase[] {
  const problems: string[] = [];
  const ready = scenario.cases.flatMap((of) => {
    try {
      const inputs = { "base-ref": "none", "separate-cpus": "true", diagnose: "never", ...of.inputs };
      const { workload } = parseConfig("measure", inputs, files);
      return workload === undefined ? [] : [{ of, workload }];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems.map((problem) => `${of.id}: ${problem}`));
      return [];
    }
  });
  if (problems.length > 0)
    throw new InputError(problems.map((problem) => `scenarios/${scenario.name}.yml: ${problem}`));
  return ready;
}

/**
 * Measures the cases of a scenario one after another, each on fresh servers and a fresh copy of its database. A case
 * that fails does not end the others. Stops early when the user cancels.
 */
export async function runCases(ready: readonly ReadyCase[], ports: MeasurePorts): Promise<DoneCase[]> {
  await ports.clearResults();
  await using shared = sharePorts(ports);
  const done: DoneCase[] = [];
  // A server needs time to stop as another does to start.
  const leaving: Promise<void>[] = [];
  try {
    for (const [index, each] of ready.entries()) {
      if (ports.signal.aborted) break;
      done.push(await runCase(each, caseBound(each, { index, total: ready.length }, shared.ports), leaving));
    }
  } finally {
    await Promise.allSettled(leaving);
  }
  await Promise.all(leaving); // one that did not stop is told
  return done;
}

async function runCase(
  { of, workload }: ReadyCase,
  ports: MeasurePorts,
  leaving: Promise<void>[],
): Promise<DoneCase> {
  const { parameters, facts, beside } = of;
  try {
    const [measurement] =
      beside === undefined
        ? await measureOne(workload, ports, leaving)
        : await withBeside(beside, workload, ports, (url) =>
            measureOne(withVariable(workload, beside.variable, url), ports, leaving),
          );
    if (measurement === undefined) return unmeasured(of, "cancelled");
    const details = measurement.replicates[0]?.generator.details;
    const figures = details === undefined ? {} : k6Figures(details);
    const cases = idsOf(of).map((id) => caseOf(id, measurement, { figures, parameters, facts }));
    return { cases, measurement };
  } catch (error) {
    // Of one case: an app that cannot be imported, a fake database that does not start.
    if (error instanceof InputError) return unmeasured(of, error.problems.join("; "));
    if (error instanceof EnvironmentError) return unmeasured(of, `${error.phase}: ${error.message}`);
    throw error;
  }
}

function unmeasured(of: ScenarioCase, reason: string): DoneCase {
  return { cases: idsOf(of).map((id) => ({ kind: "not measured", id, reason })), measurement: undefined };
}

function measureOne(
  workload: Workload,
  ports: MeasurePorts,
  leaving: Promise<void>[],
): Promise<Measurement[]> {
  return measure(makePlan(workload), workload, ports, leaving);
}

function withVariable(workload: Workload, name: string, value: string): Workload {
  const { app } = workload;
  return { ...workload, app: { ...app, variables: { ...app.variables, [name]: value } } };
}

/** Files under the case's name, its choice of CPUs, and progress that counts cases instead of cells. */
function caseBound(
  { of, workload }: ReadyCase,
  place: { readonly index: number; readonly total: number },
  ports: MeasurePorts,
): MeasurePorts {
  ports.progress({ kind: "step", text: `${of.id} (${place.index + 1} of ${place.total})` });
  const folder = of.id.replaceAll(/[^\w=.-]+/g, "-");
  return {
    ...ports,
    cpuSets: workload.separateCpus ? ports.cpuSets : undefined,
    clearResults: () => ports.clearResults(folder),
    save: (name, text) => ports.save(`${folder}/${name}`, text),
    startApp: (command, python, name) => ports.startApp(command, python, `${folder}-${name}`),
    progress: (event) => {
      if (event.kind === "plan") return;
      const isOfCell = event.kind === "cell started" || event.kind === "cell finished";
      ports.progress(isOfCell ? { ...event, ...place } : event);
    },
  };
}
