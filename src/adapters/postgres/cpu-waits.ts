import type { Client } from "pg";
import * as z from "zod";

import { cpuWaitMs } from "../process/index.ts";
import { queryRow } from "./session.ts";

const schema = z.object({ pids: z.array(z.number()) });
const sql =
  "SELECT COALESCE(array_agg(pid), '{}') AS pids FROM pg_stat_activity WHERE datname = $1 AND backend_type = 'client backend'";

/** Adds up for how long the sessions of a database wanted a CPU and had none, as this machine's kernel counts it. */
export function watchCpuWaits(database: string, client: Client) {
  let from: ReadonlyMap<number, number> = new Map();
  const now = new Map<number, number>();
  return {
    /** Counts from here on. */
    begin: () => {
      from = new Map(now);
    },
    look: async () => {
      const { pids } = await queryRow(client, schema, sql, [database]);
      for (const pid of pids) now.set(pid, cpuWaitMs(pid) ?? now.get(pid) ?? 0);
    },
    totalMs: () => [...now].reduce((total, [pid, waited]) => total + waited - (from.get(pid) ?? 0), 0),
  };
}
