import { type AppFailure, folderOf, moduleOf, nameOf, type Project, type ProjectFile } from "../project.ts";
import { type Repair, settingOf, withSetting } from "./change.ts";

/** Postgres, SQLite and MySQL, in their own words. */
const missingTable =
  /relation "[^"\n]{1,200}" does not exist|no such table: |Table '[^'\n]{1,200}' doesn't exist/;

const base =
  /^class (\w+)\([^)\n]{0,200}\bDeclarativeBase\b|^(\w+)\s*(?::[^=\n]{1,100})?=\s*(?:\w+\.)?(?:declarative_base|registry)\(/m;
const engine = /^(\w+)\s*(?::[^=\n]{1,100})?=\s*(?:\w+\.)?create_(async_)?engine\(/m;
/** One that a function of the app's own makes. */
const ownEngine = /^(\w*engine)\s*(?::[^=\n]{1,100})?=\s*(?:\w+\.)?\w{0,50}engine\w{0,50}\(/m;

/** Tables of the app's models, for an app whose migrations are not committed, or are made by hand. */
export function withModelTables(project: Project, { log }: Pick<AppFailure, "log">): Repair | undefined {
  const made = missingTable.test(log) && !hasMigrations(project) ? withTablesOfModels(project) : undefined;
  return (
    made && {
      project: made,
      message:
        "the database lacks tables that no migration creates, so they are created from the app's models (`migrate-command`)",
    }
  );
}

/** Programs that fill tables may hide that there are none yet. */
export function withTablesToFill(project: Project): Project {
  const isFilled = settingOf(project, "seed-command") !== undefined;
  const isMigrated = settingOf(project, "migrate-command") !== undefined;
  if (!isFilled || !isMigrated || hasMigrations(project)) return project;
  return withTablesOfModels(project) ?? project;
}

function withTablesOfModels(project: Project): Project | undefined {
  const [app] = String(settingOf(project, "app")?.value).split(":");
  const own = project.files.filter(
    ({ path }) => path.endsWith(".py") && !/(?:^|\/)(?:tests?|conftest|alembic|migrations)\b/.test(path),
  );
  const found = foundIn(own, engine) ?? foundIn(own, ownEngine);
  const models = foundIn(own, base) ?? sqlModel(own);
  if (app === undefined || found === undefined || models === undefined) return undefined;
  const at = (path: string) =>
    moduleOf(path, app)
      .replaceAll("/", ".")
      .replace(/\.__init__$/, "");
  const create = `${models.name}.metadata.create_all`;
  const made = found.isAsync
    ? `asyncio.run(greenlet_spawn(${create}, ${found.name}.sync_engine))`
    : `${create}(${found.name})`;
  const code = [
    `import ${app}`, // with it all models
    ...(found.isAsync ? ["import asyncio", "from sqlalchemy.util import greenlet_spawn"] : []),
    `from ${models.path === undefined ? "sqlmodel" : at(models.path)} import ${models.name}`,
    `from ${at(found.path)} import ${found.name}`,
    made,
  ].join("; ");
  return withSetting(project, {
    key: "migrate-command",
    value: `python -c "${code}"`,
    reason: "no migration creates the tables of the app's models",
  });
}

/** A folder for migrations without any makes no table. */
function hasMigrations(project: Project): boolean {
  const command = settingOf(project, "migrate-command");
  if (command === undefined) return settingOf(project, "seed") !== undefined;
  const isEmpty = !project.files.some(
    ({ path }) =>
      nameOf(folderOf(path)) === "versions" && path.endsWith(".py") && nameOf(path) !== "__init__.py",
  );
  return !(isEmpty && String(command.value).includes("alembic"));
}

/** The nearest to the top. */
function foundIn(files: readonly ProjectFile[], what: RegExp) {
  const found = files.flatMap(({ path, text }) => {
    const [, one, two] = what.exec(text) ?? [];
    if (one === undefined && two === undefined) return [];
    const isAsync = two === "async_" || (what === ownEngine && !/create_engine\(/.test(text));
    return [{ path, name: one ?? two ?? "", isAsync }];
  });
  return found.toSorted((a, b) => a.path.split("/").length - b.path.split("/").length)[0];
}

function sqlModel(files: readonly ProjectFile[]) {
  const isUsed = files.some(({ text }) => /^from sqlmodel import [^\n]*\bSQLModel\b/m.test(text));
  return isUsed ? { path: undefined, name: "SQLModel" } : undefined;
}
