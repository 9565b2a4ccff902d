import type { Row } from "../../compare/comparison.ts";
import { groupBy } from "../../lists/group.ts";
import type { NotReached } from "../../model/measurement/not-reached.ts";
import { count, plural } from "../../text/numbers.ts";

/** Names that a sentence has room for. */
const mostNames = 3;

/** One sentence for all cells with the same evidence, beside the first of them. It quotes foreign names. */
export function notReachedReasons(rows: readonly Row[]): ReadonlyMap<Row, string> {
  const unreached = rows.flatMap((row) =>
    row.notReached === undefined ? [] : [{ row, seen: row.notReached }],
  );
  const alike = groupBy(unreached, ({ seen: { functions, files } }) => JSON.stringify([functions, files]));
  return new Map(
    [...alike.values()].flatMap((group) => {
      const others = group.length - 1;
      const more = others === 0 ? "" : ` The same holds for ${plural(others, "other cell")}.`;
      return group.slice(0, 1).map(({ row, seen }) => [row, `${evidence(seen)}${more}`] as const);
    }),
  );
}

function evidence({ functions, functionCount, files, fileCount, requests }: NotReached): string {
  const words = [
    functionCount === 0 ? "" : `${listed(functions, functionCount)} did not run`,
    fileCount === 0 ? "" : `nothing of ${listed(files, fileCount)} was loaded`,
  ].filter((text) => text !== "");
  const what = words.length === 0 ? "nothing of the change ran" : words.join(", and ");
  return `Not measured, because the change does not reach it: at the start and in ${count(requests)} requests ${what}.`;
}

function listed(names: readonly string[], total: number): string {
  const shown = names.slice(0, mostNames).map((name) => `\`${name.replaceAll("`", "'")}\``);
  const more = total - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${count(more)} more` : "");
}
