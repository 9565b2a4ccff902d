import type { BisectAnswer } from "../model/bisection/bisection.ts";
import type { RunPorts } from "./run.ts";

export type NextCommit =
  /** `left`: commits that may have begun the change. */
  | { readonly kind: "test"; readonly commit: string; readonly left: number }
  | { readonly kind: "found"; readonly commit: string }
  /** Only commits that were skipped are left. */
  | { readonly kind: "among"; readonly commits: readonly string[] };

/** The commits between two ends, in a checkout of our own. The user's repository is only read. */
export interface CommitRange extends AsyncDisposable {
  readonly good: string;
  readonly bad: string;
  /** Commits that may have begun the change: `bad` is one of them. */
  readonly commits: number;
  /** The place in our checkout of a path in the user's; a path elsewhere stays. */
  at(path: string): string;
  checkOut(commit: string): Promise<void>;
  next(answers: readonly BisectAnswer[]): Promise<NextCommit>;
  /** Author, day and subject: foreign text. */
  describe(commit: string): Promise<string>;
}

export interface BisectPorts extends RunPorts {
  readonly signal: AbortSignal;
  /** Throws an `InputError` for refs that do not exist, and for a good end that is not before the bad one. */
  openRange(good: string, bad: string): Promise<CommitRange>;
  readState(folder: string): Promise<string | undefined>;
  saveState(folder: string, text: string): Promise<void>;
}
