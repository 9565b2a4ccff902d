"""Which files are the user's own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from loadtest_probe.places import Place, Places


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("app/main.py", "app/main.py"),
        ("./app/../app/main.py", "app/main.py"),
        (".venv/lib/python3.11/site-packages/fastapi/routing.py", None),
        ("vendor/dist-packages/x.py", None),
        ("../elsewhere.py", None),
        ("<string>", None),
    ],
)
def test_files_below_the_apps_folder(tmp_path: Path, path: str, name: str | None) -> None:
    written = path if path.startswith("<") else str(tmp_path / path)
    places = Places(str(tmp_path))
    assert places.name_of(written) == name
    assert places.name_of(written) == name  # as remembered


def test_interpreter_in_the_apps_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "env"))
    assert Places(str(tmp_path)).name_of(str(tmp_path / "env/lib/x.py")) is None
    assert Places(str(tmp_path)).name_of(str(tmp_path / "x.py")) == "x.py"


def test_app_below_an_interpreter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert Places(str(tmp_path / "srv")).name_of(str(tmp_path / "srv/x.py")) == "x.py"


def test_caller_and_function() -> None:
    here = Path(__file__)
    places = Places(str(here.parent))
    caller = places.caller()
    assert caller is not None
    assert (caller.file, caller.function) == ("test_places.py", "test_caller_and_function")
    assert places.text_of(caller) == "caller = places.caller()"
    function = places.of_function(decorated)
    assert function is not None
    assert places.text_of(function) == "def decorated() -> None:"
    assert places.of_function(len) is None
    assert Places("/nowhere").caller() is None
    assert places.text_of(Place("gone.py", 3, "f")) == ""


def same(function: object) -> object:
    return function


@same
def decorated() -> None:
    """Its code begins a line earlier."""
