import { join } from "node:path";
import * as z from "zod";

import { askPython } from "./interpreter-facts.ts";

// Poetry's lock files of every version and PDM's are read alike: from the project's requirements along each package's,
// here and now. pip then installs just these, so nothing is left to be resolved.
const script = `
import hashlib, json, posixpath, re, sys
try:
    import tomllib
except ImportError:
    from pip._vendor import tomli as tomllib
from pip._vendor.packaging.markers import Marker
from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.specifiers import InvalidSpecifier, SpecifierSet
from pip._vendor.packaging.version import Version
_, answer_path, folder, lock_name, chosen = sys.argv
chosen = set(json.loads(chosen))
here = Version(".".join(map(str, sys.version_info[:3])))
def read(name):
    with open(posixpath.join(folder, name), "rb") as file:
        return tomllib.load(file)
def plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()
def fits_python(text):
    for way in str(text or "*").split("||"):
        try:
            if way.strip() == "*" or here in SpecifierSet(way):
                return True
        except InvalidSpecifier:
            return True
    return False
def holds(marker, extra=""):
    if isinstance(marker, dict):
        return any(holds(each, extra) for each in marker.values())
    return not marker or Marker(marker).evaluate({"extra": extra})
def from_text(text, extra=""):
    each = Requirement(text)
    if each.marker and not each.marker.evaluate({"extra": extra}):
        return []
    return [(plain(each.name), frozenset(each.extras))]
def from_table(table, optional=False, extra=""):
    found = []
    for name, ways in (table or {}).items():
        for way in ways if isinstance(ways, list) else [ways]:
            way = way if isinstance(way, dict) else {"version": way}
            if name == "python" or way.get("optional") and not optional:
                continue
            if holds(way.get("markers"), extra) and fits_python(way.get("python")):
                found.append((plain(name), frozenset(way.get("extras", ()))))
    return found
def from_any(wanted):
    if isinstance(wanted, dict):
        return from_table(wanted)
    return [each for text in wanted or () for each in from_text(text)]
project, lock = read("pyproject.toml"), read(lock_name)
table, tool = project.get("project", {}), project.get("tool", {})
poetry = tool.get("poetry", {})
waiting = from_any(table.get("dependencies")) + from_table(poetry.get("dependencies"))
for name, group in [*poetry.get("group", {}).items(), *project.get("dependency-groups", {}).items()]:
    if name in chosen:
        group = group.get("dependencies") if isinstance(group, dict) else [each for each in group if isinstance(each, str)]
        waiting += from_any(group)
for name, wanted in [*poetry.get("extras", {}).items(), *table.get("optional-dependencies", {}).items()]:
    if name in chosen:
        waiting += [each for text in wanted for each in from_text(re.sub(r"^([\\w.-]+) \\((.*)\\)$", r"\\1\\2", text))]
packages, elsewhere = {}, set()
for each in lock.get("package", []):
    if not holds(each.get("markers", each.get("marker"))):
        # Old lock files say it of the package alone, not of those that depend on it.
        elsewhere.add(plain(each["name"]))
    elif fits_python(each.get("python-versions", each.get("requires_python"))):
        packages.setdefault(plain(each["name"]), []).append(each)
seen = set()
while waiting:
    wish = waiting.pop()
    if wish in seen:
        continue
    seen.add(wish)
    name, extras = wish
    for each in packages.get(name, []):
        waiting += from_any(each.get("dependencies"))
        own = each.get("extras", {})
        for extra in extras if isinstance(own, dict) else ():
            for text in own.get(extra, ()):
                words = re.match(r"[\\w.-]+", text).group()
                optional = {key: value for key, value in each.get("dependencies", {}).items() if plain(key) == plain(words)}
                waiting += from_table(optional, True, extra)
files = lock.get("metadata", {}).get("files", {})
files = files if isinstance(files, dict) else {}
lines, hashes, missing = [], {}, []
for name in sorted({name for name, _ in seen}):
    found = sorted(packages.get(name, []), key=lambda each: Version(each["version"]))
    if not found:
        missing += [] if name in elsewhere else [name]
        continue
    each = found[-1]
    source = each.get("source", {})
    git = each.get("git") or (source.get("url") if source.get("type") == "git" else None)
    path = each.get("path") or (source.get("url") if source.get("type") in ("directory", "file") else None)
    url = each.get("url") if not git and not path else None
    url = url or (source.get("url") if source.get("type") == "url" else None)
    if git:
        below = source.get("subdirectory")
        at = each.get("revision") or source.get("resolved_reference")
        lines.append(f"{name} @ git+{git}@{at}" + (f"#subdirectory={below}" if below else ""))
    elif path:
        lines.append(posixpath.normpath(posixpath.join(folder, path)))
    elif url:
        lines.append(f"{name} @ {url}")
    else:
        lines.append(f"{name}=={each['version']}")
        listed = each.get("files") or files.get(each["name"]) or files.get(f"{each['name']} {each['version']}") or []
        hashes[lines[-1]] = [one["hash"] for one in listed]
all_hashed = all(hashes.get(line) for line in lines)
# As Poetry makes the hash of what a lock file was made for.
def content_hash(groups):
    of_project = {key: table[key] for key in ("requires-python", "dependencies", "optional-dependencies") if key in table}
    old = ("dependencies", "source", "extras", "dev-dependencies")
    keys = [key for key in (*old, "group") if poetry.get(key) is not None or key in old and not of_project and not groups]
    content = {key: poetry.get(key) for key in keys}
    if of_project or groups:
        content = {"tool": {"poetry": content}, **({"project": of_project} if of_project else {})}
        content.update({"dependency-groups": groups} if groups else {})
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()
sources = [each.get("source", {}) for each in lock.get("package", [])]
usual = "https://pypi.org/simple"
has_own_index = any(each.get("type") == "legacy" and each.get("url", "").rstrip("/") != usual for each in sources)
hashes_of_project = [content_hash(groups) for groups in ({}, project.get("dependency-groups", {}))]
with open(answer_path, "w", encoding="utf-8") as file:
    json.dump({
        "missing": missing,
        "isFresh": lock.get("metadata", {}).get("content-hash") in hashes_of_project,
        "isWhole": bool(lines) and all_hashed and not missing and not has_own_index,
        "lines": [" ".join([line] + (["--hash=" + one for one in hashes[line]] if all_hashed else [])) for line in lines],
    }, file)
`;

const schema = z.object({
  missing: z.array(z.string()),
  lines: z.array(z.string()),
  isFresh: z.boolean(),
  isWhole: z.boolean(),
});

/**
 * The packages of a poetry.lock or pdm.lock for this Python, as lines of a requirements file, with hashes when it has
 * them for all. `missing`: requirements of the project that the lock file lacks. `isFresh`: the lock file says that it was
 * made for this very project. `isWhole`: its lines are all that is needed, with hashes, from the usual index.
 *
 * @param chosen groups and extras besides the project's fixed requirements
 */
export async function readLocked(
  folder: string,
  lockFile: "poetry.lock" | "pdm.lock",
  chosen: readonly string[],
  python: string,
  signal: AbortSignal,
): Promise<z.infer<typeof schema>> {
  const args = [folder, lockFile, JSON.stringify(chosen)];
  return schema.parse(JSON.parse(await askPython(python, script, args, signal)));
}

/** File of the lines above. */
export function lockedList(folder: string): string {
  return join(folder, "requirements-of-lock.txt");
}
