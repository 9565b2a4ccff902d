/** Limits of what is looked at. All are far above what the action itself makes. */
export const largestArtifactBytes = 10_000_000;
export const largestEntryBytes = 5_000_000;
export const largestContentBytes = 64_000_000;
export const mostEntries = 1_100;
/** Artifacts of one run that are looked through: a matrix has at most 256 jobs. */
export const mostArtifacts = 500;

/** An artifact as GitHub's API lists it. */
export interface Artifact {
  readonly id: number;
  readonly name: string;
  /** Of the archive, in bytes. */
  readonly bytes: number;
  readonly isExpired: boolean;
  /** SHA-256 of the archive in hex; absent where the server does not say. */
  readonly sha256: string | undefined;
}

export type ChosenArtifact =
  | { readonly kind: "artifact"; readonly artifact: Artifact }
  | { readonly kind: "none" | "refused"; readonly reason: string };

/** Name that the action gives to a report of this id: `loadtest-report-ID+JOB-NUMBER`. No id can hold a `+`. */
export function isReportName(name: string, reportId: string): boolean {
  const start = `loadtest-report-${reportId}+`;
  return name.startsWith(start) && /^[A-Za-z_][\w-]{0,100}-\d{1,20}$/.test(name.slice(start.length));
}

/** The artifact that holds a report: of one name the newest, since a second attempt leaves one more. */
export function chooseArtifact(reportId: string, artifacts: readonly Artifact[]): ChosenArtifact {
  const found = artifacts.filter(({ name }) => isReportName(name, reportId));
  const names = new Set(found.map(({ name }) => name));
  if (names.size > 1)
    return {
      kind: "refused",
      reason: `the run left ${names.size} reports called ${reportId}; give each job a \`report-id\` of its own`,
    };
  const artifact = found.toSorted((one, other) => other.id - one.id)[0];
  if (artifact === undefined) return { kind: "none", reason: `the run left no report called ${reportId}` };
  if (artifact.isExpired) return { kind: "none", reason: "the run's report has expired" };
  if (artifact.bytes > largestArtifactBytes)
    return {
      kind: "refused",
      reason: `the run's report has ${artifact.bytes} bytes; one of ours has at most ${largestArtifactBytes}`,
    };
  return { kind: "artifact", artifact };
}

/** What a report's artifact may hold: documents that are read, and the forms of the report, which are not. */
const readNames = /^(?:plan|cells\/[a-z0-9-]{1,80})\.json$/;
const ownNames: ReadonlySet<string> = new Set([
  "figures.json",
  "junit.xml",
  "report.html",
  "report.md",
  "results.csv",
]);

export function isRead(name: string): boolean {
  return readNames.test(name);
}

/** A name in an archive, and what kind of thing it is said to be. */
export interface ArchiveEntry {
  readonly name: string;
  readonly bytes: number;
  /** A plain file, neither encrypted nor a link nor a folder. */
  readonly isPlainFile: boolean;
}

/** Why an archive is none of ours, judged by its list of contents; `undefined` when it may be read. */
export function entriesProblem(entries: readonly ArchiveEntry[]): string | undefined {
  if (entries.length > mostEntries) return `it holds more than ${mostEntries} files`;
  if (entries.some(({ name, isPlainFile }) => !isPlainFile || !(isRead(name) || ownNames.has(name))))
    return "it holds a file that no report has";
  if (new Set(entries.map(({ name }) => name)).size < entries.length) return "it holds a file twice";
  if (entries.some(({ bytes }) => bytes > largestEntryBytes))
    return `it holds a file of more than ${largestEntryBytes} bytes`;
  if (entries.reduce((total, { bytes }) => total + bytes, 0) > largestContentBytes)
    return `it holds more than ${largestContentBytes} bytes`;
  return undefined;
}
