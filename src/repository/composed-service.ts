import { parseArgsStringToArgv } from "string-argv";
import { parse } from "yaml";
import { defined } from "../lists/defined.ts";
import type { ServiceImage } from "../model/workload/service.ts";

/** Nobody writes longer ones, and reading one takes its time. */
const longestYaml = 50_000;

/** What a file of the repository says; `undefined` for a template, or for what is no YAML or too long. */
export function foreignYaml(text: string): unknown {
  if (text.length > longestYaml) return undefined;
  try {
    return parse(text, { maxAliasCount: 100, logLevel: "error" });
  } catch {
    return undefined;
  }
}

/** What a compose file says of one of its services; `port` is absent where it says none. */
type ComposedService = Omit<ServiceImage, "port"> & { readonly port?: number };

const isImage = /^[a-z0-9][\w./:@-]{0,250}$/i;

/** A service of a compose file, or the end of a sentence that says why it cannot be started from there. */
export function composedService(yaml: string, name: string): ComposedService | { readonly problem: string } {
  const services = member(foreignYaml(yaml), "services");
  const names = Object.keys(Object(services));
  if (names.length === 0) return { problem: "has no services, or is not YAML of at most 50,000 characters" };
  if (!names.includes(name))
    return { problem: `has no service ${name}, only ${names.join(", ").slice(0, 200)}` };
  const service = member(services, name);
  const image = defaulted(String(member(service, "image") ?? ""));
  if (image === "")
    return { problem: `builds its service ${name} itself; build it first, and set its \`image\` instead` };
  if (!isImage.test(image)) return { problem: `has an unsupported image for its service ${name}` };
  const command = member(service, "command");
  const args = Array.isArray(command)
    ? command.map(String)
    : typeof command === "string"
      ? parseArgsStringToArgv(command)
      : [];
  const port = portOf(member(service, "ports")) ?? portOf(member(service, "expose"));
  return {
    image,
    args: args.map(defaulted),
    variables: variablesOf(member(service, "environment")),
    ...defined({ port }),
  };
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** A variable without a value here would come from somebody's shell: it stays away. */
function variablesOf(said: unknown): Readonly<Record<string, string>> {
  const pairs = Array.isArray(said)
    ? said.map((each) => /^(\w+)=(.*)$/s.exec(String(each))?.slice(1) ?? [])
    : Object.entries(Object(said)).flatMap(([name, value]) =>
        value === null ? [] : [[name, String(value)]],
      );
  return Object.fromEntries(
    pairs.flatMap(([name = "", value = ""]) => (/^\w+$/.test(name) ? [[name, defaulted(value)]] : [])),
  );
}

/** The first port in the container: of `8080:80`, `127.0.0.1:8080:80/tcp`, `80` and `{ target: 80 }`. */
function portOf(said: unknown): number | undefined {
  const [first] = Array.isArray(said) ? said : [];
  const text = String(member(first, "target") ?? first ?? "");
  const port = Number(/(\d{1,5})(?:\/tcp)?$/.exec(text)?.[1]);
  return port >= 1 && port <= 65_535 ? port : undefined;
}

/** `${X:-5}` is 5, and `${X}` is nothing. */
function defaulted(text: string): string {
  return text.replaceAll(/\$\{\w+(?::?-([^}]*)|:?\?[^}]*)?\}/g, (_, value?: string) => value ?? "");
}
