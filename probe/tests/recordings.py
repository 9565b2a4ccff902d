"""Suites that the recorder runs, as `init` has it run them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

TOOLS = Path(__file__).parents[1] / "tools"


def recorded(
    folder: Path,
    files: dict[str, str],
    *,
    arguments: tuple[str, ...] = (),
    seconds: float = 60,
    quiet: float = 60,
    routes: tuple[str, ...] = (),
    inside: bool = True,
    sites: tuple[Path, ...] = (),
) -> list[dict[str, Any]]:
    """Lines of the recorder. `inside`: on this machine as it is."""
    project, own = folder / "project", folder / "own"
    for each in (project, own):
        each.mkdir()
    for name, text in files.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    settings = {
        **{"notes": str(own / "notes"), "sites": [str(each) for each in sites]},
        **{"database": "", "portVariables": ["STORE_URL"]},
        **{"kept": [], "writable": [str(project), str(own)], "seconds": seconds, "testSeconds": 5},
        **{"quietSeconds": quiet, "routes": routes},
        "arguments": ["-q", "-p", "no:cacheprovider", "-o", "addopts=", *arguments],
    }
    (own / "settings.json").write_text(json.dumps(settings))
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(own),
        **({"LOADTEST_INSIDE": "yes"} if inside else {}),
    }
    command = [sys.executable, str(TOOLS / "record_tests.py"), str(own / "settings.json")]
    subprocess.run(command, cwd=project, env=environment, check=True, timeout=60)  # noqa: S603 - our own words
    return [json.loads(line) for line in (own / "notes").read_text().splitlines()]


def wiped_by(folder: Path, suite: str, variables: dict[str, str], database: str = "") -> list[dict[str, Any]]:
    """Run as `init` runs it: in a view of the machine of its own."""
    project, own = folder / "project", folder / "own"
    for each in (project, own):
        each.mkdir(exist_ok=True)
    (project / "test_a.py").write_text(suite)
    settings = {
        **{"notes": str(own / "notes"), "sites": [], "database": database, "portVariables": list(variables)},
        **{
            "kept": [],
            "writable": [str(project), str(own)],
            "seconds": 30,
            "testSeconds": 20,
            "quietSeconds": 15,
            "routes": [],
        },
        "arguments": ["-q", "-p", "no:cacheprovider"],
    }
    (own / "settings.json").write_text(json.dumps(settings))
    environment = {"PATH": os.environ["PATH"], "HOME": str(own), **variables}
    command = [sys.executable, str(TOOLS / "record_tests.py"), str(own / "settings.json")]
    subprocess.run(command, cwd=project, env=environment, check=True, timeout=60)  # noqa: S603 - our own words
    return [json.loads(line) for line in (own / "notes").read_text().splitlines()]
