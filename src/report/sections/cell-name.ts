import type { Row } from "../../compare/comparison.ts";
import { cellLabel } from "../../model/plan/cell.ts";
import { plural } from "../../text/numbers.ts";
import { type Line, line, name } from "../document/inline.ts";

/** `` `/users`, 2 workers `` */
export function cellName({ cell }: Pick<Row, "cell">): Line {
  return line(name(cellLabel(cell)), `, ${plural(cell.workers, "worker")}`);
}

/** One cell by its name, several by their number. */
export function cellNames(rows: readonly Row[]): Line {
  const [only] = rows;
  return only !== undefined && rows.length === 1 ? cellName(only) : line(plural(rows.length, "cell"));
}
