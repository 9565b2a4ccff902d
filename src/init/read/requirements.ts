import { projectFiles } from "../../repository/apps.ts";
import { frameworkPackages } from "../../repository/frameworks.ts";
import { lockFiles, toolOfLockFile } from "../../repository/lock-files.ts";
import { type FoundSetting, nameOf, type ProjectFile } from "../project.ts";

/** The way to make the app's environment, and the names in its files. */
export interface FoundRequirements {
  /** Tool and file, for people: `uv (uv.lock)`; `undefined` when there is nothing to install from. */
  readonly installer: string | undefined;
  /** Settings that the program would not find by itself. */
  readonly findings: readonly FoundSetting[];
  /** Files that leave versions open; none where a lock file, hashes or a compiler fix them. */
  readonly open: readonly string[];
  /** True when one of the files names this distribution, in any spelling and with any extras. */
  has(name: string): boolean;
}

/**
 * @param files of the app's folder
 * @param folder its path below the repository
 * @param around files of the whole repository
 */
export function findRequirements(
  files: readonly ProjectFile[],
  folder = ".",
  around: readonly ProjectFile[] = [],
): FoundRequirements {
  const at = (path: string) => files.find((file) => file.path === path);
  // The names in lock files do not count: they include possible extensions of a package.
  const sources = requirementsIn(files);
  const names = new Set(sources.flatMap(({ text }) => namesIn(text)));
  const has = (name: string) => names.has(name);
  const open = (path: string) => (/--hash=/.test(at(path)?.text ?? "") ? [] : [path]);
  if (at("pyproject.toml") !== undefined) {
    const lockFile = lockFiles.find((name) => at(name) !== undefined);
    if (lockFile !== undefined)
      return { installer: `${toolOfLockFile[lockFile]} (${lockFile})`, findings: [], open: [], has };
    if (folder !== "." && isMember(folder, around))
      return { installer: "uv (uv.lock of the workspace)", findings: [], open: [], has };
  }
  if (at("requirements.txt") !== undefined) {
    const own = namesIn(at("requirements.txt")?.text ?? "");
    const isHalf = frameworkPackages.some(has) && !frameworkPackages.some((name) => own.includes(name));
    if (isHalf && /^\[project\]/m.test(at("pyproject.toml")?.text ?? "")) {
      const installer = "pip (requirements.txt and pyproject.toml)";
      return { installer, findings: [], open: ["requirements.txt", "pyproject.toml"], has };
    }
    const isCompiled = at("requirements.in") !== undefined;
    const installer = `${isCompiled ? "pip-tools" : "pip"} (requirements.txt)`;
    return { installer, findings: [], open: isCompiled ? [] : open("requirements.txt"), has };
  }
  if (at("Pipfile.lock") !== undefined)
    return { installer: "Pipenv (Pipfile.lock)", findings: [], open: [], has };
  if (/^\[(?:project|tool\.poetry\.dependencies)\]/m.test(at("pyproject.toml")?.text ?? ""))
    return { installer: "pip (pyproject.toml)", findings: [], open: ["pyproject.toml"], has };
  const [other] = sources.filter(({ path }) => path.endsWith(".txt")).toSorted((a, b) => rank(a) - rank(b));
  if (other === undefined) return ofFolderAbove(folder, around) ?? ofImports(files, has);
  const reason = "the only requirements found, or those closest to production";
  const finding = { key: "install", value: other.path, reason };
  return { installer: `pip (${other.path})`, findings: [finding], open: open(other.path), has };
}

/** An app in a folder of its own may have its requirements above that folder. */
function ofFolderAbove(folder: string, around: readonly ProjectFile[]): FoundRequirements | undefined {
  const parts = folder === "." ? [] : folder.split("/");
  for (let up = 1; up <= parts.length; up += 1) {
    const path = [...parts.slice(0, parts.length - up), "requirements.txt"].join("/");
    const found = around.find((file) => file.path === path);
    const names = new Set(namesIn(found?.text ?? ""));
    if (found === undefined || !frameworkPackages.some((name) => names.has(name))) continue;
    const value = `${"../".repeat(up)}requirements.txt`;
    const finding = { key: "install", value, reason: "the only requirements found, above the app's folder" };
    return { installer: `pip (${value})`, findings: [finding], open: [], has: (name) => names.has(name) };
  }
  return undefined;
}

/** Without a project's files the app gets the well-known packages that it imports. */
function ofImports(files: readonly ProjectFile[], has: FoundRequirements["has"]): FoundRequirements {
  const isProject = files.some(({ path }) => projectFiles.includes(path));
  const imported = isProject ? [] : importedPackages(files);
  if (imported.length === 0) return { installer: undefined, findings: [], open: [], has };
  const finding = {
    key: "install-command",
    value: [`pip install ${imported.join(" ")}`],
    reason:
      "no requirements were found, so the packages that the app imports are installed; a requirements.txt would pin their versions",
  };
  const names = new Set(imported.flatMap(namesIn));
  return { installer: "pip", findings: [finding], open: [], has: (name) => names.has(name) || has(name) };
}

/**
 * True when a uv workspace around a folder has its project as a member. The nearest lock file around it counts, as for
 * the installation, and names each member's folder.
 */
function isMember(folder: string, files: readonly ProjectFile[]): boolean {
  const parts = folder.split("/");
  for (let depth = parts.length - 1; depth >= 0; depth -= 1) {
    const root = parts.slice(0, depth).map((part) => `${part}/`);
    const textOf = (name: string) => files.find(({ path }) => path === root.join("") + name)?.text;
    const [project, lock] = [textOf("pyproject.toml"), textOf("uv.lock")];
    if (project === undefined || lock === undefined) continue;
    const below = parts.slice(depth).join("/");
    return workspaceTable.test(project) && sourcesIn(lock).includes(below);
  }
  return false;
}

const workspaceTable = /^[ \t]*(?:\[[ \t]*tool\.uv\.workspace[ \t]*\]|workspace[ \t]*(?:=[ \t]*\{|\.))/m;

/** Folders of the projects of a uv.lock, relative to it. */
function sourcesIn(lock: string): string[] {
  const sources = lock.matchAll(/^source = \{ (?:editable|directory|virtual) = "([^"]+)" \}/gm);
  return [...sources].map(([, path = ""]) => path);
}

/** Requirements of production come first, those of tests and tools last. */
function rank({ path }: ProjectFile): number {
  const name = nameOf(path);
  if (/dev|test|lint|doc/.test(name)) return 3;
  return /prod/.test(name) ? 0 : /base|main|common/.test(name) ? 2 : 1;
}

/** Files with requirements; those of a deeper folder (`infra/requirements/prod.txt`) only where no other has any. */
function requirementsIn(files: readonly ProjectFile[]): readonly ProjectFile[] {
  const own = files.filter(({ path }) => isRequirements(path));
  const hasAny = own.some(({ path, text }) => path !== "pyproject.toml" || statesRequirements.test(text));
  return hasAny ? own : [...own, ...files.filter(({ path }) => deeper.test(path))];
}

const statesRequirements = /^\[(?:project|tool\.(?:poetry|pdm))\b|^dependencies\b/m;

const deeper = /^(?:[\w.-]+\/){1,3}requirements(?:\/[\w.-]+|[\w.-]*)\.txt$/;

function isRequirements(path: string): boolean {
  if (path === "pyproject.toml" || path === "requirements.in" || path === "Pipfile") return true;
  return /^requirements\/[\w.-]+\.txt$|^requirements[\w.-]*\.txt$/.test(path);
}

/** Words at the places where a requirement begins: at a line's start, after a quote, or as a table of Poetry's. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(/(?:^|["']|dependencies\.)[ \t]*([A-Za-z][\w.-]*)/gm)].map(([, name = ""]) =>
    name.toLowerCase().replaceAll(/[_.]+/g, "-"),
  );
}

/**
 * What people install for a module, by its name. A list of ours: a name that nobody has registered yet would let
 * anybody run code.
 */
const distributions: ReadonlyMap<string, string> = new Map([
  ["fastapi", "fastapi[standard]"],
  ...[
    ...[
      "sqlalchemy",
      "sqlmodel",
      "alembic",
      "asyncpg",
      "aiosqlite",
      "databases",
      "redis",
      "pymongo",
      "motor",
    ],
    ...["requests", "aiohttp", "aiofiles", "httpx", "websockets", "jinja2", "bcrypt", "loguru", "numpy"],
    ...["email-validator", "python-multipart", "stripe", "boto3", "celery", "openai", "orjson", "ujson"],
    ...["sendgrid", "slowapi", "aiosmtplib", "tenacity", "pyotp", "cryptography", "pytz", "pandas"],
    ...["structlog", "itsdangerous", "apscheduler", "minio", "pymysql", "aiomysql", "beanie", "peewee"],
    ...["psutil", "cachetools", "authlib", "phonenumbers", "pgvector", "geoalchemy2", "markdown", "lxml"],
    ...["aio_pika", "fastapi_mail", "fastapi_pagination", "prometheus_client", "pydantic_settings"],
    ...["sentry_sdk", "sqlalchemy_utils", "prometheus_fastapi_instrumentator"],
  ].map((name) => [name, name.replaceAll("_", "-")] as const),
  ["psycopg", "psycopg[binary]"],
  ["psycopg2", "psycopg2-binary"],
  ["tortoise", "tortoise-orm"],
  ["jose", "python-jose[cryptography]"],
  ["jwt", "pyjwt"],
  ["passlib", "passlib[bcrypt] bcrypt<5"], // its last release knows none newer
  ["dotenv", "python-dotenv"],
  ["yaml", "pyyaml"],
  ["PIL", "pillow"],
  ["bs4", "beautifulsoup4"],
  ["slugify", "python-slugify"],
  ["dateutil", "python-dateutil"],
  ["argon2", "argon2-cffi"],
  ["fastapi_cache", "fastapi-cache2"],
  ["fastapi_users", "fastapi-users[sqlalchemy]"],
  ["decouple", "python-decouple"],
  ["pwdlib", "pwdlib[argon2,bcrypt]"],
  ["socketio", "python-socketio"],
  ["Crypto", "pycryptodome"],
  ["pkg_resources", "setuptools<81"], // the last ones with it
]);

/** What people install for a well-known module; `undefined` for any other. */
export function distributionOf(module: string): string | undefined {
  return distributions.get(module);
}

/** Distributions of the well-known modules that an app of FastAPI imports, in the list's order; none for other apps. */
function importedPackages(files: readonly ProjectFile[]): readonly string[] {
  const modules = files.filter(
    ({ path }) => path.endsWith(".py") && !/^(?:test_|conftest)|_test\.py$/.test(nameOf(path)),
  );
  const imported = new Set(
    modules.flatMap(({ text }) =>
      [...text.matchAll(/^[ \t]*(?:import|from)[ \t]+(\w+)/gm)].map(([, name]) => name),
    ),
  );
  if (!imported.has("fastapi")) return [];
  return [...distributions].flatMap(([name, distribution]) => (imported.has(name) ? [distribution] : []));
}
