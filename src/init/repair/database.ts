import type { UrlStyle } from "../../model/choices.ts";
import { tellingLine } from "../../text/telling-line.ts";
import type { AppFailure, FoundSetting, Project } from "../project.ts";
import { styleWithout } from "../read/database.ts";
import { findRequirements } from "../read/requirements.ts";
import { type Repair, settingOf, without, withSetting } from "./change.ts";

/** What Postgres misses, in its own words, and the extension that has it. */
const owners: readonly (readonly [missing: RegExp, extension: string])[] = [
  [/function (?:public\.)?uuid_(?:generate_v|nil|ns_)\w*\(/, "uuid-ossp"],
  [/function (?:public\.)?(?:crypt|gen_salt|digest|hmac|pgp_\w+)\(/, "pgcrypto"],
  [/type "(?:public\.)?citext"/, "citext"],
  [/type "(?:public\.)?hstore"/, "hstore"],
  [/type "(?:public\.)?ltree"/, "ltree"],
  [
    /operator class "(?:public\.)?gi(?:n|st)_trgm_ops"|function (?:public\.)?(?:word_)?similarity\(/,
    "pg_trgm",
  ],
  [/function (?:public\.)?unaccent\(|dictionary "(?:public\.)?unaccent"/, "unaccent"],
];

/** Somebody makes such an extension by hand in each new database, so that no migration does. */
export function withExtension(project: Project, { log }: AppFailure): Repair | undefined {
  const lines = log.split("\n").filter((line) => /does not exist/.test(line));
  const [, extension] = owners.find(([missing]) => lines.some((line) => missing.test(line))) ?? [];
  const before = settingOf(project, "database-extensions")?.value;
  const known = Array.isArray(before) ? before.map(String) : [];
  if (extension === undefined || known.includes(extension)) return undefined;
  const setting = {
    key: "database-extensions",
    value: [...known, extension],
    reason: "the tables need them, and no migration creates them",
  };
  // Before the commands that need it, as it happens.
  const others = without(project, setting.key).findings;
  const at = others.findIndex(({ key }) => fillingKeys.includes(key));
  return {
    project: { ...project, findings: others.toSpliced(at === -1 ? others.length : at, 0, setting) },
    message: `the database needs the Postgres extension ${extension}, so it is created first (\`database-extensions\`)`,
  };
}

const fillingKeys = ["migrate-command", "seed", "seed-command"];

/** A URL whose driver is not required, or cannot wait, gets that of one that is and can. */
export function withOtherDriver(project: Project, { log }: AppFailure): Repair | undefined {
  if (settingOf(project, "database-variable") === undefined) return undefined;
  const requirements = findRequirements(project.files);
  const [, waiting] = /The loaded '(\w+)' is not async/.exec(log) ?? [];
  if (waiting !== undefined) {
    const reason = `the app's engine is asynchronous, and ${waiting} is not`;
    const driver = ["asyncpg", "psycopg"].find(requirements.has);
    return withStyle(project, driver && `postgresql+${driver}`, reason, reason);
  }
  const wanted = wantedStyles.find(([said]) => said.test(log))?.[1];
  if (wanted !== undefined)
    return withStyle(
      project,
      wanted,
      "the app's error names another beginning of the URL",
      "as the app's error wants it",
    );
  const [, missing] = /No module named '(psycopg|psycopg2|asyncpg|pg8000)'/.exec(log) ?? [];
  const style = missing && styleWithout(missing, requirements, project.files);
  const why = `the app's URL needs ${missing}, which is not in the requirements`;
  return withStyle(project, style, why, `${missing} is not in the requirements`);
}

const isRefused = /Connection ?refused|Connect call failed|could not connect to server/i;

/** An app that is set up for tests by a committed file finds its database by a second set of variables. */
export function withTestDatabase(project: Project, { log }: AppFailure): Repair | undefined {
  const before = settingOf(project, "database-env");
  if (before === undefined || !isRefused.test(log)) return undefined;
  const parts: readonly (readonly [string, string])[] = Object.entries(Object(before.value));
  const known = new Set(project.variables.map(({ name }) => name));
  const added = parts.flatMap(([name, value]) =>
    [`TEST_${name}`, `${name}_TEST`].filter((each) => known.has(each)).map((each) => [each, value] as const),
  );
  const value = { ...Object.fromEntries(parts), ...Object.fromEntries(added) };
  if (Object.keys(value).length === parts.length) return undefined;
  const names = added.map(([name]) => name).join(", ");
  return {
    project: withSetting(project, { ...before, value }),
    message: `the app may use its database for tests, so ${names} have our address as well (\`database-env\`)`,
  };
}

/** Words of libraries about the beginning of a URL, and the one that they take. */
const wantedStyles: readonly (readonly [said: RegExp, style: UrlStyle])[] = [
  [/Can't load plugin: sqlalchemy\.dialects:postgres$/m, "postgresql"], // SQLAlchemy
  [/scheme is expected to be either "postgresql" or "postgres"/, "postgresql"], // asyncpg
  [/missing "=" after "postgresql\+/, "postgresql"], // psycopg
  [/Unknown DB scheme: postgresql/, "postgres"], // Tortoise
];

function withStyle(
  project: Project,
  style: string | undefined,
  why: string,
  reason: string,
): Repair | undefined {
  const key = "database-url-style";
  return style === undefined || settingOf(project, key)?.value === style
    ? undefined
    : {
        project: withSetting(project, { key, value: style, reason }),
        message: `${why}, so \`${key}\` is ${style}`,
      };
}

/** A failing command is worse than none: endpoints without its tables can still be measured. */
export function withoutCommand(project: Project, failure: AppFailure): Repair | undefined {
  const failing = failedCommand(project, failure);
  return (
    failing && {
      project: without(project, failing.key),
      message: `\`${failing.key}: ${String(failing.value)}\` fails here and is left out; replace it with one that works: ${reasonOf(failure)}`,
    }
  );
}

/** The same for a file. */
export function withoutSeedFile(project: Project, { phase, log }: AppFailure): Repair | undefined {
  const own = settingOf(project, "seed");
  const paths = [own?.value ?? []].flat().map(String);
  const [said = ""] = log.split("\n");
  const failing = phase === "seed" ? paths.find((path) => said.includes(`/${path}`)) : undefined;
  if (own === undefined || failing === undefined) return undefined;
  const value = paths.filter((path) => path !== failing);
  const reason = said.slice(said.lastIndexOf(failing) + failing.length).replace(/^[:,] /, "");
  return {
    project: value.length === 0 ? without(project, own.key) : withSetting(project, { ...own, value }),
    message: `${failing} fails here and is left out of \`seed\`: ${reason.slice(0, 200)}`,
  };
}

function failedCommand(project: Project, { detail }: AppFailure): FoundSetting | undefined {
  return detail?.kind === "command" ? settingOf(project, detail.input) : undefined;
}

/** The line of a log that gives the reason: foreign text. */
function reasonOf({ detail, log }: AppFailure): string {
  const stopped = detail?.kind === "command" ? detail.stopped : undefined;
  return (stopped ?? tellingLine(log) ?? "").slice(0, 200);
}
