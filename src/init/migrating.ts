import { type FoundSetting, moduleOf, nameOf, type ProjectFile } from "./source-file.ts";

/** A command that makes the tables, in place of one that failed, and the reason. */
interface OtherCommand {
  readonly value: string;
  readonly told: string;
}

/** What is known of a project. */
interface Found {
  readonly files: readonly ProjectFile[];
  readonly findings: readonly FoundSetting[];
}

/** The heads of the migrations to try after they have failed in this way; `undefined` when there are no others. */
export function otherHeads({ files }: Found, command: string, said: string): OtherCommand | undefined {
  if (/[Mm]ultiple head revisions/.test(said) && /upgrade head$/.test(command))
    return { value: `${command}s`, told: "there are several heads of migrations" };
  const value = isMadeTwice.test(said) && countHeads(files) > 1 ? toNewestHead(command) : undefined;
  return value === undefined
    ? undefined
    : {
        value,
        told: "several migrations make the same tables, so only the newest and those before it are run",
      };
}

/** The app's own function that makes its tables, in place of migrations. */
export function tablesInstead({ files, findings }: Found, command: string): OtherCommand | undefined {
  const own = ownTables(files, String(findings.find(({ key }) => key === "app")?.value));
  if (own === undefined || own.value === command) return undefined;
  return {
    value: own.value,
    told: `the migrations fail, so \`migrate-command\` is ${own.name} of ${own.path}, which makes the tables`,
  };
}

const isMadeTwice = /DuplicateTable|DuplicateColumn|DuplicateObject|already exists/;

/** How many revisions no other one follows. */
function countHeads(files: readonly ProjectFile[]): number {
  const revisions = files.flatMap(({ path, text }) => {
    if (!path.endsWith(".py")) return [];
    const [, id] = /^revision\b[^=\n]{0,40}=\s*["']([\w-]{1,100})["']/m.exec(text) ?? [];
    const [, before = ""] = /^down_revision\b[^=\n]{0,80}=\s*(.{0,300})$/m.exec(text) ?? [];
    return id === undefined ? [] : [{ id, before }];
  });
  return revisions.filter(({ id }) => !revisions.some(({ before }) => before.includes(id))).length;
}

const newestHead =
  "max(script.ScriptDirectory.from_config(settings).get_revisions('heads'), key=lambda each: (each.module.__doc__ or '').partition('Create Date:')[2]).revision";

/** The command up to the newest head, which Python looks for: each arm may have another one. */
function toNewestHead(command: string): string | undefined {
  const imports = "from alembic import command, config, script";
  const upgrade = `command.upgrade(settings, ${newestHead})`;
  const settings = (path: string) => `settings = config.Config('${path}')`;
  const program = /^alembic (?:--config (\S+) )?upgrade heads$/.exec(command);
  if (program !== null) {
    const [, path = "alembic.ini"] = program;
    return `python -c "${[imports, settings(path), upgrade].join("; ")}"`;
  }
  const changed = command
    .replace(
      "from alembic.config import main; main(['upgrade', 'heads'])",
      [imports, settings("alembic.ini"), upgrade].join("; "),
    )
    .replace("from alembic import command, config;", `${imports};`)
    .replace("command.upgrade(settings, 'heads')", upgrade);
  return changed === command ? undefined : changed;
}

const maker =
  /^(async )?def (\w{0,40}(?:init|create)\w{0,40})\((?:(engine)\b[^()\n]{0,40})?\)[^:\n]{0,40}:\n((?:[ \t]+.*\n|\n){1,40})/gm;

/** The app's own function that makes its tables and drops none; it may ask for the app's engine. */
export function ownTables(
  files: readonly ProjectFile[],
  app: string,
): { readonly value: string; readonly name: string; readonly path: string } | undefined {
  const [module = ""] = app.split(":");
  if (!/^[\w.]+$/.test(module)) return undefined;
  const own = files.filter(({ path }) => path.endsWith(".py") && !/(?:^|[._])test/.test(nameOf(path)));
  const importing = (path: string) => importedAs(path, app);
  const engines = own
    .filter(({ text }) => /^engine\b[^=\n]{0,60}=/m.test(text))
    .flatMap(({ path }) => importing(path) ?? []);
  for (const { path, text } of own) {
    const from = importing(path);
    if (from === undefined) continue;
    for (const [, isAsync, name = "", engine, body = ""] of `${text}\n`.matchAll(maker)) {
      const code = body.replaceAll(/^[ \t]*#.*$/gm, "");
      if (!code.includes("create_all") || code.includes("drop_all")) continue;
      const [holder] = engines.includes(from) ? [from] : engines;
      if (engine !== undefined && holder === undefined) continue;
      const call = `${name}(${engine ?? ""})`;
      const steps = [
        `import asyncio, ${module}`, // the app's import makes its models known
        ...(engine === undefined ? [] : [`from ${holder} import engine`]),
        `from ${from} import ${name}`,
        isAsync === undefined ? call : `asyncio.run(${call})`,
      ];
      const value = `python -c "${steps.join("; ")}"`;
      return { value, name, path };
    }
  }
  return undefined;
}

/** The name of a file's module; `undefined` for one that Python cannot import. */
function importedAs(path: string, app: string): string | undefined {
  const inside = moduleOf(path, app).replace(/\/__init__$/, "");
  return /^[\w/]+$/.test(inside) ? inside.replaceAll("/", ".") : undefined;
}
