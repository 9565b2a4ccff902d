import type { WrittenRow } from "../init/tests/recording.ts";
import type { RunningTrial } from "./trial.ts";

/** A column that says whether an account may be used already: somebody would follow a link, or agree. */
const isFlag = /^(?:is_|has_)?(?:e?mail_)?(?:verified|confirmed|activated|approved|active)$/i;

/**
 * Confirms all accounts in the app's Postgres. Returns the statements by which new ones count as confirmed, too;
 * `undefined` where none waited for it.
 */
export async function confirmAccounts({ columns, ask }: RunningTrial): Promise<WrittenRow | undefined> {
  const sql: string[] = [];
  for (const { schema, table, column } of columns.filter((each) => isFlag.test(each.column))) {
    const place = [schema, table].map((name) => `"${name.replaceAll('"', '""')}"`).join(".");
    const changed = await ask(`UPDATE ${place} SET "${column}" = true WHERE "${column}" = false RETURNING 1`);
    if (changed.length === 0) continue;
    const name = `confirmed_${sql.length}`;
    sql.push(
      `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW."${column}" := true; RETURN NEW; END $$;\nCREATE TRIGGER ${name} BEFORE INSERT ON ${place} FOR EACH ROW EXECUTE FUNCTION ${name}();`,
    );
  }
  if (sql.length === 0) return undefined;
  return { test: "New accounts are confirmed", sql: sql.join("\n") };
}
