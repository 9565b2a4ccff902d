import { defined } from "../../lists/defined.ts";
import { cpuCount } from "../../model/measurement/environment.ts";
import type { ArmName, ArmRecord, Conditions, Replicate } from "../../model/measurement/measurement.ts";
import type { AppServer } from "../../ports/app.ts";
import type { DatabaseServer } from "../../ports/database.ts";
import type { MachinePorts } from "../../ports/machine.ts";
import { sum } from "../../statistics/estimate.ts";
import { type RunningArm, type RunningArms, runningArmOf } from "./running-arms.ts";

/** A load on both arms, before the resources that it took are known. */
export interface PairLoad<R extends Replicate = Replicate> {
  readonly replicate: R & { readonly arms: Readonly<Record<ArmName, ArmRecord>> };
  readonly generatorCpuSeconds: number | undefined;
  /** CPUs that the generator can use, if fewer than it may: a process of Locust uses one. */
  readonly generatorCpus?: number | undefined;
}

/** Counters of one arm before a load; CPU times in seconds. */
interface CountersBefore {
  readonly cpuSeconds: number | undefined;
  readonly workerCpuSeconds: readonly number[] | undefined;
  readonly companionCpuSeconds: Readonly<Record<string, number>> | undefined;
}

export async function startCounters({ app, database }: RunningArm): Promise<CountersBefore> {
  await database?.resetStatements();
  return cpuOf(app);
}

function cpuOf(app: AppServer): CountersBefore {
  return {
    workerCpuSeconds: app.workerCpuSeconds(),
    companionCpuSeconds: app.companionCpuSeconds?.(),
    cpuSeconds: app.cpuSeconds(),
  };
}

/** Resources that one arm used during a load. Counters that this machine does not have are absent. */
export async function readCounters({ app, database }: RunningArm, before: CountersBefore) {
  const after = cpuOf(app);
  const peakMemoryBytes = app.peakMemoryBytes();
  const cpus = app.cpus();
  const connections = await database?.countConnections();
  const sql = await database?.countStatements();
  const since = (now: number, then = 0) => Math.max(0, now - then);
  const { readyMemoryBytes, startCpuSeconds } = app;
  return defined({
    cpuSeconds:
      after.cpuSeconds === undefined || before.cpuSeconds === undefined
        ? undefined
        : since(after.cpuSeconds, before.cpuSeconds),
    workerCpuSeconds: after.workerCpuSeconds?.map((seconds, index) =>
      since(seconds, before.workerCpuSeconds?.[index]),
    ),
    companionCpuSeconds:
      after.companionCpuSeconds &&
      Object.fromEntries(
        Object.entries(after.companionCpuSeconds).map(([name, seconds]) => [
          name,
          since(seconds, before.companionCpuSeconds?.[name]),
        ]),
      ),
    ...{ cpus, readyMemoryBytes, startCpuSeconds, peakMemoryBytes, connections },
    ...{ sqlStatements: sql?.statements, sqlRows: sql?.rows, sqlBlocks: sql?.blocks },
  });
}

/** Adds the resources that both arms and the machine used while `load` ran. */
export async function withResources<R extends Replicate>(
  runningArms: RunningArms,
  databases: DatabaseServer | undefined,
  load: () => Promise<PairLoad<R>>,
  ports: MachinePorts,
): Promise<R> {
  const [base, head] = [runningArmOf(runningArms, "base"), runningArmOf(runningArms, "head")];
  const [baseBefore, headBefore] = await Promise.all([startCounters(base), startCounters(head)]);
  const readMachine = ports.watchMachine();
  const postgresBefore = postgresSeconds(databases);
  const loaded = await load();
  const postgresAfter = postgresSeconds(databases);
  const machine = readMachine?.();
  const { replicate } = loaded;
  const arms = {
    base: { ...replicate.arms.base, ...(await readCounters(base, baseBefore)) },
    head: { ...replicate.arms.head, ...(await readCounters(head, headBefore)) },
  };
  const [ofBase, ofHead] = [arms.base.cpuSeconds, arms.head.cpuSeconds];
  const app = ofBase === undefined || ofHead === undefined ? undefined : ofBase + ofHead;
  const companions = Object.values(arms).flatMap(({ companionCpuSeconds = {} }) =>
    Object.values(companionCpuSeconds),
  );
  const areCompanionsKnown = [base, head].every(
    ({ app: { companionCpuSeconds } }) =>
      companionCpuSeconds === undefined || companionCpuSeconds() !== undefined,
  );
  const { generatorCpuSeconds: generator } = loaded;
  const isOursKnown =
    areCompanionsKnown && ![generator, app, postgresBefore, postgresAfter].some((each) => each === undefined);
  const { cpuSets } = ports;
  const { cores } = ports.machine;
  const [appCpus, otherCpus] = cpuSets ? [cpuCount(cpuSets.app), cpuCount(cpuSets.others)] : [cores, cores];
  const generatorCpus = Math.min(loaded.generatorCpus ?? otherCpus, otherCpus);
  const ours = sum([generator ?? 0, app ?? 0, ...companions, (postgresAfter ?? 0) - (postgresBefore ?? 0)]);
  const { durationSeconds } = replicate.generator;
  const conditions: Conditions = defined({
    generatorShare: generator && generator / (durationSeconds * generatorCpus),
    appShare: app && app / (durationSeconds * appCpus),
    stealShare: machine && machine.stealSeconds / machine.totalSeconds,
    foreignShare:
      machine && isOursKnown ? Math.max(0, machine.busySeconds - ours) / machine.totalSeconds : undefined,
  });
  return { ...replicate, arms, conditions };
}

/** CPU time so far; 0 without a Postgres server, `undefined` when the server is not ours. */
function postgresSeconds(databases: DatabaseServer | undefined): number | undefined {
  return databases === undefined ? 0 : databases.cpuSeconds();
}
