import type { FoundRequirements } from "./requirements.ts";
import { type FoundSetting, folderOf, nameOf, type ProjectFile } from "./source-file.ts";

const mostSqlFiles = 10;
const isData = /seed|data|fixture|sample|demo/;

/** Commands and files that make the app's tables and fill them. */
export function findSeeding(
  requirements: Pick<FoundRequirements, "has">,
  files: readonly ProjectFile[],
): readonly FoundSetting[] {
  const migrations = migrationsIn(requirements, files);
  return [...migrations, ...sqlIn(files, migrations.length > 0), ...commandsIn(files)];
}

function migrationsIn(
  requirements: Pick<FoundRequirements, "has">,
  files: readonly ProjectFile[],
): readonly FoundSetting[] {
  const command = (value: string, reason: string) => [{ key: "migrate-command", value, reason }];
  const alembic = files.find(({ path }) => nameOf(path) === "alembic.ini");
  if (alembic !== undefined && requirements.has("alembic")) {
    const option = alembic.path === "alembic.ini" ? "" : `--config ${alembic.path} `;
    return command(`alembic ${option}upgrade head`, `${alembic.path} is there`);
  }
  if (files.some(({ path }) => path === "manage.py") && requirements.has("django"))
    return command("python manage.py migrate --no-input", "manage.py is there");
  const hasAerich = files.some(
    ({ path, text }) => path === "pyproject.toml" && text.includes("[tool.aerich]"),
  );
  return hasAerich ? command("aerich upgrade", "pyproject.toml has it") : [];
}

/** Where migrations make the tables, only files with data count. */
function sqlIn(files: readonly ProjectFile[], hasMigrations: boolean): readonly FoundSetting[] {
  const paths = files
    .filter(({ path, text }) => path.endsWith(".sql") && /^[ \t]*(?:CREATE|INSERT|COPY)\s/im.test(text))
    .map(({ path }) => path)
    .filter((path) => !/down|rollback|drop|queries/.test(path))
    .filter((path) => !hasMigrations || isData.test(nameOf(path)))
    .toSorted(inOrder);
  if (paths.length === 0 || paths.length > mostSqlFiles) return [];
  return [{ key: "seed", value: paths, reason: "in the order of their names, data last" }];
}

/** Numbers say the order; where there are none, what makes tables comes before what fills them. */
function inOrder(one: string, other: string): number {
  const rankOf = (path: string) => (/^\d/.test(nameOf(path)) ? 1 : isData.test(nameOf(path)) ? 2 : 0);
  return rankOf(one) - rankOf(other) || (one < other ? -1 : 1);
}

/** A module for this purpose that can be run. */
function commandsIn(files: readonly ProjectFile[]): readonly FoundSetting[] {
  const found = files.find(
    ({ path, text }) =>
      /^(?:\w+_)?(?:seed|seeds|seeding|initial_data|populate)(?:_\w+)?\.py$/.test(nameOf(path)) &&
      text.includes("__main__"),
  );
  if (found === undefined) return [];
  const inside = found.path.replace(/^src\//, "").replace(/\.py$/, "");
  const isModule = folderOf(inside)
    .split("/")
    .every((part) => /^(?:\w+|\.)$/.test(part));
  const value = isModule ? `python -m ${inside.replaceAll("/", ".")}` : `python ${found.path}`;
  return [{ key: "seed-command", value, reason: `${found.path} can be run` }];
}
