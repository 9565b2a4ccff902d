import { mysqlStyles, type UrlStyle } from "../../model/choices.ts";
import { type FoundSetting, nameOf, type ProjectFile, type ReadVariable } from "../project.ts";
import type { FoundRequirements } from "./requirements.ts";
import { remedy } from "./services.ts";

/** The database of an app, as far as its files tell. */
export interface FoundDatabase {
  readonly kind: "postgres" | "mysql" | "sqlite" | "none";
  readonly findings: readonly FoundSetting[];
  /** Variables that the load test fills in by itself. */
  readonly names: ReadonlySet<string>;
  /** Values for variables that nobody gave any. */
  readonly values?: Readonly<Record<string, string>>;
  /** A need of the app that the load test cannot meet. */
  readonly lacks: string | undefined;
}

/** Names of variables that hold the address of something. */
export const isUrlName = /(URL|URI|DSN|CONNECTION_STRING)$/;

/** Names of variables about a database. */
export const isOfDatabase = /DATABASE|POSTGRE|SQL|(^|_)(DB|PG)(_|$|[A-Z])|^DSN$/;

type Part = "host" | "port" | "user" | "password" | "database";

/** Parts of an address, by the names of variables that hold them. */
const partNames: readonly (readonly [pattern: RegExp, parts: readonly Part[]])[] = [
  [/(HOST|SERVER|HOSTNAME|ADDRESS|ADDR)$/, ["host"]],
  [/PORT$/, ["port"]],
  [/CREDENTIALS$/, ["user", "password"]],
  [/(USER|USER_?NAME)$/, ["user"]],
  [/(PASSWORD|PASS|PWD)$/, ["password"]],
  [/(^PGDATABASE|_DB|^DB|NAME|DATABASE|DB_BASE)$/, ["database"]],
];

/** Variables of which an app puts its address together. */
export interface Parts {
  /** A template for each variable. */
  readonly value: Readonly<Record<string, string>>;
  readonly has: ReadonlySet<Part>;
  readonly path: string | undefined;
}

/** `DB = "postgresql"` chooses an engine. A database may well be called `postgres`. */
const isEngine = /^(?:postgresql|mysql|sqlite)(?:\+\w+)?$/;

/** `Database: DatabaseSection` is a group of fields. */
const isGroup = /^[A-Z]\w*(?:Settings|Section|Config|Configuration|Model)$/;

export function partsIn(ofDatabase: readonly ReadVariable[], files: readonly ProjectFile[]): Parts {
  const found = ofDatabase.flatMap(({ name, path, type = "", value = "" }) => {
    const [, parts] = partNames.find(([pattern]) => pattern.test(name)) ?? [];
    const isChoice = parts?.[0] === "database" && isEngine.test(value);
    const isNumber = parts?.[0] !== "port" && /^int\b/.test(type);
    return parts === undefined || isChoice || isNumber || isGroup.test(type) ? [] : [{ name, path, parts }];
  });
  const bare = hostsWithoutPort(files);
  const value = Object.fromEntries(
    found.map(({ name, parts }) => {
      const all = parts[0] === "host" && bare.has(name) ? [...parts, "port"] : parts;
      return [name, all.map((part) => `{${part}}`).join(":")];
    }),
  );
  return { value, has: new Set(found.flatMap(({ parts }) => parts)), path: found[0]?.path };
}

const hostInCode = /@["'\s]{0,40}(?:f["'])?\{(?:\w{1,40}\.){0,3}(\w{1,60})\}(.)/g;

/** Names in `f"...@{DB_HOST}/{DB_NAME}"`, where the host's variable is the only place for a port. */
function hostsWithoutPort(files: readonly ProjectFile[]): ReadonlySet<string> {
  const found = files
    .filter(({ path }) => path.endsWith(".py"))
    .flatMap(({ text }) => [...text.matchAll(hostInCode)])
    .map(([, name = "", next]) => ({ name: name.toUpperCase(), next }));
  const withPort = new Set(found.flatMap(({ name, next }) => (next === ":" ? [name] : [])));
  return new Set(found.flatMap(({ name, next }) => (next === "/" && !withPort.has(name) ? [name] : [])));
}

/** Drivers, each with the beginning of a URL for SQLAlchemy. */
const drivers: readonly (readonly [driver: string, style: UrlStyle])[] = [
  ["pymysql", "mysql+pymysql"],
  ["aiomysql", "mysql+aiomysql"],
  ["asyncmy", "mysql+asyncmy"],
  ["mysqlclient", "mysql+mysqldb"],
  ["mysql-connector-python", "mysql+mysqlconnector"],
];

const isOfOthers = /TEST|POSTGRE|SQLITE|MONGO|REDIS|CELERY|AMQP|RABBIT|KAFKA|BROKER|SENTRY|ELASTIC|ROOT/;

/** The database of an app whose driver is one for MySQL or MariaDB; `undefined` when only a file of SQLite is named. */
export function findMysql(
  { has }: Pick<FoundRequirements, "has">,
  variables: readonly ReadVariable[],
  files: readonly ProjectFile[],
): FoundDatabase | undefined {
  const [driver, usual] = drivers.find(([name]) => has(name)) ?? [];
  if (driver === undefined || usual === undefined) return undefined;
  // Without any requirement only a file that is named counts.
  const isFile = findSqlite({ has: () => false }, variables, files) !== undefined;
  if (isFile && !files.some(isOfMysql)) return undefined;
  const own = variables.filter(({ name }) => isOfDatabase.test(name) && !isOfOthers.test(name));
  const urls = own.filter(({ name }) => isUrlName.test(name));
  const url =
    urls.find(({ name }) => name === "DATABASE_URL") ?? urls.find(({ isNeeded }) => isNeeded) ?? urls[0];
  const parts = partsIn(
    own.filter((each) => !urls.includes(each)),
    files,
  );
  const isWhole = parts.has.has("host");
  // One for what is written and one for what is read, for example; their defaults say that they are of this database.
  const others = urls.filter((each) => each !== url && /^(?:mysql|mariadb)\b/.test(each.value ?? ""));
  const templates = {
    ...Object.fromEntries(
      others.map((each) => [
        each.name,
        `${styleOf(each, usual, files)}://{user}:{password}@{host}:{port}/{database}`,
      ]),
    ),
    ...(isWhole ? parts.value : {}),
  };
  const reason = `${driver} is required: each start of the app gets its own MySQL or MariaDB with a copy of the seeded data`;
  return {
    kind: "mysql",
    findings: [
      { key: "database", value: "mysql", reason },
      ...(url === undefined && isWhole ? [] : ofUrl(url, driver, styleOf(url, usual, files))),
      ...(Object.keys(templates).length > 0
        ? [{ key: "database-env", value: templates, reason: `${(others[0] ?? parts).path} reads them` }]
        : []),
    ],
    names: new Set([...(url ? [url.name] : []), ...Object.keys(templates)]),
    lacks: undefined,
  };
}

function ofUrl(
  url: Pick<ReadVariable, "name" | "path"> | undefined,
  driver: string,
  style: UrlStyle,
): readonly FoundSetting[] {
  const reason =
    url === undefined
      ? "the variable was not found, so change this if necessary"
      : `${url.path} reads its address`;
  const named = { key: "database-variable", value: url?.name ?? "DATABASE_URL", reason };
  if (style === mysqlStyles[0]) return [named];
  return [named, { key: "database-url-style", value: style, reason: `the driver is ${driver}` }];
}

/** The same, and none when this machine cannot start one. */
export function startable(database: FoundDatabase, presetsHere: ReadonlySet<string>): FoundDatabase {
  if (database.kind !== "mysql" || presetsHere.has("mysql")) return database;
  const how = `MySQL cannot be started here: ${remedy("mysql")}`;
  return {
    findings: [{ key: "database", value: "none", reason: how }],
    names: new Set(),
    kind: "none",
    lacks: `the app's database of ${how}, and run \`init\` again; until then, endpoints that use it cannot be measured`,
  };
}

function isOfMysql({ path, text }: ProjectFile): boolean {
  return !/requirements|\.lock$|\.toml$/.test(path) && /mysql|mariadb/i.test(text);
}

/** As its own default or any file has it; without one that is known as SQLAlchemy wants it for the driver. */
function styleOf(
  url: Pick<ReadVariable, "value"> | undefined,
  usual: UrlStyle,
  files: readonly ProjectFile[],
): UrlStyle {
  const texts = [url?.value ?? "", ...files.map(({ text }) => text)];
  const written = texts.flatMap((text) => /\b(mysql(?:\+\w+)?):\/\//.exec(text)?.[1] ?? [])[0];
  const isMapped = files.some(({ text }) =>
    /create_engine\(|create_async_engine\(|engine_from_config/.test(text),
  );
  return mysqlStyles.find((style) => style === written) ?? (isMapped ? usual : mysqlStyles[0]);
}

/** Places where code or settings name a file; an address without one is of the memory, one with four slashes elsewhere. */
const namesFile =
  /sqlite(?:\+\w+)?:\/\/(?!\/?["'\s]|\/?:memory:|\/\/|\/?$)|(?:sqlite3|aiosqlite)\.connect\(\s*(?!["']:memory:)\S|SqliteDatabase\(\s*(?!["']:memory:)\S|SQLiteEngine\(/m;

const mappers = ["sqlalchemy", "sqlmodel", "tortoise-orm", "databases", "ormar", "piccolo", "aiosqlite"];

/** The files of SQLite that an app keeps its data in; `undefined` without any. */
export function findSqlite(
  { has }: Pick<FoundRequirements, "has">,
  variables: readonly ReadVariable[],
  files: readonly ProjectFile[],
): FoundDatabase | undefined {
  const file = files.find(({ path, text }) => isOwn(path) && namesFile.test(text));
  const isMapped = mappers.some(has);
  const named = variables.find(
    ({ name, isNeeded, value }) =>
      (value === "" || (value === undefined && (isNeeded || file === undefined))) &&
      isUrlName.test(name) &&
      isOfDatabase.test(name),
  );
  // This driver has no other use: the file may be named in a library that the app is made of.
  const hasDriver = has("aiosqlite");
  if (file === undefined && !hasDriver && (named === undefined || !isMapped)) return undefined;
  const why =
    file !== undefined
      ? `${file.path} names it`
      : `${hasDriver ? "aiosqlite is" : "no other database driver is"} required`;
  const reason = `a SQLite file, because ${why}: each start of the app gets a fresh copy of it, in a copy of its folder`;
  return {
    kind: "sqlite",
    findings: [{ key: "database", value: "sqlite", reason }],
    names: new Set(),
    ...(named !== undefined && isMapped && { values: { [named.name]: urlFor(has, files) } }),
    lacks: undefined,
  };
}

function urlFor(has: FoundRequirements["has"], files: readonly ProjectFile[]): string {
  if (has("tortoise-orm")) return "sqlite://loadtest.db";
  const isAsync = has("aiosqlite") || files.some(({ text }) => /create_async_engine/.test(text));
  return `sqlite${isAsync ? "+aiosqlite" : ""}:///./loadtest.db`;
}

/** Tests have databases of their own, and migrations often an address that nobody uses. */
function isOwn(path: string): boolean {
  if (
    /(?:^|\/)(?:tests?|migrations|alembic)\//.test(path) ||
    /^(?:test_|conftest)|_test\.py$/.test(nameOf(path))
  )
    return false;
  return /\.(?:py|ini|toml|cfg)$/.test(path) || /^\.?[\w.-]*env\b/.test(nameOf(path));
}
