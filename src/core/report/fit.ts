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

/** Joins the pieces that fit: what is dropped last is placed first. */
export function joinWithin(pieces: Pieces, { bytes, elsewhere }: Limit): string {
  const { opening, tableHead, rows, notes, further, logs } = pieces;
  let left = Math.floor(bytes * (1 - margin)) - droppedSentenceBytes;
  const take = (text: string): boolean => {
    const size = byteLength(text) + 2; // the empty line around it
    if (size > left) return false;
    left -= size;
    return true;
  };
  const takeFromStart = <T>(items: readonly T[], textOf: (item: T) => string): readonly T[] => {
    const end = items.findIndex((item) => !take(textOf(item)));
    return end < 0 ? items : items.slice(0, end);
  };
  const rowText = (row: Pieces["rows"][number]) => row.markdown;
  left -= byteLength(opening) + byteLength(tableHead);
  const unmeasured = takeFromStart(
    rows.filter((row) => !row.isMeasured),
    rowText,
  );
  const keptNotes = take(notes) ? notes : "";
  const measured = takeFromStart(
    rows.filter((row) => row.isMeasured),
    rowText,
  );
  const isWhole = unmeasured.length + measured.length === rows.length;
  const keptFurther = isWhole && take(further) ? further : "";
  const keptLogs = keptFurther === further ? takeFromStart(logs, (log) => log) : [];
  const kept = new Set([...unmeasured, ...measured]);
  const table = [tableHead, ...rows.filter((row) => kept.has(row)).map(rowText)].join("\n");
  const dropped = [
    [rows.filter((row) => !row.isMeasured).length - unmeasured.length, "unmeasured cell"],
    [rows.filter((row) => row.isMeasured).length - measured.length, "measured cell"],
    [keptFurther === further ? 0 : 1, "table of further figures"],
    [logs.length - keptLogs.length, "log"],
  ] as const;
  const sections = [
    opening,
    kept.size > 0 ? table : "",
    droppedSentence(dropped, elsewhere),
    keptNotes,
    keptFurther,
    ...keptLogs,
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function droppedSentence(dropped: readonly (readonly [number, string])[], elsewhere: string): string {
  const parts = dropped.filter(([times]) => times > 0).map(([times, noun]) => plural(times, noun));
  return parts.length === 0
    ? ""
    : `Left out here for its length, and to be found in ${elsewhere}: ${parts.join(", ")}.`;
}
