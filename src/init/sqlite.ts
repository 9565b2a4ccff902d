import { type FoundDatabase, isOfDatabase, isUrlName } from "./found-database.ts";
import type { FoundRequirements } from "./requirements.ts";
import { nameOf, type ProjectFile } from "./source-file.ts";
import type { ReadVariable } from "./variables.ts";

/** Places where code or settings name a file; an address without one is of the memory, one with four slashes elsewhere. */
const namesFile =
  /sqlite(?:\+\w+)?:\/\/(?!\/?["'\s]|\/?:memory:|\/\/|\/?$)|(?:sqlite3|aiosqlite)\.connect\(\s*(?!["']:memory:)\S|SqliteDatabase\(\s*(?!["']:memory:)\S|SQLiteEngine\(/m;
const mappers = ["sqlalchemy", "sqlmodel", "tortoise-orm", "databases", "ormar", "piccolo", "aiosqlite"];

/** The files of SQLite that an app keeps its data in; `undefined` without any. */
export function findSqlite(
  { has }: Pick<FoundRequirements, "has">,
  variables: readonly ReadVariable[],
  files: readonly ProjectFile[],
): FoundDatabase | undefined {
  const file = files.find(({ path, text }) => isOwn(path) && namesFile.test(text));
  const isMapped = mappers.some(has);
  const named = variables.find(
    ({ name, isNeeded, value }) =>
      (isNeeded || file === undefined) &&
      value === undefined &&
      isUrlName.test(name) &&
      isOfDatabase.test(name),
  );
  // Of no use for anything else: the file may be named in a library that the app is made of.
  const hasDriver = has("aiosqlite");
  if (file === undefined && !hasDriver && (named === undefined || !isMapped)) return undefined;
  const told =
    file !== undefined
      ? `${file.path} names it`
      : `${hasDriver ? "aiosqlite is" : "no driver for another one is"} required`;
  const reason = `a file of SQLite, as ${told}: each start of the app gets a fresh copy of it, in a copy of its folder`;
  return {
    kind: "sqlite",
    findings: [{ key: "database", value: "sqlite", reason }],
    names: new Set(),
    ...(named !== undefined && isMapped && { values: { [named.name]: urlFor(has, files) } }),
    lacks: undefined,
  };
}

function urlFor(has: FoundRequirements["has"], files: readonly ProjectFile[]): string {
  if (has("tortoise-orm")) return "sqlite://loadtest.db";
  const isAsync = has("aiosqlite") || files.some(({ text }) => /create_async_engine/.test(text));
  return `sqlite${isAsync ? "+aiosqlite" : ""}:///./loadtest.db`;
}

/** Tests have databases of their own, and migrations often an address that nobody uses. */
function isOwn(path: string): boolean {
  if (
    /(?:^|\/)(?:tests?|migrations|alembic)\//.test(path) ||
    /^(?:test_|conftest)|_test\.py$/.test(nameOf(path))
  )
    return false;
  return /\.(?:py|ini|toml|cfg)$/.test(path) || /^\.?[\w.-]*env\b/.test(nameOf(path));
}
