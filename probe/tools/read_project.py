"""Says what a pyproject.toml asks for. Arguments: the answer's file, the project's."""

from __future__ import annotations

import sys
from typing import Any

from project_files import read_toml, write_answer


def texts(group: Any) -> list[str]:
    group = group.get("dependencies", {}) if isinstance(group, dict) else group
    return [each for each in group if isinstance(each, str)]


def facts_of(data: dict[str, Any]) -> dict[str, Any]:
    tool, table = data.get("tool", {}), data.get("project", {})
    poetry = tool.get("poetry", {})
    of_poetry = poetry.get("dependencies", {})
    optional = {name for name, each in of_poetry.items() if isinstance(each, dict) and each.get("optional")}
    is_package = poetry.get("package-mode", tool.get("uv", {}).get("package", "build-system" in data))
    groups = {**poetry.get("group", {}), **data.get("dependency-groups", {})}
    extras = {**poetry.get("extras", {}), **table.get("optional-dependencies", {})}
    return {
        "dependencies": table.get("dependencies", []),
        "isPackage": bool(is_package),
        "isProject": "project" in data or bool(is_package),
        "always": [each for each in [*table.get("dependencies", []), *of_poetry] if each not in optional],
        "groups": {name: texts(each) for name, each in groups.items()},
        "extras": {name: texts(each) for name, each in extras.items()},
    }


if __name__ == "__main__":
    write_answer(sys.argv[1], facts_of(read_toml(sys.argv[2])))
