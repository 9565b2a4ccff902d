/** What a report may point to. */
export interface Links {
  /** The workflow run. */
  readonly runUrl?: string;
  /** e.g. `run 12` */
  readonly runLabel?: string;
  /** Commit that the report is about. */
  readonly headSha?: string;
}

/** Whether a text can be nothing but a plain web address: only such become links. */
export function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && /^https?:\/\/[\w./:~-]{1,500}$/.test(text);
}
