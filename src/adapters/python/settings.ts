import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";

import { EnvironmentError } from "../../errors/errors.ts";
import type { ReadVariable } from "../../init/project.ts";
import type { SourceFile } from "../../repository/apps.ts";
import { startDeadline } from "../process/index.ts";
import { askPython } from "./interpreter-facts.ts";

// Only parsed, never imported: reading a repository must not run its code. A file that this Python cannot parse, or
// that nests too deeply to be handwritten, yields nothing.
const script = `
import ast, json, re, sys
with open(sys.argv[2], encoding="utf-8") as file:
    sources = json.load(file)
def parsed(text):
    try:
        return ast.parse(text)
    except SyntaxError:
        # Type parameters, which an older Python than the app's cannot read.
        plain = re.sub(r"^([ \\t]*(?:async )?(?:def|class) \\w+)\\[[^\\]\\n]*\\]", r"\\1", text, flags=re.M)
        return ast.parse(re.sub(r"^type (\\w+)(?:\\[[^\\]\\n]*\\])? =", r"\\1 =", plain, flags=re.M))
trees = []
for source in sources:
    try:
        trees.append((source["path"], parsed(source["text"])))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
def last(node):
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
def text_of(node):
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
def written(node):
    try:
        return ast.unparse(node)[:300]
    except (RecursionError, ValueError):
        return ""
def literal(node):
    if isinstance(node, ast.Constant) and isinstance(node.value, (str, int, float)):
        return str(node.value)
    return None
reads = []
def add(name, path, needed, kind=None, value=None, field=None):
    if name and len(name) < 200 and name.replace("_", "").isalnum():
        reads.append({"name": name, "path": path, "isNeeded": needed, "type": kind, "value": value, "field": field})
def keyword(call, *names):
    return next((each.value for each in call.keywords if each.arg in names), None)
def call_reads(path, node, is_of_reader, numbers):
    called, name = last(node.func), text_of(node.args[0]) if node.args else None
    owner = last(node.func.value) if isinstance(node.func, ast.Attribute) else ""
    if name is None:
        return
    given = node.args[1:]
    if called == "getenv" or owner == "environ" and called in ("get", "setdefault", "pop"):
        # A number cannot be made of nothing.
        add(name, path, id(node) in numbers and not given, numbers.get(id(node)), literal(given[0]) if given else None)
    elif called in ("config", "env") or owner in ("env", "config", "Env") and called.islower() and called != "get":
        if not name.isupper() and not is_of_reader:
            return
        cast = keyword(node, "cast", "type")
        if cast is None and given and isinstance(given[0], (ast.Name, ast.Attribute)) and len(given) < 2 and called == "config":
            cast, given = given[0], []
        default = keyword(node, "default") or (given[-1] if given else None)
        kind = written(cast) if cast is not None else called if owner else None
        add(name, path, default is None, kind, literal(default) if default is not None else None)
classes, filled = {}, set()
for path, tree in trees:
    caught, numbers, whole, starred = set(), {}, False, set()
    is_of_reader = any(isinstance(node, ast.ImportFrom) and node.module in ("decouple", "starlette.config") for node in ast.walk(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Try) and any("KeyError" in written(each.type) if each.type else True for each in node.handlers):
            caught.update(id(inner) for each in node.body for inner in ast.walk(each))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            classes.setdefault(node.name, (path, node, [last(each.value if isinstance(each, ast.Subscript) else each) for each in node.bases]))
        elif isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in ("int", "float") and node.args:
                numbers[id(node.args[0])] = node.func.id
            # All of the environment, handed on to a class: Config(**dict(os.environ)).
            whole = whole or last(node.func) == "dict" and any(last(each) == "environ" for each in node.args)
            whole = whole or isinstance(node.func, ast.Attribute) and node.func.attr in ("items", "copy") and last(node.func.value) == "environ"
            whole = whole or any(each.arg is None and last(each.value) == "environ" for each in node.keywords)
            if any(each.arg is None for each in node.keywords):
                starred.add(last(node.func))
            call_reads(path, node, is_of_reader, numbers)
        elif isinstance(node, ast.Subscript) and last(node.value) == "environ" and isinstance(node.ctx, ast.Load):
            index = node.slice.value if node.slice.__class__.__name__ == "Index" else node.slice
            add(text_of(index), path, id(node) not in caught)
    if whole:
        filled.update(starred)
def lineage(name):
    found, waiting = [], [name]
    while waiting:
        each = waiting.pop(0)
        if each in classes and each not in found:
            found.append(each)
            waiting += classes[each][2]
    return found
def is_settings(name):
    """A class of that name that is not here is a library's own, as of an admin interface."""
    def is_base(base, own):
        return base == "BaseSettings" or base.endswith("Settings") and (base == own or base not in classes)
    return any(is_base(base, each) for each in lineage(name) for base in classes[each][2])
def options(name):
    found = {}
    for each in reversed(lineage(name)):
        texts = {}
        for node in ast.walk(classes[each][1]):
            pairs, target = [], None
            if isinstance(node, ast.Assign):
                target = node.targets[0]
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                target = node.target
            if isinstance(target, ast.Name):
                texts[target.id] = text_of(node.value)
                calls = [each for each in ast.walk(node.value) if isinstance(each, ast.Call)]
                if target.id == "model_config" and calls:
                    pairs = [(one.arg, one.value) for call in calls for one in call.keywords]
                elif target.id == "model_config" and isinstance(node.value, ast.Dict):
                    pairs = [(text_of(key), value) for key, value in zip(node.value.keys, node.value.values) if key is not None]
                else:
                    pairs = [(target.id, node.value)]
            for key, value in pairs:
                text = texts.get(value.id) if isinstance(value, ast.Name) else text_of(value)
                if key in ("env_prefix", "env_nested_delimiter") and text is not None:
                    found[key] = text
    return found
def fields(name):
    found = {}
    for each in reversed(lineage(name)):
        for node in classes[each][1].body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                if node.target.id != "model_config" and "ClassVar" not in written(node.annotation):
                    found[node.target.id] = (classes[each][0], node.annotation, node.value)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in found:
                before = found[node.targets[0].id]
                found[node.targets[0].id] = (before[0], before[1], node.value)
    return found
def default_of(value):
    """Whether there is one, what it is, and the names that it is read by."""
    if value is None:
        return False, None, []
    if not (isinstance(value, ast.Call) and last(value.func) in ("Field", "PydanticField")):
        return True, literal(value), []
    first = value.args[0] if value.args else keyword(value, "default")
    has = first is not None and not (isinstance(first, ast.Constant) and first.value is Ellipsis)
    has = has or keyword(value, "default_factory") is not None
    names = []
    alias = keyword(value, "validation_alias") or keyword(value, "env") or keyword(value, "alias")
    if alias is not None:
        inner = alias.args if isinstance(alias, ast.Call) else alias.elts if isinstance(alias, (ast.List, ast.Tuple)) else [alias]
        names = [text_of(each) for each in inner if text_of(each)]
    return has, literal(first) if has and first is not None else None, names
def field_reads(name, prefix, delimiter, has_outer, depth=0):
    for field, (path, annotation, value) in fields(name).items():
        kind = written(annotation)
        has, default, names = default_of(value)
        inner = [each for each in classes if each in kind.replace("[", " ").replace("]", " ").replace("|", " ").split() and each != name]
        own = names[0] if names and depth == 0 else prefix + field
        if inner and delimiter and depth < 3 and fields(inner[0]):
            field_reads(inner[0], own + delimiter, delimiter, has_outer or has, depth + 1)
            continue
        # No variable sets a name that begins so, but its default may be the first user's.
        optional = field.startswith("_") or "Optional[" in kind or "None" in kind.replace("|", " ").split()
        add(own.upper(), path, not (has or has_outer or optional), kind, default, field)
settings = [each for each in classes if (is_settings(each) or each in filled) and "Test" not in each]
parents = {parent for each in settings for parent in lineage(each)[1:]}
for name in settings:
    if name not in parents:
        own = options(name)
        field_reads(name, own.get("env_prefix", ""), own.get("env_nested_delimiter"), False)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(reads[:2000], file)
`;

const schema = z.array(
  z.object({
    name: z.string(),
    path: z.string(),
    isNeeded: z.boolean(),
    type: z.string().nullable(),
    value: z.string().nullable(),
    field: z.string().nullable(),
  }),
);

const withinSeconds = 30;

/**
 * Variables that Python code reads, each once and needed if any reader needs it: calls such as `os.getenv("X")` and
 * `config("X")`, and the fields of settings. None without a Python for parsing.
 */
export async function readVariables(
  files: readonly SourceFile[],
  signal: AbortSignal,
): Promise<readonly ReadVariable[]> {
  const folder = await mkdtemp(join(tmpdir(), "loadtest-settings-"));
  const path = join(folder, "sources.json");
  using deadline = startDeadline({ ms: withinSeconds * 1_000, signal });
  try {
    await writeFile(path, JSON.stringify(files.filter((file) => file.path.endsWith(".py"))));
    const answer = await askPython("python3", script, [path], deadline.signal);
    return merged(
      schema.parse(JSON.parse(answer)).map(({ type, value, field, ...each }) => ({
        ...each,
        type: type ?? undefined,
        value: value ?? undefined,
        isField: field !== null,
      })),
    );
  } catch (error) {
    if (!deadline.isOver && !(error instanceof EnvironmentError)) throw error;
    return [];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function merged(all: readonly ReadVariable[]): readonly ReadVariable[] {
  const found = new Map<string, ReadVariable>();
  for (const each of all) {
    const before = found.get(each.name);
    if (before === undefined) found.set(each.name, each);
    else
      found.set(each.name, {
        ...(each.isNeeded && !before.isNeeded ? each : before),
        type: before.type ?? each.type,
        value: before.value ?? each.value,
        isField: before.isField || each.isField,
      });
  }
  return [...found.values()];
}
