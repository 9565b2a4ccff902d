"""Says what a pyproject.toml asks for. Arguments: the answer's file, the project's."""

from __future__ import annotations

import re
import sys
from typing import Any

from project_files import read_toml, write_answer


def texts(group: Any) -> list[str]:
    group = group.get("dependencies", {}) if isinstance(group, dict) else group
    return [each for each in group if isinstance(each, str)]


def bounds_of(part: str) -> str:
    """One constraint of Poetry's as pip writes it; nothing for one that pip cannot say."""
    found = re.fullmatch(r"([\^~]?)(\d+(?:\.\d+)*(?:\.\*)?)", part)
    if found is None:
        return part if re.fullmatch(r"(?:[<>]=?|[!=~]=) ?[\w.*+!-]+", part) else ""
    sign, version = found.groups()
    if sign == "" or version.endswith("*"):
        return f"=={version}"
    numbers = [int(each) for each in version.split(".")]
    changing = min(1, len(numbers) - 1)
    if sign == "^":
        changing = next((at for at, each in enumerate(numbers) if each > 0), len(numbers) - 1)
    upper = [*numbers[:changing], numbers[changing] + 1]
    return f">={version},<{'.'.join(str(each) for each in upper)}"


def requirement_of(name: str, wanted: Any) -> str | None:
    """A dependency of Poetry's as pip writes it; nothing for one that only Poetry can install."""
    wanted = wanted[0] if isinstance(wanted, list) and wanted else wanted
    wanted = {"version": wanted} if isinstance(wanted, str) else wanted
    if not isinstance(wanted, dict) or wanted.get("optional") or "path" in wanted:
        return None
    named = name + (f"[{','.join(wanted['extras'])}]" if wanted.get("extras") else "")
    marker = f" ; {wanted['markers']}" if wanted.get("markers") else ""
    if "git" in wanted:
        at = wanted.get("rev") or wanted.get("tag") or wanted.get("branch")
        return f"{named} @ git+{wanted['git']}" + (f"@{at}" if at else "") + marker
    version = str(wanted.get("version", "*"))
    parts = [] if "|" in version else [bounds_of(each.strip()) for each in version.split(",")]
    return named + ",".join(each for each in parts if each) + marker


def facts_of(data: dict[str, Any]) -> dict[str, Any]:
    tool, table = data.get("tool", {}), data.get("project", {})
    poetry = tool.get("poetry", {})
    of_poetry = poetry.get("dependencies", {})
    optional = {name for name, each in of_poetry.items() if isinstance(each, dict) and each.get("optional")}
    is_package = poetry.get("package-mode", tool.get("uv", {}).get("package", "build-system" in data))
    dependencies = table.get("dependencies", [])
    # A package's own build knows them.
    if "project" not in data and not is_package:
        wanted = [requirement_of(name, each) for name, each in of_poetry.items() if name != "python"]
        dependencies = [each for each in wanted if each is not None]
    groups = {**poetry.get("group", {}), **data.get("dependency-groups", {})}
    extras = {**poetry.get("extras", {}), **table.get("optional-dependencies", {})}
    return {
        "dependencies": dependencies,
        "isPackage": bool(is_package),
        "isProject": "project" in data or bool(is_package) or len(dependencies) > 0,
        "always": [each for each in [*table.get("dependencies", []), *of_poetry] if each not in optional],
        "groups": {name: texts(each) for name, each in groups.items()},
        "extras": {name: texts(each) for name, each in extras.items()},
    }


if __name__ == "__main__":
    write_answer(sys.argv[1], facts_of(read_toml(sys.argv[2])))
