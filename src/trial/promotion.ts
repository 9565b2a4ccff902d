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

/**
 * Makes an account of the app's Postgres an administrator, in each way that its table offers. `undefined`: it offers
 * none.
 *
 * @param names by which the account logs in
 */
export async function promote(
  { columns, ask, document }: Pick<RunningTrial, "columns" | "ask" | "document">,
  names: readonly string[],
): Promise<Promotion | undefined> {
  const sql: string[] = [];
  const before: string[] = [];
  for (const name of names.filter(isSafeName)) {
    for (const own of columns.filter(isAccountName)) {
      const isOwn = `${quoted(own.column)} = '${name}'`;
      const siblings = columns.filter(({ schema, table }) => schema === own.schema && table === own.table);
      const place = placeOf(own);
      for (const { column } of siblings) {
        const flag = quoted(column);
        const [was] = await ask(`SELECT ${flag}::text FROM ${place} WHERE ${isOwn}`);
        for (const value of await rightsFor(column, place, { columns, ask, document }, was)) {
          const set = `UPDATE ${place} SET ${flag} = ${value} WHERE ${isOwn}`;
          const changed = await ask(`${set} AND ${flag} IS DISTINCT FROM ${value} RETURNING 1`);
          if (changed.length === 0) continue;
          before.push(
            `UPDATE ${place} SET ${flag} = ${typeof was === "string" ? literal(was) : "NULL"} WHERE ${isOwn}`,
          );
          const rule = `promoted_${name}_${column}`
            .toLowerCase()
            .replaceAll(/\W/g, "_")
            .slice(0, longestName);
          sql.push(
            `${set};`,
            `CREATE FUNCTION ${rule}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.${flag} := ${value}; RETURN NEW; END $$;`,
            `CREATE TRIGGER ${rule} BEFORE INSERT ON ${place} FOR EACH ROW WHEN (NEW.${isOwn}) EXECUTE FUNCTION ${rule}();`,
          );
          break;
        }
      }
    }
  }
  const test = "The account is an administrator, because endpoints refuse others";
  const undo = async () => {
    for (const statement of before.toReversed()) await ask(`${statement} RETURNING 1`);
  };
  return sql.length === 0 ? undefined : { rows: sql.map((each) => ({ test, sql: each })), undo };
}

/** Values in SQL that may give all rights, likeliest first. */
async function rightsFor(
  column: string,
  place: string,
  { columns, ask, document }: Pick<RunningTrial, "columns" | "ask" | "document">,
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
    `SELECT enumlabel::text FROM pg_enum JOIN pg_attribute ON atttypid = enumtypid WHERE attrelid = '${place}'::regclass AND attname = '${column}' AND enumlabel ILIKE '%admin%' ORDER BY length(enumlabel)`,
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
