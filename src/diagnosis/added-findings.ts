import {
  type ArmDiagnosis,
  armDiagnosis,
  type FoundCause,
  isRepositoryPath,
} from "../model/findings/diagnosis.ts";
import type { Estimate } from "../statistics/estimate.ts";
import { editsOf } from "./edits.ts";
import { isChanged, parseChangedLines } from "./reach/changed-files.ts";

export interface AddedFindings {
  readonly findings: readonly FoundCause[];
  /** Why there are none: sentences. */
  readonly unexplained: readonly string[];
}

/** Largest distance of what the lines predict from what was measured, as a share of that. */
const tolerance = 0.35;

export function withAdded(head: ArmDiagnosis, { findings, unexplained }: AddedFindings): ArmDiagnosis {
  const unseen = [...head.unseen, ...unexplained];
  if (head.findings === undefined && findings.length === 0) return { ...head, unseen };
  return { ...head, ...armDiagnosis([...(head.findings ?? []), ...findings], unseen, head.seen) };
}

/** True when lines that were found make up an increase that was measured without any probe. */
export function isFitting(predicted: number, { value, interval }: Estimate): boolean {
  if (predicted <= 0 || value <= 0) return false;
  const isInside = interval !== undefined && predicted >= interval.low && predicted <= interval.high;
  return isInside || Math.abs(predicted - value) <= tolerance * value;
}

export interface RepositoryFile {
  readonly path: string;
  /** `git diff --unified=0` of the file from the base's commit; absent without one. */
  readonly diff: string | undefined;
  /** What the file says; absent when it is too long, or no text. */
  readonly text?: string | undefined;
}

/** Files with findings, as the probe names them: from the app's folder. */
export function filesOf({ findings = [] }: ArmDiagnosis): readonly string[] {
  return [
    ...new Set(
      findings.flatMap(({ place, pool }) => [place, pool?.place].flatMap((each) => each?.file ?? [])),
    ),
  ];
}

/** Adds to each finding its place in the repository. `files`: by the probe's names. */
export function locate(
  diagnosis: ArmDiagnosis,
  files: ReadonlyMap<string, RepositoryFile | undefined>,
): ArmDiagnosis {
  const { findings } = diagnosis;
  if (findings === undefined) return diagnosis;
  return { ...diagnosis, findings: findings.map((finding) => locateOne(finding, files)) };
}

function locateOne(finding: FoundCause, files: ReadonlyMap<string, RepositoryFile | undefined>): FoundCause {
  const fileOf = ({ place }: Pick<FoundCause, "place">) => {
    const file = place && files.get(place.file);
    return file !== undefined && isRepositoryPath(file.path) ? file : undefined;
  };
  const [own, edited] = [fileOf(finding), fileOf(finding.pool ?? finding)];
  const edits = edited?.text === undefined ? [] : editsOf(finding, edited.text);
  return {
    ...finding,
    ...(own && { path: own.path, ...inDiff(own, finding.place) }),
    ...(edited &&
      edits.length > 0 && {
        edits: edits.map((edit) => ({ path: edited.path, ...edit, ...inDiff(edited, edit) })),
      }),
  };
}

function inDiff({ diff }: RepositoryFile, at: { readonly line: number } | undefined) {
  return diff === undefined || at === undefined
    ? {}
    : { isInDiff: isChanged(at.line, parseChangedLines(diff)) };
}
