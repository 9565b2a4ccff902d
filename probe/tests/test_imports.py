"""Several of ours stand in front of the other finders, and each sees its module."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from loadtest_probe.imports import AfterImport


def test_two_that_want_the_same_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wanted_by_two.py").write_text("answer = 42\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", sys.meta_path[:])
    seen: list[tuple[str, ModuleType]] = []
    for who in ("guard", "probe"):
        AfterImport({"wanted_by_two": lambda module, who=who: seen.append((who, module))}).install()  # type: ignore[misc]
    import wanted_by_two  # type: ignore[import-not-found]

    assert [who for who, _ in seen] == ["guard", "probe"]
    assert all(module is wanted_by_two and module.answer == 42 for _, module in seen)
