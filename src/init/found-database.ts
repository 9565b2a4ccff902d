import type { FoundSetting } from "./source-file.ts";

/** The database of an app, as far as its files tell. */
export interface FoundDatabase {
  readonly kind: "postgres" | "sqlite" | "none";
  readonly findings: readonly FoundSetting[];
  /** Variables that the load test fills in by itself. */
  readonly names: ReadonlySet<string>;
  /** Values for variables that nobody gave any. */
  readonly values?: Readonly<Record<string, string>>;
  /** A need of the app that the load test cannot meet. */
  readonly lacks: string | undefined;
}

/** Names of variables that hold the address of something. */
export const isUrlName = /(URL|URI|DSN|CONNECTION_STRING)$/;

/** Names of variables about a database. */
export const isOfDatabase = /DATABASE|POSTGRES|SQL|(^|_)(DB|PG)(_|$|[A-Z])|^DSN$/;
