import { groupBy } from "../../src/engine.ts";

/** Cases of one subject, which may be compared with each other. */
export interface Family {
  readonly title: string;
  /** Id of the case that the others are divided by. */
  readonly reference: string;
}

/** The first pattern that matches the beginning of an id counts. */
const families: readonly (readonly [pattern: RegExp, family: Family])[] = [
  ...[15, 20, 25, 30].map((depth): readonly [RegExp, Family] => [
    new RegExp(`^pena/sim-.*/fib${depth}`),
    { title: `Two queries and fibonacci of ${depth}`, reference: `pena/sim-sync-1/fib${depth}` },
  ]),
  [/^pena\/select-/, { title: "One SELECT", reference: "pena/select-sync" }],
  [/^pena\//, { title: "Endpoints that only wait", reference: "pena/sync-sleep" }],
  [/^junge\//, { title: "Three waits in one request", reference: "junge/sync_baseline" }],
  [/^patel\//, { title: "One row through SQLAlchemy", reference: "patel/users-sync" }],
  [/^keyword\/hello-/, { title: "A trivial route", reference: "keyword/hello-sync" }],
  [/^keyword\//, { title: "Two waits in one request", reference: "keyword/sync-blocking" }],
  [/^wsgi\/.*\/db0/, { title: "Without database latency", reference: "wsgi/gunicorn-sync-2/db0" }],
  [/^wsgi\//, { title: "With 25 ms of database latency", reference: "wsgi/gunicorn-sync-1/db25" }],
];

/** Family of all other cases; nothing is divided by them. */
const others: Family = { title: "Other cases", reference: "" };

/** Groups things with case ids by family, in the order in which they first come. */
export function byFamily<T extends { readonly id: string }>(
  things: readonly T[],
): ReadonlyMap<Family, readonly T[]> {
  return groupBy(things, ({ id }) => families.find(([pattern]) => pattern.test(id))?.[1] ?? others);
}
