import { sum } from "../../../statistics/estimate.ts";
import { byteLength } from "../../../text/length.ts";
import { plural } from "../../../text/numbers.ts";
import type { RowWeight } from "../../document/report.ts";

/** Parts that go when a report is too long, in this order. The first line and the headline never do. */
export const droppingOrder = [
  "logs of cells that failed, the last ones first",
  "lists of gates, further comparisons, further figures and worker counts, the last ones first",
  "rows of cells that are unchanged or were not compared, from the end",
  "notes",
  "the list of causes",
  "rows of cells that were not measured, from the end",
  "rows of cells that are slower, faster, inconclusive or invalid, from the end",
] as const;

/** A report in pieces that are dropped or taken whole, so that no table, block of code or character is ever cut. */
export interface Pieces {
  /** Marker and headline; never dropped, like the headings of sections. */
  readonly opening: string;
  readonly sections: readonly PieceSection[];
  readonly notes: string;
}

/** The content about one app, or about all when none has a name. */
export interface PieceSection {
  /** Empty where the report has no apps. */
  readonly heading: string;
  readonly tableHead: string;
  readonly rows: readonly { readonly markdown: string; readonly weight: RowWeight }[];
  /** Title of the folded table with the rows of weight `measured`; empty when they are not folded. */
  readonly folded: string;
  readonly causes: string;
  readonly notes: string;
  /** Folded sections, the most important first. */
  readonly further: readonly string[];
  readonly logs: readonly string[];
}

export interface Limit {
  /** In bytes of UTF-8. */
  readonly bytes: number;
  /** Place of the dropped parts, e.g. `the job summary`. */
  readonly elsewhere: string;
}

/** Share of a limit that is left free, because nobody documents whether GitHub counts characters or bytes. */
const margin = 1 / 16;

/** Room for the sentence that names the dropped parts, in bytes. */
const droppedSentenceBytes = 400;

/** Joins the pieces that fit, the most important first. After one that does not fit comes none. */
export function joinWithin({ opening, sections, notes }: Pieces, { bytes, elsewhere }: Limit): string {
  const heads = sections.map(
    ({ heading, tableHead, folded }) =>
      byteLength(heading) + byteLength(tableHead) * (folded === "" ? 1 : 2) + byteLength(folded),
  );
  let left = Math.floor(bytes * (1 - margin)) - droppedSentenceBytes - byteLength(opening) - sum(heads);
  const take = (text: string): boolean => {
    const size = text === "" ? 0 : byteLength(text) + 2; // the empty line before it
    left = size > left ? -1 : left - size;
    return left >= 0;
  };
  // The most important parts of all sections come before any less important one.
  const takeAll = (textsOf: (section: PieceSection) => readonly string[]) =>
    sections.map((section) => textsOf(section).map((text) => ({ text, isTaken: take(text) })));
  const takeRows = (weight: RowWeight) =>
    new Set(
      sections.flatMap(({ rows }) => rows.filter((row) => row.weight === weight && take(row.markdown))),
    );
  const takenFirst = [...takeRows("notable"), ...takeRows("unmeasured")];
  const causes = takeAll((section) => [section.causes]);
  const ofSections = takeAll((section) => [section.notes]);
  const takenNotes = [notes].filter(take);
  const takenRows = new Set([...takenFirst, ...takeRows("measured")]);
  const further = takeAll((section) => section.further);
  const logs = takeAll((section) => section.logs);
  const rows = sections.flatMap((section) => section.rows);
  const droppedRows = (weight: RowWeight) =>
    rows.filter((row) => row.weight === weight && !takenRows.has(row)).length;
  const droppedOf = (all: readonly (readonly Taken[])[]) =>
    all.flat().filter(({ text, isTaken }) => text !== "" && !isTaken).length;
  const dropped = droppedSentence(
    [
      [droppedRows("unmeasured"), "unmeasured cell"],
      [droppedRows("notable") + droppedRows("measured"), "measured cell"],
      [droppedOf(causes), "cause list"],
      [droppedOf(further), "collapsed table"],
      [droppedOf(logs), "log"],
    ],
    elsewhere,
  );
  const isOne = sections.length === 1;
  const texts = [
    opening,
    ...sections.flatMap((section, index) => [
      section.heading,
      ...tablesOf(section, takenRows),
      ...takenIn(causes[index]),
      isOne ? dropped : "",
      ...takenIn(ofSections[index]),
      ...(isOne ? takenNotes : []),
      ...takenIn(further[index]),
      ...takenIn(logs[index]),
    ]),
    ...(isOne ? [] : [dropped, ...takenNotes]),
  ];
  return `${texts.filter((text) => text !== "").join("\n\n")}\n`;
}

interface Taken {
  readonly text: string;
  readonly isTaken: boolean;
}

function takenIn(taken: readonly Taken[] = []): string[] {
  return taken.filter(({ isTaken }) => isTaken).map(({ text }) => text);
}

function tablesOf(
  { rows, folded, tableHead }: PieceSection,
  takenRows: ReadonlySet<PieceSection["rows"][number]>,
): string[] {
  const lines = (isFolded: boolean) =>
    rows.filter((row) => takenRows.has(row) && (folded !== "" && row.weight === "measured") === isFolded);
  const tableOf = (shown: PieceSection["rows"]) =>
    shown.length === 0 ? "" : [tableHead, ...shown.map(({ markdown }) => markdown)].join("\n");
  const quiet = lines(true);
  const fold = `<details><summary>${plural(quiet.length, "more cell")}: ${folded}</summary>\n\n${tableOf(quiet)}\n\n</details>`;
  return [tableOf(lines(false)), quiet.length > 0 ? fold : ""];
}

function droppedSentence(dropped: readonly (readonly [number, string])[], elsewhere: string): string {
  const parts = dropped.filter(([times]) => times > 0).map(([times, noun]) => plural(times, noun));
  return parts.length === 0 ? "" : `Omitted for length: ${parts.join(", ")}. The ${elsewhere} has them.`;
}
