import type { CommentOutcome } from "../../ports/forge.ts";

export class RequestFailure extends Error {
  override readonly name = "RequestFailure";
  /** Status of the answer; `undefined` when no usable answer came. */
  readonly answer: number | undefined;
  /** True after too many requests: it says nothing about the token's permissions. */
  readonly isLimit: boolean;

  constructor(message: string, answer?: number, isLimit = false) {
    super(message);
    this.answer = answer;
    this.isLimit = isLimit;
  }

  /** True when the request may have been carried out all the same. */
  get isUncertain(): boolean {
    return this.answer === undefined || this.answer >= 500;
  }
}

/** True when a forge gave this answer, and not because of too many requests. */
export function isAnswer(error: unknown, ...statuses: readonly number[]): boolean {
  return (
    error instanceof RequestFailure &&
    error.answer !== undefined &&
    statuses.includes(error.answer) &&
    !error.isLimit
  );
}

export function failureIn(error: unknown): RequestFailure {
  if (error instanceof RequestFailure) return error;
  throw error;
}

export interface Writer {
  readonly forge: string;
  /** What to change where the token is not allowed to comment. */
  readonly remedy: string;
}

export function outcomeOf(failure: RequestFailure, { forge, remedy }: Writer): CommentOutcome {
  const { answer, message } = failure;
  if (failure.isLimit)
    return { kind: "failed", reason: `${forge} accepts no more requests for now: ${message}` };
  switch (answer) {
    case 401:
      return { kind: "failed", reason: `the token is wrong or has expired: ${message}` };
    case 403:
      if (/\blocked\b/i.test(message))
        return { kind: "forbidden", reason: `the conversation is locked: ${message}` };
      return { kind: "forbidden", reason: `the token is not allowed to comment: ${message}. ${remedy}` };
    case 404: {
      const reason = `the pull request is gone, or the token cannot see it: ${message}. ${remedy}`;
      return { kind: "forbidden", reason };
    }
    case 410:
      return { kind: "forbidden", reason: `comments are disabled here: ${message}` };
    case 422:
      return { kind: "failed", reason: `${forge} rejects the text of the comment: ${message}` };
    default:
      return { kind: "failed", reason: message };
  }
}
