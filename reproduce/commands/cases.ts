import {
  EnvironmentError,
  type Files,
  InputError,
  type Measurement,
  type MeasurePorts,
  makePlan,
  measure,
  parseConfig,
  type Workload,
} from "../../src/engine.ts";
import { type Case, caseOf } from "../cases/cases.ts";
import { k6Figures } from "../cases/k6-figures.ts";
import { idsOf, type Scenario, type ScenarioCase, stretchesOf } from "../scenario/scenario.ts";
import { withBeside } from "./companion-server.ts";
import { sharePorts } from "./shared-ports.ts";

/** A case of a scenario, ready to be measured. */
export interface ReadyCase {
  readonly of: ScenarioCase;
  readonly workload: Workload;
}

/** The result of a case. */
export interface DoneCase {
  /** One for each name of the case. */
  readonly cases: readonly Case[];
  /** Absent when the case could not even be prepared. */
  readonly measurement: Measurement | undefined;
}

/** Reads every case's inputs before anything starts. Throws one `InputError` for all of them. */
export function readyCases(scenario: Scenario, files: Files): ReadyCase[] {
  const problems: string[] = [];
  const ready = scenario.cases.flatMap((of) => {
    try {
      const usual = { "base-ref": "none", "separate-cpus": "true", diagnose: "never" };
      const isReplaced = (of.inputs["script"] ?? of.inputs["iteration"]) !== undefined;
      const inputs = { ...usual, ...(!isReplaced && { endpoints: "/" }), ...of.inputs };
      const { workload } = parseConfig("measure", inputs, files);
      return workload === undefined ? [] : [{ of, workload }];
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems.map((problem) => `${of.id}: ${problem}`));
      return [];
    }
  });
  if (problems.length > 0)
    throw new InputError(problems.map((problem) => `reproduce/scenarios/${scenario.name}.yml: ${problem}`));
  return ready;
}

/**
 * Measures the cases of a scenario one after another, or neighbours in turns, there and back. Each has fresh servers
 * and a fresh copy of its database. A case that fails does not end the others. Stops early when the user cancels.
 */
export async function runCases(ready: readonly ReadyCase[], ports: MeasurePorts): Promise<DoneCase[]> {
  await ports.clearResults();
  await using shared = sharePorts(ports);
  const done: DoneCase[] = [];
  // Stopping a server takes time, in which the next one starts.
  const leaving: Promise<void>[] = [];
  const run = async (each: ReadyCase, turn: number) => {
    const place = { index: ready.indexOf(each), total: ready.length };
    return await measureCase(each, caseBound(each, place, turn, shared.ports), leaving);
  };
  try {
    for (const stretch of stretchesOf(ready)) {
      const outcomes = new Map<ReadyCase, Outcome[]>(stretch.map((each) => [each, []]));
      for (let turn = 1; turn <= (stretch[0]?.of.turns ?? 1); turn += 1) {
        for (const each of turn % 2 === 1 ? stretch : stretch.toReversed()) {
          const isOver = ports.signal.aborted;
          if (isOver && turn === 1) continue; // as if this turn had not been planned
          outcomes.get(each)?.push(isOver ? "cancelled" : await run(each, turn));
        }
      }
      for (const [{ of }, made] of outcomes) if (made.length > 0) done.push(doneCase(of, made));
    }
  } finally {
    await Promise.allSettled(leaving);
  }
  await Promise.all(leaving); // a server that did not stop is reported
  return done;
}

/** The result of one turn of a case: its document, or the reason why there is none. */
type Outcome = Measurement | string;

async function measureCase(
  { of: { beside }, workload }: ReadyCase,
  ports: MeasurePorts,
  leaving: Promise<void>[],
): Promise<Outcome> {
  try {
    const [measurement] =
      beside === undefined
        ? await measureOne(workload, ports, leaving)
        : await withBeside(beside, workload, ports, (url) =>
            measureOne(withVariable(workload, beside.variable, url), ports, leaving),
          );
    return measurement ?? "cancelled";
  } catch (error) {
    return caseProblem(error);
  }
}

/**
 * Words for an error that costs one case: an app that cannot be imported, a fake database that does not start. Throws
 * any other.
 */
export function caseProblem(error: unknown): string {
  if (error instanceof InputError) return error.problems.join("; ");
  if (error instanceof EnvironmentError) return `${error.phase}: ${error.message}`;
  throw error;
}

/** All turns of a case as one. A failed turn decides, since the others would compare another time. */
function doneCase(of: ScenarioCase, outcomes: readonly Outcome[]): DoneCase {
  const { parameters, facts } = of;
  const documents = outcomes.filter((each) => typeof each !== "string");
  const reason = outcomes.find((each) => typeof each === "string");
  const [first] = documents;
  if (reason !== undefined || first === undefined) {
    const cases = idsOf(of).map((id) => ({
      kind: "not measured" as const,
      id,
      reason: reason ?? "cancelled",
    }));
    return { cases, measurement: undefined };
  }
  const failed = documents.find(({ status }) => status !== "measured");
  const replicates = documents.flatMap((document) => document.replicates);
  const measurement = failed ?? { ...first, replicates };
  // k6's own times are those of one turn, and cannot be added up.
  const details = replicates.length === 1 ? replicates[0]?.generator.details : undefined;
  const figures = details === undefined ? {} : k6Figures(details);
  return {
    cases: idsOf(of).map((id) => caseOf(id, measurement, { figures, parameters, facts })),
    measurement,
  };
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

/** Ports for one case: its files have its name, CPUs are as it chose, and progress counts cases instead of cells. */
function caseBound(
  { of, workload }: ReadyCase,
  place: { readonly index: number; readonly total: number },
  turn: number,
  ports: MeasurePorts,
): MeasurePorts {
  const which = of.turns === 1 ? "" : `, turn ${turn} of ${of.turns}`;
  ports.progress({ kind: "step", text: `${of.id} (${place.index + 1} of ${place.total}${which})` });
  const name = of.id.replaceAll(/[^\w=.-]+/g, "-");
  const folder = turn === 1 ? name : `${name}-turn-${turn}`;
  return {
    ...ports,
    cpuSets: workload.separateCpus ? ports.cpuSets : undefined,
    clearResults: () => ports.clearResults(folder),
    save: (file, text) => ports.save(`${folder}/${file}`, text),
    startApp: (command, python, server) => ports.startApp(command, python, `${folder}-${server}`),
    progress: (event) => {
      if (event.kind === "plan") return;
      const isOfCell = event.kind === "cell started" || event.kind === "cell finished";
      ports.progress(isOfCell ? { ...event, ...place } : event);
    },
  };
}
