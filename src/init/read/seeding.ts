import { mysqlStyles, type UrlStyle, urlStyles } from "../../model/choices.ts";
import { type FoundSetting, folderOf, moduleOf, nameOf, type ProjectFile } from "../project.ts";
import type { FoundRequirements } from "./requirements.ts";

const mostSqlFiles = 10;

const isData = /seed|data|fixture|sample|demo/;

/** Commands and files that make the app's tables and fill them. */
export function findSeeding(
  requirements: Pick<FoundRequirements, "has">,
  files: readonly ProjectFile[],
  app: string,
  database: "postgres" | "mysql" | "sqlite",
): readonly FoundSetting[] {
  const migrations = migrationsIn(requirements, files, database);
  const sql = database !== "postgres" ? [] : sqlIn(files, migrations.length > 0);
  const command = findSeedCommand(files, app);
  return [...migrations, ...sql, ...(command === undefined ? [] : [command])];
}

function migrationsIn(
  requirements: Pick<FoundRequirements, "has">,
  files: readonly ProjectFile[],
  database: "postgres" | "mysql" | "sqlite",
): readonly FoundSetting[] {
  const isSqlite = database === "sqlite";
  const command = (value: string | readonly string[], reason: string) => [
    { key: "migrate-command", value, reason },
  ];
  const alembic = files.find(({ path }) => nameOf(path) === "alembic.ini");
  if (alembic !== undefined && requirements.has("alembic")) {
    const { value, reason, url } = alembicCommand(alembic, files, isSqlite);
    const ofUrl = {
      key: "database-env",
      value: { [urlVariable]: url ?? "" },
      reason: readByCommand,
    };
    return [...(url === undefined ? [] : [ofUrl]), ...command(value, reason)];
  }
  const scripts = files.find((file) => hasVersions(file, files));
  if (scripts !== undefined && requirements.has("alembic") && database !== "mysql") {
    const value = { [urlVariable]: addressFor(scripts.text, requirements) };
    return [
      ...(isSqlite ? [] : [{ key: "database-env", value, reason: readByCommand }]),
      ...command(withoutSettings(scripts, isSqlite), `${scripts.path} is there, but no alembic.ini`),
    ];
  }
  if (files.some(({ path }) => path === "manage.py") && requirements.has("django"))
    return command("python manage.py migrate --no-input", "manage.py exists");
  const aerich = files.find(({ path, text }) => path === "pyproject.toml" && text.includes("[tool.aerich]"));
  return aerich === undefined ? [] : command(...aerichCommand(aerich.text, files));
}

/** Without committed migrations, Tortoise makes the tables of the models: `aerich init-db` would write files. */
function aerichCommand(settings: string, files: readonly ProjectFile[]): [value: string, reason: string] {
  const [, own = ""] = /^\[tool\.aerich\]([^[]{0,2000})/m.exec(settings) ?? [];
  const [, module, name] = /^tortoise_orm\s*=\s*["']([\w.]{1,200})\.(\w{1,100})["']/m.exec(own) ?? [];
  const [, location = "migrations"] = /^location\s*=\s*["'](?:\.\/)?([\w./-]{1,200})["']/m.exec(own) ?? [];
  const hasSome = files.some(({ path }) => path.startsWith(`${location}/`) && path.endsWith(".py"));
  if (hasSome || module === undefined) return ["aerich upgrade", "pyproject.toml has it"];
  const code = [
    "import asyncio",
    "from tortoise import Tortoise",
    `from ${module} import ${name}`,
    "run = asyncio.new_event_loop().run_until_complete",
    `run(Tortoise.init(config=${name}))`,
    "run(Tortoise.generate_schemas())",
    "run(Tortoise.close_connections())",
  ];
  return [`python -c "${code.join("; ")}"`, `${location} has no migrations, so the models' tables are made`];
}

const readByCommand = "`migrate-command` reads it";

/** The script of Alembic next to its migrations. */
function hasVersions({ path, text }: ProjectFile, files: readonly ProjectFile[]): boolean {
  const versions = `${folderOf(path)}/versions/`;
  const isEnvironment = /^[\w./-]+\/env\.py$/.test(path) && /context\.configure/.test(text);
  return isEnvironment && files.some((file) => file.path.startsWith(versions) && file.path.endsWith(".py"));
}

/** Asyncpg alone serves an engine that is not asynchronous only with its fallback. */
function addressFor(code: string, { has }: Pick<FoundRequirements, "has">): string {
  const isSync = !code.includes("async_engine_from_config");
  const isAlone = isSync && has("asyncpg") && !["psycopg2", "psycopg2-binary", "psycopg"].some(has);
  const style = isAlone
    ? "postgresql+asyncpg"
    : isSync && has("psycopg")
      ? "postgresql+psycopg"
      : styleFor(code);
  return `${style}://{user}:{password}@{host}:{port}/{database}${isAlone ? "?async_fallback=True" : ""}`;
}

/** Many keep their alembic.ini to themselves, as it has an address. */
function withoutSettings({ path, text }: ProjectFile, isSqlite: boolean): string {
  const isGuarded = /config_file_name\b[^\n]{0,20}(?:is not None|:)/.test(text);
  const code = [
    "import os, logging.config",
    "from alembic import command, config",
    ...(isGuarded ? [] : ["logging.config.fileConfig = lambda *_, **__: None"]),
    "settings = config.Config()",
    `settings.set_main_option('script_location', '${folderOf(path)}')`,
    ...(isSqlite
      ? []
      : [`settings.set_main_option('sqlalchemy.url', os.environ['${urlVariable}'].replace('%', '%%'))`]),
    "command.upgrade(settings, 'heads')",
  ];
  return `python -c "${code.join("; ")}"`;
}

/** Without a shell: Python does the work of `cd` and of a variable in the file. */
function alembicCommand(
  { path, text }: ProjectFile,
  files: readonly ProjectFile[],
  isSqlite: boolean,
): { readonly value: string | readonly string[]; readonly reason: string; readonly url?: string } {
  const folder = folderOf(path);
  const [, location = ""] = /^[ \t]{0,20}script_location[ \t]{0,20}=[ \t]{0,20}(\S{1,300})/m.exec(text) ?? [];
  const inFolder = (below: string) => (below === "." ? "" : `${below}/`);
  const hasScripts = (below: string) =>
    files.some((file) => file.path === `${inFolder(below)}${location.replace(/^\.\//, "")}/env.py`);
  const isNextToIt =
    folder !== "." && !location.includes("%(here)s") && !hasScripts(".") && hasScripts(folder);
  const env = files.find((file) => nameOf(file.path) === "env.py" && /context\.configure/.test(file.text));
  // A file's address is the arm's own.
  const fixed = isSqlite ? undefined : fixedUrl(text, env?.text);
  if (fixed !== undefined) {
    const code = [
      ...(isNextToIt ? [`import os; os.chdir('${folder}')`] : ["import os"]),
      "from alembic import command, config",
      `settings = config.Config('${isNextToIt ? nameOf(path) : path}')`,
      `settings.set_main_option('sqlalchemy.url', os.environ['${urlVariable}'].replace('%', '%%'))`,
      // Then `env.py` cannot put its own in place of it.
      ...(fixed.isInCode ? ["settings.set_main_option = lambda *each: None"] : []),
      "command.upgrade(settings, 'heads')",
    ];
    return {
      value: `python -c "${code.join("; ")}"`,
      reason: `${path} has its own database address, which is replaced by the load test's`,
      url: `${fixed.style}://{user}:{password}@{host}:{port}/{database}`,
    };
  }
  if (isNextToIt) {
    const code = `import os; os.chdir('${folder}'); from alembic.config import main; main(['upgrade', 'heads'])`;
    return { value: `python -c "${code}"`, reason: `${path} exists, and its scripts are next to it` };
  }
  const option = path === "alembic.ini" ? "" : `--config ${path} `;
  const names = sectionsIn(text);
  if (names.length > 0) {
    const reason = `${path} has these sections`;
    return { value: names.map((name) => `alembic ${option}--name ${name} upgrade head`), reason };
  }
  return { value: `alembic ${option}upgrade head`, reason: `${path} exists` };
}

/** Sections with scripts of their own, in a file whose usual one has none. */
function sectionsIn(text: string): readonly string[] {
  const found = text.split(/^(?=\[)/m).flatMap((section) => {
    const [, name = ""] = /^\[([\w-]{1,60})\]/.exec(section) ?? [];
    return /^script_location[ \t]*=/m.test(section) ? [name] : [];
  });
  return found.includes("alembic") ? [] : found.filter((name) => name !== "");
}

/** Variable of the address that a migration gets in place of a fixed one. */
const urlVariable = "ALEMBIC_URL";

/** A fixed address for migrations: in the settings when `env.py` takes it from there, else in `env.py`. */
function fixedUrl(
  settings: string,
  code: string | undefined,
): { readonly style: UrlStyle; readonly isInCode: boolean } | undefined {
  if (code === undefined) return undefined;
  // `driver://` comes from Alembic's own example.
  const inSettings =
    /^[ \t]{0,20}sqlalchemy\.url[ \t]{0,20}=[ \t]{0,20}(?!driver:)(\w+(?:\+\w+)?):\/\//m.exec(settings);
  const inCode = /set_main_option\(\s{0,20}["']sqlalchemy\.url["'],\s{0,20}["'](\w+(?:\+\w+)?):\/\//.exec(
    code,
  );
  const isRead =
    !/set_main_option|set_section_option|environ|getenv|settings|["']url["']\s{0,20}\]?\s{0,20}[=:]/.test(
      code,
    );
  const found = inCode ?? (isRead ? inSettings : null);
  if (found === null) return undefined;
  const known = [...urlStyles, ...mysqlStyles].find((style) => style === found[1]);
  return { style: known ?? styleFor(code), isInCode: inCode !== null };
}

function styleFor(code: string): UrlStyle {
  return code.includes("async_engine_from_config") ? "postgresql+asyncpg" : urlStyles[0];
}

/** `sql/mysql/data.sql`, `schema.oracle.sql`: the same files for Postgres lie next to them. */
const isOfOtherDatabase = /(?:^|[/._-])(?:mysql|mariadb|sqlite3?|oracle|mssql|sqlserver|clickhouse)[/._-]/i;

/** When migrations make the tables, only files with data count. */
function sqlIn(files: readonly ProjectFile[], hasMigrations: boolean): readonly FoundSetting[] {
  const paths = files
    .filter(({ path, text }) => path.endsWith(".sql") && /^[ \t]*(?:CREATE|INSERT|COPY)\s/im.test(text))
    .map(({ path }) => path)
    .filter((path) => !/down|rollback|drop|queries/.test(path) && !isOfOtherDatabase.test(path))
    .filter((path) => !hasMigrations || isData.test(nameOf(path)))
    .toSorted(inOrder);
  if (paths.length === 0 || paths.length > mostSqlFiles) return [];
  return [{ key: "seed", value: paths, reason: "in alphabetical order, data last" }];
}

/** Numbers give the order; without them, files that make tables come before those that fill them. */
function inOrder(one: string, other: string): number {
  const rankOf = (path: string) => (/^\d/.test(nameOf(path)) ? 1 : isData.test(nameOf(path)) ? 2 : 0);
  return rankOf(one) - rankOf(other) || (one < other ? -1 : 1);
}

const isSeeding =
  /^(?:\w+_)?(?:seed|seeds|seeding|initial_data|populate)(?:_\w+)?\.py$|^(?:create|add|make)_(?:(?:first|initial|default)_\w+|super_?user|admin)\.py$/;

/** Modules that set a database up may make its tables alone, which others do. */
const isSetUp = /^(?:init|set_?up|load|bootstrap)(?:_(?:db|database|data|fixtures|admin))?\.py$/;
const makesRows = /INSERT INTO|\.add(?:_all)?\(|\.(?:bulk_)?create\(|bulk_(?:insert|save)/;

const mostCommands = 5;

/** Runnable modules that make the app's rows; of those that only make something first, all. */
export function findSeedCommand(files: readonly ProjectFile[], app: string): FoundSetting | undefined {
  const afterMigrations = runAfterMigrations(files);
  const found = files.filter(
    ({ path, text }) =>
      (isSeeding.test(nameOf(path)) ||
        (isSetUp.test(nameOf(path)) && makesRows.test(text)) ||
        (afterMigrations.has(path) &&
          !/wait|start|check|^main/.test(nameOf(path)) &&
          !isServer.test(text))) &&
      !/clean|delete|remove|drop|reset|undo|test/.test(nameOf(path)) &&
      text.includes("__main__"),
  );
  const [first] = found.filter(({ path }) => !isFirst(path));
  const chosen = first === undefined ? found.filter(({ path }) => isFirst(path)) : [first];
  const commands = chosen
    .map(({ path }) => commandOf(path, app))
    .toSorted()
    .slice(0, mostCommands);
  const [only] = commands;
  if (only === undefined) return askedToSeed(files, app);
  const reason = `${chosen.map(({ path }) => path).join(", ")} can be run`;
  return { key: "seed-command", value: commands.length === 1 ? only : commands, reason };
}

/** A program for several purposes, of which one is named `seed`. */
function askedToSeed(files: readonly ProjectFile[], app: string): FoundSetting | undefined {
  const found = files.find(
    ({ path, text }) => !path.includes("test") && takesSeed.test(text) && text.includes("__main__"),
  );
  if (found === undefined) return undefined;
  return {
    key: "seed-command",
    value: `${commandOf(found.path, app)} seed`,
    reason: `${found.path} has this command`,
  };
}

const takesSeed =
  /choices\s{0,20}=\s{0,20}[[(](?:\s{0,20}["'][\w-]{1,60}["'],){0,20}\s{0,20}["']seed["']|add_parser\(\s{0,20}["']seed["']|\.command\((?:name\s{0,20}=\s{0,20})?["']seed["']|\.command\(\)\s{1,20}(?:async\s{1,20})?def seed\(/;

/** A call that serves an app: `x.run("app.main:app")`. */
const isServer = /\.run\(\s{0,20}(?:["'][\w.]{1,100}:\w{1,60}["']|app\b)/;

/** Programs that a script starts once it has migrated the database. */
function runAfterMigrations(files: readonly ProjectFile[]): ReadonlySet<string> {
  const commands = files
    .filter(({ path }) => path.endsWith(".sh"))
    .flatMap(({ text }) => text.split(/alembic\b.{0,200}\bupgrade\b/).slice(1))
    .flatMap((after) => [
      ...after.matchAll(/^[^#\n]{0,200}\bpython3?[ \t]+(?:-m[ \t]+([\w.]+)|([\w./-]+\.py))/gm),
    ]);
  return new Set(
    commands.flatMap(([, module, path = ""]) => {
      if (module === undefined) return [path.replace(/^\.\//, "")];
      const inside = module.replaceAll(".", "/");
      return [`${inside}.py`, `${inside}/__main__.py`];
    }),
  );
}

function isFirst(path: string): boolean {
  return /^(?:create|add|make)_/.test(nameOf(path));
}

function commandOf(path: string, app: string): string {
  const inside = moduleOf(path, app);
  const isModule = folderOf(inside)
    .split("/")
    .every((part) => /^(?:\w+|\.)$/.test(part));
  return isModule ? `python -m ${inside.replaceAll("/", ".")}` : `python ${path}`;
}
