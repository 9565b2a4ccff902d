/** Facts about the diagnosis phase from outside the app. */
export interface LoadFacts {
  readonly virtualUsers: number;
  /** Mean pause of a user between two requests. */
  readonly pauseSeconds: number;
  readonly workers: number;
  readonly seconds: number;
  /** Requests that were answered. */
  readonly requests: number;
  readonly latencyMeanMs: number;
  readonly latencyMedianMs: number;
  /** CPUs that the server may use, and k6. */
  readonly appCpus: number;
  readonly generatorCpus: number;
  /** Absent when it is unknown. */
  readonly generatorCpuSeconds?: number | undefined;
  /** Connections that k6 opened during the phase; absent when each request was asked to open one. */
  readonly connectionsOpened?: number | undefined;
  readonly database?: DatabaseFacts | undefined;
}

/** The database's figures of the phase. */
export interface DatabaseFacts {
  /** Connections that it grants to the app: `max_connections` without those kept for superusers and for us. */
  readonly connectionsAllowed?: number | undefined;
  /** Most connections that the app had at a time. */
  readonly connectionsPeak?: number | undefined;
  /** Time for which its sessions wanted a CPU and had none; absent when the machine does not say. */
  readonly cpuWaitMs?: number | undefined;
  /** Statements that were executed. */
  readonly statements?: number | undefined;
  readonly tables: readonly TableFacts[];
}

/** A table's figures in `pg_stat_user_tables`. */
export interface TableFacts {
  readonly name: string;
  readonly rows: number;
  /** Scans of the whole table during the phase, and the rows that they read. */
  readonly sequentialScans: number;
  readonly sequentialRows: number;
}

/** Throughput that was measured, in requests per second. */
export function measuredRate(load: LoadFacts): number {
  return load.seconds > 0 ? load.requests / load.seconds : 0;
}
