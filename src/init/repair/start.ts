import { servers, usualServer } from "../../model/workload/servers.ts";
import type { AppFailure, FoundSetting, Project } from "../project.ts";
import { distributionOf, namesIn as namesOfPackages } from "../read/requirements.ts";
import { readyPathIn } from "../requests/endpoints.ts";
import { namesIn, type Repair, settingOf, without, withSetting, withVariables } from "./change.ts";

/** Another path to check when the app is ready, where its first page fails, e.g. without a frontend that is built. */
export function withReadyPath(project: Project, { detail, document }: AppFailure): Repair | undefined {
  const path = detail?.kind === "failing page" ? readyPathIn(document) : undefined;
  if (path === undefined || settingOf(project, "ready-path") !== undefined) return undefined;
  const reason = "its first page fails here, so this path shows when the app is ready";
  return {
    project: withSetting(project, { key: "ready-path", value: path, reason }),
    message: `the app's first page fails here, so \`${path}\` shows when it is ready (\`ready-path\`)`,
  };
}

const longStart = "3m";

/** A start that takes a third of the usual limit here may take all of it where a machine is busier. */
const slowSeconds = 10;

/** A limit for an app that has started, but slowly; `undefined`: the usual one will do, or there is another. */
export function timeForSlowStart(project: Project, startSeconds: number): FoundSetting | undefined {
  if (startSeconds <= slowSeconds || settingOf(project, "ready-timeout") !== undefined) return undefined;
  const reason = `its start took ${Math.round(startSeconds)} s here, and may take longer elsewhere`;
  return { key: "ready-timeout", value: longStart, reason };
}

/** A server that is still alive and silent has much to import. */
export function withTimeToStart(project: Project, { detail }: AppFailure): Repair | undefined {
  if (detail?.kind !== "slow start" || settingOf(project, "ready-timeout") !== undefined) return undefined;
  const reason = "its start takes more than half a minute";
  return {
    project: withSetting(project, { key: "ready-timeout", value: longStart, reason }),
    message: `the app had not started after half a minute, so it gets ${longStart} (\`ready-timeout\`)`,
  };
}

/** An old uvicorn asks for an event loop as no newer uvloop gives it. */
export function withOtherLoop(project: Project, { log }: AppFailure): Repair | undefined {
  const isTooOld = /There is no current event loop in thread 'MainThread'/.test(log);
  if (!isTooOld || settingOf(project, "server") !== undefined) return undefined;
  const { name, command, eventLoop } = usualServer;
  const value = `${command} ${eventLoop.option} ${eventLoop.otherwise}`;
  const reason = `its ${name} is too old for the installed ${eventLoop.preferred}`;
  return {
    project: withSetting(project, { key: "server", value, reason }),
    message: `the app's ${name} cannot use the installed ${eventLoop.preferred}, so it runs on ${eventLoop.otherwise} (\`server\`)`,
  };
}

/** One that is too old for its command, or that an image brings along and is missing here. */
export function withOtherServer(project: Project, { detail, log }: AppFailure): Repair | undefined {
  const own = settingOf(project, "server")?.value;
  const missing = detail?.kind === "missing program" ? detail.program : undefined;
  const [program] = own === undefined ? [] : String(own).split(" ");
  const { tooOld } = servers.find(({ name }) => name === program) ?? {};
  const lack =
    program !== undefined && program === missing ? `${missing} is not in the app's requirements` : undefined;
  const problem = tooOld?.output.test(log) ? tooOld.problem : lack;
  if (problem === undefined) return undefined;
  return {
    project: without(project, "server"),
    message: `${problem}, so ${usualServer.name} is used instead`,
  };
}

/** An app without a worker that ends by itself can still be measured. */
export function withoutProcess(project: Project, { detail }: AppFailure): Repair | undefined {
  const own = settingOf(project, "processes");
  const { [detail?.kind === "process" ? detail.name : ""]: ending, ...others } = Object(own?.value);
  if (detail?.kind !== "process" || own === undefined || ending === undefined) return undefined;
  const isLast = Object.keys(others).length === 0;
  return {
    project: isLast ? without(project, own.key) : withSetting(project, { ...own, value: others }),
    message: `the process ${detail.name} exits here and is left out of \`processes\`; set a command that works`,
  };
}

/** Python's words, and Starlette's, for a file that is not there: an absolute path in a folder that only `init` knows. */
const missingFile =
  /FileNotFoundError: (?:\[Errno 2\] No such file or directory: |Config file )['"]([^'"\n]*\/)?((?:[\w-]*\.)?env(?:\.[\w-]+)*)['"]/;

/** Starlette's words for files to serve, as before a frontend is built. */
const missingFolder = /RuntimeError: Directory '((?!\.*\/)[^'\n]*[^'\n/])\/?' does not exist/;

const missingLog =
  /FileNotFoundError: \[Errno 2\] No such file or directory: ['"]([^'"\n]+)\/[^'"\n/]+\.log['"]/;

/** An app whose frontend is not built can be measured without, and one that writes logs into a folder that it has not. */
export function withEmptyFolder(project: Project, { log }: AppFailure): Repair | undefined {
  const [, logs] = missingLog.exec(log) ?? [];
  const [, folder = logs === undefined ? undefined : insideOf(project, partsOf(logs))] =
    missingFolder.exec(log) ?? [];
  if (folder === undefined || settingOf(project, "env-file") !== undefined) return undefined;
  return withEmpty(project, `${folder}/`, "folder");
}

/** A path below the project's folder, by the first part that is one of its folders. */
function insideOf({ files }: Project, parts: readonly string[]): string {
  const known = parts.findIndex((part) => files.some(({ path }) => path.startsWith(`${part}/`)));
  return parts.slice(known === -1 ? -1 : known).join("/");
}

function withEmpty(project: Project, value: string, kind: string, why = ""): Repair {
  const reason = `the app does not start without this ${kind}; an empty one is enough${why}`;
  return {
    project: withSetting(project, { key: "env-file", value, reason }),
    message: `the app does not start without the ${kind} \`${value}\`, so it gets an empty one (\`env-file\`)`,
  };
}

/** An app that opens its environment file finds an empty one: its variables come from the load test. */
export function withEnvironmentFile(project: Project, { log }: AppFailure): Repair | undefined {
  const [, folder = "", name] = missingFile.exec(log) ?? [];
  if (name === undefined || settingOf(project, "env-file") !== undefined) return undefined;
  const value = `${placeIn(project, partsOf(folder))}${name}`;
  return withEmpty(project, value, "file", ", because the load test sets the variables");
}

/** The longest end of a path that is a folder of the project. */
function placeIn({ files }: Project, parts: readonly string[]): string {
  const ends = parts.map((_, index) => `${parts.slice(index).join("/")}/`);
  return ends.find((end) => files.some(({ path }) => path.startsWith(end))) ?? "";
}

/** The folders of a path, without those that it leaves again. */
function partsOf(folder: string): readonly string[] {
  const parts: string[] = [];
  for (const part of folder.split("/"))
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  return parts;
}

/** Failures of an app for which a package of another version is a likely reason. */
const brokenByPackage: readonly RegExp[] = [
  /ImportError: cannot import name/,
  // passlib logs the one about bcrypt, and goes on.
  /AttributeError: (?!module 'bcrypt' has no attribute '__about__')(?:module|type object|'[\w.]+' object|partially)/,
  /TypeError: /,
  /NameError: name '\w+' is not defined/,
  /No module named '(?:imp|distutils|cgi|pydantic|starlette|sqlalchemy|fastapi)[.']/,
  /requires that the Python 'greenlet' library/, // SQLAlchemy 2.1 no longer installs it
  /No module named 'psycopg2?'/, // SQLAlchemy 2.1 has another driver for `postgresql://`
  /pydantic\.errors\.|PydanticUserError|PydanticImportError|ConfigError/,
  /sqlalchemy\.exc\.(?:ArgumentError|InvalidRequestError|ObjectNotExecutableError)/,
  /VersionMismatch|VersionConflict|ContextualVersionConflict/,
];

/** Packages whose last release does not fit those after a day, what the app says then, and what helps besides. */
const lastFitting: readonly {
  readonly symptom: RegExp;
  readonly until: string;
  readonly reason: string;
  readonly otherwise: string;
}[] = [
  {
    symptom: /passlib[\s\S]*password cannot be longer than 72 bytes/,
    until: "2025-09-24",
    reason: "passlib cannot hash passwords with bcrypt 5, released the day after",
    otherwise: "bcrypt<5",
  },
  {
    symptom: /greenlet['"]? library is (?:installed|required)/,
    until: "2026-09-23",
    reason: "SQLAlchemy 2.1, released the day after, does not install greenlet, which asyncio needs",
    otherwise: "greenlet",
  },
];

/**
 * Packages of the day on which the requirements were last changed, where those leave versions open: what came out since
 * may no longer fit.
 */
export function withOlderPackages(
  project: Project,
  { log, detail }: Pick<AppFailure, "log" | "detail">,
): Repair | undefined {
  const { requiredOn, openRequirements, ...rest } = project;
  const known = lastFitting.find(({ symptom }) => symptom.test(log));
  const isLikely =
    known !== undefined || detail?.kind === "process" || brokenByPackage.some((each) => each.test(log));
  const isPinned = openRequirements.length === 0 || settingOf(project, "install-command") !== undefined;
  if (known !== undefined && isPinned)
    return withPackage(project, known.otherwise, { reason: known.reason, why: known.reason });
  if (requiredOn === undefined || !isLikely) return undefined;
  const files = openRequirements.join(", ");
  const { day, reason, why } =
    known !== undefined && known.until < requiredOn
      ? { day: known.until, reason: known.reason, why: known.reason }
      : {
          day: requiredOn,
          reason: `it does not start with newer packages; ${files} last changed on that day`,
          why: `when ${files} last changed`,
        };
  const otherwise = { ...rest, openRequirements };
  return {
    project: withSetting(otherwise, { key: "exclude-newer", value: day, reason }),
    message: `the app seems incompatible with newer packages, so it is tried with those up to ${day}, ${why} (\`exclude-newer\`)`,
    otherwise,
  };
}

const missingModule = /ModuleNotFoundError: No module named '(\w+)/;

/** Python's words, and those of libraries that name what they need. */
const missingPackages: readonly RegExp[] = [
  missingModule,
  /ImportError: (email-validator) is not installed/, // pydantic
  /RuntimeError: Form data requires "(python-multipart)"/, // FastAPI
];

/** A package that its authors have on their machines, and not in their requirements. */
export function withAddedPackage(project: Project, { log }: AppFailure): Repair | undefined {
  const name = missingPackages.map((each) => each.exec(log)?.[1]).find((each) => each !== undefined) ?? "";
  const distribution = distributionOf(name);
  if (distribution === undefined) return undefined;
  const [, file = "its requirements"] = /\((.+)\)$/.exec(project.installer ?? "") ?? [];
  const lack = `the app imports ${name}, which is not in ${file}`;
  return withPackage(project, distribution, { reason: `${lack}; add it there, and remove this`, why: lack });
}

function withPackage(
  project: Project,
  specifier: string,
  { reason, why }: { readonly reason: string; readonly why: string },
): Repair | undefined {
  const before = [settingOf(project, "extra-packages")?.value ?? []].flat().map(String);
  if (before.includes(specifier)) return undefined;
  return {
    project: withSetting(project, { key: "extra-packages", value: [...before, specifier], reason }),
    message: `${why}, so ${specifier} is installed in addition (\`extra-packages\`)`,
  };
}

/** A lock file that was left behind lacks what another file of the requirements has. */
export function withOtherRequirements(project: Project, { log }: AppFailure): Repair | undefined {
  const [, name] = missingModule.exec(log) ?? [];
  const [, lock] = /\(((?:uv|poetry|pdm)\.lock)\)$/.exec(project.installer ?? "") ?? [];
  const other = project.files.find(({ path }) => path === "requirements.txt");
  if (name === undefined || lock === undefined || other === undefined || settingOf(project, "install"))
    return undefined;
  if (!namesOfPackages(other.text).some((each) => each.replaceAll("-", "_").includes(name.toLowerCase())))
    return undefined;
  const lack = `${lock} lacks ${name}, which ${other.path} has`;
  const folder = settingOf(project, "working-directory")?.value;
  const value = folder === undefined ? other.path : `${folder}/${other.path}`;
  return {
    project: {
      ...withSetting(project, { key: "install", value, reason: lack }),
      installer: `pip (${value})`,
    },
    message: `${lack}, so it is installed instead (\`install\`)`,
  };
}

/** Modules of Python that many packages import, and that apps have files named after. */
const standardModules =
  /^(?:ast|calendar|code|copy|email|enum|http|inspect|io|json|logging|operator|platform|queue|random|select|signal|socket|statistics|string|token|types|typing|uuid)(?:\.py|\/)/;

/** A package from whose inside nobody imports: its modules would be found in place of Python's own. */
function hidesStandardModules(folder: string, files: Project["files"]): boolean {
  const inside = files.flatMap(({ path }) =>
    path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [],
  );
  return inside.includes("__init__.py") && inside.some((path) => standardModules.test(path));
}

/** The folder that holds the project's, or one further up, where that is what the app imports. */
function folderAround(project: Project, name: string): string | undefined {
  const folders = String(settingOf(project, "working-directory")?.value ?? "").split("/");
  const index = folders.lastIndexOf(name);
  return index < 0
    ? undefined
    : Array(folders.length - index)
        .fill("..")
        .join("/");
}

/** Adds the folder from which the app imports its own modules, where that is not its project's. */
export function withImportFolder(project: Project, { log, detail }: AppFailure): Repair | undefined {
  const [, name] = missingModule.exec(log) ?? [];
  if (name === undefined || namesIn(project).has("PYTHONPATH")) return undefined;
  // A program such as Alembic does not look into the folder in which it runs; a server does.
  const isCommand = detail?.kind === "command";
  const folders = project.files.flatMap(({ path }) => {
    if (!path.endsWith(".py")) return [];
    if (isCommand && (path === `${name}.py` || path.startsWith(`${name}/`))) return ["."];
    const [, folder] = new RegExp(`^(.+)/${name}(?:\\.py$|/)`).exec(path) ?? [];
    return folder === undefined ? [] : [folder];
  });
  const depthOf = (folder: string) => (folder === "." ? 0 : folder.split("/").length);
  const usable = folders.filter((folder) => !hidesStandardModules(folder, project.files));
  const nearest = usable.toSorted((a, b) => depthOf(a) - depthOf(b))[0] ?? folderAround(project, name);
  if (nearest === undefined) return undefined;
  const message = `the app imports \`${name}\`, which is in ${nearest}, so PYTHONPATH has that folder`;
  // Named here, `src` is no longer added by itself.
  const PYTHONPATH = nearest.startsWith("src/") ? `src:${nearest}` : nearest;
  return { project: withVariables(project, { PYTHONPATH }), message };
}
