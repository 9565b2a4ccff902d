import { memberOf } from "../endpoints/openapi-schema.ts";
import { composedService } from "../repository/composed-service.ts";
import { foreignYaml } from "../repository/foreign-yaml.ts";
import { isWithin } from "./choice.ts";
import { pathFrom } from "./own-scripts.ts";
import type { Proposal } from "./proposals.ts";
import { nameOf, type ProjectFile } from "./source-file.ts";
import type { ReadVariable } from "./variables.ts";

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
      reason: `The app's variables name ${names}. Where docker is, each start of the app gets its own (docs/services.md):`,
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
    ...(hasPort ? [] : ["    port: 8080 # on which it listens in its container"]),
    "    app-env:",
    ...Object.entries(variables).map(([variable, template]) => `      ${variable}: "${template}"`),
  ];
}
