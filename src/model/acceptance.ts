/** A slow-down that a member of the repository accepts, for the very commit that is compared. Texts are foreign. */
export interface Acceptance {
  /** Name of the endpoint, as a threshold names it. */
  readonly endpoint: string;
  /** Absent: at every worker count. */
  readonly workers?: number;
  readonly by: string;
  readonly reason: string;
  /** Address of the words. */
  readonly url: string;
  /** Tells the comment, review or label from all others: `c12`, `r34`, `l56`. */
  readonly remark: string;
}
