import { memberOf } from "../endpoints/openapi-schema.ts";
import { isAccountName, isSafeName, placeOf, quoted } from "../init/requests/parameters.ts";
import type { WrittenRow } from "../init/tests/recording.ts";
import type { RunningTrial } from "./trial.ts";

/** A column that gives an account all rights where it is true. */
const isRight = /^(?:is_)?(?:super_?user|super_?admin|admin|administrator|staff)$/i;
/** A column with the name, or the key, of what an account may do. */
const isRole = /^(?:user_?|account_?)?(?:role|type)(?:_?name)?$/i;
const isRoleKey = /^role_?id$/i;

/** In Postgres. */
const longestName = 63;

interface Promotion {
  /** The statements that make the account an administrator, also one that is made later. */
  readonly rows: readonly WrittenRow[];
  undo(): Promise<void>;
}

type Asked = Pick<RunningTrial, "columns" | "ask" | "document">;

/** A column of the account's own row. */
interface OwnColumn {
  /** The table, the column and what chooses the row, in SQL. */
  readonly table: string;
  readonly column: string;
  readonly isOwn: string;
  readonly accountName: string;
}

/**
 * Makes an account of the app's Postgres an administrator, in each way that its table offers. `undefined`: it offers
 * none.
 *
 * @param names by which the account logs in
 */
export async function promote(running: Asked, names: readonly string[]): Promise<Promotion | undefined> {
  // Names of the app's own, which become parts of texts in SQL.
  const columns = running.columns.filter((each) =>
    [each.schema, each.table, each.column].every((name) => /^\w{1,63}$/.test(name)),
  );
  const own = names.filter(isSafeName).flatMap((accountName) =>
    columns.filter(isAccountName).flatMap((named) =>
      columns
        .filter(({ schema, table }) => schema === named.schema && table === named.table)
        .map(({ column }) => ({
          ...{ table: placeOf(named), column: quoted(column), accountName },
          isOwn: `${quoted(named.column)} = '${accountName}'`,
        })),
    ),
  );
  const changes: Change[] = [];
  for (const each of own) changes.push(...(await changed(each, { ...running, columns })));
  if (changes.length === 0) return undefined;
  const test = "The account is an administrator, because endpoints refuse others";
  return {
    rows: changes.flatMap(({ sql }) => sql.map((each) => ({ test, sql: each }))),
    undo: async () => {
      for (const { before } of changes.toReversed()) await running.ask(before);
    },
  };
}

interface Change {
  readonly sql: readonly string[];
  /** The statement that takes it back. */
  readonly before: string;
}

/** Gives one column the first value of an administrator that the database takes. */
async function changed(own: OwnColumn, running: Asked): Promise<readonly Change[]> {
  const { table, column, isOwn, accountName } = own;
  const [was] = await running.ask(`SELECT ${column}::text FROM ${table} WHERE ${isOwn}`);
  for (const value of await rightsFor(own, running, was)) {
    const set = `UPDATE ${table} SET ${column} = ${value} WHERE ${isOwn}`;
    const rows = await running.ask(`${set} AND ${column} IS DISTINCT FROM ${value} RETURNING 1`);
    if (rows.length === 0) continue;
    const rule = `promoted_${accountName}_${column}`
      .toLowerCase()
      .replaceAll(/\W/g, "_")
      .slice(0, longestName);
    const old = typeof was === "string" ? literal(was) : "NULL";
    const sql = [
      `${set};`,
      `CREATE FUNCTION ${rule}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.${column} := ${value}; RETURN NEW; END $$;`,
      `CREATE TRIGGER ${rule} BEFORE INSERT ON ${table} FOR EACH ROW WHEN (NEW.${isOwn}) EXECUTE FUNCTION ${rule}();`,
    ];
    return [{ sql, before: `UPDATE ${table} SET ${column} = ${old} WHERE ${isOwn} RETURNING 1` }];
  }
  return [];
}

/** Values in SQL that may give all rights, likeliest first. */
async function rightsFor(
  { column, table }: Pick<OwnColumn, "column" | "table">,
  { columns, ask, document }: Asked,
  was: unknown,
): Promise<readonly string[]> {
  if (isRight.test(column)) return ["true"];
  if (isRoleKey.test(column)) {
    const roles = columns.filter(
      (each) => /roles?$/i.test(each.table) && /^(?:name|code|slug|title)$/i.test(each.column),
    );
    return roles.map(
      (each) =>
        `(SELECT id FROM ${placeOf(each)} WHERE ${quoted(each.column)}::text ILIKE '%admin%' ORDER BY 1 LIMIT 1)`,
    );
  }
  if (!isRole.test(column)) return [];
  const labels = await ask(
    `SELECT enumlabel::text FROM pg_enum JOIN pg_attribute ON atttypid = enumtypid WHERE attrelid = '${table}'::regclass AND attname = '${column}' AND enumlabel ILIKE '%admin%' ORDER BY length(enumlabel)`,
  );
  const isUpper = typeof was === "string" && /^[A-Z_]+$/.test(was);
  const usual = isUpper ? "ADMIN" : "admin";
  const named = labels.length > 0 ? labels.map(String) : [...administratorsIn(document), usual];
  return named.filter((each) => /^[\w -]{1,60}$/.test(each)).map(literal);
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** What the document calls an administrator among the choices of a member. */
function administratorsIn(document: unknown): readonly string[] {
  const schemas = Object.values(Object(memberOf(memberOf(document, "components"), "schemas")));
  const choices = schemas.flatMap((schema) => {
    const own = memberOf(schema, "enum");
    const members = Object.values(Object(memberOf(schema, "properties"))).map((each) =>
      memberOf(each, "enum"),
    );
    return [own, ...members].flatMap((each) => (Array.isArray(each) ? each : []));
  });
  return [...new Set(choices.filter((each) => typeof each === "string" && /admin/i.test(each)).map(String))];
}
