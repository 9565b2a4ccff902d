import { type UrlStyle, urlStyles } from "../../model/choices.ts";
import type { ExampleValues, FoundSetting, ProjectFile, ReadVariable } from "../project.ts";
import {
  type FoundDatabase,
  findMysql,
  findSqlite,
  isOfDatabase,
  isUrlName,
  type Parts,
  partsIn,
} from "./other-databases.ts";
import type { FoundRequirements } from "./requirements.ts";

const drivers = [
  ...["psycopg", "psycopg2", "psycopg2-binary", "psycopg-binary"],
  ...["asyncpg", "pg8000", "aiopg", "psqlpy"],
];

/** The default of `database-variable`. */
const usualVariable = "DATABASE_URL";

const isOfOthers = /TEST|MYSQL|MARIA|SQLITE|MONGO|REDIS|CELERY|AMQP|RABBIT|KAFKA|BROKER|SENTRY|ELASTIC|CACHE/;

const isAddress = /^postgres(?:ql)?(?:\+\w+)?:\/\/\S/;

/** Variables without a value of their own have the address that an example gives them: it says what they are for. */
export function withAddresses(
  variables: readonly ReadVariable[],
  examples: ExampleValues,
): readonly ReadVariable[] {
  return variables.map((each) => {
    const value = examples.get(each.name)?.value ?? "";
    return (each.value ?? "") === "" && isAddress.test(value) ? { ...each, value } : each;
  });
}

/** The app's database, if it is Postgres, MySQL or SQLite, and the variables by which the app finds it. */
export function findDatabase(
  requirements: Pick<FoundRequirements, "has">,
  variables: readonly ReadVariable[],
  files: readonly ProjectFile[],
): FoundDatabase {
  const driver = drivers.find((name) => requirements.has(name));
  const sqlite = findSqlite(requirements, variables, files);
  if (driver === undefined) return findMysql(requirements, variables, files) ?? sqlite ?? withoutAny();
  const ofDatabase = variables.filter(({ name }) => isOfDatabase.test(name) && !isOfOthers.test(name));
  const engines = new Set(files.filter(({ text }) => madeEngine.test(text)).map(({ path }) => path));
  const named = variables.filter(
    ({ name, path, type = "", value = "" }) =>
      /\bPostgresDsn\b/.test(type) ||
      (isAddress.test(value) && !isOfOthers.test(name)) ||
      (isUrlName.test(name) && !isOfOthers.test(name) && (isOfDatabase.test(name) || engines.has(path))),
  );
  const pieces = partsIn(ofDatabase, files);
  // When the parts are complete, a URL without a value is an alternative to them, but each start of an app has this one.
  const isWhole = (["host", "user", "password"] as const).every((part) => pieces.has.has(part));
  const urls = isWhole
    ? named.filter(({ name, isNeeded, value }) => isNeeded || (value ?? "") !== "" || name === usualVariable)
    : named;
  const url =
    urls.find(({ name }) => name === usualVariable) ?? urls.find(({ isNeeded }) => isNeeded) ?? urls[0];
  const switches = switchesIn(variables, files);
  const isOther = pieces.path === undefined || !files.some(isOfPostgres);
  if (url === undefined && isOther && sqlite !== undefined) return sqlite;
  if (url === undefined) return byParts(pieces, driver, switches, files);
  const style = styleOf(url, requirements, files);
  // An app that wants one for its tests as well starts with any.
  const ofTests = variables.filter(
    ({ name, isNeeded, value = "" }) =>
      /TEST/.test(name) &&
      isUrlName.test(name) &&
      isOfDatabase.test(name) &&
      isNeeded &&
      !value.includes("://"),
  );
  const others = [...urls, ...ofTests].filter((each) => each !== url);
  const findings: FoundSetting[] = [
    { key: "database-variable", value: url.name, reason: `${url.path} reads it, and ${driver} is required` },
  ];
  if (style !== urlStyles[0])
    findings.push({
      key: "database-url-style",
      value: style,
      reason: `the driver in ${url.path} expects this scheme`,
    });
  const templates = {
    ...Object.fromEntries(
      others.map((each) => [
        each.name,
        `${styleOf(each, requirements, files)}://{user}:{password}@{host}:{port}/{database}`,
      ]),
    ),
    ...(isWhole ? pieces.value : {}),
    ...switches,
  };
  if (Object.keys(templates).length > 0)
    findings.push({ key: "database-env", value: templates, reason: "read besides" });
  const names = new Set([...urls.map(({ name }) => name), ...Object.keys(templates)]);
  return { findings, names, kind: "postgres", lacks: undefined };
}

function isOfPostgres({ path, text }: ProjectFile): boolean {
  return path.endsWith(".py") && /postgres|psycopg|asyncpg/i.test(text);
}

function withoutAny(): FoundDatabase {
  const reason = "no requirement is a driver for Postgres or MySQL, and no code names a SQLite file";
  return {
    ...{ findings: [{ key: "database", value: "none", reason }], names: new Set<string>() },
    ...{ kind: "none", lacks: undefined },
  };
}

/** A whole address, with a host, as a text of its own. */
const hasFixedAddress = /=\s*["']postgres(?:ql)?(?:\+\w+)?:\/\/[^"'{}\s]*@[\w.-]+[^"'{}\s]*["']/;

/** Database of an app that puts its address together. */
function byParts(
  { value, path }: Parts,
  driver: string,
  switches: Readonly<Record<string, string>>,
  files: readonly ProjectFile[],
): FoundDatabase {
  if (path === undefined) {
    const reason = `${driver} is required; the variable of the database was not found, so change this if necessary`;
    const findings = [{ key: "database-variable", value: usualVariable, reason }];
    const fixed = files.find((file) => file.path.endsWith(".py") && hasFixedAddress.test(file.text));
    const lacks =
      fixed &&
      `${fixed.path} has the address of its database in the code; read it from a variable instead: \`os.environ.get("DATABASE_URL", ...)\``;
    return { findings, names: new Set(), kind: "postgres", lacks };
  }
  const all = { ...value, ...switches };
  const findings = [
    { key: "database-env", value: all, reason: `${path} reads them, and ${driver} is required` },
  ];
  return { findings, names: new Set(Object.keys(all)), kind: "postgres", lacks: undefined };
}

/** Variables that choose between databases, with SQLite as their default, each with the code's word for Postgres. */
function switchesIn(
  variables: readonly ReadVariable[],
  files: readonly ProjectFile[],
): Readonly<Record<string, string>> {
  const found = variables.filter(
    ({ name, value = "" }) =>
      /^(?:\w+_)?(?:DB|DATABASE)_(?:ENGINE|TYPE|BACKEND|KIND|DIALECT|PROVIDER)$/.test(name) &&
      /^sqlite/i.test(value),
  );
  const word = ["postgres", "postgresql"].find((each) =>
    files.some(({ path, text }) => path.endsWith(".py") && new RegExp(`["']${each}["']`).test(text)),
  );
  return word === undefined ? {} : Object.fromEntries(found.map(({ name }) => [name, word]));
}

/** Beginning of the URL that suits the file that reads it; the whole project decides when that file does not. */
function styleOf(
  { name, path, value = "" }: Pick<ReadVariable, "name" | "path" | "value">,
  requirements: Pick<FoundRequirements, "has">,
  files: readonly ProjectFile[],
): UrlStyle {
  const own = files.filter((file) => file.path === path);
  const usual = urlStyles[0];
  const code = files.filter((file) => file.path.endsWith(".py"));
  const ofDefault = urlStyles.find((style) => value.startsWith(`${style}://`));
  if (ofDefault !== undefined) return ofDefault;
  const hasThree = requirements.has("psycopg") || requirements.has("psycopg-binary");
  if (/^SYNC_|_SYNC(?:_|$)/.test(name) && (hasThree || hasTwo(requirements)))
    return hasTwo(requirements) ? usual : "postgresql+psycopg";
  // It knows no other word.
  if (requirements.has("tortoise-orm") && !code.some((file) => madeEngine.test(file.text))) return "postgres";
  // A file that changes the beginning by itself gets the usual one.
  if (files.some(({ text }) => /replace\(\s*["']postgres|drivername\s*=|\.set\(\s*drivername/.test(text)))
    return usual;
  const written = [...own, ...code, ...files].flatMap(
    ({ text }) => /postgresql\+(\w+):\/\//.exec(text)?.[0] ?? [],
  )[0];
  const stated = urlStyles.find((style) => `${style}://` === written);
  if (stated !== undefined) return stated;
  const text = (own.some((file) => madeEngine.test(file.text)) ? own : code)
    .map((file) => file.text)
    .join("\n");
  if (!madeEngine.test(text)) return usual;
  const isAsync = isOfAsync.test(text);
  if (isAsync && requirements.has("asyncpg")) return "postgresql+asyncpg";
  if (hasThree && (isAsync || !hasTwo(requirements))) return "postgresql+psycopg";
  return requirements.has("pg8000") && !hasTwo(requirements) ? "postgresql+pg8000" : usual;
}

/** Beginning of the URL for a driver that is installed, instead of the missing one that the app tried to import. */
export function styleWithout(
  missing: string,
  { has }: Pick<FoundRequirements, "has">,
  files: readonly ProjectFile[],
): UrlStyle | undefined {
  const isAsync = files.some(({ text }) => isOfAsync.test(text));
  const ways: readonly (readonly [style: UrlStyle, driver: string, names: readonly string[]])[] = [
    ["postgresql+asyncpg", "asyncpg", ["asyncpg"]],
    ["postgresql+psycopg2", "psycopg2", ["psycopg2", "psycopg2-binary"]],
    ["postgresql+psycopg", "psycopg", ["psycopg", "psycopg-binary"]],
    ["postgresql+pg8000", "pg8000", ["pg8000"]],
  ];
  const fit = ways.filter(([, driver, names]) => driver !== missing && names.some(has));
  return (fit.find(([, driver]) => (driver === "asyncpg") === isAsync) ?? fit[0])?.[0];
}

const isOfAsync = /create_async_engine|async_engine_from_config|AsyncEngine/;

const madeEngine = /create_engine\(|create_async_engine\(|engine_from_config/;

/** SQLAlchemy's usual driver. */
function hasTwo(requirements: Pick<FoundRequirements, "has">): boolean {
  return requirements.has("psycopg2") || requirements.has("psycopg2-binary");
}
