import { EnvironmentError } from "../../errors/errors.ts";
import { dialectOf } from "../../model/workload/database-variables.ts";
import type { DatabaseCopy, DatabaseTemplate } from "../../ports/database.ts";

const others = "('pg_catalog', 'information_schema', 'pg_toast')";

/** Queries whose answers together say how a database is built. */
const shapes = {
  postgres: [
    `SELECT format('%s.%s.%s %s %s %s', table_schema, table_name, column_name, data_type, is_nullable, column_default) FROM information_schema.columns WHERE table_schema NOT IN ${others} ORDER BY 1`,
    `SELECT indexdef FROM pg_indexes WHERE schemaname NOT IN ${others} ORDER BY 1`,
    `SELECT conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace::regnamespace::text NOT IN ${others} ORDER BY 1`,
    `SELECT viewname || ' ' || definition FROM pg_views WHERE schemaname NOT IN ${others} ORDER BY 1`,
    "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1",
    `SELECT proname || ' ' || prosrc FROM pg_proc WHERE pronamespace::regnamespace::text NOT IN ${others} ORDER BY 1`,
  ],
  mysql: [
    "SELECT CONCAT_WS(' ', table_name, column_name, column_type, is_nullable, column_default, extra) FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY 1",
    "SELECT CONCAT_WS(' ', table_name, index_name, seq_in_index, column_name, non_unique) FROM information_schema.statistics WHERE table_schema = DATABASE() ORDER BY 1",
    "SELECT CONCAT_WS(' ', table_name, constraint_name, column_name, referenced_table_name, referenced_column_name) FROM information_schema.key_column_usage WHERE table_schema = DATABASE() ORDER BY 1",
    "SELECT CONCAT_WS(' ', table_name, view_definition) FROM information_schema.views WHERE table_schema = DATABASE() ORDER BY 1",
    "SELECT CONCAT_WS(' ', trigger_name, action_statement) FROM information_schema.triggers WHERE trigger_schema = DATABASE() ORDER BY 1",
    "SELECT CONCAT_WS(' ', routine_name, routine_definition) FROM information_schema.routines WHERE routine_schema = DATABASE() ORDER BY 1",
  ],
  sqlite: ["SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master ORDER BY 1"],
} as const;

const tables = {
  postgres: `SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname NOT IN ${others} ORDER BY 1`,
  mysql: `SELECT CONCAT('"', REPLACE(table_name, '"', '""'), '"') FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' ORDER BY 1`,
  sqlite: `SELECT '"' || replace(name, '"', '""') || '"' FROM sqlite_master WHERE type = 'table' ORDER BY 1`,
} as const;

const most = 10_000;
const mostTables = 300;

/** True when tables, indexes and row counts are equal: the same work made them, only keys differ. */
export async function haveSameShape(one: DatabaseTemplate, other: DatabaseTemplate): Promise<boolean> {
  const [first, second] = [await shapeOf(one), await shapeOf(other)];
  return first !== undefined && first === second;
}

/** `undefined` when it cannot be said. */
async function shapeOf(template: DatabaseTemplate): Promise<string | undefined> {
  try {
    await using copy = await template.copy();
    const kind = dialectOf(copy.url);
    const parts: unknown[] = [];
    for (const query of shapes[kind]) parts.push(await copy.readColumn(query, most));
    const names = await copy.readColumn(tables[kind], most);
    if (names.length > mostTables) return undefined;
    for (const name of names.map(String)) parts.push(name, await rowsOf(name, copy));
    return JSON.stringify(parts);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    return undefined;
  }
}

/** The number of rows; of the table of migrations its rows, which name the last one. */
function rowsOf(name: string, copy: DatabaseCopy): Promise<readonly unknown[]> {
  const isOfMigrations = /(?:^|\.)"?alembic_version"?$/.test(name);
  const query = isOfMigrations ? `SELECT version_num FROM ${name}` : `SELECT count(*) FROM ${name}`;
  return copy.readColumn(query, most);
}
