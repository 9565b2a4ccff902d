import type { DatabaseFacts } from "../diagnosis/load-facts.ts";
import type { Database, Seed, SeedCommands } from "../model/workload/workload.ts";
/** One database, a fresh copy of the seeded template; dropped on disposal. */
export interface DatabaseCopy extends AsyncDisposable {
  /** `postgresql://user:password@127.0.0.1:port/name` */
  readonly url: string;
  /** Sets the statement counters back to zero; where the app has every connection there is, they count no more. */
  resetStatements(): Promise<void>;
  /** Sessions that this database has now; `undefined` when the server would not say. */
  countConnections(): Promise<number | undefined>;
  /** What was executed in this database since the last reset; `undefined` without `pg_stat_statements`, or where the app has every connection. */
  countStatements(): Promise<StatementCounts | undefined>;
  /** The first column of what a query returns. Rejects with an `EnvironmentError` in the server's words. */
  readColumn(query: string, mostRows: number): Promise<readonly unknown[]>;
  /** Looks at this database from now on, also when the app takes every connection; for diagnosis. */
  watch(): Promise<DatabaseWatch>;
}

/** Watches one database from outside until it is disposed of. */
export interface DatabaseWatch extends AsyncDisposable {
  /** From here on statements count. */
  begin(): Promise<void>;
  /** What was seen so far: of connections since the watch was made, of statements since it began. */
  read(): Promise<DatabaseReading>;
}

export interface DatabaseReading {
  readonly facts: DatabaseFacts;
  /** What the server did not say and why, in its own words: foreign text. */
  readonly unseen: readonly string[];
}

export interface StatementCounts {
  readonly statements: number;
  /** Returned or changed. */
  readonly rows: number;
  /** Pages of 8 kB that were looked at, wherever they were found. */
  readonly blocks: number;
}

/** A seeded database that copies are made of. */
export interface DatabaseTemplate {
  /** Resources of the last `copy` may still be in use: each copy has a name of its own. */
  copy(): Promise<DatabaseCopy>;
}

/** Runs the commands of one kind on the database of that URL (as Postgres writes it). */
export type RunSeedCommands = (kind: keyof SeedCommands, url: string) => Promise<void>;

/** A Postgres server; a private one stops and its data goes on disposal, with all templates and copies. */
export interface DatabaseServer extends AsyncDisposable {
  /** e.g. `18.4` */
  readonly version: string;
  readonly statementStatistics: boolean;
  /** That ordinary users may open at once; `undefined` where the server is ours. */
  readonly maxConnections: number | undefined;
  /**
   * Makes and fills a template. Throws an `EnvironmentError` that names the file, the line and the statement. `commands`
   * runs the seed's own, where it has any, and throws an `EnvironmentError` that names the one that failed.
   */
  seed(seed: Seed, commands?: RunSeedCommands): Promise<DatabaseTemplate>;
  /** CPU seconds of the server's processes so far; `undefined` where the server is not ours or there is no procfs. */
  cpuSeconds(): number | undefined;
}

export interface DatabasePorts {
  /** A sentence when the databases of so many arms will not fit on the disk. */
  diskProblem(database: Database, arms: number): Promise<string | undefined>;
  /** `cpus`: those that the server may use, where it is ours to say. */
  openDatabases(
    database: Exclude<Database, { kind: "none" }>,
    cpus: string | undefined,
  ): Promise<DatabaseServer>;
}
