import type { EffectsChart, ThroughputChart, WorkersCurve } from "./charts.ts";
import type { Line } from "./inline.ts";
import type { Table, Tone } from "./table.ts";

export type ReportOutcome = "complete" | "incomplete" | "slower" | "inconclusive" | "faster" | "unchanged";

/** The report in no format: everything is judged and said, and each format only sets it. */
export interface Report {
  /** Our own words, on one line. */
  readonly headline: string;
  /** What came of it, in one word for a later step of a workflow. */
  readonly outcome: ReportOutcome;
  /** Of `report` and `run`: 3 when a cell has no figures, 1 when the check forbids what was found, else 0. */
  readonly exitStatus: 0 | 1 | 3;
  /** `bad` where a row is. */
  readonly tone: Tone;
  /** Why nothing was compared although that was wanted. */
  readonly noBase: readonly Line[];
  /** Cells that clearly became slower or faster. */
  readonly changes: readonly Line[];
  /** Over all cells. */
  readonly whole: Section;
  /** One for each app; none where nobody named one. */
  readonly apps: readonly AppSection[];
  /** What a reader must know before comparing rows. */
  readonly warnings: readonly Line[];
  /** How sure the verdicts are; empty where nothing was compared. */
  readonly certainty: Line;
  /** What ± stands for; empty where there is none. */
  readonly plusMinus: Line;
  /** How and where the figures were measured. */
  readonly measured: readonly Line[];
  /** The commit and where the rest is, as the comment says it and as the page does. */
  readonly source: { readonly comment: Line; readonly page: Line };
  readonly effects: EffectsChart | undefined;
  readonly throughput: ThroughputChart | undefined;
  /** One for each cell. */
  readonly cases: readonly Case[];
}

export interface AppSection {
  /** Letters, digits, `_`, `.`, `-` and `/`. */
  readonly app: string;
  readonly headline: string;
  readonly section: Section;
}

/** What is said of one app, or of all cells. */
export interface Section {
  readonly main: Table;
  /** What the rows of weight `measured` are, where they are to be folded; empty where they are not. */
  readonly folded: string;
  readonly thresholds: Thresholds | undefined;
  readonly scripts: Scripts | undefined;
  /** What diagnosis found. */
  readonly causes: readonly Line[];
  /** Why cells have no figures, where the table has no room for it. */
  readonly problems: readonly Line[];
  readonly reasons: readonly Item[];
  readonly workers: Workers | undefined;
  readonly comparisons: Noted | undefined;
  readonly further: Table | undefined;
  readonly gates: readonly Gates[];
  readonly environment: Environment | undefined;
  readonly failures: readonly Failure[];
}

/** `lead`: what the text is about, in our own words; empty where the text says it. */
export interface Item {
  readonly lead: string;
  readonly text: Line;
}

/** A line for where there are no tables. */
export interface TonedLine {
  readonly text: Line;
  readonly tone: Tone;
}

export interface Noted {
  readonly table: Table;
  readonly note: Line;
}

export interface Thresholds {
  /** `2 thresholds broken, 5 kept.` */
  readonly counts: string;
  /** Those that everybody should see. */
  readonly shown: Table | undefined;
  readonly all: Table;
  readonly lines: readonly TonedLine[];
}

export interface Scripts {
  readonly table: Table;
  readonly lines: readonly TonedLine[];
}

export interface Workers {
  readonly sentences: readonly Line[];
  readonly table: Table;
  /** How to read it, and what limits it. */
  readonly notes: readonly Line[];
  readonly curves: readonly WorkersCurve[];
}

/** Conditions of one cell. */
export interface Gates {
  readonly cell: Line;
  readonly gates: readonly Line[];
}

/** One thing about the environment, with all values that occurred. */
export interface Fact {
  readonly name: Line;
  readonly values: readonly Line[];
}

export interface Environment {
  readonly facts: readonly Fact[];
  /** Versions of Python packages. */
  readonly packages: readonly Fact[];
  readonly packagesTitle: string;
  readonly differences: { readonly title: string; readonly table: Table } | undefined;
}

/** Why cells have no figures, or no base, with the end of the log. */
export interface Failure {
  readonly state: string;
  readonly cells: Line;
  readonly problem: Line;
  /** Foreign text of many lines; empty where there is none. */
  readonly log: string;
}

/** One cell as a test. */
export interface Case {
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
