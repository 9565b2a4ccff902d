/** A comment on the pull request, as far as we look at it. */
export interface Comment {
  readonly id: number;
  readonly author: string;
  readonly body: string;
  readonly url: string;
}

/** Why there is no comment, or what became of it. Refusals are expected outcomes, so they are values. */
export type CommentOutcome =
  | { readonly kind: "created" | "updated"; readonly url: string }
  | { readonly kind: "newer"; readonly url: string }
  | { readonly kind: "forbidden" | "failed"; readonly reason: string }
  /** What another run left is none of our reports, so nothing of it is shown. */
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "none"; readonly reason: string };

/** What became of a check run. Refusals are expected outcomes, so they are values. */
export type CheckRunOutcome =
  | { readonly kind: "created"; readonly url: string }
  | { readonly kind: "failed" | "none"; readonly reason: string };

/** What became of the history. Refusals are expected outcomes, so they are values. */
export type HistoryOutcome =
  | { readonly kind: "kept" }
  | { readonly kind: "failed" | "none"; readonly reason: string };

/** What was asked of GitHub, or the outcome that its refusal means. */
export type Answer<T> =
  | { readonly kind: "answer"; readonly value: T }
  | { readonly kind: "no answer"; readonly outcome: CommentOutcome };
