"""Reads a poetry.lock of any version, or a pdm.lock: from the project's requirements along those of each package.

pip then installs just these, so nothing is left to be resolved. Arguments: the answer's file, the project's folder, the
name of the lock file, and the chosen groups and extras as JSON.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
import sys
from typing import Any

from pip._vendor.packaging.markers import Marker
from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.specifiers import InvalidSpecifier, SpecifierSet
from pip._vendor.packaging.version import Version

from project_files import plain_name, read_toml, write_answer

Table = dict[str, Any]
Wish = tuple[str, frozenset[str]]
"""A package's name, and the requested extras."""

HERE = Version(".".join(map(str, sys.version_info[:3])))
USUAL_INDEX = "https://pypi.org/simple"


def fits_python(text: str | None) -> bool:
    for way in str(text or "*").split("||"):
        try:
            if way.strip() == "*" or HERE in SpecifierSet(way):
                return True
        except InvalidSpecifier:
            return True
    return False


def holds(marker: Any, extra: str = "") -> bool:
    if isinstance(marker, dict):
        return any(holds(each, extra) for each in marker.values())
    return not marker or Marker(marker).evaluate({"extra": extra})


def is_for_here(package: Table) -> bool:
    """Markers may be by group: one that has none wants the package everywhere."""
    markers = package.get("markers", package.get("marker"))
    is_everywhere = isinstance(markers, dict) and not set(package.get("groups", ())) <= set(markers)
    return is_everywhere or holds(markers)


def from_text(text: str) -> list[Wish]:
    each = Requirement(text)
    if each.marker and not each.marker.evaluate({"extra": ""}):
        return []
    return [(plain_name(each.name), frozenset(each.extras))]


def from_table(table: Table | None, optional: bool = False, extra: str = "") -> list[Wish]:
    found = []
    for name, ways in (table or {}).items():
        for one in ways if isinstance(ways, list) else [ways]:
            way = one if isinstance(one, dict) else {"version": one}
            if name == "python" or (way.get("optional") and not optional):
                continue
            if holds(way.get("markers"), extra) and fits_python(way.get("python")):
                found.append((plain_name(name), frozenset(way.get("extras", ()))))
    return found


def from_any(wanted: Any) -> list[Wish]:
    if isinstance(wanted, dict):
        return from_table(wanted)
    return [each for text in wanted or () for each in from_text(text)]


def wishes_of(project: Table, chosen: set[str]) -> list[Wish]:
    """What the project itself asks for."""
    table, poetry = project.get("project", {}), project.get("tool", {}).get("poetry", {})
    found = from_any(table.get("dependencies")) + from_table(poetry.get("dependencies"))
    groups = [*poetry.get("group", {}).items(), *project.get("dependency-groups", {}).items()]
    for name, group in groups:
        if name in chosen:
            is_poetry = isinstance(group, dict)
            texts = [] if is_poetry else [each for each in group if isinstance(each, str)]
            found += from_any(group.get("dependencies") if is_poetry else texts)
    extras = [*poetry.get("extras", {}).items(), *table.get("optional-dependencies", {}).items()]
    for name, wanted in extras:
        if name in chosen:
            texts = [re.sub(r"^([\w.-]+) \((.*)\)$", r"\1\2", text) for text in wanted]
            found += from_any(texts)
    return found


class Lock:
    def __init__(self, lock: Table) -> None:
        self.packages: dict[str, list[Table]] = {}
        self.elsewhere: set[str] = set()
        """Packages of other systems. Old lock files say so of the package alone, not of those that depend on it."""
        for each in lock.get("package", []):
            name = plain_name(each["name"])
            if not is_for_here(each):
                self.elsewhere.add(name)
            elif fits_python(each.get("python-versions", each.get("requires_python"))):
                self.packages.setdefault(name, []).append(each)

    def names_along(self, wishes: list[Wish]) -> list[str]:
        """Names of the packages that are wished for, and of all that they need."""
        waiting, seen = list(wishes), set()
        while waiting:
            wish = waiting.pop()
            if wish in seen:
                continue
            seen.add(wish)
            name, extras = wish
            for each in self.packages.get(name, []):
                waiting += from_any(each.get("dependencies")) + from_extras(each, extras)
        return sorted({name for name, _ in seen})

    def newest(self, name: str) -> Table | None:
        found = sorted(self.packages.get(name, []), key=lambda each: Version(each["version"]))
        return found[-1] if found else None


def from_extras(package: Table, extras: frozenset[str]) -> list[Wish]:
    own = package.get("extras", {})
    found: list[Wish] = []
    for extra in extras if isinstance(own, dict) else ():
        for text in own.get(extra, ()):
            words = re.match(r"[\w.-]+", text)
            name = plain_name(words.group()) if words else ""
            table = {
                key: each for key, each in package.get("dependencies", {}).items() if plain_name(key) == name
            }
            found += from_table(table, True, extra)
    return found


def line_of(name: str, package: Table, folder: str) -> str:
    """As a line of a requirements file."""
    source = package.get("source", {})
    kind, url = source.get("type"), source.get("url")
    git = package.get("git") or (url if kind == "git" else None)
    path = package.get("path") or (url if kind in ("directory", "file") else None)
    if git:
        below = source.get("subdirectory")
        at = package.get("revision") or source.get("resolved_reference")
        return f"{name} @ git+{git}@{at}" + (f"#subdirectory={below}" if below else "")
    if path:
        return posixpath.normpath(posixpath.join(folder, path))
    address = package.get("url") or (url if kind == "url" else None)
    return f"{name} @ {address}" if address else f"{name}=={package['version']}"


def hashes_of(package: Table, lock: Table) -> list[str]:
    """Old lock files have those of all packages in a table of their own."""
    files = lock.get("metadata", {}).get("files", {})
    files = files if isinstance(files, dict) else {}
    name = package["name"]
    listed = package.get("files") or files.get(name) or files.get(f"{name} {package['version']}") or []
    return [one["hash"] for one in listed]


def content_hash(project: Table, groups: Table) -> str:
    """As Poetry makes the hash of what a lock file was made for."""
    table, poetry = project.get("project", {}), project.get("tool", {}).get("poetry", {})
    wanted = ("requires-python", "dependencies", "optional-dependencies")
    of_project = {key: table[key] for key in wanted if key in table}
    old = ("dependencies", "source", "extras", "dev-dependencies")
    has_old = not of_project and not groups
    keys = [key for key in (*old, "group") if poetry.get(key) is not None or (key in old and has_old)]
    content: Table = {key: poetry.get(key) for key in keys}
    if of_project or groups:
        content = {"tool": {"poetry": content}, **({"project": of_project} if of_project else {})}
        content.update({"dependency-groups": groups} if groups else {})
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()


def answer_for(project: Table, lock: Table, folder: str, chosen: set[str]) -> Table:
    locked = Lock(lock)
    names = locked.names_along(wishes_of(project, chosen))
    found = [(name, each) for name in names if (each := locked.newest(name)) is not None]
    present = {name for name, _ in found}
    missing = [name for name in names if name not in present and name not in locked.elsewhere]
    lines = [line_of(name, each, folder) for name, each in found]
    hashes = [
        hashes_of(each, lock) if line.startswith(f"{name}==") else []
        for line, (name, each) in zip(lines, found)
    ]
    all_hashed = all(hashes)
    sources = [each.get("source", {}) for each in lock.get("package", [])]
    others = [each for each in sources if each.get("type") == "legacy"]
    has_own_index = any(each.get("url", "").rstrip("/") != USUAL_INDEX for each in others)
    groups: list[Table] = [{}, project.get("dependency-groups", {})]
    made_for = [content_hash(project, each) for each in groups]
    return {
        "missing": missing,
        "isFresh": lock.get("metadata", {}).get("content-hash") in made_for,
        "isWhole": bool(lines) and all_hashed and not missing and not has_own_index,
        "lines": [
            " ".join([line, *([f"--hash={one}" for one in each] if all_hashed else [])])
            for line, each in zip(lines, hashes)
        ],
    }


if __name__ == "__main__":
    _, answer_path, folder, lock_name, chosen = sys.argv
    project, lock = (read_toml(posixpath.join(folder, name)) for name in ("pyproject.toml", lock_name))
    write_answer(answer_path, answer_for(project, lock, folder, set(json.loads(chosen))))
