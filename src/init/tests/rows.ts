import { visibleLine } from "../../text/visible.ts";
import type { TestRow } from "./recording.ts";

/** Later rows get numbers that are free. */
const numbersGoOn = [
  "DO $$ DECLARE each record;",
  "BEGIN FOR each IN SELECT s.oid::regclass AS s, t.oid::regclass AS t, a.attname AS a FROM pg_class s",
  "  JOIN pg_depend d ON d.objid = s.oid AND d.deptype IN ('a', 'i') JOIN pg_class t ON t.oid = d.refobjid",
  "  JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = d.refobjsubid WHERE s.relkind = 'S'",
  "LOOP EXECUTE format('SELECT setval(%L, COALESCE((SELECT max(%I) FROM %s), 0) + 1, false)', each.s, each.a, each.t);",
  "END LOOP;",
  "END $$;",
].join("\n");

/** An SQL file of rows, with the test that each comes from. */
export function renderRows(rows: readonly TestRow[]): string {
  return [...linesOf(rows).map(({ text }) => text), "", numbersGoOn, ""].join("\n");
}

/** The rows without the one whose statement failed; `undefined` when none of them did. */
export function withoutFailed(rows: readonly TestRow[], problem: string): readonly TestRow[] | undefined {
  const [, place] = /, line (\d{1,9})\b/.exec(problem) ?? [];
  let line = 1;
  for (const { text, row } of linesOf(rows)) {
    line += text.split("\n").length;
    if (row !== undefined && Number(place) < line) return rows.filter((each) => each !== row);
  }
  return undefined;
}

function linesOf(rows: readonly TestRow[]): readonly { readonly text: string; readonly row?: TestRow }[] {
  const about = "-- Rows that the repository's tests write, recorded by `init`. Change them as you like.";
  return [
    { text: about },
    ...rows.flatMap((row, index) => {
      const isSame = rows[index - 1]?.test === row.test;
      const heading = isSame ? [] : [{ text: "" }, { text: `-- ${visibleLine(row.test)}` }];
      return [...heading, { text: row.sql, row }];
    }),
  ];
}
