import { memberOf } from "../../endpoints/openapi-schema.ts";
import { composedService, foreignYaml } from "../../repository/composed-service.ts";
import { type FoundSetting, nameOf, type ProjectFile, type Proposal, type ReadVariable } from "../project.ts";
import { isWithin } from "./apps.ts";
import type { FoundRequirements } from "./requirements.ts";
import { pathFrom } from "./scripts.ts";

const isCompose = /^(?:docker-)?compose[\w.-]*\.ya?ml$/;

/** Images that a key of the configuration or a preset stands for. */
const isKnown =
  /(?:^|\/)(?:postgres|postgis|pgvector|timescaledb?|mysql|mariadb|redis|valkey|rabbitmq|mongo|memcached)[\w-]*(?::|@|$)/;

const mostShown = 5;

interface FoundService {
  readonly name: string;
  readonly path: string;
  readonly image: string;
  readonly hasPort: boolean;
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Services of compose files that the app's variables name, and no preset knows: each may be started from there, where
 * docker is.
 *
 * @param variables of the app, with what is written down for them
 * @param given names of variables that have their values already
 * @param from folder of the paths in the configuration file, below the repository
 */
export function proposeComposed(
  files: readonly ProjectFile[],
  variables: readonly ReadVariable[],
  given: ReadonlySet<string>,
  from = ".",
): readonly Proposal[] {
  const own = variables.filter(({ name }) => !given.has(name));
  const found = files
    .filter(({ path }) => isCompose.test(nameOf(path)) && isWithin(path, from))
    .flatMap((file) => servicesIn({ ...file, path: pathFrom(from, file.path) }, own));
  const all = found.filter((each, index) => found.findIndex(({ name }) => name === each.name) === index);
  const shown = all.slice(0, mostShown);
  if (shown.length === 0) return [];
  const names = shown.map(({ name, path, image }) => `${name} of ${path} (${image})`).join(", ");
  return [
    {
      reason: `The app's variables name ${names}. With Docker, each start of the app gets its own (docs/services.md):`,
      lines: ["services:", ...shown.flatMap(linesOf)],
    },
  ];
}

function servicesIn(
  { path, text }: ProjectFile,
  variables: readonly ReadVariable[],
): readonly FoundService[] {
  return Object.keys(Object(memberOf(foreignYaml(text), "services"))).flatMap((name) => {
    const service = composedService(text, name);
    if ("problem" in service || isKnown.test(service.image) || !/^[\w-]{1,40}$/.test(name)) return [];
    const templates = variables.flatMap((each) => {
      const template = templateOf(each, name);
      return template === undefined ? [] : [[each.name, template] as const];
    });
    if (templates.length === 0 || !/^[\w./-]{1,200}$/.test(path)) return [];
    const { image, port } = service;
    return [{ name, path, image, hasPort: port !== undefined, variables: Object.fromEntries(templates) }];
  });
}

/** The value with the service's place in braces, if it names the service as its host. */
function templateOf({ value = "" }: ReadVariable, name: string): string | undefined {
  if (value === name) return "{host}";
  const [, scheme = "", user = "", path = ""] =
    /^(\w{1,20}:\/\/)?([\w:.-]{1,100}@)?(?:[\w-]{1,40})(?::\d{1,5})(\/[\w./-]{0,200})?$/.exec(value) ?? [];
  const [host] = value.slice(scheme.length + user.length).split(":");
  return host === name ? `${scheme}${user}{host}:{port}${path}` : undefined;
}

function linesOf({ name, path, hasPort, variables }: FoundService): readonly string[] {
  return [
    `  ${name}:`,
    `    compose: ${path}`,
    ...(hasPort ? [] : ["    port: 8080 # the port in its container"]),
    "    app-env:",
    ...Object.entries(variables).map(([variable, template]) => `      ${variable}: "${template}"`),
  ];
}

/** Programs that work off a queue, each with the word after which it is no scheduler and no dashboard. */
const workers: Readonly<Record<string, RegExp>> = {
  celery: /\bworker\b/,
  arq: /\S/,
  dramatiq: /\S/,
  taskiq: /\bworker\b/,
  rq: /\bworker\b/,
  saq: /\S/,
  huey_consumer: /\S/,
};

interface Written {
  readonly name: string;
  readonly command: string;
  readonly path: string;
}

/** The workers that the app's Procfile or its compose files start in addition to its server. */
export function findProcesses(
  { has }: Pick<FoundRequirements, "has">,
  files: readonly ProjectFile[],
): readonly FoundSetting[] {
  const found = new Map<string, Written>();
  for (const each of files.flatMap(commandsIn)) {
    const command = workerIn(each.command, has);
    const isKnown = [...found.values()].some(
      (other) => other.command === command || other.name === each.name,
    );
    if (command !== undefined && !isKnown) found.set(each.name, { ...each, command });
  }
  const all = [...found.values()];
  const [first] = all;
  if (first === undefined) return [];
  const paths = [...new Set(all.map(({ path }) => path))].join(", ");
  return [
    {
      key: "processes",
      value: Object.fromEntries(all.map(({ name, command }) => [name, command])),
      reason: `${paths} starts ${all.length > 1 ? "them" : "it"} with the app`,
    },
  ];
}

function commandsIn({ path, text }: ProjectFile): readonly Written[] {
  const name = nameOf(path);
  if (name === "Procfile")
    return [...text.matchAll(/^([\w-]{1,40}):[ \t]*(\S.{0,500})$/gm)].map(
      ([, called = "", command = ""]) => ({ name: called, command, path }),
    );
  return /^(?:docker-)?compose[\w.-]*\.ya?ml$/.test(name) ? composed(path, text) : [];
}

function composed(path: string, text: string): readonly Written[] {
  const services = memberOf(foreignYaml(text), "services");
  if (typeof services !== "object" || services === null) return [];
  return Object.entries(services).flatMap(([called, service]) => {
    const said = memberOf(service, "command");
    const words = Array.isArray(said) ? said.map(String).join(" ") : said;
    const name = called.replaceAll(/[^\w-]/g, "-").slice(0, 40);
    return typeof words === "string" ? [{ name, command: words.trim(), path }] : [];
  });
}

/** The command without the program that only finds its environment; `undefined` when it starts no worker. */
function workerIn(written: string, has: (name: string) => boolean): string | undefined {
  const command = written
    .replace(/^(?:uv run|poetry run|pdm run|pipenv run|python3? -m)\s+/, "")
    .replaceAll(/\s--(?:auto)?-?reload(?=\s|$)/g, ""); // for who edits the app meanwhile
  const [program = ""] = command.split(/\s/, 1);
  const isWorker = Object.hasOwn(workers, program) && workers[program]?.test(command.slice(program.length));
  // There is no shell.
  return isWorker && has(program === "huey_consumer" ? "huey" : program) && !/[|&;<>$`\r\n{}]/.test(command)
    ? command
    : undefined;
}
