export interface ChangedFile {
  readonly path: string;
  /** True for a file that no commit has: it is none of the change's, but only the head has it. */
  readonly isUntracked?: true;
  /** True for a file in the folder of another app of the same report, outside this one's. */
  readonly isOfOtherApp?: true;
  /** Lines of the base's version that are gone or other now, and lines of the head's that are new or other. */
  readonly lines: { readonly base: readonly ChangedLines[]; readonly head: readonly ChangedLines[] };
}

export interface RepositoryChanges {
  /** Absolute path of the head's top folder. */
  readonly topFolder: string;
  /** The app's folder from the top: `services/shop`, or empty. */
  readonly prefix: string;
  readonly files: readonly ChangedFile[];
}

/** Folders of which a server runs nothing, wherever they lie. */
const idleFolder =
  /(?:^|\/)(?:tests?|__tests__|docs|\.github|\.gitlab|\.circleci|\.devcontainer|\.husky|\.vscode|\.idea)\//;
/** Prose, and what forges, editors and image builders read: no image is built here. */
const prose = String.raw`(?:LICENSE|LICENCE|NOTICE|AUTHORS|CODEOWNERS|CHANGELOG|\.git(?:ignore|attributes|-blame-ignore-revs)|\.editorconfig|\.pre-commit-config\.ya?ml|Dockerfile|\.dockerignore|\.travis\.yml|\.gitlab-ci\.yml|azure-pipelines\.yml|mkdocs\.yml|\.readthedocs\.ya?ml)[^/]*|[^/]*\.(?:md|rst|adoc)`;
/** Python takes these only instead of a source whose time or text they name, and a checkout's sources are newer. */
const compiled = String.raw`__pycache__/[^/]*\.pyc`;
const idleFile = new RegExp(
  String.raw`(?:^|/)(?:${prose}|${compiled}|conftest\.py|test_[^/]*\.py|[^/]*_test\.py)$`,
);
/** Files from which nobody fills a database. A test's data may be a seed. */
const proseFile = new RegExp(
  String.raw`(?:^|/)(?:${prose}|${compiled}|\.(?:github|gitlab|circleci)/.*\.ya?ml)$`,
);

const ownConfiguration = /(?:^|\/)loadtest\.ya?ml$/;

/** True for tests, documents, another app and the like: when the server does not read them, they change nothing of it. */
export function isIdle({ path, isOfOtherApp }: ChangedFile): boolean {
  if (isOfOtherApp) return true;
  return (idleFolder.test(path) || idleFile.test(path)) && !ownConfiguration.test(path);
}

export function isPython({ path }: ChangedFile): boolean {
  return path.endsWith(".py");
}

/** What browsers and their builders read, and templates. A Python process that reads one opens it for all to see. */
const browserFile =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|s?css|sass|less|html?|jinja2?|j2|svg|png|jpe?g|gif|webp|avif|ico|woff2?|ttf|otf|map)$|(?:^|\/)(?:package(?:-lock)?\.json|tsconfig[^/]*\.json|pnpm-(?:lock|workspace)\.yaml|yarn\.lock|bun\.lockb?)$/;

/** True for files whose use shows in what the processes of an arm ran and opened. */
export function isSeen(file: ChangedFile): boolean {
  return isPython(file) || browserFile.test(file.path);
}

/** The first file of which nobody can see what it changes, so that all must be measured. */
export function unjudgedFile({ files }: RepositoryChanges): string | undefined {
  return files.find((file) => file.isUntracked !== true && !isSeen(file) && !isIdle(file))?.path;
}

/** True where nothing differs that a seed may depend on. A configuration that only the head has may differ. */
export function isOfProse({ files }: RepositoryChanges): boolean {
  return files.every(
    ({ path, isUntracked, isOfOtherApp }) =>
      isOfOtherApp || (ownConfiguration.test(path) ? isUntracked === true : proseFile.test(path)),
  );
}

/** The changes as one app of several sees them; `others`: absolute folders of the other apps. */
export function amongOtherApps(
  { topFolder, prefix, files }: RepositoryChanges,
  others: readonly string[],
): RepositoryChanges {
  const own = prefix === "" ? `${topFolder}/` : `${topFolder}/${prefix}/`;
  const outside = others
    .map((folder) => `${folder}/`)
    .filter((folder) => !folder.startsWith(own) && !own.startsWith(folder));
  const marked = files.map((file) =>
    outside.some((folder) => `${topFolder}/${file.path}`.startsWith(folder))
      ? { ...file, isOfOtherApp: true as const }
      : file,
  );
  return { topFolder, prefix, files: marked };
}

/** Lines of a file's new version that a change made or altered, from 1; both ends belong to it. */
export interface ChangedLines {
  readonly first: number;
  readonly last: number;
}

const hunk = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/gm;

/** Reads one file's `git diff --unified=0`. A sign before each line keeps it from passing for a hunk's head. */
export function parseChangedLines(diff: string): readonly ChangedLines[] {
  return [...diff.matchAll(hunk)].flatMap(([, , , first, count]) => rangeOf(first, count));
}

/** The lines of the old version that a change altered or took away, read in the same way. */
export function parseFormerLines(diff: string): readonly ChangedLines[] {
  return [...diff.matchAll(hunk)].flatMap(([, first, count]) => rangeOf(first, count));
}

/** Lines that were only taken away are nowhere in the new version, and only added ones nowhere in the old. */
function rangeOf(first: string | undefined, count = "1"): readonly ChangedLines[] {
  return Number(count) === 0 ? [] : [{ first: Number(first), last: Number(first) + Number(count) - 1 }];
}

export function isChanged(line: number, changed: readonly ChangedLines[]): boolean {
  return changed.some(({ first, last }) => line >= first && line <= last);
}
