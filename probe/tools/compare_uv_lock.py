"""Says what a project asks for, and what its uv.lock was made for. Arguments: the answer's file, project, lock file."""

from __future__ import annotations

import sys
from typing import Any

from project_files import plain_name, read_toml, write_answer


def comparison(project: dict[str, Any], lock: dict[str, Any]) -> dict[str, Any]:
    """`locked` is None where that is unknown."""
    table = project.get("project", {})
    name = plain_name(table.get("name", ""))
    own = [each for each in lock.get("package", []) if plain_name(each["name"]) == name]
    locked = own[0].get("metadata", {}).get("requires-dist") if len(own) == 1 else None
    if locked is None and own and not own[0].get("dependencies"):
        locked = []
    if "dependencies" in table.get("dynamic", []):
        locked = None
    return {
        "asked": table.get("dependencies", []),
        "locked": locked and [each for each in locked if "extra ==" not in each.get("marker", "")],
        "sourced": list(project.get("tool", {}).get("uv", {}).get("sources", {})),
    }


if __name__ == "__main__":
    write_answer(sys.argv[1], comparison(read_toml(sys.argv[2]), read_toml(sys.argv[3])))
