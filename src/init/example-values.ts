import { foreignYaml } from "../repository/foreign-yaml.ts";
import { nameOf, type ProjectFile } from "./source-file.ts";

/** Variables with their written-down values, and the file of each. */
export type ExampleValues = ReadonlyMap<string, { readonly value: string; readonly path: string }>;

/** Values in files of variables, compose files, development containers, images and workflows of the repository; the first file wins. */
export function exampleValues(files: readonly ProjectFile[]): ExampleValues {
  const found = new Map<string, { value: string; path: string }>();
  for (const { path, text } of files.toSorted((a, b) => rankOf(a.path) - rankOf(b.path))) {
    for (const [name, value] of pairsOfFile(path, text))
      if (!found.has(name) && isPlain(value)) found.set(name, { value, path });
  }
  return found;
}

function pairsOfFile(path: string, text: string): readonly (readonly [string, string])[] {
  const rank = rankOf(path);
  if (rank < 3) return variablesOf(text);
  if (rank === 4) return variablesOfImage(text);
  if (/devcontainer\.json$/.test(path)) return environmentsIn(withoutRemarks(text));
  return rank === 3 || rank === 5 ? environmentsIn(text) : [];
}

function rankOf(path: string): number {
  const name = nameOf(path);
  if (/^\.?env[._-](?:example|sample|template|dist|default)$|^\.?(?:example|sample)\.env$/.test(name))
    return 0;
  if (/^\.env(?:\.(?:local|dev|development|docker))?$/.test(name)) return 1;
  if (/\.env(?:\.\w+)?$|^\.env/.test(name)) return 2;
  if (/^(?:docker-)?compose[\w.-]*\.ya?ml$|^\.?devcontainer\.json$/.test(name)) return 3;
  if (/^(?:.*\.)?(?:Dockerfile|Containerfile)\b/.test(name)) return 4;
  return path.startsWith(".github/workflows/") ? 5 : 6;
}

/** `ENV` lines. A path of the image is none of this machine. */
function variablesOfImage(text: string): readonly (readonly [string, string])[] {
  const lines = text.replaceAll(/\\\r?\n/g, " ").split("\n");
  return lines.flatMap((line) => {
    const [, said = ""] = /^[ \t]*ENV[ \t]+(.{1,2000})$/.exec(line) ?? [];
    const [, name = "", value = ""] = /^(\w+)[ \t]+(.*)$/.exec(said) ?? [];
    const pairs = name === "" ? [...said.matchAll(/(\w+)=("[^"]*"|'[^']*'|\S*)/g)] : [[said, name, value]];
    return pairs.flatMap(([, key = "", written = ""]) => {
      const plain = written.replace(/^(["'])(.*)\1$/, "$2").trim();
      return plain.startsWith("/") ? [] : [[key.toUpperCase(), plain] as const];
    });
  });
}

/** `NAME=value` lines, as files of variables have them. */
export function variablesOf(text: string): readonly (readonly [string, string])[] {
  return text.split("\n").flatMap((line) => {
    const [, name, written = ""] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.{0,2000})$/.exec(line) ?? [];
    if (name === undefined) return [];
    const [, quoted] = /^(["'])(.*?)\1/.exec(written)?.slice(1) ?? [];
    return [[name.toUpperCase(), quoted ?? written.replace(/\s+#.*$/, "").trim()] as const];
  });
}

/** Remarks of JSON that people write, which YAML has not. */
function withoutRemarks(text: string): string {
  return text.replaceAll(/^[ \t]*\/\/.*$|[ \t]\/\/ .*$/gm, "").replaceAll(/\/\*[^*]{0,5000}\*\//g, "");
}

const environments = ["environment", "env", "containerEnv", "remoteEnv"];

/** Every `environment` or `env` of a file, at any depth, and what a development container gets. */
function environmentsIn(text: string): readonly (readonly [string, string])[] {
  return pairsIn(foreignYaml(text), 0);
}

function pairsIn(value: unknown, depth: number): readonly (readonly [string, string])[] {
  if (typeof value !== "object" || value === null || depth > 8) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    environments.includes(key) ? pairsOf(inner) : pairsIn(inner, depth + 1),
  );
}

function pairsOf(value: unknown): readonly (readonly [string, string])[] {
  if (Array.isArray(value)) {
    const lines = variablesOf(value.filter((each) => typeof each === "string").join("\n"));
    return lines.map(([name, each]) => [name, defaulted(each)] as const);
  }
  return Object.entries(Object(value)).flatMap(([name, each]) =>
    ["string", "number", "boolean"].includes(typeof each)
      ? [[name.toUpperCase(), defaulted(String(each))] as const]
      : [],
  );
}

/** `${X:-5}` is 5. */
function defaulted(text: string): string {
  return /^\$\{\w+:?-([^}]*)\}$/.exec(text)?.[1] ?? text;
}

/** A reference to something else is no value, and neither is an empty text. */
function isPlain(value: string): boolean {
  return value !== "" && value.length < 500 && !/\$[{(\w]|^<.*>$|[\r\n]/.test(value);
}
