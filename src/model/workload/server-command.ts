import { parseArgsStringToArgv } from "string-argv";

import { InputError } from "../../errors/errors.ts";
import { isNonEmpty } from "../../lists/non-empty.ts";

/** Values for the placeholders of a server command. */
export interface ServerValues {
  /** Import string, e.g. `app.main:app`. */
  readonly app: string;
  readonly host: string;
  readonly port: number;
  readonly workers: number;
}

const placeholders = ["app", "host", "port", "workers"] as const;
const placeholderPattern = /\{(\w+)\}/g;
const known = placeholders.map((name) => `{${name}}`).join(", ");

/** Mistakes in a server command, one sentence each. */
export function checkServerTemplate(template: string): string[] {
  if (template.trim() === "")
    return [`the server command is empty; write e.g. "uvicorn {app} --port {port}"`];
  const names = new Set([...template.matchAll(placeholderPattern)].map(([, name = ""]) => name));
  const problems = [...names]
    .filter((name) => !isPlaceholder(name))
    .map((name) => `unknown placeholder {${name}} in the server command; known are ${known}`);
  if (!names.has("port"))
    problems.push(`no {port} in the server command "${template}"; it says where to listen`);
  if (hasOpenQuote(template)) problems.push(`a quote is not closed in the server command "${template}"`);
  return problems;
}

/**
 * Splits a server command into words like a shell, without expansion, and fills the placeholders afterwards. So a value
 * never becomes more than one word, whatever its content.
 */
export function serverArgv(template: string, values: ServerValues): readonly [string, ...string[]] {
  const words = parseArgsStringToArgv(template);
  const isFactory = values.app.endsWith("()") && takesFactories(words);
  const told = isFactory ? { ...values, app: values.app.slice(0, -2) } : values;
  const filled = words.map((word) => {
    return word.replaceAll(placeholderPattern, (written, name: string) => {
      return isPlaceholder(name) ? String(told[name]) : written;
    });
  });
  const argv = isFactory && !filled.includes("--factory") ? [...filled, "--factory"] : filled;
  if (!isNonEmpty(argv)) throw new InputError(checkServerTemplate(template));
  return argv;
}

/** Event loop and HTTP parser that a server command leads to; empty for servers other than uvicorn. */
export function uvicornChoices(
  argv: readonly string[],
  packages: Readonly<Record<string, string>>,
): { eventLoop: string; httpParser: string } {
  if (!isUvicorn(argv)) return { eventLoop: "", httpParser: "" };
  const loop = lastOption(argv, "--loop") ?? "auto";
  const http = lastOption(argv, "--http") ?? "auto";
  return {
    eventLoop: loop === "auto" ? firstInstalled("uvloop", "asyncio", packages) : loop,
    httpParser: http === "auto" ? firstInstalled("httptools", "h11", packages) : http,
  };
}

function isPlaceholder(name: string): name is (typeof placeholders)[number] {
  return placeholders.some((each) => each === name);
}

/** True when a quote is not closed. */
export function hasOpenQuote(text: string): boolean {
  let open = "";
  for (const character of text) {
    if (open === character) open = "";
    else if (open === "" && (character === "'" || character === '"')) open = character;
  }
  return open !== "";
}

function isUvicorn(argv: readonly string[]): boolean {
  return runs(argv, "uvicorn");
}

/** True for servers that want an option for a factory, unlike those that read `create_app()` (gunicorn, hypercorn). */
function takesFactories(argv: readonly string[]): boolean {
  return runs(argv, "uvicorn") || runs(argv, "granian");
}

/** `uvicorn ...`, `/some/bin/uvicorn ...` or `python -m uvicorn ...` */
function runs(argv: readonly string[], server: string): boolean {
  const program = argv[0]?.split("/").at(-1);
  return program === server || argv.some((word, index) => word === server && argv[index - 1] === "-m");
}

/** `--name value` or `--name=value`; as in uvicorn, the last one counts. */
function lastOption(argv: readonly string[], name: string): string | undefined {
  const values = argv.flatMap((word, index) => {
    if (word.startsWith(`${name}=`)) return [word.slice(name.length + 1)];
    const next = argv[index + 1];
    return word === name && next !== undefined ? [next] : [];
  });
  return values.at(-1);
}

function firstInstalled(
  wanted: string,
  otherwise: string,
  packages: Readonly<Record<string, string>>,
): string {
  return packages[wanted] === undefined ? otherwise : wanted;
}
