import { isServerVariable } from "../model/workload/server-command.ts";
import { tellingLine } from "../text/telling-line.ts";
import { styleWithout } from "./database.ts";
import { withEnvironmentFile } from "./environment-file.ts";
import { withExtension } from "./extensions.ts";
import { type Mended, withVariables } from "./mended.ts";
import {
  withOtherLoop,
  withOtherServer,
  withoutProcess,
  withReadyPath,
  withTimeToStart,
} from "./mended-start.ts";
import { otherHeads, tablesInstead } from "./migrating.ts";
import { missingVariables } from "./missing-variables.ts";
import { withOlderPackages } from "./older-packages.ts";
import type { Project } from "./project.ts";
import { withAccepted } from "./refused-values.ts";
import { findRequirements } from "./requirements.ts";
import { appVariablesIn } from "./source-file.ts";
import { withStubAnswers } from "./stub-answers.ts";
import { madeUpValue, type ReadVariable } from "./variables.ts";

/** The load test sets these by itself, or another value would make another app of it. */
const notFromExamples =
  /^(?:PORT|HOST|PATH|HOME|PYTHON.*|WEB_CONCURRENCY|WORKERS|(?:.*_)?(?:DEBUG|RELOAD|ECHO|TESTING)|.*_PORT|.*_HOST|.*DATABASE.*|.*POSTGRES.*|DB_.*)$/;

const isNotFromExamples = (name: string) => notFromExamples.test(name) || isServerVariable(name);

/** Our own words for a command that was stopped. */
const hanging = /\S+ was still running after \d+ s and was stopped/;

/** The change to try after a failure; `undefined` when there is no new one. */
export function mend(project: Project, said: string, document?: unknown): Mended | undefined {
  // Another start changes nothing about packages.
  if (said.startsWith("install: ")) return undefined;
  // A command that waits for something does not fail for a missing value.
  if (hanging.test(said)) return withoutCommand(project, said);
  return (
    withMissing(project, said) ??
    withAccepted(project, said) ??
    withEnvironmentFile(project, said) ??
    withExtension(project, said) ??
    withStubAnswers(project, said) ??
    withOtherDriver(project, said) ??
    withImportFolder(project, said) ??
    withReadyPath(project, said, document) ??
    withTimeToStart(project, said) ??
    withOtherLoop(project, said) ??
    withOtherServer(project, said) ??
    withOlderPackages(project, said) ??
    withOtherMigration(project, said, otherHeads) ??
    withNamed(project, said) ??
    withExamples(project) ??
    withOtherMigration(project, said, tablesInstead) ??
    withoutCommand(project, said) ??
    withoutProcess(project, said)
  );
}

function withMissing(project: Project, said: string): Mended | undefined {
  const has = namesIn(project);
  const missing = missingVariables(said, project.variables).filter(({ name }) => !has.has(name));
  if (missing.length === 0) return undefined;
  const values = missing.map((each) => [each.name, valueFor(project, each)] as const);
  const told = `the app asked for ${missing.map(({ name }) => name).join(", ")}; a value is in \`app-env\``;
  return { project: withVariables(project, Object.fromEntries(values)), told };
}

/** A URL whose driver is not required gets that of one that is. */
function withOtherDriver(project: Project, said: string): Mended | undefined {
  const [, missing] = /No module named '(psycopg|psycopg2|asyncpg|pg8000)'/.exec(said) ?? [];
  const own = project.findings.find(({ key }) => key === "database-variable");
  const [, waiting] = /The loaded '(\w+)' is not async/.exec(said) ?? [];
  if (waiting !== undefined && own !== undefined) return withAsyncDriver(project, waiting);
  if (missing === undefined || own === undefined) return undefined;
  const style = styleWithout(missing, findRequirements(project.files), project.files);
  const told = `the app's URL asked for ${missing}, which is not required`;
  return style === undefined
    ? undefined
    : withStyle(project, style, told, `${missing} is not among the requirements`);
}

function withAsyncDriver(project: Project, waiting: string): Mended | undefined {
  const { has } = findRequirements(project.files);
  const style = has("asyncpg") ? "postgresql+asyncpg" : has("psycopg") ? "postgresql+psycopg" : undefined;
  const told = `the app's engine is asynchronous, and ${waiting} is not`;
  return style === undefined ? undefined : withStyle(project, style, told, told);
}

function withStyle(project: Project, style: string, told: string, reason: string): Mended | undefined {
  const before = project.findings.find(({ key }) => key === "database-url-style");
  if (before?.value === style) return undefined;
  const findings = project.findings.filter((each) => each !== before);
  return {
    project: { ...project, findings: [...findings, { key: "database-url-style", value: style, reason }] },
    told: `${told}, so \`database-url-style\` is ${style}`,
  };
}

/** Adds the folder from which the app imports its own modules, where that is not its project's. */
function withImportFolder(project: Project, said: string): Mended | undefined {
  const [, name] = /ModuleNotFoundError: No module named '(\w+)/.exec(said) ?? [];
  if (name === undefined || namesIn(project).has("PYTHONPATH")) return undefined;
  // A program such as Alembic does not look into the folder in which it runs; a server does.
  const isCommand = /migrate-command|seed-command/.test(said);
  const folders = project.files.flatMap(({ path }) => {
    if (!path.endsWith(".py")) return [];
    if (isCommand && (path === `${name}.py` || path.startsWith(`${name}/`))) return ["."];
    const [, folder] = new RegExp(`^(.+)/${name}(?:\\.py$|/)`).exec(path) ?? [];
    return folder === undefined ? [] : [folder];
  });
  const depthOf = (folder: string) => (folder === "." ? 0 : folder.split("/").length);
  const [nearest] = folders.toSorted((a, b) => depthOf(a) - depthOf(b));
  if (nearest === undefined) return undefined;
  const told = `the app imports \`${name}\`, which lies in ${nearest}, so PYTHONPATH names that folder`;
  // Named here, `src` is no longer added by itself.
  const PYTHONPATH = nearest.startsWith("src/") ? `src:${nearest}` : nearest;
  return { project: withVariables(project, { PYTHONPATH }), told };
}

/** What an example has in the place of a secret that everybody makes for themselves. */
const placeholder = /change|replace|generate|your|here|example|todo|xxx|<.*>|^$/i;
const secretName = /SECRET|TOKEN|SALT|(?:^|_)KEY$/;

function valueFor({ examples }: Project, variable: ReadVariable): string {
  const example = examples.get(variable.name)?.value;
  const isUsable = example !== undefined && !(secretName.test(variable.name) && placeholder.test(example));
  return isUsable ? example : madeUpValue(variable);
}

/** A value for each variable of the app's that a failure names, as where it refuses its own default for a secret. */
function withNamed(project: Project, said: string): Mended | undefined {
  const has = namesIn(project);
  const named = project.variables.filter(
    ({ name }) => !has.has(name) && !isNotFromExamples(name) && new RegExp(`\\b${name}\\b`).test(said),
  );
  if (named.length === 0) return undefined;
  const values = named.map((each) => [each.name, valueFor(project, each)] as const);
  return {
    project: withVariables(project, Object.fromEntries(values)),
    told: `the app's failure names ${named.map(({ name }) => name).join(", ")}; a value is in \`app-env\``,
  };
}

function withOtherMigration(
  project: Project,
  said: string,
  instead: (project: Project, command: string, said: string) => ReturnType<typeof otherHeads>,
): Mended | undefined {
  const failing = project.findings.find(({ key }) => key === "migrate-command" && said.includes(key));
  const other = failing && instead(project, String(failing.value), said);
  if (other === undefined) return undefined;
  const findings = project.findings.map((each) =>
    each === failing ? { ...each, value: other.value, reason: other.told } : each,
  );
  return { project: { ...project, findings }, told: `${other.told}: ${reasonOf(said)}` };
}

/** Adds all values that somebody wrote down for a first start; once. */
function withExamples(project: Project): Mended | undefined {
  const has = namesIn(project);
  const values = project.variables.flatMap(({ name, isNeeded, value: usual }) => {
    const example = project.examples.get(name);
    return example === undefined ||
      isNeeded ||
      has.has(name) ||
      isNotFromExamples(name) ||
      example.value === usual
      ? []
      : [[name, example] as const];
  });
  if (values.length === 0) return undefined;
  const files = [...new Set(values.map(([, { path }]) => path))].join(", ");
  const variables = Object.fromEntries(values.map(([name, { value }]) => [name, value]));
  return {
    project: withVariables(project, variables),
    told: `the app did not start, so it is tried with ${values.map(([name]) => name).join(", ")} as ${files} has them`,
    otherwise: { ...project, examples: new Map() },
  };
}

/** A failing command is worse than none: endpoints without its tables can still be measured. */
function withoutCommand(project: Project, said: string): Mended | undefined {
  const failing = project.findings.find(
    ({ key, value }) =>
      /-command$/.test(key) && said.includes(key) && (typeof value === "string" || Array.isArray(value)),
  );
  if (failing === undefined) return undefined;
  return {
    project: { ...project, findings: project.findings.filter((each) => each !== failing) },
    told: `\`${failing.key}: ${String(failing.value)}\` fails here and is left out; write one that works: ${reasonOf(said)}`,
  };
}

function namesIn({ findings }: Project): ReadonlySet<string> {
  const own = findings.flatMap(({ key, value }) => {
    if (key === "database-variable") return [String(value)];
    if (key === "services" || key === "stubs") return appVariablesIn({ value });
    return key === "app-env" || key === "database-env" ? Object.keys(Object(value)) : [];
  });
  return new Set(own);
}

/** The line of a log that tells why: foreign text. */
function reasonOf(said: string): string {
  return (hanging.exec(said)?.[0] ?? tellingLine(said) ?? "").slice(0, 200);
}
