/** The pull request that a run is about, or why there is none. */
export type PullRequestOfRun =
  | {
      readonly kind: "pull request";
      readonly number: number;
      readonly headSha: string;
      readonly baseSha: string;
      /** When it was last changed before the run began: it had this head by then. ISO 8601; absent: not known. */
      readonly updatedAt?: string;
      /** From another repository, so the run's token can only read. */
      readonly isFork: boolean;
    }
  | { readonly kind: "none"; readonly reason: string };

/** A slowdown that a member of the repository accepts, for the very commit that is compared. Texts are foreign. */
export interface Acceptance {
  readonly endpoint: string;
  /** Absent: at every worker count. */
  readonly workers?: number;
  readonly by: string;
  readonly reason: string;
  readonly url: string;
  /** Identifies the comment, review or label: `c12`, `r34`, `l56`. */
  readonly remark: string;
}
