import { byteLength } from "../text/length.ts";
import { plural } from "../text/numbers.ts";

/** What gives way when a report is too long, in this order; the first line and the headline never do. */
export const droppingOrder = [
  "logs of cells that failed, the last ones first",
  "lists of gates, further comparisons and further figures, the last ones first",
  "rows of cells that are unchanged or were not compared, from the end",
  "notes",
  "rows of cells that were not measured, from the end",
  "rows of cells that are slower, faster, inconclusive or invalid, from the end",
] as const;

/** How long a row is kept when a report is too long. */
export type RowKind = "notable" | "unmeasured" | "measured";

/** A report in pieces that are dropped or kept whole, so that no table, block of code or character is ever cut. */
export interface Pieces {
  /** Marker and headline. */
  readonly opening: string;
  /** Title and ruler of the table. */
  readonly tableHead: string;
  readonly rows: readonly { readonly markdown: string; readonly kind: RowKind }[];
  readonly notes: string;
  /** Folded sections, what matters most first. */
  readonly further: readonly string[];
  readonly logs: readonly string[];
}

export interface Limit {
  /** In bytes of UTF-8. */
  readonly bytes: number;
  /** Where the reader finds what was dropped, e.g. `the job summary`. */
  readonly elsewhere: string;
}

/** Share of a limit that is left free, because nobody documents whether GitHub counts characters or bytes. */
const margin = 1 / 16;

/** Room for the sentence that says what was dropped, in bytes. */
const droppedSentenceBytes = 400;

/** Joins the pieces that fit: what is dropped last is placed first, and nothing is placed after what did not fit. */
export function joinWithin(pieces: Pieces, { bytes, elsewhere }: Limit): string {
  const { opening, tableHead, rows, notes, further, logs } = pieces;
  let left =
    Math.floor(bytes * (1 - margin)) - droppedSentenceBytes - byteLength(opening) - byteLength(tableHead);
  const take = (text: string): boolean => {
    const size = text === "" ? 0 : byteLength(text) + 2; // the empty line before it
    left = size > left ? -1 : left - size;
    return left >= 0;
  };
  const rowsOf = (kind: RowKind) => rows.filter((row) => row.kind === kind);
  const takeRows = (kind: RowKind) => rowsOf(kind).filter((row) => take(row.markdown));
  const keptFirst = [...takeRows("notable"), ...takeRows("unmeasured")];
  const keptNotes = [notes].filter(take);
  const kept = new Set([...keptFirst, ...takeRows("measured")]);
  const keptFurther = further.filter(take);
  const keptLogs = logs.filter(take);
  const table = [tableHead, ...rows.filter((row) => kept.has(row)).map(({ markdown }) => markdown)].join(
    "\n",
  );
  const droppedOf = (kind: RowKind) => rowsOf(kind).filter((row) => !kept.has(row)).length;
  const dropped = droppedSentence(
    [
      [droppedOf("unmeasured"), "unmeasured cell"],
      [droppedOf("notable") + droppedOf("measured"), "measured cell"],
      [further.length - keptFurther.length, "table of further figures"],
      [logs.length - keptLogs.length, "log"],
    ],
    elsewhere,
  );
  const sections = [opening, kept.size > 0 ? table : "", dropped, ...keptNotes, ...keptFurther, ...keptLogs];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function droppedSentence(dropped: readonly (readonly [number, string])[], elsewhere: string): string {
  const parts = dropped.filter(([times]) => times > 0).map(([times, noun]) => plural(times, noun));
  return parts.length === 0
    ? ""
    : `Left out here for its length, and to be found in ${elsewhere}: ${parts.join(", ")}.`;
}
