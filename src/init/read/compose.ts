import { memberOf } from "../../endpoints/openapi-schema.ts";
import { foreignYaml } from "../../repository/composed-service.ts";
import { type FoundSetting, nameOf, type ProjectFile } from "../project.ts";
import type { FoundRequirements } from "./requirements.ts";

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
