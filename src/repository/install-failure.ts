import { printable } from "../text/visible.ts";

/** Lines in which an installer explains its failure, best first. */
const signs: readonly RegExp[] = [
  /unable to access '|Could not resolve host/,
  /^ERROR: (?:Could not find a version|No matching distribution|Package .+ requires)/,
  /Unable to find installation candidates for/,
  /[Nn]o solution found|version solving failed/,
  /^error: /,
  /^[\w.]*(?:Error|Exception): /,
  /^\s*ERROR: /,
  /error|fail|cannot|could not/i,
];

const useless = /subprocess-exited-with-error|originates from a subprocess|^error: Command /;

/** The reason in an installer's log for its failure, on one line; nothing without one. Foreign text. */
export function reasonIn(log: string): string {
  const broken = unbuiltIn(log);
  if (broken !== undefined) return `${broken.name} could not be built: ${broken.reason}`;
  const lines = linesOf(log).slice(-500);
  const at = lines.findIndex(isBest(lines, signs));
  const said = lines.at(at)?.slice(0, 200) ?? "";
  if (at === -1) return said;
  return said + (isConflict.test(said) ? conflictIn(lines) : causeAfter(lines.slice(at + 1)));
}

const isConflict = /[Nn]o solution found/;

/** Which requirements exclude each other, in pip's words, which are short, or else in uv's. */
function conflictIn(lines: readonly string[]): string {
  const ofPip = lines.lastIndexOf("The conflict is caused by:");
  const both = lines.slice(ofPip + 1, ofPip + 3).filter((line) => / (?:depends on|requested) /.test(line));
  if (ofPip >= 0) return ` ${both.join("; ").slice(0, 300)}`;
  const ofUv = lines.findLastIndex((line) => /\bBecause /.test(line));
  if (ofUv === -1) return "";
  const end = lines.findIndex((line, index) => index >= ofUv && line.endsWith("."));
  const words = lines.slice(ofUv, end === -1 ? ofUv + 4 : end + 1).join(" ");
  return ` ${words.slice(words.indexOf("Because ")).slice(0, 300)}`;
}

const isCause = /^(?:cause|Caused by): */;

/** What uv says below its error about a file that it could not fetch: the host, and the last of its causes. */
function causeAfter(lines: readonly string[]): string {
  const end = lines.findIndex((line) => !isCause.test(line));
  const causes = lines.slice(0, end === -1 ? lines.length : end);
  const [, host] = /https?:\/\/([\w.-]+)/.exec(causes.join("\n")) ?? [];
  const last = causes.at(-1)?.replace(isCause, "").slice(0, 200);
  return host === undefined ? "" : ` (${host}: ${last})`;
}

/** A package whose sources could not be made into a wheel. */
export interface Unbuilt {
  /** As the installer spells it. */
  readonly name: string;
  /** The compiler's or build script's own words. Foreign text. */
  readonly reason: string;
}

const unbuilt: readonly RegExp[] = [
  /Failed to (?:download and )?build [`']?([\w.-]+?)(?:[=@ ].*)?[`']?$/,
  /Failed building wheel for ([\w.-]+)/,
  /Building wheel for ([\w.-]+) \(.*\) did not run successfully/,
];

/** Words of compilers and build scripts, best first. */
const causes: readonly RegExp[] = [
  /fatal error: /,
  /executable (?:is )?not found|command not found|can't find Rust|is not installed/,
  /^error: (?!command |subprocess|metadata-generation)/,
  /^[\w.]*(?:Error|Exception): /,
  /^(?:error|ERROR): /,
];

/** Packages of Debian with what builds often lack. */
const libraries: readonly (readonly [sign: RegExp, packages: string])[] = [
  [/\b(?:lber|ldap|sasl)\.h\b/, "libldap2-dev libsasl2-dev"],
  [/pg_config|libpq-fe\.h/, "libpq-dev"],
  [/mysql_config|MYSQLCLIENT|\bmysql\.h\b/, "default-libmysqlclient-dev pkg-config"],
  [/\bPython\.h\b/, "python3-dev"],
  [/\bffi\.h\b/, "libffi-dev"],
  [/xmlversion\.h|libxml2 and libxslt/, "libxml2-dev libxslt1-dev"],
  [/\b(?:gcc|g\+\+|cc)\b.*(?:not found|No such file|failed: No such)/, "build-essential"],
];

/** Code that could not be fetched says nothing about its build. */
const isOfNetwork =
  /unable to access '|Could not resolve host|dns error|Git operation failed|Connection (?:refused|reset|timed out)/;

/** Packages that lists made on Windows hold, and that exist nowhere else. */
const ofWindows =
  /No matching distribution found for (pywin32(?:-ctypes)?|pypiwin32|pywinpty|wincertstore|win-inet-pton|win32-setctime|winloop|twisted-iocpsupport)\b/i;

/** The last package in a log that could not be built, or is not for this system; `undefined` when there is none. */
export function unbuiltIn(log: string): Unbuilt | undefined {
  const lines = linesOf(log);
  const foreign = lines.map((line) => ofWindows.exec(line)?.[1]).find((name) => name !== undefined);
  if (foreign !== undefined) return { name: foreign, reason: "it is for Windows only" };
  for (const [index, line] of [...lines.entries()].toReversed()) {
    const name = unbuilt.map((each) => each.exec(line)?.[1]).find((each) => each !== undefined);
    if (name === undefined) continue;
    if (lines.slice(index).some((each) => isOfNetwork.test(each))) return undefined;
    // uv says it before the words of the build, pip after them.
    const before = lines.slice(0, index);
    const after = lines.slice(index + 1);
    const found = after.find(isBest(after, causes)) ?? before.find(isBest(before, causes));
    const said = (found ?? "its build gave no reason").slice(0, 200).replace(/\.$/, "");
    const missing = libraries.find(([sign]) => sign.test(said))?.[1];
    return {
      name,
      reason: missing === undefined ? said : `${said}; on Debian and Ubuntu: apt-get install ${missing}`,
    };
  }
  return undefined;
}

/** The package that Poetry wants to put into the project's own and does not find. */
export function missingPackageIn(log: string): string | undefined {
  return /No file\/folder found for package ([A-Za-z][\w.-]{0,100})/.exec(log)?.[1]?.replaceAll(/[-.]/g, "_");
}

/** The words of a failed import, with the packages that were left out: one of them may be what it misses. */
export function withUnbuilt(said: string, leftOut: readonly Unbuilt[] = []): string {
  if (leftOut.length === 0 || !/\b(?:ModuleNotFoundError|ImportError)\b/.test(said)) return said;
  const each = leftOut.map(({ name, reason }) => `${name} could not be built here (${reason})`);
  return `${said}; ${each.join(", ")}`;
}

/** A test for the lines that show the best of these signs. */
function isBest(lines: readonly string[], wanted: readonly RegExp[]): (line: string) => boolean {
  const sign = wanted.find((each) => lines.some((line) => each.test(line)));
  return (line) => sign?.test(line) === true;
}

function linesOf(log: string): readonly string[] {
  return log
    .split("\n")
    .map((line) => line.replace(/^[\s|╰│─▶×├-]+/u, "").trim())
    .filter((line) => line !== "" && line.length < 2_000 && !useless.test(line));
}

const missing: readonly RegExp[] = [
  /[Nn]o such file or directory: ["']([^"'\n]{1,300})["']/,
  /(?:[Dd]irectory|[Ff]older|[Ff]ile|[Pp]ath) ["']?([^"'\s]{1,300})["']? (?:does not exist|doesn't exist|not found|is missing)/,
  /(?:[Cc]annot|[Cc]an't|[Cc]ould not|[Uu]nable to) (?:open|find|load|read) (?:file |folder |directory )?["']([^"'\n]{1,300})["']/,
];

/** The file or folder that an app misses, as a path from its own folder; `undefined`: none, or one elsewhere. */
export function missingPath(reason: string, folder: string): string | undefined {
  const [path] = missing.flatMap((each) => each.exec(reason)?.[1] ?? []);
  if (path === undefined) return undefined;
  const below = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path.replace(/^\.\//, "");
  const isOutside = below === "" || below.startsWith("/") || below.split("/").includes("..");
  return isOutside ? undefined : below;
}

/** The end of a sentence on a base that lacks what is here. */
export function lackedWords(path: string): string {
  return `; the base lacks ${printable(path)}, which is here but not in Git: let the app create it, or commit it`;
}
