export interface Links {
  readonly runUrl?: string;
  /** Anchor of the run's artifacts on its page; absent: none is known. */
  readonly artifactsAnchor?: `#${string}`;
  /** Label such as `run 12`. */
  readonly runLabel?: string;
  readonly headSha?: string;
  /** Where the repository's files can be read; absent: nobody knows. */
  readonly files?: SourceFiles;
  /** True when the run is about a pull request; absent: it is not. */
  readonly isPullRequest?: boolean;
}

interface SourceFiles {
  /** The address up to the commit: `https://github.com/octo/app/blob/`. */
  readonly beforeCommit: string;
  /** Commits that the run may have measured, the likeliest first: a report names its own, and that may be made up. */
  readonly commits: readonly string[];
}

const documents = "https://github.com/org/fastapi-loadtest-action/blob/v1/docs";

/** Explains the measurement to a reader of the report. */
export const howItWorksUrl = `${documents}/doubt.md`;

/** Helps an author whose check failed. */
export const whatToDoUrl = `${documents}/red.md`;

/** Address of a line at the measured commit; `undefined` where there is none, or the run has no such commit. */
export function sourceUrl(
  { files }: Links,
  measured: string | undefined,
  path: string,
  line: number,
): string | undefined {
  if (files === undefined) return undefined;
  const commit = measured === undefined ? files.commits[0] : files.commits.find((each) => each === measured);
  const file = path.split("/").map(encoded).join("/");
  return commit === undefined ? undefined : `${files.beforeCommit}${commit}/${file}#L${line}`;
}

/** Brackets and quotes have a meaning in markdown, and none in an address. */
function encoded(part: string): string {
  return encodeURIComponent(part).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

/** True for the address of a comment or review: a plain one with the anchor that GitHub gives it. */
export function isRemarkAddress(text: string): boolean {
  const [address, anchor = "", ...others] = text.split("#");
  return isWebAddress(address) && /^[\w-]{0,60}$/.test(anchor) && others.length === 0;
}

/** True when a text can be nothing but a plain web address: only such texts become links. */
export function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && /^https?:\/\/[\w./:~-]{1,500}$/.test(text);
}
