/** Addresses that a report may point to. */
export interface Links {
  /** The workflow run. */
  readonly runUrl?: string;
  /** Label such as `run 12`. */
  readonly runLabel?: string;
  /** Commit of the report. */
  readonly headSha?: string;
}

/** True for the address of a comment or review: a plain one with the anchor that GitHub gives it. */
export function isRemarkAddress(text: string): boolean {
  const [address, anchor = ""] = text.split("#");
  return isWebAddress(address) && /^[\w-]{0,60}$/.test(anchor) && text.split("#").length <= 2;
}

/** True when a text can be nothing but a plain web address: only such texts become links. */
export function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && /^https?:\/\/[\w./:~-]{1,500}$/.test(text);
}
