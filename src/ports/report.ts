import type { HistoryEntry, HistoryMark } from "../history/history-files.ts";
import type { MeasuredCommit } from "../history/history-line.ts";
import type { Document } from "../model/measurement/documents.ts";
import type { Annotation } from "../report/causes/annotations.ts";
import type { CheckRun } from "../report/forge/check-run.ts";
import type { Links } from "../report/links.ts";
import type { MetricsRequest, MetricsSender } from "../report/metrics/otlp-metrics.ts";
import type { PageScript } from "../report/render/html/page.ts";
import type { AcceptancesOutcome, CheckRunOutcome, CommentOutcome, HistoryOutcome } from "./forge.ts";
import type { JobPorts } from "./progress.ts";
/** The outcome of sending figures to a receiver of metrics. Refusals are expected outcomes, so they are values. */
export type MetricsOutcome =
  | { readonly kind: "sent"; readonly place: string }
  | { readonly kind: "failed"; readonly reason: string }
  /** Nobody asked for it. */
  | { readonly kind: "none" };

/** Ports of `report`. */
export interface ReportPorts extends JobPorts {
  readonly links: Links;
  readonly terminal: { readonly width: number; readonly colour: boolean };
  /** Text of the plan that `measure` left in the results folder. */
  readPlan(): Promise<string | undefined>;
  /** The documents of one cell stand one after the other. Each is read when it is taken. */
  readCells(): Promise<Iterable<Document>>;
  /** Texts of files that hold logs of generators. */
  readLogs(paths: readonly string[]): Promise<readonly string[]>;
  /** The script that makes the page interactive. */
  readPageScript(): Promise<Pick<PageScript, "script" | "scriptHash">>;
  /** Writes a document into the results folder and returns its path. */
  save(name: string, text: string): Promise<string>;
  /** Creates or updates the comment on the pull request, when there is one. */
  comment(report: {
    readonly reportId: string;
    /** True when only an existing comment is to be rewritten. Absent: false. */
    readonly isCorrection?: boolean;
    /** Comments and reviews by which slow-downs are accepted; absent: none. */
    readonly accepted?: readonly string[];
    /** Reason not to make a new comment. Absent: one is made. */
    readonly silence?: string;
    render(marker: string): string;
  }): Promise<CommentOutcome>;
  /** Slow-downs of this commit that members accept, below its pull request. */
  readAcceptances(): Promise<AcceptancesOutcome>;
  /** Slow-downs that were accepted in the pull request whose merge this commit is. */
  readMergedAcceptances(): Promise<AcceptancesOutcome>;
  /** Makes a check run on the commit that was measured, where there is a token for it. */
  checkCommit(check: CheckRun): Promise<CheckRunOutcome>;
  /** Keeps results on a branch of their own, when the run is of a branch and there is a token for it. */
  keepHistory(
    branch: string,
    make: (run: MeasuredCommit, mark: HistoryMark) => HistoryEntry | undefined,
  ): Promise<HistoryOutcome>;
  /** Sends figures to the receiver of metrics that the environment names. `make` gets what belongs to it. */
  sendMetrics(make: (around: MetricsSender) => MetricsRequest): Promise<MetricsOutcome>;
  /** Shows remarks at lines of the repository; nothing happens outside of an action. */
  annotate(annotations: readonly Annotation[]): Promise<void>;
  /** Prints the table. */
  print(text: string): void;
}
