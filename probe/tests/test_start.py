"""What a process looks like before it serves anything."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import PROBE

LOOK = """
import json, os, sys
import sitecustomize
print(json.dumps({
    "who": getattr(sitecustomize, "WHO", None),
    "path": sys.path,
    "asyncio": "asyncio" in sys.modules,
}))
"""


def look(folder: Path, python_path: list[str], *, is_watched: bool = True) -> dict[str, object]:
    launcher = ["-m", "loadtest_probe", "--folder", str(folder), "--", sys.executable] if is_watched else []
    paths = [str(PROBE), *python_path]
    done = subprocess.run(  # noqa: S603 - the tests' own words
        [sys.executable, *launcher, "-c", LOOK],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "documents"
    made.mkdir(mode=0o700)
    return made


def test_another_sitecustomize_runs_as_ever(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("WHO = 'another'\n")
    watched = look(folder, [str(tmp_path)])
    assert watched == look(folder, [str(tmp_path)], is_watched=False)
    assert watched["who"] == "another"


def test_process_that_serves_nothing_loads_nothing(folder: Path) -> None:
    found = look(folder, [])
    assert found["asyncio"] is False
    assert not any("probe/loadtest_probe" in path for path in found["path"])  # type: ignore[attr-defined]
    (note,) = folder.iterdir()
    assert json.loads(note.read_text())["servers"] == []
