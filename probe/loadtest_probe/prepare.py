"""What is done in every Python process of a watched server, so it must be little: most of it waits for an import."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING

from loadtest_probe import natives  # noqa: F401 - here already, before gevent can come
from loadtest_probe.imports import AfterImport
from loadtest_probe.libraries import reason_of
from loadtest_probe.patches import SERVER, patches
from loadtest_probe.settings import Settings
from loadtest_probe.start_note import StartNote

if TYPE_CHECKING:
    from loadtest_probe.probe import Probe


def prepare(settings: Settings, note: StartNote) -> None:
    """Called before anything else in a process that may become a worker."""
    one = _OneProbe(settings, note)
    wanted: dict[str, Callable[[ModuleType], None]] = {}
    for what, module_name, patch in patches:
        wanted[module_name] = one.patcher(what, patch)
    AfterImport(wanted).install()


class _OneProbe:
    """Makes the probe when the first module comes that it has something to do with."""

    def __init__(self, settings: Settings, note: StartNote) -> None:
        self._settings = settings
        self._note = note
        self._probe: Probe | None = None
        self._is_making = False
        # Modules that the probe itself is the first to import: they are changed when it is made.
        self._waiting: list[Callable[[], None]] = []

    def patcher(self, what: str, patch: str) -> Callable[[ModuleType], None]:
        """A patch that fails costs what it would have shown, and nothing else."""

        def apply(module: ModuleType) -> None:
            if self._is_making:
                self._waiting.append(lambda: apply(module))
                return
            try:
                probe = self._get()
            except Exception as error:
                self._note.problem(f"the probe could not be made: {type(error).__name__}: {error}")
                return
            if what == SERVER:
                self._note.server(module.__name__.partition(".")[0])
            try:
                file, _, function = patch.partition(":")
                getattr(importlib.import_module(f"loadtest_probe.patches.{file}"), function)(probe, module)
            except Exception as error:
                reason = reason_of(module.__name__, error)
                probe.cannot_see(what, reason)
                if what == SERVER:
                    self._note.problem(reason)

        return apply

    def _get(self) -> Probe:
        if self._probe is None:
            self._is_making = True
            try:
                from loadtest_probe.probe import Probe

                self._probe = Probe(self._settings)
            finally:
                self._is_making = False
            os.register_at_fork(after_in_child=self._probe.sleep_in_child)
            for apply in self._waiting:
                apply()
            self._waiting.clear()
        return self._probe
