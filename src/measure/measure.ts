import { amongOtherApps } from "../diagnosis/reach/changed-files.ts";
import { EnvironmentError, InputError, isOtherStore } from "../errors/errors.ts";
import { noBase } from "../model/measurement/lone-arm.ts";
import type { Failure, Measurement } from "../model/measurement/measurement.ts";
import type { Cell } from "../model/plan/cell.ts";
import { minutesProblem, secondsForAge } from "../model/plan/minutes.ts";
import { type Design, type Plan, planForPart } from "../model/plan/plan.ts";
import { notComparedBecause, withoutBase } from "../model/plan/without-base.ts";
import type { Workload } from "../model/workload/workload.ts";
import type { MeasurePorts } from "../ports/measure.ts";
import {
  countInstructions,
  diagnose,
  findUnreached,
  type Reached,
  secondsToCount,
  warnOfOutside,
} from "./causes/index.ts";
import {
  brokenDocument,
  type DocumentPorts,
  failureOf,
  finishedDocument,
  save,
  startDocument,
} from "./cell-document.ts";
import {
  canLiveSideBySide,
  type LoadingPorts,
  measureAgedPair,
  measureAlone,
  measureRounds,
  type ServerPorts,
  startingAgain,
  startingOnce,
  tryEndpoints,
  withKnownEffect,
  withRunningArms,
} from "./pair/index.ts";
import { locustIn, type Prepared, prepare, readVariables, sendingMaterials } from "./preparation/index.ts";

/**
 * Measures every cell of the plan and writes one document each, also for a cell that failed. A result is on disk before
 * the next one starts. Throws an `InputError` before anything is started when the app cannot be imported.
 *
 * @param leaving servers and databases of earlier measurements that are still stopping; this one's are added, and the
 *   caller waits for them. Absent: there are no others.
 * @returns the Measurements in the order of the plan; fewer when the user cancelled
 */
export async function measure(
  plan: Plan,
  workload: Workload,
  ports: MeasurePorts,
  leaving?: Promise<void>[],
): Promise<Measurement[]> {
  await ports.clearResults();
  await ports.save("plan.json", `${JSON.stringify(plan)}\n`);
  ports.progress({ kind: "plan", plan: (await ports.countingProblem()) ? uncounted(plan) : plan });
  let commits: Measurement["commits"] = {};
  let made: Prepared;
  try {
    const isOurs = workload.targets === undefined; // an app that runs elsewhere may be of any commit
    const head = isOurs ? await ports.commitOf(workload.app.folder) : undefined;
    if (head !== undefined) commits = { head };
    const reason = notComparedBecause(plan, workload);
    const comparable = reason === undefined ? workload : withoutBase(workload, reason);
    made = await prepare(comparable, commits, ports, leaving);
  } catch (error) {
    if (ports.signal.aborted) return []; // the plan is on disk, so the report shows every cell as missing
    if (!(error instanceof EnvironmentError)) throw error;
    return failAll(plan, failureOf(error), commits, ports);
  }
  await using prepared = made;
  if (prepared.loneArm !== undefined)
    ports.progress({ kind: "warning", text: `no comparison: ${prepared.loneArm.reason}` });
  const sent = {
    materials: prepared.materials,
    ...locustIn(prepared),
    variables: readVariables(workload, ports),
  };
  const sending = sendingMaterials(startingAgain(ports), sent);
  const beganAt = ports.clock();
  const { design } = plan;
  const isCompared = prepared.arms.base !== undefined && design !== undefined;
  const looks = await firstLooks(plan, prepared, isCompared, sending).catch((error: unknown) => {
    if (error instanceof EnvironmentError && isOtherStore(error)) return error;
    throw error;
  });
  if (looks instanceof EnvironmentError) return failAll(plan, failureOf(looks), commits, ports);
  const { unreached, reached, affordable, ready } = looks;
  const starting = startingOnce(sending);
  const measureBoth = async (compared: Design) => {
    const counting = await secondsToCount(reached.cells, compared, ready, ports);
    const isTogether = counting > 0 && canLiveSideBySide(ready);
    const apart = isTogether ? Math.max(0, counting - secondsForAge(compared)) : counting;
    const within = { ...compared, maxMinutes: compared.maxMinutes - apart / 60 };
    const secondsLeft = () => compared.maxMinutes * 60 - (ports.clock() - beganAt);
    // After the first looks: so the counts decide what is measured further, and noise takes no minutes from either.
    const rounds = measureRounds(reached.cells, within, ready, starting, async (all, areAllSettled) => {
      const soak = (left: number) => measureAgedPair(reached, all, ready, { left, areAllSettled }, starting);
      const count = (documents: readonly Measurement[]) =>
        countInstructions(
          documents,
          ready,
          areAllSettled ? Math.max(counting, secondsLeft()) : counting,
          sending,
        );
      if (!isTogether) return await count(await soak(secondsLeft() - counting));
      return await bothAdded(soak(secondsLeft()), count(all), ports);
    });
    return await withKnownEffect(await rounds, compared, ports);
  };
  const measurements =
    ready.arms.base === undefined || design === undefined
      ? await measureEachAlone(reached, ready, starting)
      : await measureBoth(design);
  const measured = new Map(measurements.map((each) => [each.cell.id, each]));
  const inOrder = plan.cells.flatMap(({ id }) => unreached.get(id) ?? measured.get(id) ?? []);
  return await diagnose(plan, inOrder, affordable, sending);
}

/**
 * What the soak test and counting add, which run at the same time: instructions do not depend on neighbours, and both
 * versions have the same ones.
 */
async function bothAdded(
  soaking: Promise<readonly Measurement[]>,
  counting: Promise<readonly Measurement[]>,
  ports: DocumentPorts,
): Promise<readonly Measurement[]> {
  await Promise.allSettled([soaking, counting]); // neither goes on alone after an error of ours
  const [aged, counted] = [await soaking, await counting];
  return await Promise.all(
    counted.map(async (document, index) => {
      const pair = aged[index]?.aged;
      if (pair === undefined) return document;
      const whole = { ...document, aged: pair };
      await save(whole, ports);
      return whole;
    }),
  );
}

/** What is shown of a plan on a machine that cannot count. */
function uncounted({ design, ...plan }: Plan): Plan {
  return { ...plan, ...(design && { design: { ...design, countedEndpoints: 0 } }) };
}

async function firstLooks(
  plan: Plan,
  prepared: Prepared,
  isCompared: boolean,
  ports: Parameters<typeof findUnreached>[2] & Parameters<typeof warnOfOutside>[2],
) {
  const { unreached, outside }: Reached = isCompared
    ? await findUnreached(plan, prepared, ports)
    : { unreached: new Map() };
  const reached = { ...plan, cells: plan.cells.filter(({ id }) => !unreached.has(id)) };
  const affordable = withinMinutes(reached, prepared, ports);
  const ready = await warnOfOutside(reached, affordable, ports, outside);
  return { unreached, reached, affordable, ready };
}

/** The head alone, where the minutes are too few for the cells that the change reaches. */
function withinMinutes(
  { cells, design }: Plan,
  prepared: Prepared,
  { progress }: Pick<MeasurePorts, "progress">,
): Prepared {
  if (prepared.arms.base === undefined || design === undefined) return prepared;
  const reason = minutesProblem(cells.length, design.maxMinutes);
  if (reason === undefined) return prepared;
  progress({ kind: "warning", text: `no comparison: ${reason}` });
  return { ...prepared, arms: { ...prepared.arms, base: undefined }, loneArm: noBase(reason) };
}

type AlonePorts = ServerPorts & LoadingPorts & DocumentPorts;

async function measureEachAlone(plan: Plan, prepared: Prepared, ports: AlonePorts): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const [index, cell] of plan.cells.entries()) {
    if (ports.signal.aborted) break;
    ports.progress({ kind: "cell started", cell, index, total: plan.cells.length });
    const measurement = await measureCell(cell, prepared, ports);
    await save(measurement, ports);
    measurements.push(measurement);
    ports.progress({ kind: "cell finished", measurement, index, total: plan.cells.length });
  }
  return measurements;
}

async function measureCell(cell: Cell, prepared: Prepared, ports: AlonePorts): Promise<Measurement> {
  const start = startDocument(cell, prepared, ports);
  try {
    const { warmupSeconds } = prepared.workload;
    const replicate = await withRunningArms(cell, ["head"], prepared, {}, ports, async (runningArms) => {
      // Without a warm-up the load's first request must be the server's first one, too.
      if (warmupSeconds > 0) await tryEndpoints(cell, runningArms, prepared, ports);
      return await measureAlone(cell, "head", runningArms, warmupSeconds, ports);
    });
    return finishedDocument(start, [replicate]);
  } catch (error) {
    return brokenDocument(start, [], error, ports);
  }
}

async function failAll(
  plan: Plan,
  failure: Failure,
  commits: Measurement["commits"],
  ports: Pick<MeasurePorts, "now" | "progress" | "save">,
): Promise<Measurement[]> {
  const startedAt = ports.now();
  const failed = { schemaVersion: 1, startedAt, commits, replicates: [], status: "failed", failure } as const;
  const measurements = plan.cells.map((cell): Measurement => ({ ...failed, cell, replicates: [] }));
  for (const measurement of measurements) await save(measurement, ports);
  ports.progress({ kind: "nothing measured", failure });
  return measurements;
}

interface MeasuredApps {
  readonly measurements: readonly Measurement[];
  /** One sentence for each problem, with its app's name; shown after the report on the other apps. */
  readonly problems: readonly string[];
}

/** Measures apps one after the other. One of several that cannot be imported costs only its cells. */
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
  for (const [index, workload] of workloads.entries()) {
    const later = workloads.slice(index + 1).map((each) => planForPart(whole, each));
    const others = workloads.filter((each) => each !== workload).map(({ app }) => app.folder);
    const ports = withinWhole(workload === first ? firstPorts : await portsOf(workload), whole, {
      others,
      later,
    });
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

interface OtherApps {
  readonly others: readonly string[];
  readonly later: readonly Plan[];
}

/** Ports of one app among several: they keep the other apps' results, plan and changes. */
function withinWhole(ports: MeasurePorts, whole: Plan, { others, later }: OtherApps): MeasurePorts {
  return {
    ...ports,
    progress: (event) => ports.progress(event.kind === "plan" ? { ...event, later } : event),
    changesSince: async (folder, base) => {
      const changes = await ports.changesSince(folder, base);
      return changes && amongOtherApps(changes, others);
    },
    clearResults: async () => undefined,
    save: (name, text) => ports.save(name, name === "plan.json" ? `${JSON.stringify(whole)}\n` : text),
  };
}
