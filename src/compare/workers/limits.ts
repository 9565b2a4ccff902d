import type { Environment } from "../../model/measurement/environment.ts";
import type { WorkerCount } from "./worker-count.ts";

/** Share of the machine's memory that the workers may take: the rest is for the system and for what was not measured. */
const memoryShare = 0.8;

/** Connections for ordinary users by Postgres' default: `max_connections` is 100, of which 3 are for superusers. */
export const usualConnections = 97;

/** Connections that the app's Postgres grants to ordinary users: its own figure, else the default. */
export function connectionLimit({ maxConnections }: Environment): number {
  return maxConnections ?? usualConnections;
}

/** A resource of which a count takes more than there is. */
export type Excess = "memory" | "connections";

/** Why a count must not be advised although it was measured: a few words of our own; `undefined` when it may be. */
export function excessOf(
  { memoryBytes, connections }: WorkerCount,
  environment: Environment | undefined,
): Excess | undefined {
  if (environment === undefined) return undefined;
  if (memoryBytes !== undefined && memoryBytes > memoryShare * environment.memoryBytes) return "memory";
  return connections !== undefined && connections > connectionLimit(environment) ? "connections" : undefined;
}
