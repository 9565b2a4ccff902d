import { type ArmDiagnosis, type FoundCause, isRepositoryPath } from "../model/findings/diagnosis.ts";
import { isChanged, parseChangedLines } from "./changed-lines.ts";

/** A file of the app that belongs to its repository. */
export interface RepositoryFile {
  /** From the repository's top. */
  readonly path: string;
  /** `git diff --unified=0` of the file from the base's commit; absent without one. */
  readonly diff: string | undefined;
}

/** Files with findings, as the probe names them: from the app's folder. */
export function filesOf({ findings = [] }: ArmDiagnosis): readonly string[] {
  return [...new Set(findings.flatMap(({ place }) => place?.file ?? []))];
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
  const { place } = finding;
  const file = place && files.get(place.file);
  if (place === undefined || file === undefined || !isRepositoryPath(file.path)) return finding;
  const { path, diff } = file;
  return {
    ...finding,
    path,
    ...(diff !== undefined && { isInDiff: isChanged(place.line, parseChangedLines(diff)) }),
  };
}
