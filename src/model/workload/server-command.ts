import { parseArgsStringToArgv } from "string-argv";

import { InputError } from "../../errors/errors.ts";
import { isNonEmpty } from "../../lists/non-empty.ts";
import { type KnownServer, type ServerPart, servers, usualServer } from "./servers.ts";

interface ServerValues {
  /** Import string, e.g. `app.main:app`. */
  readonly app: string;
  readonly host: string;
  readonly port: number;
  readonly workers: number;
}

const placeholders = ["app", "host", "port", "workers"] as const;
const placeholderPattern = /\{(\w+)\}/g;
const known = placeholders.map((name) => `{${name}}`).join(", ");

/** The command for a server's name. Any other text is a command already. */
export function serverTemplateOf(text: string): string {
  return servers.find(({ name }) => name === text.trim())?.command ?? text;
}

export function isServerVariable(name: string): boolean {
  return servers.some(({ variables }) => variables?.test(name));
}

export function checkServerTemplate(template: string): string[] {
  if (template.trim() === "")
    return [`the server command is empty; write e.g. "${usualServer.name} {app} --port {port}"`];
  const names = new Set([...template.matchAll(placeholderPattern)].map(([, name = ""]) => name));
  const problems = [...names]
    .filter((name) => !isPlaceholder(name))
    .map((name) => `unknown placeholder {${name}} in the server command; choose from ${known}`);
  if (!names.has("port"))
    problems.push(`no {port} in the server command "${template}"; it says where to listen`);
  if (hasOpenQuote(template)) problems.push(`a quote is not closed in the server command "${template}"`);
  return problems;
}

/** Splits a command without expansion, then fills placeholders: a value never becomes two words. */
export function serverArgv(template: string, values: ServerValues): readonly [string, ...string[]] {
  const words = parseArgsStringToArgv(template);
  const option = values.app.endsWith("()") ? serverOf(words)?.factory?.option : undefined;
  const given = option === undefined ? values : { ...values, app: values.app.slice(0, -2) };
  const filled = words.map((word) => {
    return word.replaceAll(placeholderPattern, (written, name: string) => {
      return isPlaceholder(name) ? String(given[name]) : written;
    });
  });
  const argv = option === undefined || filled.includes(option) ? filled : [...filled, option];
  if (!isNonEmpty(argv)) throw new InputError(checkServerTemplate(template));
  return argv;
}

/** The number of workers for a command that does not set it: whatever else names another number is overruled. */
export function workersVariable(template: string, workers: number): Readonly<Record<string, string>> {
  const name = serverOf(parseArgsStringToArgv(template))?.countVariable;
  return name === undefined || template.includes("{workers}") ? {} : { [name]: String(workers) };
}

/** Event loop and HTTP parser that a server command leads to; empty for servers that have no choice of them. */
export function serverChoices(
  argv: readonly string[],
  packages: Readonly<Record<string, string>>,
): { eventLoop: string; httpParser: string } {
  const server = serverOf(argv);
  const chosen = (part: ServerPart | undefined) => {
    if (part === undefined) return "";
    const given = lastOption(argv, part.option) ?? "auto";
    if (given !== "auto") return given;
    return packages[part.preferred] === undefined ? part.otherwise : part.preferred;
  };
  return { eventLoop: chosen(server?.eventLoop), httpParser: chosen(server?.httpParser) };
}

/** The server of `uvicorn ...`, `/some/bin/uvicorn ...` or `python -m uvicorn ...`; `undefined`: an unknown one. */
function serverOf(argv: readonly string[]): KnownServer | undefined {
  const program = argv[0]?.split("/").at(-1);
  const isModule = (server: string) =>
    argv.some((word, index) => word === server && argv[index - 1] === "-m");
  return servers.find(({ name }) => program === name || isModule(name));
}

function isPlaceholder(name: string): name is (typeof placeholders)[number] {
  return placeholders.some((each) => each === name);
}

export function hasOpenQuote(text: string): boolean {
  let open = "";
  for (const character of text) {
    if (open === character) open = "";
    else if (open === "" && (character === "'" || character === '"')) open = character;
  }
  return open !== "";
}

/** `--name value` or `--name=value`; the last one counts. */
function lastOption(argv: readonly string[], name: string): string | undefined {
  const values = argv.flatMap((word, index) => {
    if (word.startsWith(`${name}=`)) return [word.slice(name.length + 1)];
    const next = argv[index + 1];
    return word === name && next !== undefined ? [next] : [];
  });
  return values.at(-1);
}
