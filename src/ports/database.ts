import type { DatabaseFacts } from "../diagnosis/evidence.ts";
import type { Database, Seed } from "../model/workload/workload.ts";

/** One database, a fresh copy of the seeded template; dropped on disposal. */
export interface DatabaseCopy extends AsyncDisposable {
  /** `postgresql://user:password@127.0.0.1:port/name`, also with `mysql:`; `sqlite:` for files in the app's folder. */
  readonly url: string;
  /** Resets the statement counters; they stop counting when the app holds every connection. */
  resetStatements(): Promise<void>;
  /** Sessions that this database has now; `undefined` when the server does not say. */
  countConnections(): Promise<number | undefined>;
  /** Since the last reset; `undefined` without `pg_stat_statements`, or when the app holds every connection. */
  countStatements(): Promise<StatementCounts | undefined>;
  /** The first column of a query's result. Rejects with an `EnvironmentError` in the server's words. */
  readColumn(query: string, mostRows: number): Promise<readonly unknown[]>;
  readTable(query: string, mostRows: number): Promise<QueriedTable>;
  /**
   * Gives databases that are made on the same server from now on its extensions, which only a superuser can make; absent
   * where nobody needs that, or where the server is not ours.
   */
  shareExtensions?(): Promise<void>;
  /** Watches this database from now on, even when the app takes every connection; for diagnosis. */
  watch(): Promise<DatabaseWatch>;
}

export interface QueriedTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

export interface DatabaseWatch extends AsyncDisposable {
  begin(): Promise<void>;
  /** Observations so far: connections since the watch was made, statements since it began. */
  read(): Promise<DatabaseReading>;
}

export interface DatabaseReading {
  readonly facts: DatabaseFacts;
  /** Figures that the server did not give, with the reason in its own words: foreign text. */
  readonly unseen: readonly string[];
}

export interface StatementCounts {
  readonly statements: number;
  /** Those among them that begin or end a transaction: drivers send them by themselves. */
  readonly transactionStatements: number;
  /** Returned or changed. */
  readonly rows: number;
  /** Pages of 8 kB that were read, in memory or on disk. */
  readonly blocks: number;
  /** Time for which the server executed them. */
  readonly totalMs: number;
}

export interface DatabaseTemplate {
  /** Makes a copy under a new name. Files are copied into the folder of the arm's app; without one only we read them. */
  copy(folder?: string): Promise<DatabaseCopy>;
  /** Makes one copy for a later call of `copy`, where that is cheap. Never rejects. */
  prepareCopy?(): Promise<void>;
}

export type RunSeedCommands = (kind: "migrate" | "seed", url: string) => Promise<void>;

/** A server, or files of SQLite. Disposal stops a private one and deletes its data, with all templates and copies. */
export interface DatabaseServer extends AsyncDisposable {
  /** Postgres' version, e.g. `18.4`; `undefined` for others. */
  readonly version: string | undefined;
  readonly statementStatistics: boolean;
  /** Connections that ordinary users may open at once; `undefined` when the server is ours. */
  readonly maxConnections: number | undefined;
  /** Fills a template. Throws an `EnvironmentError` that names the statement. `folder`: the app's. */
  seed(seed: Seed, commands?: RunSeedCommands, folder?: string): Promise<DatabaseTemplate>;
  /** CPU seconds of the server's processes so far; `undefined` where the server is not ours or there is no procfs. */
  cpuSeconds(): number | undefined;
}

export interface DatabasePorts {
  diskProblem(database: Database, arms: number): Promise<string | undefined>;
  /** `cpus`: the CPUs that the server may use, when it is ours. */
  openDatabases(
    database: Exclude<Database, { kind: "none" }>,
    cpus: string | undefined,
  ): Promise<DatabaseServer>;
}
