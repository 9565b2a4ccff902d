import type { CommentOutcome } from "../ports.ts";

/** A request that GitHub refused or did not answer. */
export class GitHubFailure extends Error {
  override readonly name = "GitHubFailure";
  /** Status that GitHub answered; `undefined` when no usable answer came. */
  readonly answer: number | undefined;
  /** Too many requests: it says nothing about what the token may do. */
  readonly isLimit: boolean;

  // The field is not called `status`, because the pagination plugin takes an error with `status` 409 for an empty list.
  constructor(
    message: string,
    answer: number | undefined,
    options: { isLimit?: boolean; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.answer = answer;
    this.isLimit = options.isLimit ?? false;
  }

  /** Whether the request may have been carried out all the same. */
  get isUncertain(): boolean {
    return this.answer === undefined || this.answer >= 500;
  }
}

/** What a failure means for the comment, with what to do about it. */
export function outcomeOf(failure: GitHubFailure, isFork: boolean): CommentOutcome {
  const { answer, message } = failure;
  if (failure.isLimit) return { kind: "failed", reason: `GitHub takes no more requests for now: ${message}` };
  switch (answer) {
    case 401:
      return { kind: "failed", reason: `the token is wrong or has expired: ${message}` };
    case 403:
      if (/\blocked\b/i.test(message)) {
        return { kind: "forbidden", reason: `the conversation is locked: ${message}` };
      }
      return { kind: "forbidden", reason: `the token may not comment: ${message}. ${remedy(isFork)}` };
    case 404:
      return {
        kind: "forbidden",
        reason: `the pull request is gone, or the token cannot see it: ${message}. ${remedy(isFork)}`,
      };
    case 410:
      return { kind: "forbidden", reason: `comments are switched off here: ${message}` };
    case 422:
      return { kind: "failed", reason: `GitHub does not take the text of the comment: ${message}` };
    default:
      return { kind: "failed", reason: message };
  }
}

function remedy(isFork: boolean): string {
  return isFork
    ? "On a pull request from a fork the token can only read, whatever the workflow asks for; to comment there takes " +
        "a second workflow, started by `workflow_run`, which this action does not have yet."
    : "Give the job this line: `permissions: { contents: read, pull-requests: write }`. (On pull requests by " +
        "Dependabot the token can only read.)";
}
