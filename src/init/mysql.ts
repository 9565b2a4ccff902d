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
  if (!files.some(isOfMysql) && findSqlite({ has: () => false }, variables, files) !== undefined)
    return undefined;
  const own = variables.filter(({ name }) => isOfDatabase.test(name) && !isOfOthers.test(name));
  const urls = own.filter(({ name }) => isUrlName.test(name));
  const url =
    urls.find(({ name }) => name === "DATABASE_URL") ?? urls.find(({ isNeeded }) => isNeeded) ?? urls[0];
  const pieces = partsIn(own.filter((each) => !urls.includes(each)));
  const isWhole = Object.values(pieces.value).join().includes("{host}");
  const place = url?.path ?? pieces.path;
  const style = styleOf(url, usual, files);
  const names = [...(url === undefined ? [] : [url.name]), ...(isWhole ? Object.keys(pieces.value) : [])];
  const reads =
    place === undefined
      ? "which variable names it was not found, so change it if need be"
      : `${place} reads its address`;
  const setting = (key: string, value: FoundSetting["value"], reason: string) => ({ key, value, reason });
  return {
    kind: "mysql",
    findings: [
      setting(
        "database",
        "mysql",
        `${driver} is required: each start of the app gets a MySQL or MariaDB of its own, with a copy of the seeded data`,
      ),
      ...(url === undefined && isWhole
        ? []
        : [
            setting("database-variable", url?.name ?? "DATABASE_URL", reads),
            ...(style === mysqlStyles[0]
              ? []
              : [setting("database-url-style", style, `the driver is ${driver}`)]),
          ]),
      ...(isWhole ? [setting("database-env", pieces.value, `${pieces.path} reads them`)] : []),
    ],
    names: new Set(names),
    lacks: undefined,
  };
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
