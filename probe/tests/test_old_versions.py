"""What is too old is named, with the version that is needed."""

from __future__ import annotations

import asyncio
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from loadtest_probe.libraries import reason_of
from loadtest_probe.patches import OLDEST, patches, starlette_threads, thread_pools, uvicorn
from loadtest_probe.prepare import prepare
from loadtest_probe.probe import Probe
from loadtest_probe.request import Request, current_request
from loadtest_probe.settings import Settings
from loadtest_probe.start_note import StartNote, python_problem

SETTINGS = Settings("/nowhere", str(Path(__file__).parent))


def notes(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted(folder.glob("start-*.json"))]


@pytest.mark.parametrize(
    ("module", "installed", "said"),
    [
        ("uvicorn.config", "0.9.1", "uvicorn 0.9.1 is too old to be watched: 0.12 or newer is needed"),
        (
            "sqlalchemy.pool.base",
            "1.3.24",
            "sqlalchemy 1.3.24 is too old to be watched: 1.4 or newer is needed",
        ),
        ("asyncpg.pool", "0.100.0", "asyncpg 0.100.0 is not known to the probe: AttributeError: no Pool"),
        (
            "psycopg2",
            None,
            "psycopg2 of an unknown version is not known to the probe: AttributeError: no Pool",
        ),
        ("concurrent.futures.thread", "1", "AttributeError: no Pool"),
    ],
)
def test_reason(monkeypatch: pytest.MonkeyPatch, module: str, installed: str | None, said: str) -> None:
    def version(name: str) -> str:
        if installed is None:
            raise metadata.PackageNotFoundError(name)
        return installed

    monkeypatch.setattr(metadata, "version", version)
    monkeypatch.delitem(sys.modules, "psycopg2", raising=False)
    assert reason_of(module, AttributeError("no Pool")) == said


def test_each_library_has_an_oldest_version() -> None:
    own = {"asyncio", "concurrent"}
    assert {module.partition(".")[0] for _, module, _ in patches} == OLDEST.keys() | own


@pytest.mark.parametrize(
    ("version", "problem"),
    [
        ((3, 8, 10), "Python 3.8.10 is too old to be watched: 3.9 or newer is needed"),
        ((3, 9, 2), None),
        ((3, 14, 0), None),
    ],
)
def test_python(version: tuple[int, int, int], problem: str | None) -> None:
    assert python_problem(version) == problem


def test_server_that_is_too_old_says_so_in_the_note(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is imported, but has nothing that the patch could hold on to."""
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "uvicorn").mkdir()
    (tmp_path / "app" / "uvicorn" / "__init__.py").touch()
    (tmp_path / "app" / "uvicorn" / "config.py").write_text("class Config: pass\n")
    documents = tmp_path / "documents"
    documents.mkdir()
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.setattr(metadata, "version", lambda _: "0.2.0")
    for name in [each for each in sys.modules if each.partition(".")[0] == "uvicorn"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.syspath_prepend(str(tmp_path / "app"))
    note = StartNote(str(documents))
    assert [(each["servers"], each["problems"]) for each in notes(documents)] == [([], [])]
    prepare(Settings(str(documents), str(tmp_path)), note)
    import uvicorn.config

    assert uvicorn.config.__file__ == str(tmp_path / "app" / "uvicorn" / "config.py")
    (said,) = notes(documents)
    assert said["servers"] == ["uvicorn"]
    assert said["problems"] == ["uvicorn 0.2.0 is too old to be watched: 0.12 or newer is needed"]
    for name in ("uvicorn", "uvicorn.config"):
        monkeypatch.delitem(sys.modules, name)


def test_note_in_a_folder_that_is_gone_is_nobodys_problem(tmp_path: Path) -> None:
    StartNote(str(tmp_path / "gone")).problem("x")


def test_uvicorn_before_0_47_loads_its_app_in_load_alone() -> None:
    class Config:
        loaded_app: Any = None

        def load(self) -> None:
            self.loaded_app = "the app"

    module = ModuleType("uvicorn.config")
    module.__dict__["Config"] = Config
    probe = Probe(SETTINGS)
    uvicorn.patch_config(probe, module)
    config = Config()
    config.load()
    assert type(config.loaded_app).__name__ == "WatchedAsgi"
    assert (probe.server["worker"], probe.unseen) == ("asgi", {})
    probe.is_awake = False


def test_threads_of_starlette_before_0_15(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its function runs in the loop's own executor, whose threads are then those that are counted, once."""

    async def run_in_threadpool(func: Any, *args: Any) -> Any:
        from contextvars import copy_context

        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(None, copy_context().run, partial(func, *args))

    for name in ("__init__", "submit"):  # the patch changes the class
        monkeypatch.setattr(ThreadPoolExecutor, name, getattr(ThreadPoolExecutor, name))
    probe = Probe(SETTINGS)
    probe.is_awake = True
    starlette = ModuleType("starlette.concurrency")
    starlette.__dict__["run_in_threadpool"] = run_in_threadpool
    pools = ModuleType("concurrent.futures.thread")
    pools.__dict__["ThreadPoolExecutor"] = ThreadPoolExecutor
    starlette_threads.patch(probe, starlette)
    thread_pools.patch(probe, pools)
    request = Request()

    async def answer() -> int:
        current_request.set(request)
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(3))
        result: int = await starlette.__dict__["run_in_threadpool"](pow, 2, 5)
        return result

    assert asyncio.run(answer()) == 32
    assert (probe.thread_kind, probe.thread_tokens) == ("executor", 3)
    assert (probe.threads.taken, probe.threads.returned, probe.threads.waiting) == (1, 1, 0)
    assert request.thread_time == pytest.approx(probe.threads.use_total, abs=0.01)


def test_threads_of_later_ones_are_anyios() -> None:
    starlette = ModuleType("starlette.concurrency")
    starlette.__dict__.update(anyio=object(), run_in_threadpool=None)
    starlette_threads.patch(Probe(SETTINGS), starlette)
    assert starlette.__dict__["run_in_threadpool"] is None
