import type { FoundSetting } from "./source-file.ts";
import type { ReadVariable } from "./variables.ts";

/** The database of an app, as far as its files tell. */
export interface FoundDatabase {
  readonly kind: "postgres" | "mysql" | "sqlite" | "none";
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

/** Placeholders of variables that hold a part of an address. */
const parts: readonly (readonly [pattern: RegExp, placeholder: string])[] = [
  [/(HOST|SERVER|HOSTNAME|ADDRESS|ADDR)$/, "{host}"],
  [/PORT$/, "{port}"],
  [/CREDENTIALS$/, "{user}:{password}"],
  [/(USER|USERNAME)$/, "{user}"],
  [/(PASSWORD|PASS|PWD)$/, "{password}"],
  [/(^PGDATABASE|_DB|^DB|NAME|DATABASE|DB_BASE)$/, "{database}"],
];

/** Variables of which an app puts its address together. */
export interface Parts {
  readonly value: Readonly<Record<string, string>>;
  readonly path: string | undefined;
}

export function partsIn(ofDatabase: readonly ReadVariable[]): Parts {
  const found = ofDatabase.flatMap(({ name, path }) => {
    const placeholder = parts.find(([pattern]) => pattern.test(name))?.[1];
    return placeholder === undefined ? [] : [{ name, path, placeholder }];
  });
  const value = Object.fromEntries(found.map(({ name, placeholder }) => [name, placeholder]));
  return { value, path: found[0]?.path };
}
