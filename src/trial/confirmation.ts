import { quoted } from "../init/requests/parameters.ts";
import type { WrittenRow } from "../init/tests/recording.ts";
import type { RunningTrial } from "./trial.ts";

/** A column that says whether an account may be used already: somebody would follow a link, or agree. */
const isFlag = /^(?:is_|has_)?(?:e?mail_)?(?:verified|confirmed|activated|approved|active)$/i;

/**
 * Confirms all accounts in the app's Postgres. Returns the statements by which new ones count as confirmed, too;
 * `undefined` where none waited for it.
 *
 * @param fields of an account: its table has a column of such a name
 */
export async function confirmAccounts({ columns, ask }: RunningTrial, fields: object) {
  const sql: string[] = [];
  for (const { schema, table, column } of columns) {
    const isOfAccount = columns.some((each) => each.table === table && each.column in fields);
    if (!isFlag.test(column) || !isOfAccount) continue;
    const [place, flag] = [`${quoted(schema)}.${quoted(table)}`, quoted(column)];
    const changed = await ask(`UPDATE ${place} SET ${flag} = true WHERE ${flag} = false RETURNING 1`);
    if (changed.length === 0) continue;
    const name = `confirmed_${sql.length}`;
    sql.push(
      `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.${flag} := true; RETURN NEW; END $$;`,
      `CREATE TRIGGER ${name} BEFORE INSERT ON ${place} FOR EACH ROW EXECUTE FUNCTION ${name}();`,
    );
  }
  const test = "New accounts are confirmed";
  return sql.length === 0 ? undefined : sql.map((each): WrittenRow => ({ test, sql: each }));
}
