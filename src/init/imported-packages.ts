import { nameOf, type ProjectFile } from "./source-file.ts";

/**
 * What people install for a module, by its name. A list of ours: a name that nobody has registered yet would let
 * anybody run code.
 */
const distributions: ReadonlyMap<string, string> = new Map([
  ["fastapi", "fastapi[standard]"],
  ["sqlalchemy", "sqlalchemy"],
  ["sqlmodel", "sqlmodel"],
  ["alembic", "alembic"],
  ["psycopg", "psycopg[binary]"],
  ["psycopg2", "psycopg2-binary"],
  ["asyncpg", "asyncpg"],
  ["aiosqlite", "aiosqlite"],
  ["tortoise", "tortoise-orm"],
  ["databases", "databases"],
  ["redis", "redis"],
  ["pymongo", "pymongo"],
  ["motor", "motor"],
  ["jose", "python-jose[cryptography]"],
  ["jwt", "pyjwt"],
  ["passlib", "passlib[bcrypt] bcrypt<5"], // its last release knows none newer
  ["dotenv", "python-dotenv"],
  ["requests", "requests"],
  ["aiohttp", "aiohttp"],
  ["yaml", "pyyaml"],
  ["numpy", "numpy"],
  ["pandas", "pandas"],
]);

/** Distributions of the well-known modules that an app of FastAPI imports, in the list's order; none for other apps. */
export function importedPackages(files: readonly ProjectFile[]): readonly string[] {
  const modules = files.filter(
    ({ path }) => path.endsWith(".py") && !/^(?:test_|conftest)|_test\.py$/.test(nameOf(path)),
  );
  const imported = new Set(
    modules.flatMap(({ text }) =>
      [...text.matchAll(/^[ \t]*(?:import|from)[ \t]+(\w+)/gm)].map(([, name]) => name),
    ),
  );
  if (!imported.has("fastapi")) return [];
  return [...distributions].flatMap(([name, distribution]) => (imported.has(name) ? [distribution] : []));
}
