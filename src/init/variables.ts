import type { ProjectFile } from "./source-file.ts";

/** A variable of the environment that the app's code reads. */
export interface ReadVariable {
  readonly name: string;
  /** File that reads it. */
  readonly path: string;
  /** Whether the app cannot start without it. */
  readonly isNeeded: boolean;
  /** As written, where it is a field of settings: `PostgresDsn`. */
  readonly type: string | undefined;
}

/** `os.environ["X"]`, and calls that fail without a second argument. */
const needed = /\benviron\[\s*["'](\w+)["']\s*\]|\b(?:env|config)(?:\.\w+)?\(\s*["']([A-Z]\w+)["']\s*\)/g;
const optional =
  /\b(?:environ\.get|getenv)\(\s*["'](\w+)["']|\b(?:env|config)(?:\.\w+)?\(\s*["']([A-Z]\w+)["']\s*,/g;

/** Every variable that Python files read, each once; needed where any of them needs it. */
export function findVariables(files: readonly ProjectFile[]): readonly ReadVariable[] {
  const found = new Map<string, ReadVariable>();
  for (const { path, text } of files.filter((file) => file.path.endsWith(".py"))) {
    const read = [
      ...namesIn(text, needed).map((name) => ({ name, path, isNeeded: true, type: undefined })),
      ...namesIn(text, optional).map((name) => ({ name, path, isNeeded: false, type: undefined })),
      ...fieldsIn(path, text),
    ];
    for (const each of read) {
      const before = found.get(each.name);
      found.set(each.name, before === undefined || (each.isNeeded && !before.isNeeded) ? each : before);
    }
  }
  return [...found.values()];
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, one, other]) => one ?? other ?? "");
}

/** Fields of classes that pydantic fills in from the environment. */
function fieldsIn(path: string, text: string): ReadVariable[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    if (!/^class \w+\([^)]*\bBaseSettings\b/.test(line)) return [];
    // Looked for from here on: a copy of the rest for each class would take a hostile file's length squared.
    let end = index + 1;
    while (end < lines.length && !/^\S/.test(lines[end] ?? "")) end += 1;
    const body = lines.slice(index + 1, end);
    const prefix = /env_prefix\s*=\s*["'](\w*)["']/.exec(body.join("\n"))?.[1] ?? "";
    return body.flatMap((each) => fieldOf(each, prefix, path));
  });
}

const longestLine = 500; // nobody writes a longer one, and it would take its time

function fieldOf(line: string, prefix: string, path: string): ReadVariable[] {
  if (line.length > longestLine) return [];
  const [, field, type = "", value] = /^(?: {4}|\t)(\w+)\s*:\s*([^=#]+?)\s*(?:=\s*(.*))?$/.exec(line) ?? [];
  if (field === undefined || field === "model_config") return [];
  const alias = /(?:alias|env)\s*=\s*["'](\w+)["']/.exec(value ?? "")?.[1];
  const name = (alias ?? prefix + field).toUpperCase();
  return [{ name, path, isNeeded: isNeededField(value), type }];
}

/** A field without a default; `Field(...)` may have none either. */
function isNeededField(value: string | undefined): boolean {
  if (value === undefined || value === "") return true;
  return /^Field\(/.test(value) && !/default|^Field\(\s*(?!\.\.\.)[^\s,)=]+\s*[,)]/.test(value);
}
