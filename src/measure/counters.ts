import type { ArmRecord } from "../model/measurement/measurement.ts";
import type { RunningArm } from "./running-arms.ts";

/** Counters of one arm before a load; CPU times in seconds. */
export interface CountersBefore {
  readonly cpuSeconds: number | undefined;
  readonly workerCpuSeconds: readonly number[] | undefined;
  readonly besideCpuSeconds: Readonly<Record<string, number>> | undefined;
}

/** Resources that one arm used during a load. */
export type ArmUse = Pick<
  ArmRecord,
  | "cpuSeconds"
  | "workerCpuSeconds"
  | "besideCpuSeconds"
  | "cpus"
  | "readyMemoryBytes"
  | "startCpuSeconds"
  | "peakMemoryBytes"
  | "connections"
  | "sqlStatements"
  | "sqlRows"
  | "sqlBlocks"
>;

/** Resets one arm's counters, or notes their values. */
export async function startCounters({ app, database }: RunningArm): Promise<CountersBefore> {
  await database?.resetStatements();
  return {
    workerCpuSeconds: app.workerCpuSeconds(),
    besideCpuSeconds: app.besideCpuSeconds?.(),
    cpuSeconds: app.cpuSeconds(),
  };
}

/** Reads them again. Counters that this machine does not have are absent. */
export async function readCounters({ app, database }: RunningArm, before: CountersBefore): Promise<ArmUse> {
  const cpuSeconds = app.cpuSeconds();
  const workers = app.workerCpuSeconds();
  const besides = app.besideCpuSeconds?.();
  const peakMemoryBytes = app.peakMemoryBytes();
  const cpus = app.cpus();
  const connections = await database?.countConnections();
  const sql = await database?.countStatements();
  return {
    ...(cpuSeconds !== undefined &&
      before.cpuSeconds !== undefined && { cpuSeconds: Math.max(0, cpuSeconds - before.cpuSeconds) }),
    ...(workers !== undefined && {
      workerCpuSeconds: workers.map((seconds, index) =>
        Math.max(0, seconds - (before.workerCpuSeconds?.[index] ?? 0)),
      ),
    }),
    ...(besides !== undefined && {
      besideCpuSeconds: Object.fromEntries(
        Object.entries(besides).map(([name, seconds]) => [
          name,
          Math.max(0, seconds - (before.besideCpuSeconds?.[name] ?? 0)),
        ]),
      ),
    }),
    ...(cpus !== undefined && { cpus }),
    ...(app.readyMemoryBytes !== undefined && { readyMemoryBytes: app.readyMemoryBytes }),
    ...(app.startCpuSeconds !== undefined && { startCpuSeconds: app.startCpuSeconds }),
    ...(peakMemoryBytes !== undefined && { peakMemoryBytes }),
    ...(connections !== undefined && { connections }),
    ...(sql !== undefined && { sqlStatements: sql.statements, sqlRows: sql.rows, sqlBlocks: sql.blocks }),
  };
}
