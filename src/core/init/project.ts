import type { FoundApp } from "../finding/apps.ts";
import { findDatabase } from "./database.ts";
import type { Finding, ProjectFile } from "./finding.ts";
import { findRequirements } from "./requirements.ts";
import { findSeeding } from "./seeding.ts";
import { findServer } from "./server.ts";
import { findVariables, type ReadVariable } from "./variables.ts";

/** What could be read off a repository about one of its apps. */
export interface Project {
  readonly app: FoundApp;
  /** How its environment is made, for people; `undefined`: nothing is there to install from. */
  readonly installer: string | undefined;
  /** Keys of the configuration file, in the order in which they are written. */
  readonly findings: readonly Finding[];
  /** Whether its tables are filled. */
  readonly hasData: boolean;
}

/** @param files of the whole repository, with paths below it */
export function findProject(app: FoundApp, files: readonly ProjectFile[]): Project {
  const own = filesBelow(app.folder, files);
  const requirements = findRequirements(own);
  const variables = findVariables(own);
  const database = findDatabase(requirements, variables, own);
  // What fills a database may lie beside the app's folder; paths in the file are the repository's.
  const seeding = database.hasNone
    ? []
    : findSeeding(requirements, own).map((each) => placed(each, app.folder));
  const place =
    app.folder === "." ? [] : [finding("app-folder", app.folder, "its project's files are there")];
  return {
    app,
    installer: requirements.installer,
    findings: [
      finding("app", app.importString, reasonOf(app)),
      ...place,
      ...requirements.findings.map((each) => placed(each, app.folder)),
      ...findServer(app, requirements, own),
      ...database.findings,
      ...seeding,
      ...valuesFor(variables.filter(({ name }) => !database.names.has(name) && !/^PG[A-Z]+$/.test(name))),
    ],
    hasData: seeding.some(({ key }) => key === "seed" || key === "seed-command"),
  };
}

function finding(key: string, value: Finding["value"], reason: string): Finding {
  return { key, value, reason };
}

function reasonOf({ framework }: FoundApp): string {
  return framework === "app"
    ? "a function makes it"
    : `the only ${framework} app, or the one that was asked for`;
}

/** Those below the app's folder with paths from there; the repository's Dockerfile counts for all of its apps. */
function filesBelow(folder: string, files: readonly ProjectFile[]): readonly ProjectFile[] {
  if (folder === ".") return files;
  return files.flatMap((file) =>
    file.path.startsWith(`${folder}/`) ? [{ ...file, path: file.path.slice(folder.length + 1) }] : [],
  );
}

/** SQL and requirements files are named from the repository, all else from the app's folder. */
function placed(each: Finding, folder: string): Finding {
  if (folder === "." || (each.key !== "seed" && each.key !== "install")) return each;
  const { value } = each;
  return {
    ...each,
    value: typeof value === "object" ? Object.values(value).map(inFolder) : inFolder(String(value)),
  };

  function inFolder(path: string): string {
    return `${folder}/${path}`;
  }
}

/** What the app cannot start without has some value; people know better ones. */
function valuesFor(variables: readonly ReadVariable[]): readonly Finding[] {
  const needed = variables.filter(
    ({ isNeeded, name }) => isNeeded && !/^(?:LOADTEST_|GITHUB_|CI$)/.test(name),
  );
  if (needed.length === 0) return [];
  const value = Object.fromEntries(needed.map((each) => [each.name, placeholderOf(each)]));
  const files = [...new Set(needed.map(({ path }) => path))].join(", ");
  return [finding("app-env", value, `${files} cannot do without them; the values are made up`)];
}

function placeholderOf({ name, type = "" }: ReadVariable): string {
  if (/bool/.test(type)) return "false";
  if (/int|float|Decimal/.test(type) || /PORT$/.test(name)) return "1";
  if (/list|dict|set\b/i.test(type)) return "[]";
  if (/Email/.test(type)) return "user@example.com";
  return /URL|Url|URI$/.test(name + type) ? "http://127.0.0.1:1" : "made-up-for-the-load-test";
}
