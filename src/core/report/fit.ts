import { byteLength } from "../text/length.ts";
import { plural } from "../text/numbers.ts";

/** What gives way when a report is too long, in this order; the first line and the headline never do. */
export const droppingOrder = [
  "logs of cells that failed, the last ones first",
  "the further figures",
  "measured rows, from the end",
  "notes",
  "rows of cells that were not measured, from the end",
] as const;

/** A report in pieces that are dropped or kept whole, so that no table, block of code or character is ever cut. */
export interface Pieces {
  /** Marker and headline. */
  readonly opening: string;
  /** Title and ruler of the table. */
  readonly tableHead: string;
  readonly rows: readonly { readonly markdown: string; readonly isMeasured: boolean }[];
  readonly notes: string;
  readonly further: string;
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
  const unmeasured = rows.filter((row) => !row.isMeasured);
  const measured = rows.filter((row) => row.isMeasured);
  const keptUnmeasured = unmeasured.filter((row) => take(row.markdown));
  const keptNotes = [notes].filter(take);
  const keptMeasured = measured.filter((row) => take(row.markdown));
  const keptFurther = [further].filter(take);
  const keptLogs = logs.filter(take);
  const kept = new Set([...keptUnmeasured, ...keptMeasured]);
  const table = [tableHead, ...rows.filter((row) => kept.has(row)).map(({ markdown }) => markdown)].join(
    "\n",
  );
  const dropped = droppedSentence(
    [
      [unmeasured.length - keptUnmeasured.length, "unmeasured cell"],
      [measured.length - keptMeasured.length, "measured cell"],
      [1 - keptFurther.length, "table of further figures"],
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
