import type { Line } from "./inline.ts";

/** Colour of a text in formats that have colours; the words say the same. */
export type Tone = "bad" | "good" | "doubt" | "plain";

/**
 * `name` identifies the row. Numbers stand on the right, and `verdict` stands out. A `drawing` is made of characters,
 * and nobody has to read it.
 */
export interface Column {
  /** Our own words, with the unit. */
  readonly title: string;
  readonly kind: "name" | "words" | "number" | "verdict" | "drawing";
  /** In a narrow format, columns with a higher number go first; 0 never goes. Dimensionless. */
  readonly dispensability: number;
}

/** Order in which rows go when a report is too long. */
export type RowWeight = "notable" | "unmeasured" | "measured";

export interface TableRow {
  /** Names the row in an address: `cell-get-orders-w1-1f2e3d4c`. Absent: it has no place of its own. */
  readonly place?: string;
  /** One for each label column. */
  readonly labels: readonly Line[];
  /** One for each figure column; empty when a problem stands in their place. */
  readonly figures: readonly Line[];
  readonly problem: { readonly brief: Line; readonly whole: Line } | undefined;
  /** Tone of the verdict. */
  readonly verdictTone: Tone;
  /** Tone of the whole row. */
  readonly tone: Tone;
  readonly weight: RowWeight;
}

/** A table in no format: the labels of each row, and its figures. */
export interface Table {
  readonly labels: readonly Column[];
  readonly figures: readonly Column[];
  readonly rows: readonly TableRow[];
}
