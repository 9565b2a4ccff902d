"""Does something with a module right after it was imported, before anybody else sees it."""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Callable, Sequence
from types import ModuleType

After = Callable[[ModuleType], None]


class AfterImport(importlib.abc.MetaPathFinder):
    """Stands in front of the other finders, asks them, and changes nothing of what they found but this: when the
    module has been executed, it is shown to us. The loader stays the one that the module would have anyway."""

    def __init__(self, wanted: dict[str, After]) -> None:
        self._wanted = wanted

    def install(self) -> None:
        for name in list(self._wanted):
            module = sys.modules.get(name)
            if module is not None:
                self._wanted.pop(name)(module)
        sys.meta_path.insert(0, self)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        after = self._wanted.get(fullname)
        if after is None:
            return None
        # Those before this one know no such module, and another of this kind would come back to us.
        finders = sys.meta_path[:]
        for finder in finders[finders.index(self) + 1 :] if self in finders else finders:
            find = getattr(finder, "find_spec", None)
            if find is None:
                continue
            spec: importlib.machinery.ModuleSpec | None = find(fullname, path, target)
            if spec is not None:
                self._show_afterwards(spec, after)
                return spec
        return None

    def _show_afterwards(self, spec: importlib.machinery.ModuleSpec, after: After) -> None:
        loader = spec.loader
        execute = getattr(loader, "exec_module", None)
        if loader is None or execute is None or isinstance(loader, type):
            return

        def execute_and_show(module: ModuleType) -> None:
            with contextlib.suppress(AttributeError):
                del loader.exec_module  # back to the class's own, whatever happens
            execute(module)
            if self._wanted.pop(spec.name, None) is not None:
                after(module)

        try:
            # Only this one loader's, which mypy cannot know to be wanted.
            loader.exec_module = execute_and_show  # type: ignore[method-assign]
        except AttributeError:  # a loader with slots, or a class
            return
