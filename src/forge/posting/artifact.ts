/**
 * Limits on artifacts. The largest that the action makes, of 256 cells with all replicates, has half of them
 * (`bench/big-report`); beyond that a report shortens its documents (`model/measurement/documents.ts`).
 */
export const largestArtifactBytes = 24_000_000;
export const largestEntryBytes = 5_000_000;
export const largestContentBytes = 64_000_000;
export const mostEntries = 1_100;
/** Artifacts of one run that are searched: a matrix has at most 256 jobs. */
export const mostArtifacts = 500;

export interface Artifact {
  readonly id: number;
  readonly name: string;
  /** Size of the archive, in bytes. */
  readonly bytes: number;
  readonly isExpired: boolean;
  /** SHA-256 of the archive in hex; absent when the server does not give it. */
  readonly sha256: string | undefined;
}

type ChosenArtifact =
  | { readonly kind: "artifact"; readonly artifact: Artifact }
  | { readonly kind: "none" | "refused"; readonly reason: string };

const start = "loadtest-report-";

/**
 * True for the name that the action gives to a report of this id: `loadtest-report-ID+JOB-NUMBER`. No id can hold a
 * `+`. A report without a name of its own is called `default`, or `default.` with a suffix that makes it unique.
 */
export function isReportName(name: string, reportId: string): boolean {
  const id = idOfReport(name);
  const isCalled = id === reportId || (reportId === "default" && /^default\.[A-Za-z0-9-]{1,60}$/.test(id));
  const [, job = ""] = name.split(`${start}${id}+`);
  return name.startsWith(start) && isCalled && /^[A-Za-z_][\w-]{0,100}-\d{1,20}$/.test(job);
}

export function idOfReport(name: string): string {
  return name.slice(start.length).split("+", 1)[0] ?? "";
}

/** The artifact that holds a report: the newest of its name, since a second attempt leaves one more. */
export function chooseArtifact(reportId: string, artifacts: readonly Artifact[]): ChosenArtifact {
  const found = artifacts.filter(({ name }) => isReportName(name, reportId));
  const names = new Set(found.map(({ name }) => name));
  if (names.size > 1)
    return {
      kind: "refused",
      reason: `the run left ${names.size} reports called ${reportId}; give each job its own \`report-id\``,
    };
  const artifact = found.toSorted((one, other) => other.id - one.id)[0];
  if (artifact === undefined) return { kind: "none", reason: `the run left no report called ${reportId}` };
  if (artifact.isExpired) return { kind: "none", reason: "the run's report has expired" };
  if (artifact.bytes > largestArtifactBytes)
    return {
      kind: "refused",
      reason: `the run's report has ${artifact.bytes} bytes, and at most ${largestArtifactBytes} are read`,
    };
  return { kind: "artifact", artifact };
}

/** Files that a report's artifact may hold: documents, which are read, and rendered reports, which are not. */
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

/** A name in an archive, and its kind as the archive states it. */
export interface ArchiveEntry {
  readonly name: string;
  readonly bytes: number;
  /** True for a plain file: not encrypted, no link, no folder. */
  readonly isPlainFile: boolean;
}

/** The reason why an archive was not produced by this action, from its list of contents; `undefined` when it may be read. */
export function entriesProblem(entries: readonly ArchiveEntry[]): string | undefined {
  if (entries.length > mostEntries) return `it contains more than ${mostEntries} files`;
  if (entries.some(({ name, isPlainFile }) => !isPlainFile || !(isRead(name) || ownNames.has(name))))
    return "it contains an unexpected file";
  if (new Set(entries.map(({ name }) => name)).size < entries.length) return "it contains a file twice";
  if (entries.some(({ bytes }) => bytes > largestEntryBytes))
    return `it contains a file of more than ${largestEntryBytes} bytes`;
  if (entries.reduce((total, { bytes }) => total + bytes, 0) > largestContentBytes)
    return `it contains more than ${largestContentBytes} bytes`;
  return undefined;
}
