"""Python runs this first in a watched process. Afterwards the path is as in an ordinary start, and another
`sitecustomize`, which this one stood in front of, has run as ever."""

import os
import sys


def _start_probe() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    probe = os.path.dirname(os.path.dirname(here))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != here]
    sys.path.insert(0, probe)
    try:
        _prepare()
    except Exception:  # noqa: S110 - unwatched is better than not served
        pass
    finally:
        sys.path.remove(probe)


def _prepare() -> None:
    from loadtest_probe.settings import read_settings
    from loadtest_probe.start_note import StartNote, python_problem

    settings = read_settings()
    if settings is None or sys.platform == "win32":
        return
    note = StartNote(settings.folder)
    problem = python_problem(sys.version_info[:3])
    if problem is not None:
        note.problem(problem)
        return
    try:
        if settings.only_reach:
            from loadtest_probe.reach import Reach

            Reach(settings).begin()
            return
        if settings.only_outside:
            from loadtest_probe.outside import OutsideWatch

            OutsideWatch(settings).begin()
            return
        if settings.only_stacks:
            from loadtest_probe.stacks import Stacks

            Stacks(settings).begin()
            return
        if settings.only_memory:
            from loadtest_probe.kept_memory import KeptMemory

            KeptMemory(settings).begin()
            return
        from loadtest_probe.prepare import prepare

        prepare(settings, note)
    except Exception as error:
        note.problem(f"the probe could not be started: {type(error).__name__}: {error}")


def _start_other() -> None:
    ours = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401 - found now that this folder is not in the path
    except ImportError:
        if ours is not None:
            sys.modules["sitecustomize"] = ours  # the import that is under way expects one


_start_probe()
_start_other()
