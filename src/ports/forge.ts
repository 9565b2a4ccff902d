import type { Acceptance } from "../model/acceptance.ts";

/** The fields that we use of a comment on the pull request. */
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

/** The outcome of a check run. Refusals are expected outcomes, so they are values. */
export type CheckRunOutcome =
  | { readonly kind: "created"; readonly url: string }
  | { readonly kind: "failed" | "none"; readonly reason: string };

/** The outcome of keeping history. Refusals are expected outcomes, so they are values. */
export type HistoryOutcome =
  | { readonly kind: "kept" }
  | { readonly kind: "failed" | "none"; readonly reason: string };

/** Slow-downs that members accept, and those whose author may not. */
export type AcceptancesOutcome =
  | {
      readonly kind: "read";
      readonly accepted: readonly Acceptance[];
      readonly refused: readonly Acceptance[];
    }
  | { readonly kind: "failed" | "none"; readonly reason: string };

/** GitHub's answer, or the outcome that its refusal means. */
export type Answer<T> =
  | { readonly kind: "answer"; readonly value: T }
  | { readonly kind: "no answer"; readonly outcome: CommentOutcome };
