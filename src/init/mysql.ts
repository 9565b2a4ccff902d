import { mysqlStyles, type UrlStyle } from "../model/choices.ts";
import { type FoundDatabase, isOfDatabase, isUrlName, partsIn } from "./found-database.ts";
import type { FoundRequirements } from "./requirements.ts";
import { remedy } from "./services.ts";
import type { FoundSetting, ProjectFile } from "./source-file.ts";
import { findSqlite } from "./sqlite.ts";
import type { ReadVariable } from "./variables.ts";

/** Drivers, each with the beginning of a URL for SQLAlchemy. */
const drivers: readonly (readonly [driver: string, style: UrlStyle])[] = [
  ["pymysql", "mysql+pymysql"],
  ["aiomysql", "mysql+aiomysql"],
  ["asyncmy", "mysql+asyncmy"],
  ["mysqlclient", "mysql+mysqldb"],
  ["mysql-connector-python", "mysql+mysqlconnector"],
];
const isOfOthers = /TEST|POSTGRES|SQLITE|MONGO|REDIS|CELERY|AMQP|RABBIT|KAFKA|BROKER|SENTRY|ELASTIC|ROOT/;

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
  const parts = partsIn(own.filter((each) => !urls.includes(each)));
  const isWhole = Object.values(parts.value).join().includes("{host}");
  const reason = `${driver} is required: each start of the app gets a MySQL or MariaDB of its own, with a copy of the seeded data`;
  return {
    kind: "mysql",
    findings: [
      { key: "database", value: "mysql", reason },
      ...(url === undefined && isWhole ? [] : ofUrl(url, driver, styleOf(url, usual, files))),
      ...(isWhole ? [{ key: "database-env", value: parts.value, reason: `${parts.path} reads them` }] : []),
    ],
    names: new Set([...(url ? [url.name] : []), ...(isWhole ? Object.keys(parts.value) : [])]),
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
      ? "which variable names it was not found, so change it if need be"
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
    lacks: `the app's database of ${how}, and run \`init\` again; without it endpoints that read it cannot be measured`,
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
