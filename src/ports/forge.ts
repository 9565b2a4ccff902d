import type { HistoryEntry, HistoryMark, MeasuredCommit } from "../history/history-line.ts";
import type { Acceptance } from "../model/pull-request.ts";
import type { CheckRun } from "../report/forge/check-run.ts";
import type { Suggestion } from "../report/forge/suggestions.ts";

export interface Comment {
  readonly id: number;
  readonly author: string;
  readonly body: string;
  readonly url: string;
}

/** The outcome of a comment. Refusals are expected outcomes, so they are values. */
export type CommentOutcome =
  | { readonly kind: "created" | "updated"; readonly url: string }
  | { readonly kind: "newer"; readonly url: string }
  | { readonly kind: "forbidden" | "failed"; readonly reason: string }
  /** The other run's artifact is not one of our reports, so nothing of it is shown. */
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "none"; readonly reason: string };

export type CheckRunOutcome =
  | { readonly kind: "created"; readonly url: string }
  | { readonly kind: "failed" | "none"; readonly reason: string };

/** The outcome of a review that shows suggestions. */
export type ReviewOutcome = CheckRunOutcome;

export type HistoryOutcome =
  | { readonly kind: "kept" }
  | { readonly kind: "failed" | "none"; readonly reason: string };

/** Slowdowns that members accept, and those whose author may not. */
export type AcceptancesOutcome =
  | {
      readonly kind: "read";
      readonly accepted: readonly Acceptance[];
      readonly refused: readonly Acceptance[];
      /** Lines by people beyond those whose rights were requested; absent: there are none. */
      readonly unread?: readonly Acceptance[];
    }
  | { readonly kind: "failed" | "none"; readonly reason: string };

/** GitHub's answer, or the outcome that its refusal means. */
export type Answer<T> =
  | { readonly kind: "answer"; readonly value: T }
  | { readonly kind: "no answer"; readonly outcome: CommentOutcome };

export interface ReportToComment {
  readonly reportId: string;
  /** True when only an existing comment is to be rewritten. Absent: false. */
  readonly isCorrection?: boolean;
  readonly isAnnouncement?: boolean;
  /** True when this run's announcement is withdrawn, and nothing else is touched. */
  readonly isWithdrawal?: boolean;
  /** Comments and reviews by which slowdowns are accepted; absent: none. */
  readonly accepted?: readonly string[];
  /** Reason not to make a new comment. Absent: one is made. */
  readonly silence?: string;
  /** Makes the comment's text below its hidden first line. */
  render(marker: string): string;
}

/** The forge around a run: GitHub, or one that has as much of it as it can. Refusals are values. */
export interface Forge {
  comment(report: ReportToComment): Promise<CommentOutcome>;
  /** Slowdowns of this commit that members accept, below its pull request. */
  readAcceptances(): Promise<AcceptancesOutcome>;
  /** Slowdowns that were accepted in the pull request whose merge this commit is. */
  readMergedAcceptances(): Promise<AcceptancesOutcome>;
  checkCommit(check: CheckRun): Promise<CheckRunOutcome>;
  /** Shows changes at lines of the pull request. */
  suggest(suggestions: readonly Suggestion[]): Promise<ReviewOutcome>;
  /** Keeps results on a branch of their own, when the run is of a branch and there is a token for it. */
  keepHistory(
    branch: string,
    make: (run: MeasuredCommit, mark: HistoryMark) => HistoryEntry | undefined,
  ): Promise<HistoryOutcome>;
}
