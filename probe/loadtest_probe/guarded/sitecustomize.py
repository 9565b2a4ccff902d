"""Python runs this first in the processes of an app under test. Another `sitecustomize` runs as ever."""

import os
import sys


def _start_guard() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    probe = os.path.dirname(os.path.dirname(here))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != here]
    sys.path.insert(0, probe)
    try:
        from loadtest_probe.guard import begin

        begin()
    except Exception:  # noqa: S110 - the look from outside still sees it
        pass
    finally:
        sys.path.remove(probe)


def _start_other() -> None:
    ours = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401 - found now that this folder is not in the path
    except ImportError:
        if ours is not None:
            sys.modules["sitecustomize"] = ours


_start_guard()
_start_other()
