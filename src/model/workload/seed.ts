import { defined } from "../../lists/defined.ts";
import type { Database, Seed } from "./workload.ts";

/** The Postgres that a job has to start, or that is there; `none` for other databases, too. */
export function serverKindOf({ kind }: Database): Exclude<Database["kind"], "file" | "mysql"> {
  return kind === "file" || kind === "mysql" ? "none" : kind;
}

/** True when the app's start fills it: each arm has its own, as two workers cannot make tables at once. */
export function isFilledByStart({ kind }: Database): boolean {
  return kind === "file" || kind === "mysql";
}

/** The data of a database; `undefined` when we have none. */
export function seedOf(database: Database): Seed | undefined {
  if (database.kind === "none") return undefined;
  const { seedFiles, extensions, scale, variable, urlStyle, templates, commands } = database;
  return { seedFiles, scale, variable, ...defined({ extensions, urlStyle, templates, commands }) };
}

/** True when two arms may have copies of one template: commands are each arm's own code. */
export function isSameData(one: Seed | undefined, other: Seed | undefined): boolean {
  if (one?.commands !== undefined || other?.commands !== undefined) return false;
  return JSON.stringify(one?.seedFiles) === JSON.stringify(other?.seedFiles);
}
