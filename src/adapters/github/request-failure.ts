import type { CommentOutcome } from "../../ports/forge.ts";

/** A request that GitHub refused or did not answer. */
export class GitHubFailure extends Error {
  override readonly name = "GitHubFailure";
  /** Status of GitHub's answer; `undefined` when no usable answer came. */
  readonly answer: number | undefined;
  /** True after too many requests: it says nothing about the token's permissions. */
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

  /** True when the request may have been carried out all the same. */
  get isUncertain(): boolean {
    return this.answer === undefined || this.answer >= 500;
  }
}

/** The asker, who decides the remedy: a job of the run itself, one of a fork's run, the posting workflow, or GitLab's job. */
export type Asker = "own run" | "fork's run" | "poster" | "merge request";

/** Meaning of a failure for the comment, with its remedy. */
export function outcomeOf(failure: GitHubFailure, asker: Asker): CommentOutcome {
  const { answer, message } = failure;
  if (failure.isLimit)
    return { kind: "failed", reason: `${forgeOf(asker)} takes no more requests for now: ${message}` };
  switch (answer) {
    case 401:
      return { kind: "failed", reason: `the token is wrong or has expired: ${message}` };
    case 403:
      if (/\blocked\b/i.test(message)) {
        return { kind: "forbidden", reason: `the conversation is locked: ${message}` };
      }
      return { kind: "forbidden", reason: `the token may not comment: ${message}. ${remedies[asker]}` };
    case 404:
      return {
        kind: "forbidden",
        reason: `the pull request is gone, or the token cannot see it: ${message}. ${remedies[asker]}`,
      };
    case 410:
      return { kind: "forbidden", reason: `comments are switched off here: ${message}` };
    case 422:
      return {
        kind: "failed",
        reason: `${forgeOf(asker)} does not take the text of the comment: ${message}`,
      };
    default:
      return { kind: "failed", reason: message };
  }
}

function forgeOf(asker: Asker): string {
  return asker === "merge request" ? "GitLab" : "GitHub";
}

const remedies: Readonly<Record<Asker, string>> = {
  "own run":
    "Give the job this line: `permissions: { contents: read, pull-requests: write }`. (On pull requests by Dependabot " +
    "the token can only read.)",
  "fork's run":
    "On a pull request from a fork the token can only read, whatever the workflow asks for; the job summary has the " +
    'report, and a second workflow that calls `post-report.yml` can comment it (README, "Pull requests from forks").',
  "merge request":
    "Give the job a project access token with the role Reporter and the scope `api` as LOADTEST_GITLAB_TOKEN.",
  poster: "Give the job this line: `permissions: { actions: read, pull-requests: write }`.",
};
