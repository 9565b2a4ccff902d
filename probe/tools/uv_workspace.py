"""Says which folders of a repository a project's uv.lock needs.

Arguments: the answer's file, the root that holds the lock file, the project's folder below it, and how many folders
above the root belong to the repository.
"""

from __future__ import annotations

import posixpath
import sys
from typing import Any, Optional

from project_files import read_toml, write_answer

Place = tuple[Optional[str], Optional[str]]


class Workspace:
    def __init__(self, root: str, project: str, levels: int) -> None:
        self.levels = levels
        settings = read_toml(posixpath.join(root, "pyproject.toml")).get("tool", {}).get("uv", {})
        is_workspace = "workspace" in settings
        is_read = is_workspace or project == "."
        lock = read_toml(posixpath.join(root, "uv.lock")) if is_read else {}
        self.locked: list[dict[str, Any]] = lock.get("package", [])
        self.own = [each["name"] for each in self.locked if self.folder(each)[0] == project][:1]
        is_all = not self.own and is_workspace and project == "."
        wanted = [each["name"] for each in self.locked if self.folder(each)[0]] if is_all else self.own
        self.needed = self.needed_by(wanted)

    def inside(self, path: str) -> str | None:
        path = posixpath.normpath(path)
        return None if path.startswith("/") or path.split("/").count("..") > self.levels else path

    def place(self, package: dict[str, Any], kinds: tuple[str, ...]) -> Place:
        source = package.get("source", {})
        return next(((self.inside(source[kind]), kind) for kind in kinds if kind in source), (None, None))

    def folder(self, package: dict[str, Any]) -> Place:
        return self.place(package, ("editable", "directory", "virtual"))

    def needed_by(self, wanted: list[str]) -> set[str]:
        """Names of the packages with all that they need."""
        named: dict[str, list[dict[str, Any]]] = {}
        for each in self.locked:
            named.setdefault(each["name"], []).append(each)
        needed: set[str] = set()
        waiting = list(wanted)
        while waiting:
            name = waiting.pop()
            if name in needed:
                continue
            needed.add(name)
            for package in named.get(name, []):
                lists = [package.get("dependencies", [])]
                for key in ("optional-dependencies", "dev-dependencies"):
                    lists += package.get(key, {}).values()
                waiting += [each["name"] for one in lists for each in one]
        return needed

    def answer(self) -> dict[str, Any] | None:
        """None where the lock file names no code of the repository."""
        packages = [each for each in self.locked if each["name"] in self.needed]
        folders = {path: kind for path, kind in map(self.folder, packages) if path}
        local = [each for each in packages if "://" not in str(each.get("source"))]
        archives = {self.place(each, ("path", "registry"))[0] for each in local}
        if not folders:
            return None
        return {
            "name": self.own[0] if self.own else None,
            "folders": list(folders),
            "packages": [path for path, kind in folders.items() if kind != "virtual"],
            "archives": sorted(filter(None, archives)),
        }


if __name__ == "__main__":
    _, answer_path, root, project, levels = sys.argv
    write_answer(answer_path, Workspace(root, project, int(levels)).answer())
