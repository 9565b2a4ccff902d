import { type UrlStyle, urlStyles } from "../model/choices.ts";
import type { FoundRequirements } from "./requirements.ts";
import type { FoundSetting, ProjectFile } from "./source-file.ts";
import type { ReadVariable } from "./variables.ts";

const drivers = [
  ...["psycopg", "psycopg2", "psycopg2-binary", "psycopg-binary"],
  ...["asyncpg", "pg8000", "aiopg", "psqlpy"],
];
const isUrlName = /(URL|URI|DSN|CONNECTION_STRING)$/;
const isOfDatabase = /DATABASE|POSTGRES|SQL|(^|_)(DB|PG)(_|$|[A-Z])|^DSN$/;
const parts: readonly (readonly [pattern: RegExp, placeholder: string])[] = [
  [/(HOST|SERVER|HOSTNAME)$/, "{host}"],
  [/PORT$/, "{port}"],
  [/(USER|USERNAME)$/, "{user}"],
  [/(PASSWORD|PASS)$/, "{password}"],
  [/(^PGDATABASE|DB|NAME|DATABASE)$/, "{database}"],
];

export interface FoundDatabase {
  readonly findings: readonly FoundSetting[];
  /** Variables that the load test fills in by itself. */
  readonly names: ReadonlySet<string>;
  readonly hasNone: boolean;
}

/** Whether the app has a Postgres database, and by which variables it finds it. */
export function findDatabase(
  requirements: Pick<FoundRequirements, "has">,
  variables: readonly ReadVariable[],
  files: readonly ProjectFile[],
): FoundDatabase {
  const driver = drivers.find((name) => requirements.has(name));
  if (driver === undefined) {
    const reason = "none of the app's requirements is a driver for Postgres";
    return { findings: [{ key: "database", value: "none", reason }], names: new Set(), hasNone: true };
  }
  const ofDatabase = variables.filter(({ name }) => isOfDatabase.test(name) && !/TEST/.test(name));
  const engines = new Set(files.filter(({ text }) => madeEngine.test(text)).map(({ path }) => path));
  const urls = variables.filter(
    ({ name, path, type = "" }) =>
      /\bPostgresDsn\b/.test(type) ||
      (isUrlName.test(name) && !/TEST/.test(name) && (isOfDatabase.test(name) || engines.has(path))),
  );
  const url =
    urls.find(({ name }) => name === "DATABASE_URL") ?? urls.find(({ isNeeded }) => isNeeded) ?? urls[0];
  if (url === undefined) return byParts(ofDatabase, driver);
  const style = styleOf(url.path, requirements, files);
  const others = urls.filter((each) => each !== url);
  const findings: FoundSetting[] = [
    { key: "database-variable", value: url.name, reason: `${url.path} reads it, and ${driver} is required` },
  ];
  if (style !== urlStyles[0])
    findings.push({
      key: "database-url-style",
      value: style,
      reason: `the driver that ${url.path} has it for wants it so`,
    });
  if (others.length > 0) {
    const value = Object.fromEntries(
      others.map(({ name, path }) => [
        name,
        `${styleOf(path, requirements, files)}://{user}:{password}@{host}:{port}/{database}`,
      ]),
    );
    findings.push({ key: "database-env", value, reason: "read besides" });
  }
  return { findings, names: new Set(urls.map(({ name }) => name)), hasNone: false };
}

/** Of an app that puts its address together. */
function byParts(ofDatabase: readonly ReadVariable[], driver: string): FoundDatabase {
  const found = ofDatabase.flatMap(({ name, path }) => {
    const placeholder = parts.find(([pattern]) => pattern.test(name))?.[1];
    return placeholder === undefined ? [] : [{ name, path, placeholder }];
  });
  const [first] = found;
  if (first === undefined) {
    const reason = `${driver} is required; which variable names the database was not found, so change it if need be`;
    const findings = [{ key: "database-variable", value: "DATABASE_URL", reason }];
    return { findings, names: new Set(), hasNone: false };
  }
  const value = Object.fromEntries(found.map(({ name, placeholder }) => [name, placeholder]));
  const findings = [
    { key: "database-env", value, reason: `${first.path} reads them, and ${driver} is required` },
  ];
  return { findings, names: new Set(found.map(({ name }) => name)), hasNone: false };
}

/** How the URL must begin for what the file that reads it does with it; the whole project tells where that does not. */
function styleOf(
  path: string,
  requirements: Pick<FoundRequirements, "has">,
  files: readonly ProjectFile[],
): UrlStyle {
  const own = files.filter((file) => file.path === path);
  const usual = urlStyles[0];
  const code = files.filter((file) => file.path.endsWith(".py"));
  // One that changes the beginning by itself gets what everybody has.
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
  const isAsync = /create_async_engine|async_engine_from_config|AsyncEngine/.test(text);
  if (isAsync && requirements.has("asyncpg")) return "postgresql+asyncpg";
  const hasThree = requirements.has("psycopg") || requirements.has("psycopg-binary");
  if (hasThree && (isAsync || !hasTwo(requirements))) return "postgresql+psycopg";
  return requirements.has("pg8000") && !hasTwo(requirements) ? "postgresql+pg8000" : usual;
}

const madeEngine = /create_engine\(|create_async_engine\(|engine_from_config/;

/** SQLAlchemy's usual driver. */
function hasTwo(requirements: Pick<FoundRequirements, "has">): boolean {
  return requirements.has("psycopg2") || requirements.has("psycopg2-binary");
}
