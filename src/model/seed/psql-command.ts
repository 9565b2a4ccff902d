/** PsqlVariables of `\set`. */
export type PsqlVariables = Map<string, string>;

export type PsqlCommand =
  | { readonly kind: "nothing" | "end" | "run" }
  | { readonly kind: "include" | "connect"; readonly name: string }
  | { readonly kind: "problem"; readonly problem: string };

const nothing: PsqlCommand = { kind: "nothing" };

/** Commands that only print, or change how psql prints. pg_dump writes `\restrict`; encodings are read with the file. */
const quiet =
  /^(?:\.|restrict|unrestrict|echo|qecho|warn|timing|pset|x|a|t|T|C|f|H|html|encoding|errverbose|conninfo|l\+?|list|z|d\w*[+S]*|s[fv]\+?|p|print|h|help|copyright|\?)$/;

/** Commands that would reach beyond the file. */
const reaching = /^(?:!|o|out|w|write|setenv|getenv|e|edit|ef|ev|lo_\w+|cd|s|prompt|password|copy|g|gx)$/;

/** Reads one line that begins with a backslash. `\set` changes the variables. */
export function readCommand(line: string, variables: PsqlVariables): PsqlCommand {
  const [, name = "", rest = ""] = /^\\([a-z_]+[+S]*|.)(.*)$/is.exec(line) ?? [];
  const words = wordsOf(rest, variables);
  const [first = ""] = words;
  if (/`/.test(rest.replaceAll(/'(?:[^'\\]|\\.)*'/g, ""))) return refused(name, "reaching");
  switch (name) {
    case "set":
      if (first !== "") variables.set(first, words.slice(1).join(""));
      return nothing;
    case "unset":
      variables.delete(first);
      return nothing;
    case "q":
    case "quit":
      return { kind: "end" };
    case "i":
    case "ir":
    case "include":
    case "include_relative":
      return first === "" ? nothing : { kind: "include", name: first };
    case "c":
    case "connect":
      return connected(words.filter((word) => !word.startsWith("-")).at(0));
    default:
      if ((name === "g" || name === ";") && first === "") return { kind: "run" };
      if (quiet.test(name)) return nothing;
      return refused(name, reaching.test(name) ? "reaching" : "unknown");
  }
}

/** `\c -` keeps the database; pg_dump writes odd names as `dbname='...'`. */
function connected(word: string | undefined): PsqlCommand {
  if (word === undefined) return nothing;
  const [, quoted, plain] = /\bdbname\s*=\s*(?:'((?:[^'\\]|\\.)*)'|(\S+))/.exec(word) ?? [];
  return { kind: "connect", name: quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? word };
}

function refused(name: string, why: "reaching" | "unknown"): PsqlCommand {
  const remedy =
    name === "copy"
      ? "put the rows below COPY ... FROM stdin, as pg_dump does, or use seed-command"
      : "dump the filled database with pg_dump --format=plain, or use seed-command";
  const reason =
    why === "reaching"
      ? "is not run, because a seed file may not run programs, or read or write other files"
      : "is a command that only psql knows";
  return { kind: "problem", problem: `\\${name} ${reason}; ${remedy}` };
}

/** The words of a command, without quotes, with the values of variables, and without a semicolon at the end. */
function wordsOf(text: string, variables: PsqlVariables): string[] {
  const word = /(?:'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"]|"")*"|[^\s'"])+/g;
  const part = /:?'((?:[^'\\]|\\[\s\S]|'')*)'|"((?:[^"]|"")*)"|:(\w+)/g;
  const filled = (found: string, single?: string, double?: string, name = "") => {
    if (single !== undefined)
      return single.replaceAll(/''|\\([\s\S])/g, (_, escaped?: string) =>
        escaped === undefined ? "'" : (escapes[escaped] ?? escaped),
      );
    return double?.replaceAll('""', '"') ?? variables.get(name) ?? found;
  };
  const words = text.trimEnd().replace(/;+$/, "").match(word) ?? [];
  return words.map((each) => each.replaceAll(part, filled));
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

/** Places of variables, and first all in which none is one: quotes, comments, casts. */
const placesOfVariables =
  /e'(?:[^'\\]|\\[\s\S])*'|(?<!:)'[^']*'|(?<!:)"[^"]*"|\$(?<tag>[a-z_]\w*)?\$[\s\S]*?\$\k<tag>\$|--[^\n]*|\/\*[\s\S]*?\*\/|::|:'(?<text>\w+)'|:"(?<name>\w+)"|:(?<plain>[a-z_]\w*)/giu;

/** SQL with psql's variables filled in: `:name`, `:'name'` as a string, `:"name"` as a name. Unknown ones stay. */
export function withVariables(sql: string, variables: PsqlVariables): string {
  if (variables.size === 0) return sql;
  return sql.replaceAll(placesOfVariables, (found: string, ...rest: unknown[]) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const { text, name, plain } = groups;
    const value = variables.get(text ?? name ?? plain ?? "");
    if (value === undefined) return found;
    if (name !== undefined) return `"${value.replaceAll('"', '""')}"`;
    return plain === undefined ? stringOf(value) : value;
  });
}

function stringOf(value: string): string {
  const quoted = `'${value.replaceAll("'", "''").replaceAll("\\", "\\\\")}'`;
  return value.includes("\\") ? `E${quoted}` : quoted;
}
