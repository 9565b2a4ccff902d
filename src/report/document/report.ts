import type { Line } from "./inline.ts";

export type ReportOutcome =
  | "complete"
  | "incomplete"
  | "slower"
  | "inconclusive"
  | "faster"
  | "unchanged"
  | "not reached";

/** The report in no format: everything is judged and worded here, and each format only sets it. */
export interface Report {
  readonly headline: Line;
  /** The headline where nothing around it says what it is about. */
  readonly title: Line;
  readonly outcome: ReportOutcome;
  /** Exit status of `report` and `run`: 3 when a cell has no figures, 1 when the check forbids a result, else 0. */
  readonly exitStatus: 0 | 1 | 3;
  /** `bad` when any row is. */
  readonly tone: Tone;
  /** The reason why nothing was compared although a comparison was wanted. */
  readonly noBase: readonly Line[];
  /** A paragraph for each endpoint that clearly got slower or faster, with the cause. */
  readonly changes: readonly Paragraph[];
  /** Who accepts a slowdown that would fail the check, and why. */
  readonly accepted: readonly Line[];
  readonly whole: Section;
  /** One for each app; empty when nobody named one. */
  readonly apps: readonly AppSection[];
  /** Facts that a reader must know before comparing rows. */
  readonly warnings: readonly Line[];
  /** In short: how it was compared, how certain that is, what the check makes of it, and where to read more. */
  readonly smallPrint: { readonly words: readonly Line[]; readonly check: Line; readonly links: Line };
  /** Certainty of the verdicts, in full; empty when nothing was compared. */
  readonly certainty: Line;
  /** Meaning of ±; empty when there is none. */
  readonly plusMinus: Line;
  readonly measured: readonly Line[];
  /** The commit and the run, for the page, which has the rest itself. */
  readonly source: Line;
  /** One for each cell. */
  readonly cases: readonly TestCase[];
}

export interface Paragraph {
  readonly text: Line;
  /** A command line that measures it again, and what it is for; absent for a speedup, or when there is none. */
  readonly again?: { readonly words: string; readonly command: string };
}

interface AppSection {
  /** Letters, digits, `_`, `.`, `-` and `/`. */
  readonly app: string;
  readonly headline: Line;
  readonly section: Section;
}

export interface Section {
  readonly main: Table;
  /** Title of the folded rows of weight `measured`; empty when they are not folded. */
  readonly folded: string;
  readonly thresholds: Thresholds | undefined;
  readonly scripts: Scripts | undefined;
  /** Title of `causes`: they explain verdicts, or what slows each endpoint where there is none. */
  readonly causesTitle: "Why" | "Bottlenecks";
  readonly causes: readonly Line[];
  readonly patches: readonly Patch[];
  readonly evidence: readonly Item[];
  /** Reasons why cells have no figures, when the table has no room for them. */
  readonly problems: readonly Line[];
  /** What a reader must know, or can act on. */
  readonly reasons: readonly Item[];
  /** What only explains: folded. */
  readonly details: readonly Item[];
  readonly workers: Workers | undefined;
  readonly comparisons: Noted | undefined;
  readonly further: Table | undefined;
  readonly gates: readonly Gates[];
  readonly environment: ReportedEnvironment | undefined;
  readonly failures: readonly ReportedFailure[];
}

/** `lead`: the subject of the text, in our own words; empty when the text names it. */
export interface Item {
  readonly lead: string;
  readonly text: Line;
}

/** A remedy that nobody has applied. */
export interface Patch {
  readonly kind: "diff" | "sql";
  readonly words: Line;
  /** Foreign text of several lines. */
  readonly text: string;
}

export interface TonedLine {
  readonly text: Line;
  readonly tone: Tone;
}

export interface Noted {
  readonly table: Table;
  readonly note: Line;
}

export interface Thresholds {
  /** `2 not met, 5 met.` */
  readonly counts: string;
  /** The thresholds that everybody should see. */
  readonly shown: Table | undefined;
  readonly all: Table;
  readonly lines: readonly TonedLine[];
}

export interface Scripts {
  readonly table: Table;
  readonly lines: readonly TonedLine[];
}

export interface Workers {
  readonly rows: readonly (readonly Line[])[];
  readonly sentences: readonly Line[];
  readonly table: Table;
  readonly notes: readonly Line[];
  readonly curves: readonly WorkersCurve[];
}

export interface Gates {
  readonly cell: Line;
  readonly gates: readonly Line[];
}

export interface Fact {
  readonly name: Line;
  readonly values: readonly Line[];
}

export interface ReportedEnvironment {
  readonly facts: readonly Fact[];
  readonly packages: readonly Fact[];
  readonly packagesTitle: string;
  readonly differences: { readonly title: string; readonly table: Table } | undefined;
}

/** The reason why cells have no figures, or no base, with the end of the log. */
export interface ReportedFailure {
  readonly state: string;
  readonly cells: Line;
  readonly problem: Line;
  /** Foreign text of many lines; empty when there is none. */
  readonly log: string;
}

export interface TestCase {
  /** Foreign text. */
  readonly endpoint: string;
  readonly workers: string;
  readonly result:
    | { readonly kind: "passed" }
    /** Slower by as much as the check forbids. */
    | { readonly kind: "failure"; readonly message: string }
    /** No answer. Foreign text. */
    | { readonly kind: "skipped"; readonly message: string }
    /** No figures. Foreign texts. */
    | { readonly kind: "error"; readonly state: string; readonly message: string; readonly log: string };
}

/** Throughput by workers of one endpoint, and the ideal: every worker adds as much as the first ones. */
export interface WorkersCurve {
  readonly caption: Line;
  readonly points: readonly { readonly workers: number; readonly rate: number; readonly ideal: number }[];
}

/** Colour of a text in formats that have colours; the words say the same. */
export type Tone = "bad" | "good" | "doubt" | "plain";

/**
 * `name` identifies the row. Numbers are aligned right, and `verdict` stands out. A `drawing` is made of characters;
 * formats that leave it out show the `interval`, and the other way round.
 */
export interface Column {
  /** Our own words, with the unit. */
  readonly title: string;
  readonly kind: "name" | "words" | "number" | "verdict" | "drawing" | "interval";
  /** In a narrow format, columns with a higher number go first; 0 never goes. Dimensionless. */
  readonly dispensability: number;
}

/** Order in which rows go when a report is too long. */
export type RowWeight = "notable" | "unmeasured" | "measured";

export interface TableRow {
  /** Names the row in an address: `cell-get-orders-w1-1f2e3d4c`. Absent: it has no place of its own. */
  readonly place?: string;
  /** What the row is sorted by in each column, labels first; `undefined`: it has no value there. Texts are foreign. */
  readonly sortKeys?: readonly (string | number | undefined)[];
  readonly labels: readonly Line[];
  readonly figures: readonly Line[];
  readonly problem: { readonly brief: Line; readonly whole: Line } | undefined;
  readonly verdictTone: Tone;
  readonly tone: Tone;
  readonly weight: RowWeight;
}

export interface Table {
  readonly labels: readonly Column[];
  readonly figures: readonly Column[];
  readonly rows: readonly TableRow[];
}
