import type { Line } from "./inline.ts";

/** How a text is coloured where there are colours; the words say the same. */
export type Tone = "bad" | "good" | "doubt" | "plain";

/**
 * `name` says what a row is about; numbers stand on the right; `verdict` stands out; a `drawing` is made of characters and
 * says nothing that must be read.
 */
export interface Column {
  /** Our own words, with the unit. */
  readonly title: string;
  readonly kind: "name" | "words" | "number" | "verdict" | "drawing";
  /** Where the width is small, columns with a higher number go first; 0 never goes. Dimensionless. */
  readonly dispensability: number;
}

/** How long a row is kept when a report is too long. */
export type RowWeight = "notable" | "unmeasured" | "measured";

export interface TableRow {
  /** One for each label column. */
  readonly labels: readonly Line[];
  /** One for each figure column; empty where a problem stands in their place. */
  readonly figures: readonly Line[];
  readonly problem: { readonly brief: Line; readonly whole: Line } | undefined;
  /** Of the verdict. */
  readonly verdictTone: Tone;
  /** Of all. */
  readonly tone: Tone;
  readonly weight: RowWeight;
}

/** A table in no format: what each row is about, and its figures. */
export interface Table {
  readonly labels: readonly Column[];
  readonly figures: readonly Column[];
  readonly rows: readonly TableRow[];
}
